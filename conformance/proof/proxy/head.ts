import type { HeaderFields } from "./message.ts";

/** `more`: valid so far, but incomplete. `unreadable`: not HTTP, whatever follows. */
export type Unfinished = "more" | "unreadable";

/** Maximum bytes of the start line and the header fields that the proxy reads; longer messages are only piped. */
export const HEAD_LIMIT = 64 * 1024;

export interface Head {
  readonly start: RegExpExecArray;
  readonly headers: HeaderFields;
  /** In bytes, with the empty line. */
  readonly length: number;
}

const field = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/;

/** Reads a start line and header fields, strictly: CRLF only, no folding, no blanks before the colon (RFC 9112, 2.2 and 5). */
export function readHead(bytes: Buffer, startLine: RegExp): Head | Unfinished {
  const headers: [string, string][] = [];
  let start: RegExpExecArray | null = null;
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) return bytes.length > HEAD_LIMIT ? "unreadable" : "more";
    if (end > HEAD_LIMIT || end === at || bytes[end - 1] !== 0x0d) return "unreadable";
    const line = bytes.toString("latin1", at, end - 1);
    at = end + 1;
    if (!start) {
      start = startLine.exec(line);
      if (!start) return "unreadable";
    } else if (line === "") {
      return { start, headers, length: at };
    } else {
      const [, name, value] = field.exec(line) ?? [];
      if (name === undefined || value === undefined) return "unreadable";
      headers.push([name, value.replace(/^[ \t]+|[ \t]+$/g, "")]);
    }
  }
}

/** Every value of a header, names compared without case. */
export function values(headers: HeaderFields, name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.flatMap(([each, value]) => (each.toLowerCase() === wanted ? [value] : []));
}

/** Whether a comma-separated header such as `Connection` lists the token. */
export function lists(headers: HeaderFields, name: string, token: string): boolean {
  return values(headers, name).some((value) =>
    value.split(",").some((each) => each.trim().toLowerCase() === token.toLowerCase()),
  );
}
