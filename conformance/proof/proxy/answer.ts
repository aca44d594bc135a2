import { type Body, readChunks } from "./body.ts";
import { type Head, lists, readHead, values } from "./head.ts";
import type { HeaderFields, ProxyAnswer, ProxyRequest } from "./message.ts";
import { fieldLines, withLength } from "./request.ts";

export interface Received {
  readonly answer: ProxyAnswer;
  readonly bytes: Buffer;
  /** 100 to 199 except 101: another response follows. */
  readonly interim: boolean;
  /** The connection can carry another request after it. */
  readonly persistent: boolean;
}

const statusLine = /^HTTP\/(\d\.\d) (\d{3})(?: (.*))?$/;

/** The first response in the bytes; null if it is incomplete. `ended`: nothing follows, so a body without framing is whole. */
export function received(bytes: Buffer, method: string, ended: boolean): Received | null {
  const head = readHead(bytes, statusLine);
  if (typeof head === "string") return null;
  const { headers } = head;
  const [, version, code, reason = ""] = head.start;
  const status = Number(code);
  const read = bodyOf(head, bytes, bodiless(method, status), ended);
  if (!read) return null;
  return {
    answer: { status, reason, headers, body: read.body },
    bytes: bytes.subarray(0, read.end),
    interim: status < 200 && status !== 101,
    persistent: read.framed && (version === "1.1" || lists(headers, "connection", "keep-alive")),
  };
}

/** The body behind a head; `framed`: it has an end of its own, not the end of the connection (RFC 9112, 6.3). */
function bodyOf(
  { headers, length: start }: Head,
  bytes: Buffer,
  isEmpty: boolean,
  ended: boolean,
): (Body & { readonly framed: boolean }) | null {
  const until = (end: number, framed = true) =>
    bytes.length >= end ? { body: bytes.subarray(start, end), end, framed } : null;
  if (isEmpty) return until(start);
  if (/chunked\s*$/i.test(values(headers, "transfer-encoding").join())) {
    const read = readChunks(bytes, start);
    return typeof read === "string" ? null : { ...read, framed: true };
  }
  const [length] = values(headers, "content-length");
  if (length !== undefined) return until(start + Number(length));
  return ended ? until(bytes.length, false) : null;
}

/** The bytes of a changed response to `method`: `Content-Length` corrected, no body where HTTP allows none. */
export function answerBytes(answer: ProxyAnswer, method: string): Buffer {
  const { status, headers, body, raw } = answer;
  if (raw) return raw;
  if (answer.chunked && !bodiless(method, status)) return verbatimBytes(inChunks(answer));
  if (!bodiless(method, status)) return verbatimBytes({ ...answer, headers: framed(headers, body.length) });
  // A response to HEAD has the length of a body that is not sent; one built from a GET gets it here.
  const kept = body.length > 0 && method === "HEAD" ? framed(headers, body.length) : headers;
  return verbatimBytes({ ...answer, headers: kept, body: Buffer.alloc(0) });
}

/** In two chunks, so that one ends in the middle. */
function inChunks(answer: ProxyAnswer): ProxyAnswer {
  const half = Math.ceil(answer.body.length / 2);
  const pieces = [answer.body.subarray(0, half), answer.body.subarray(half)].filter(({ length }) => length > 0);
  const lines = pieces.flatMap((piece) => [`${piece.length.toString(16)}\r\n`, piece, "\r\n"]);
  const body = Buffer.concat([...lines, "0\r\n\r\n"].map((line) => Buffer.from(line)));
  return { ...answer, headers: [...withLength(answer.headers, 0), ["Transfer-Encoding", "chunked"]], body };
}

/** Status line, fields and body unchanged, however inconsistent. */
export function verbatimBytes({ status, reason, headers, body }: ProxyAnswer): Buffer {
  const head = [`HTTP/1.1 ${status} ${reason}`, ...fieldLines(headers)];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

/** Whether the client may send another request after this response (RFC 9112, 9.3). */
export function keepsConnection(request: ProxyRequest, { headers, raw }: ProxyAnswer): boolean {
  if (raw || lists(headers, "connection", "close") || lists(request.headers, "connection", "close")) return false;
  return (
    request.version === "1.1" ||
    (lists(request.headers, "connection", "keep-alive") && lists(headers, "connection", "keep-alive"))
  );
}

function framed(headers: HeaderFields, length: number): HeaderFields {
  const known = withLength(headers, length);
  return values(known, "content-length").length > 0 ? known : [...known, ["Content-Length", "0"]];
}

function bodiless(method: string, status: number): boolean {
  return method === "HEAD" || status < 200 || status === 204 || status === 304;
}
