import type { Types, UserList } from "../../generated/operations.ts";
import { Answer } from "../protocol/answer.ts";
import type { Users } from "../storage/users.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { Handler } from "./handler.ts";

type Input = Types["user.list"]["input"];

/** One page of the users (D26). Throws `invalid-cursor`. */
export async function userPage({ limit, cursor }: Input, users: Users, deadline?: number): Promise<UserList> {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const { users: items, more } = await users.page({ after, limit }, deadline);
  const last = items.at(-1);
  return more && last ? { items, nextCursor: encodeCursor(last.id) } : { items };
}

/** D26: keyset paging. `Link` is relative to the request, so that it holds behind a path prefix, and has no credentials. */
export const userList: Handler<"user.list"> = async (input, { users, deadline }) => {
  const body = await userPage(input, users, deadline);
  if (body.nextCursor === undefined) return body;
  const { limit } = input;
  const { nextCursor } = body;
  const headers = { Link: `<?@=user.list&limit=${limit}&cursor=${nextCursor}>; rel="next"` };
  return new Answer({ status: 200, mediaType: "application/json", body, headers });
};
