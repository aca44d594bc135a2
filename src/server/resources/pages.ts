import { crc32 } from "node:zlib";
import { Problem } from "../problem.ts";
import { HandlerResponse } from "../response/response.ts";
import type { ReadPage } from "../storage/driver.ts";

const ID_BYTES = 16;
const CHECKSUM_BYTES = 4;

/** The id of the last item seen, and a checksum of it and the operation: a cursor that this operation did not issue is recognised (D26). */
export function encodeCursor(operation: string, id: string): string {
  const bytes = Buffer.alloc(ID_BYTES + CHECKSUM_BYTES, id.replaceAll("-", ""), "hex");
  bytes.writeUInt32BE(crc32(bytes.subarray(0, ID_BYTES), crc32(operation)), ID_BYTES);
  return bytes.toString("base64url");
}

/** Throws `invalid-cursor`; only the spelling that was issued is accepted. */
function decodeCursor(operation: string, cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("hex", 0, ID_BYTES);
  if (encodeCursor(operation, id) !== cursor) throw new Problem("invalid-cursor");
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

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
