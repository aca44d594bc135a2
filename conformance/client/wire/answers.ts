import type { Answer } from "./exchange.ts";

/** What was read off a connection: whole answers, and the bytes behind the last of them. */
export interface ParsedAnswers {
  readonly answers: readonly Answer[];
  readonly rest: Buffer;
}

const HEAD_END = "\r\n\r\n";

interface Body {
  readonly body: Buffer;
  readonly end: number;
}

function parseChunks(bytes: Buffer, start: number): Body | null {
  const chunks: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (!(size >= 0)) return null;
    at = lineEnd + 2;
    if (size === 0) {
      // Trailers end at an empty line; none: the empty line is right here.
      const end = bytes.indexOf("\r\n", at) === at ? at + 2 : bytes.indexOf(HEAD_END, at) + HEAD_END.length;
      return end < at + 2 ? null : { body: Buffer.concat(chunks), end };
    }
    if (bytes.length < at + size + 2) return null;
    chunks.push(bytes.subarray(at, at + size));
    at += size + 2;
  }
}

function parseBody(head: Answer, bytes: Buffer, start: number, toHead: boolean, ended: boolean): Body | null {
  const field = (name: string) => head.headers.find(([key]) => key.toLowerCase() === name)?.[1];
  if (toHead || head.status < 200 || head.status === 204 || head.status === 304) {
    return { body: Buffer.alloc(0), end: start };
  }
  if (/chunked\s*$/i.test(field("transfer-encoding") ?? "")) return parseChunks(bytes, start);
  const length = field("content-length");
  if (length !== undefined) {
    const end = start + Number(length);
    return bytes.length >= end ? { body: bytes.subarray(start, end), end } : null;
  }
  // RFC 9112, 6.3: without a length the body lasts until the connection closes.
  return ended ? { body: bytes.subarray(start), end: bytes.length } : null;
}

function parseHead(text: string): Answer | null {
  const [first = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/(\d\.\d) (\d{3})(?: (.*))?$/.exec(first);
  if (!status) return null;
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(status[2]),
    reason: status[3] ?? "",
    httpVersion: status[1] ?? "",
    headers,
    body: Buffer.alloc(0),
  };
}

/**
 * Reads whole HTTP/1.x answers (RFC 9112) from the beginning of `bytes`. `heads[n]`: the nth request was HEAD, so its
 * answer has no body. `ended`: the connection has closed. Interim answers (1xx) are skipped.
 */
export function parseAnswers(bytes: Buffer, heads: readonly boolean[], ended: boolean): ParsedAnswers {
  const answers: Answer[] = [];
  let at = 0;
  for (;;) {
    const headEnd = bytes.indexOf(HEAD_END, at);
    const head = headEnd < 0 ? null : parseHead(bytes.toString("latin1", at, headEnd));
    const body = head && parseBody(head, bytes, headEnd + HEAD_END.length, heads[answers.length] ?? false, ended);
    if (!head || !body) return { answers, rest: bytes.subarray(at) };
    if (head.status >= 200) answers.push({ ...head, body: body.body });
    at = body.end;
  }
}
