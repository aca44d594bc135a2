export interface Body {
  readonly body: Buffer;
  /** Where the message ends in the bytes. */
  readonly end: number;
}

/** `more`: valid so far, but incomplete. `unreadable`: not HTTP, whatever follows. */
export type Unfinished = "more" | "unreadable";

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
