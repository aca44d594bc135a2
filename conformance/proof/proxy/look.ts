import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { packaged } from "../../packaged.ts";
import { values } from "./head.ts";
import type { HeaderFields, ProxyAnswer, ProxyRequest } from "./message.ts";

/** Helpers to read the messages of a mutant. */

export type JsonObject = Record<string, unknown>;

const named = new WeakMap<ProxyRequest, { readonly name: string | null }>();

/** The name in a request, whether an operation has it or not; null if there is none. */
export function namedIn(request: ProxyRequest): string | null {
  const known = named.get(request);
  if (known) return known.name;
  const value = request.method === "POST" ? jsonBody(request)?.["@"] : queryOf(request).get("@");
  const name = typeof value === "string" ? value : null;
  named.set(request, { name });
  return name;
}

/** The operation that a request calls; null for an unknown name. */
export function operationOf(request: ProxyRequest): string | null {
  const called = namedIn(request) ?? "";
  const isCalled = ({ name, pattern }: (typeof operations)[number]) =>
    pattern === null ? name === called : new RegExp(pattern).test(called);
  return operations.find(isCalled)?.id ?? null;
}
const operations = Object.values(packaged.oracle.contract.operations);

export function queryOf({ target }: ProxyRequest): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(target)?.[1] ?? "");
}

/** Segments as written (RFC 3986, 5.2.4): `new URL` would take `%2e` for a dot as well. */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  for (const segment of path.slice(1).split("/"))
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  const end = /\/\.\.?$/.test(path) && kept.length > 0 ? "/" : "";
  return `/${kept.join("/")}${end}`;
}

/** The path that a target names, without the query: `/api/x/../` is `/api/`, and `http://host` is `/`. */
export function pathOf({ target }: ProxyRequest): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, "").replace(/\?.*$/s, "");
  return path === "" || path.startsWith("/") ? withoutDotSegments(path) : path;
}

/** The body's JSON object; null if it holds anything else. */
export function jsonBody({ body }: ProxyRequest): JsonObject | null {
  return objectIn(body.toString());
}

const read = new WeakMap<ProxyAnswer, JsonObject | null>();

/** The response's JSON object, without its content coding; null if it holds anything else. Parsed once, and not to be changed. */
export function jsonAnswer(answer: ProxyAnswer): JsonObject | null {
  const known = read.get(answer);
  if (known !== undefined) return known;
  const json = objectIn(textOf(answer));
  read.set(answer, json);
  return json;
}

/** The response's body in UTF-8, without its content coding. */
export function textOf({ headers, body }: ProxyAnswer): string {
  const coding = body.length > 0 ? values(headers, "content-encoding").join() : "";
  if (coding === "gzip") return gunzipSync(body).toString();
  return (coding === "br" ? brotliDecompressSync(body) : body).toString();
}

/** The `code` of a problem document; null for any other response. */
export function problemCode(answer: ProxyAnswer): string | null {
  const code = answer.status >= 400 ? jsonAnswer(answer)?.code : undefined;
  return typeof code === "string" ? code : null;
}

/** The first value of a header; null when it is absent. */
export function header({ headers }: { readonly headers: HeaderFields }, name: string): string | null {
  return values(headers, name)[0] ?? null;
}

function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
