import { MOST_HEAD } from "../../http/limits.ts";
import { ResponseParser } from "../../http/response-parser.ts";
import { endsConnection, write } from "../../http/write.ts";
import { fieldsOf, type Request } from "../../oracle/model-state.ts";
import { withHeader } from "./edit-response.ts";
import type { Reply } from "./message.ts";

/** Requests and responses as bytes. */

/** Maximum bytes of a request's body that the proxy reads; a larger request is only piped. */
const BODY_LIMIT = 1024 * 1024;

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+) ([\x21-\x7e\x80-\xff]+) HTTP\/(1\.[01])\r\n/;
const FRAMING_LINES = /^(?:content-length|transfer-encoding):.*$/gim;
const OTHER_CODING = /^transfer-encoding:(?![ \t]*chunked[ \t]*$)/i;
const CONTROL = /[^\t\r\n\x20-\x7e\x80-\xff]/;

export interface ReadRequest {
  readonly request: Request;
  readonly bytes: Buffer;
}

/**
 * The first request in the bytes. `more`: valid so far, but incomplete. `unreadable`: not HTTP, or
 * its length is not certain, whatever follows.
 */
export function readRequest(bytes: Buffer): ReadRequest | "more" | "unreadable" {
  const text = bytes.toString("latin1", 0, MOST_HEAD);
  const [line, method = "", target = "", version] = REQUEST_LINE.exec(text) ?? [];
  const end = text.indexOf("\r\n\r\n");
  if (line === undefined) return text.includes("\n") ? "unreadable" : "more";
  if (end < 0) return bytes.length > MOST_HEAD ? "unreadable" : "more";
  const head = text.slice(0, end);
  const [framing, ...furtherLines] = head.match(FRAMING_LINES) ?? [];
  if (CONTROL.test(head) || furtherLines.length > 0 || OTHER_CODING.test(framing ?? ""))
    return "unreadable";
  // Behind its first line a request is written as a response is. Without framing it has no body.
  const parser = new ResponseParser(false, BODY_LIMIT);
  parser.add(
    Buffer.from(`HTTP/1.1 200\r\n${framing === undefined ? "Content-Length: 0\r\n" : ""}`),
  );
  parser.add(bytes.subarray(line.length));
  const { received, error, behind } = parser;
  if (!received) return error === null ? "more" : "unreadable";
  const fields = received.head.fields.slice(framing === undefined ? 1 : 0);
  const body = received.body.toString("latin1");
  return {
    request: { method, target, version: version === "1.0" ? "1.0" : "1.1", fields, body },
    bytes: bytes.subarray(0, bytes.length - behind),
  };
}

/** The bytes of a changed request: fields unchanged, the framing corrected. */
export function requestBytes(request: Request): Buffer {
  const fields = request.fields.filter(
    ([name]) => !/^(?:content-length|transfer-encoding|trailer)$/i.test(name),
  );
  return write({ ...request, fields }, "");
}

/**
 * The bytes of a changed response to `method`: the framing corrected, no body where HTTP allows
 * none.
 */
export function answerBytes(answer: Reply, method: string): Buffer {
  const { status, fields, body, raw } = answer;
  if (raw) return raw;
  const sized = withHeader(answer, "Content-Length", `${body.length}`);
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) {
    // A response to HEAD has the length of a body that is not sent; one built from a GET gets it
    // here.
    const reply = body.length > 0 && method === "HEAD" ? sized : answer;
    return verbatimBytes({ ...reply, body: Buffer.alloc(0) });
  }
  if (fieldsOf(fields, "Transfer-Encoding").length === 0) return verbatimBytes(sized);
  // In two chunks, so that one ends in the middle.
  const half = Math.ceil(body.length / 2);
  const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  const lines = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from("\r\n"),
  ]);
  return verbatimBytes({ ...answer, body: Buffer.concat([...lines, Buffer.from("0\r\n\r\n")]) });
}

function verbatimBytes({ status, reason, fields, body }: Reply): Buffer {
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

/** Status line, fields and body unchanged, however inconsistent. The connection closes after it. */
export const verbatim = (answer: Reply): Reply => ({
  ...answer,
  raw: verbatimBytes(answer),
});

/** Whether the client may send another request after this response (RFC 9112, 9.3). */
export function keepsConnection(request: Request, { fields, raw }: Reply): boolean {
  if (raw || [fields, request.fields].some(endsConnection)) return false;
  const isKept = (headerFields: Request["fields"]) =>
    /\bkeep-alive\b/i.test(fieldsOf(headerFields, "Connection").join());
  return request.version !== "1.0" || [fields, request.fields].every(isKept);
}
