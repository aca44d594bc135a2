import { withoutCoding } from "../../http/coding.ts";
import type { Operation } from "../../oracle/contract.ts";
import { fieldsOf, type Request } from "../../oracle/model-state.ts";
import { operations, paged } from "../operations.ts";
import type { Reply } from "./message.ts";

/** Helpers to read messages. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The first value of a header; null when it is absent. */
export const header = ({ fields }: Pick<Request, "fields">, name: string): string | null =>
  fieldsOf(fields, name)[0] ?? null;

/** The response's body in UTF-8, without its content coding. */
export const textOf = ({ fields, body }: Reply): string => `${withoutCoding(fields, body) ?? body}`;

const read = new WeakMap<Reply, JsonObject | null>();

/**
 * The response's JSON object, without its content coding; null if it holds anything else. Parsed
 * once, and not to be changed.
 */
export function jsonAnswer(answer: Reply): JsonObject | null {
  const known = read.get(answer);
  if (known !== undefined) return known;
  const json = objectIn(textOf(answer));
  read.set(answer, json);
  return json;
}

/** The `code` of a problem document; null for any other response. */
export function problemCode(answer: Reply): string | null {
  const code = answer.status >= 400 ? jsonAnswer(answer)?.code : undefined;
  return typeof code === "string" ? code : null;
}

/** The body's JSON object; null if it holds anything else. */
export const jsonBody = ({ body }: Request): JsonObject | null =>
  objectIn(`${Buffer.from(body, "latin1")}`);

export function queryOf({ target }: Request): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(target)?.[1] ?? "");
}

/** Segments as written (RFC 3986, 5.2.4): `new URL` would take `%2e` for a dot as well. */
function withoutDotSegments(path: string): string {
  const segments: string[] = [];
  for (const segment of path.slice(1).split("/"))
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  const end = /\/\.\.?$/.test(path) && segments.length > 0 ? "/" : "";
  return `/${segments.join("/")}${end}`;
}

/**
 * The path that a target names, without the query: `/api/x/../` is `/api/`, and `http://host` is
 * `/`.
 */
export function pathOf({ target }: Request): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, "").replace(/\?.*$/s, "");
  return path === "" || path.startsWith("/") ? withoutDotSegments(path) : path;
}

/** The name in a request, whether an operation has it or not; null if there is none. */
export function namedIn(request: Request): string | null {
  const value = request.method === "POST" ? jsonBody(request)?.["@"] : queryOf(request).get("@");
  return typeof value === "string" ? value : null;
}

const calls = new WeakMap<Request, Operation | null>();

/** The operation that a request calls, by any method; null for none. */
export function called(request: Request): Operation | null {
  const known = calls.get(request);
  if (known !== undefined) return known;
  const called = (pathOf(request).endsWith("/api/") && namedIn(request)) || "";
  const isCalled = ({ name, pattern }: Operation) =>
    pattern === null ? name === called : new RegExp(pattern).test(called);
  const operation = operations.find(isCalled) ?? null;
  calls.set(request, operation);
  return operation;
}

export const isList = (request: Request): boolean =>
  paged.some(({ id }) => id === called(request)?.id);

/** The value sent as a credential, in any place; empty if there was none. */
export const sent = (request: Request, name: "X-API-KEY" | "X-PLATFORM"): string =>
  header(request, name) || queryOf(request).get(name) || "";

/**
 * The input member of a request: a query parameter of a GET, a member of `data` of a POST;
 * undefined if it is absent.
 */
export function inputOf(request: Request, member: string): unknown {
  if (request.method !== "POST") return queryOf(request).get(member) ?? undefined;
  const data = jsonBody(request)?.data;
  return isObject(data) ? data[member] : undefined;
}
