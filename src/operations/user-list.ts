import type { Types } from "../../generated/operations.ts";
import { decodeCursor, encodeCursor } from "../server/resources/cursor.ts";
import { HandlerResponse } from "../server/response/response.ts";
import type { Users } from "../server/storage/users.ts";
import type { Handler } from "./handler.ts";

type Input = Types["user.list"]["input"];

/** One page of the users (D26), a `UserList` in JSON, and the cursor in it. Throws `invalid-cursor`. */
export async function userPage({ limit, cursor }: Input, users: Users, deadline?: number) {
  const after = cursor === undefined ? null : decodeCursor("user.list", cursor);
  const { items, last, more } = await users.page({ after, limit }, deadline);
  if (!more || last === null) return { json: `{"items":${items}}`, nextCursor: null };
  const nextCursor = encodeCursor("user.list", last);
  return { json: `{"items":${items},"nextCursor":"${nextCursor}"}`, nextCursor };
}

/** D26: keyset paging. `Link` is relative to the request, so that it is right behind a path prefix, and has no credentials. */
export const userList: Handler<"user.list"> = async (input, { users, deadline }) => {
  const { json, nextCursor } = await userPage(input, users, deadline);
  const answer = { status: 200, mediaType: "application/json", json } as const;
  if (nextCursor === null) return new HandlerResponse(answer);
  const headers = { Link: `<?@=user.list&limit=${input.limit}&cursor=${nextCursor}>; rel="next"` };
  return new HandlerResponse({ ...answer, headers });
};
