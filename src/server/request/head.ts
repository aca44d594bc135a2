import type { IncomingMessage } from "node:http";
import { isIP, isIPv6, SocketAddress } from "node:net";
import { Problem } from "../problem.ts";
import type { Config } from "../settings/config.ts";

/** `: ` and the line end, which every field costs in addition to its name and value. */
const FIELD_OVERHEAD_BYTES = 4;

/**
 * Checks the URL and the headers that Node's parser let through (D13). Throws `uri-too-long`,
 * `headers-too-large`, or `malformed-request`: a URL with a fragment, another version, a transfer
 * coding that is not decoded, one in HTTP/1.0, or not exactly one valid Host in HTTP/1.1 (RFC 9112
 * 3.2, 6.1).
 */
export function checkHead(
  request: Pick<IncomingMessage, "url" | "rawHeaders" | "httpVersion">,
  config: Pick<Config, "MAX_URL_BYTES" | "MAX_HEADER_BYTES" | "maxHeaderFields">,
): void {
  const { url = "", rawHeaders, httpVersion } = request;
  // Node returns one character per byte, so lengths are bytes.
  if (url.length > config.MAX_URL_BYTES) throw new Problem("uri-too-long");
  // RFC 9112 3.2: no form of a target has a fragment; a URL parser would cut it off.
  if (url.includes("#"))
    throw new Problem("malformed-request", { detail: "The request target has a fragment." });
  const fields = rawHeaders.length / 2;
  let bytes = fields * FIELD_OVERHEAD_BYTES;
  for (const text of rawHeaders) bytes += text.length;
  if (fields > config.maxHeaderFields || bytes > config.MAX_HEADER_BYTES)
    throw new Problem("headers-too-large");

  // Node's parser also accepts HTTP/2.0 and HTTP/0.9 request lines, and treats them as 1.1.
  if (httpVersion !== "1.1" && httpVersion !== "1.0") throw new Problem("malformed-request");
  // It also accepts any coding before `chunked`: the coded bytes would be read as the body.
  const codings = valuesOf(rawHeaders, "transfer-encoding");
  if (codings.length > 0 && (httpVersion === "1.0" || codings.join().toLowerCase() !== "chunked"))
    throw new Problem("malformed-request", {
      detail: "The only transfer coding is chunked, and HTTP/1.0 has none.",
    });
  const [host, ...otherHosts] = valuesOf(rawHeaders, "host");
  const isValid =
    host === undefined ? httpVersion === "1.0" : AUTHORITY.test(host) && otherHosts.length === 0;
  if (!isValid)
    throw new Problem("malformed-request", {
      detail: "The request needs exactly one valid Host header.",
    });
}

/** The values of one field in the flat list `[name, value, name, value, …]`. */
export function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { [index]: field = "", [index + 1]: value = "" } = rawHeaders;
    // Called several times for each request: most fields already differ in length.
    if (field.length === name.length && field.toLowerCase() === name) values.push(value);
  }
  return values;
}

/** uri-host [ ":" port ], RFC 9110 7.2; an empty host is invalid. */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d*)?$/i;
const ABSOLUTE_FORM = /^https?:\/\/([^/?]*)/i;

/**
 * Splits a request target in origin-form or absolute-form (RFC 9112 3.2) at its first `?`, without
 * decoding anything, so that no two spellings of a path are one; only dot segments are removed
 * (D11). Throws `malformed-request` for any other form: `*`, `host:port`, an address of another
 * scheme, or one whose authority is invalid (D13).
 */
export function splitTarget(url: string): { readonly path: string; readonly search: string } {
  const [start = "", authority] = ABSOLUTE_FORM.exec(url) ?? [];
  const local = url.slice(start.length);
  if (authority === undefined ? !url.startsWith("/") : !AUTHORITY.test(authority))
    throw new Problem("malformed-request");
  const mark = local.indexOf("?");
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: withoutDotSegments(path || "/"), search: mark < 0 ? "" : local.slice(mark + 1) };
}

/** RFC 3986 5.2.4: `/api/user.list/../` is `/api/`, and nothing is above `/`. */
function withoutDotSegments(path: string): string {
  if (!path.includes("/.")) return path;
  const segments: string[] = [];
  for (const segment of path.split("/").slice(1)) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  // A dot segment at the end leaves the slash before it.
  if (/\/\.\.?$/.test(path)) segments.push("");
  return `/${segments.join("/")}`;
}

/**
 * The address of the client (D22). `forwardedFor` holds all `X-Forwarded-For` fields joined by a
 * comma. Each of the `trustedHops` proxies wrote the address it saw at the right end, so exactly
 * that many entries are trusted, as far as they exist and are addresses; the caller can write
 * anything further left.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  const trusted =
    trustedHops > 0 ? (forwardedFor?.split(",").slice(-trustedHops).reverse() ?? []) : [];
  let address = socketAddress === undefined ? "unknown" : shorten(socketAddress);
  for (const entry of trusted) {
    // `[2001:db8::1]:443` and `192.0.2.1:443`, as some proxies write them.
    const next = shorten(entry.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2"));
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/**
 * An IPv4 address that arrived on a socket open to both families, or that a proxy writes as IPv6
 * (RFC 4291, 2.5.5.2), in any spelling.
 */
function shorten(address: string): string {
  if (!/ffff:/i.test(address) || !isIPv6(address)) return address;
  // Node writes each address in one way.
  const spelt = new SocketAddress({ address: address.replace(/%.*/, ""), family: "ipv6" }).address;
  return /^::ffff:(\d+\.[\d.]+)$/.exec(spelt)?.[1] ?? address;
}
