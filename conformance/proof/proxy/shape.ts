import { STATUS_CODES } from "node:http";
import { packaged } from "../../packaged.ts";
import { verbatimBytes } from "./answer.ts";
import { type JsonObject, jsonAnswer, queryOf } from "./look.ts";
import type { Context, HeaderFields, ProxyAnswer, ProxyRequest } from "./message.ts";

/** Helpers to change messages. All of them copy; none of them changes its arguments. */

interface Message {
  readonly headers: HeaderFields;
}

/** A response with another JSON object, uncoded; one without a JSON object is unchanged. */
export function withJson(answer: ProxyAnswer, change: (json: JsonObject) => unknown): ProxyAnswer {
  const json = jsonAnswer(answer);
  return json ? withBody(answer, JSON.stringify(change(json))) : answer;
}

/** A response with another body, uncoded. */
export function withBody(answer: ProxyAnswer, body: string | Buffer): ProxyAnswer {
  return { ...withoutHeader(answer, "Content-Encoding"), body: Buffer.from(body) };
}

/** With this value and no other, at the header's position or at the end. */
export function withHeader<M extends Message>(message: M, name: string, value: string): M {
  const at = message.headers.findIndex(([each]) => same(each, name));
  const rest = withoutHeader(message, name).headers;
  const place = at < 0 ? rest.length : at;
  return { ...message, headers: [...rest.slice(0, place), [name, value], ...rest.slice(place)] };
}

/** With one field more, whether or not the header is already present. */
export function withAddedHeader<M extends Message>(message: M, name: string, value: string): M {
  return { ...message, headers: [...message.headers, [name, value]] };
}

export function withoutHeader<M extends Message>(message: M, name: string): M {
  return { ...message, headers: message.headers.filter(([each]) => !same(each, name)) };
}

export function withStatus(answer: ProxyAnswer, status: number): ProxyAnswer {
  return { ...answer, status, reason: STATUS_CODES[status] ?? "" };
}

/** The response sent unchanged: wrong lengths, a body to HEAD or 204, repeated framing. The connection closes after it. */
export function verbatim(answer: ProxyAnswer): ProxyAnswer {
  return { ...answer, raw: verbatimBytes(answer) };
}

/** A new response, as JSON. */
export function respond(status: number, json: unknown, headers: Readonly<Record<string, string>> = {}): ProxyAnswer {
  return {
    status,
    reason: STATUS_CODES[status] ?? "",
    headers: Object.entries({ "Content-Type": "application/json; charset=utf-8", ...headers }),
    body: Buffer.from(JSON.stringify(json)),
  };
}

/** A new problem document. */
export function respondProblem(status: number, code: string): ProxyAnswer {
  const title = STATUS_CODES[status] ?? "Problem";
  const document = { type: "about:blank", title, status, detail: title, code, requestId: "broken" };
  return respond(status, document, { "Content-Type": "application/problem+json" });
}

/** A rejection with the status of its code. */
export const refusal = (code: string): ProxyAnswer =>
  respondProblem(packaged.oracle.contract.problems[code]?.status ?? 400, code);

/**
 * With another query, written anew (`@` comes out as `%40`). The request stays the same when nothing changed, and when the query
 * cannot be decoded: written anew, it would be well-formed, and the target would not reject it.
 */
export function withQuery(request: ProxyRequest, change: (query: URLSearchParams) => void): ProxyRequest {
  if (!canDecode(request.target)) return request;
  const query = queryOf(request);
  const before = query.toString();
  change(query);
  if (query.toString() === before) return request;
  const path = request.target.replace(/\?.*$/s, "");
  return { ...request, target: query.size > 0 ? `${path}?${query}` : path };
}

/** Without key and platform, in header and query. */
export function withoutCredentials(request: ProxyRequest): ProxyRequest {
  const bare = withoutHeader(withoutHeader(request, "X-API-KEY"), "X-PLATFORM");
  return withQuery(bare, (query) => {
    for (const name of ["X-API-KEY", "X-PLATFORM"]) query.delete(name);
  });
}

/** This key and platform, in headers, instead of those that were sent. */
export function withCredentials(request: ProxyRequest, key: string, platform: string): ProxyRequest {
  return withHeader(withHeader(withoutCredentials(request), "X-API-KEY", key), "X-PLATFORM", platform);
}

/** The valid credentials instead of those that were sent; the server must have been started with them. */
export function letIn(request: ProxyRequest, { credentials }: Context): ProxyRequest {
  if (!credentials) throw new Error("this mutant needs the server's credentials");
  return withCredentials(request, credentials.key, credentials.platform);
}

/** Whether percent-encoding is valid in a text, and of UTF-8. */
function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
