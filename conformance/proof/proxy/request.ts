import { framing, readBody } from "./body.ts";
import { readHead, type Unfinished } from "./head.ts";
import type { HeaderFields, ProxyRequest } from "./message.ts";

/** Maximum bytes of a request's body that the proxy reads; a larger request is only piped. */
export const BODY_LIMIT = 1024 * 1024;

const requestLine = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+) ([\x21-\x7e\x80-\xff]+) HTTP\/(1\.[01])$/;

/** The first request in the bytes, and its length. */
export function readRequest(bytes: Buffer): { request: ProxyRequest; length: number } | Unfinished {
  const head = readHead(bytes, requestLine);
  if (typeof head === "string") return head;
  const how = framing(head.headers);
  if (how === null || (typeof how === "object" && how.length > BODY_LIMIT)) return "unreadable";
  const read = readBody(bytes, head.length, how);
  if (read === "more") return bytes.length - head.length > BODY_LIMIT ? "unreadable" : "more";
  if (read === "unreadable") return read;
  const [, method = "", target = "", version] = head.start;
  const request: ProxyRequest = {
    method,
    target,
    version: version === "1.0" ? "1.0" : "1.1",
    headers: head.headers,
    body: read.body,
    rawBytes: bytes.subarray(0, read.end),
  };
  return { request, length: read.end };
}

/** The bytes of a changed request: fields unchanged, the framing corrected. */
export function requestBytes(request: ProxyRequest): Buffer {
  const { method, target, version, body } = request;
  const head = [`${method} ${target} HTTP/${version}`, ...fieldLines(withLength(request.headers, body.length))];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

/**
 * The fields with `Content-Length` as the only framing, at the position of the first framing field; none if there is no body and
 * was none.
 */
export function withLength(headers: HeaderFields, length: number): HeaderFields {
  const framed = ([name]: readonly [string, string]) => /^(content-length|transfer-encoding|trailer)$/i.test(name);
  const at = headers.findIndex(framed);
  const rest = headers.filter((each) => !framed(each));
  if (at < 0 && length === 0) return rest;
  const place = at < 0 ? rest.length : at;
  return [...rest.slice(0, place), ["Content-Length", String(length)], ...rest.slice(place)];
}

export function fieldLines(headers: HeaderFields): string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}
