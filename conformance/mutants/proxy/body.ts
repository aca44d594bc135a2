import { type Body, readChunks, type Unfinished } from "../../client/wire/chunks.ts";
import { values } from "./head.ts";
import type { HeaderFields } from "./message.ts";

export type Framing = { readonly length: number } | "chunked" | "none";

const empty = Buffer.alloc(0);

/** How the body is delimited; null if the fields contradict each other or are invalid (RFC 9112, 6.3). */
export function framing(headers: HeaderFields): Framing | null {
  const lengths = values(headers, "content-length");
  const codings = values(headers, "transfer-encoding");
  if (codings.length > 0) return codings.join().toLowerCase() === "chunked" && lengths.length === 0 ? "chunked" : null;
  const [length] = lengths;
  if (length === undefined) return "none";
  return lengths.length === 1 && /^\d{1,15}$/.test(length) ? { length: Number(length) } : null;
}

/** Reads the body that starts at `from`. */
export function readBody(bytes: Buffer, from: number, how: Framing): Body | Unfinished {
  if (how === "none") return { body: empty, end: from };
  if (how === "chunked") return readChunks(bytes, from);
  const end = from + how.length;
  return bytes.length < end ? "more" : { body: bytes.subarray(from, end), end };
}
