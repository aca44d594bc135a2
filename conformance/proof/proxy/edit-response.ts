import { STATUS_CODES } from "node:http";
import type { Operation } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/model-state.ts";
import { packaged } from "../../packaged.ts";
import type { Context, Reply } from "./message.ts";
import { header, type JsonObject, jsonAnswer, queryOf } from "./sniff.ts";

/** Helpers to change messages. All of them copy; none of them changes its arguments. */

type Message = Pick<Request, "fields">;

/** A response with another JSON object, uncoded; one without a JSON object is unchanged. */
export function withJson(answer: Reply, change: (json: JsonObject) => unknown): Reply {
  const json = jsonAnswer(answer);
  return json ? withBody(answer, JSON.stringify(change(json))) : answer;
}

/** A response with another body, uncoded. */
export function withBody(answer: Reply, body: string | Buffer): Reply {
  return { ...withoutHeader(answer, "Content-Encoding"), body: Buffer.from(body) };
}

/** With this value and no other, at the header's position or at the end. */
export function withHeader<M extends Message>(message: M, name: string, value: string): M {
  const index = message.fields.findIndex(([each]) => same(each, name));
  const rest = withoutHeader(message, name).fields;
  const place = index < 0 ? rest.length : index;
  return { ...message, fields: [...rest.slice(0, place), [name, value], ...rest.slice(place)] };
}

export function withoutHeader<M extends Message>(message: M, name: string): M {
  return { ...message, fields: message.fields.filter(([each]) => !same(each, name)) };
}

export function withStatus(answer: Reply, status: number): Reply {
  return { ...answer, status, reason: STATUS_CODES[status] ?? "" };
}

/** A new response, as JSON. */
export function respond(
  status: number,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const fields = Object.entries({ "Content-Type": "application/json; charset=utf-8", ...headers });
  return {
    status,
    reason: STATUS_CODES[status] ?? "",
    fields,
    body: Buffer.from(JSON.stringify(json)),
  };
}

/** A rejection, by default with the status of its code. */
export function refusal(
  code: string,
  status = packaged.oracle.contract.problems[code]?.status ?? 400,
): Reply {
  const title = STATUS_CODES[status] ?? "Problem";
  const document = { type: "about:blank", title, status, detail: title, code, requestId: "broken" };
  return respond(status, document, { "Content-Type": "application/problem+json" });
}

/**
 * With another query, written anew (`@` comes out as `%40`). The request stays the same when
 * nothing changed, and when the query cannot be decoded: written anew, it would be well-formed, and
 * the target would not reject it.
 */
export function withQuery(request: Request, change: (query: URLSearchParams) => void): Request {
  if (!canDecode(request.target)) return request;
  const query = queryOf(request);
  const before = query.toString();
  change(query);
  if (query.toString() === before) return request;
  const path = request.target.replace(/\?.*$/s, "");
  return { ...request, target: query.size > 0 ? `${path}?${query}` : path };
}

/**
 * The valid credentials, in headers, instead of those that were sent; the server must have been
 * started with them.
 */
export function letIn(request: Request, { credentials }: Context): Request {
  if (!credentials) throw new Error("this mutant needs the server's credentials");
  const keyed = withHeader(request, "X-API-KEY", credentials.key);
  return withoutCredentials(withHeader(keyed, "X-PLATFORM", credentials.platform));
}

/** Without key and platform in the query. */
export const withoutCredentials = (request: Request): Request =>
  withQuery(request, (query) => {
    for (const name of ["X-API-KEY", "X-PLATFORM"]) query.delete(name);
  });

/** Another client's command, which creates a record with this address. */
export function creation(request: Request, { name, example }: Operation, email: string): Request {
  const fields = Object.entries({
    Host: header(request, "Host") ?? "localhost",
    "Content-Type": "application/json",
  });
  const body = Buffer.from(JSON.stringify({ "@": name, data: { ...example, email } })).toString(
    "latin1",
  );
  return { ...request, method: "POST", target: "/api/", fields, body };
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

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
