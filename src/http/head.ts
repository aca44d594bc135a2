import type { IncomingMessage } from "node:http";
import { Problem } from "../problem.ts";
import { isAuthority } from "./target.ts";

/** The limits of a request's head, D13. */
export interface HeadLimits {
  /** Bytes of the request target. */
  readonly maxUrlBytes: number;
  /** Bytes of all header lines, each with its colon, blank and line end. */
  readonly maxHeaderBytes: number;
  readonly maxHeaderFields: number;
}

/** `: ` and the line end, which every field costs beside its name and value. */
const FIELD_OVERHEAD_BYTES = 4;

/**
 * Judges the URL and the headers as Node's parser let them through (D13). Throws `uri-too-long`, `headers-too-large`, or
 * `malformed-request`: a URL with a fragment, another version, a transfer coding that nobody undoes, or not exactly one
 * valid Host in HTTP/1.1 (RFC 9112 3.2).
 */
export function judgeHead(
  request: Pick<IncomingMessage, "url" | "rawHeaders" | "httpVersion">,
  limits: HeadLimits,
): void {
  const { url = "", rawHeaders, httpVersion } = request;
  // Node gives one character per byte, so lengths are bytes.
  if (url.length > limits.maxUrlBytes) throw new Problem("uri-too-long");
  // RFC 9112 3.2: no form of a target has a fragment; what parses targets as URLs would cut it off.
  if (url.includes("#")) throw new Problem("malformed-request", { detail: "The request target has a fragment." });
  const fields = rawHeaders.length / 2;
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length, fields * FIELD_OVERHEAD_BYTES);
  if (fields > limits.maxHeaderFields || bytes > limits.maxHeaderBytes) throw new Problem("headers-too-large");

  // Node's parser takes HTTP/2.0 and HTTP/0.9 request lines too, and answers them as if they were 1.1.
  if (httpVersion !== "1.1" && httpVersion !== "1.0") throw new Problem("malformed-request");
  // And it takes any coding before `chunked`: what is read then would be the coded bytes.
  const codings = valuesOf(rawHeaders, "transfer-encoding");
  if (codings.length > 0 && codings.join().toLowerCase() !== "chunked")
    throw new Problem("malformed-request", { detail: "The only transfer coding is chunked." });
  const [host, ...others] = valuesOf(rawHeaders, "host");
  const mayLackHost = httpVersion === "1.0";
  const valid = host === undefined ? mayLackHost : isAuthority(host) && others.length === 0;
  if (!valid) throw new Problem("malformed-request", { detail: "The request needs exactly one valid Host header." });
}

/** Throws `parameter-repeated` when a credential header was sent twice (D2); Node would join the values silently. */
export function refuseRepeatedCredentials(rawHeaders: readonly string[]): void {
  for (const name of ["x-api-key", "x-platform"]) {
    if (valuesOf(rawHeaders, name).length > 1) throw new Problem("parameter-repeated");
  }
}

/** The values of one field in the flat list `[name, value, name, value, …]`. */
export function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
