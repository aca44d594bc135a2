import { type Unfinished, values } from "./head.ts";
import type { HeaderFields } from "./message.ts";

export type Framing = { readonly length: number } | "chunked" | "none";

export interface Body {
  readonly body: Buffer;
  /** Where the message ends in the bytes. */
  readonly end: number;
}

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

/** Reads a chunked body (RFC 9112, 7.1) that starts at `from`. */
export function readChunks(bytes: Buffer, from: number): Body | Unfinished {
  const chunks: Buffer[] = [];
  for (let at = from; ; ) {
    const line = bytes.indexOf("\r\n", at);
    if (line < 0) return "more";
    const [, size] = /^([\da-f]{1,8})(?:[ \t]*;[\t\x20-\x7e]*)?$/i.exec(bytes.toString("latin1", at, line)) ?? [];
    if (size === undefined) return "unreadable";
    const start = line + 2;
    const end = start + Number.parseInt(size, 16);
    // The last chunk is empty; trailers, if any, end with an empty line as a head does.
    if (end === start) {
      const close = bytes.indexOf("\r\n\r\n", line);
      return close < 0 ? "more" : { body: Buffer.concat(chunks), end: close + 4 };
    }
    if (bytes.length < end + 2) return "more";
    if (bytes.toString("latin1", end, end + 2) !== "\r\n") return "unreadable";
    chunks.push(bytes.subarray(start, end));
    at = end + 2;
  }
}
