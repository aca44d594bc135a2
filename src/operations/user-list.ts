import type { UserList } from "../../generated/operations.ts";
import { Answer } from "../protocol/answer.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { Handler } from "./handler.ts";

/** D26: keyset paging. `Link` is relative to the request, so that it holds behind a path prefix, and has no credentials. */
export const userList: Handler<"user.list"> = async ({ limit, cursor }, { users }) => {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const { users: items, more } = await users.page({ after, limit });
  const last = items.at(-1);
  if (!more || !last) return { items };
  const nextCursor = encodeCursor(last.id);
  const body: UserList = { items, nextCursor };
  const headers = { Link: `<?@=user.list&limit=${limit}&cursor=${nextCursor}>; rel="next"` };
  return new Answer({ status: 200, mediaType: "application/json", body, headers });
};
