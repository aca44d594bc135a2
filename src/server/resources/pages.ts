import { HandlerResponse } from "../response/response.ts";
import type { ReadPage } from "../storage/driver.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";

interface Asked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** One page of an operation (D26), a `Page<T>` as JSON text, and the cursor in it. Throws `invalid-cursor`. */
export async function readJsonPage(operation: string, { limit, cursor }: Asked, read: ReadPage, deadline?: number) {
  const after = cursor === undefined ? null : decodeCursor(operation, cursor);
  const { items, last, more } = await read({ after, limit }, deadline);
  if (!more || last === null) return { json: `{"items":${items}}`, nextCursor: null };
  const nextCursor = encodeCursor(operation, last);
  return { json: `{"items":${items},"nextCursor":"${nextCursor}"}`, nextCursor };
}

/** The response with that page. `Link` is relative to the request, so that it is right behind a path prefix, and has no credentials. */
export async function pageOf<Body>(operation: string, asked: Asked, read: ReadPage, deadline: number) {
  const { json, nextCursor } = await readJsonPage(operation, asked, read, deadline);
  const response = { status: 200, mediaType: "application/json", json } as const;
  const Link = `<?@=${operation}&limit=${asked.limit}&cursor=${nextCursor}>; rel="next"`;
  return new HandlerResponse<{ status: 200; mediaType: "application/json"; body: Body }>(
    nextCursor === null ? response : { ...response, headers: { Link } },
  );
}
