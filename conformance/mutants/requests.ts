import { asText, every, type Known, nameOf, operationCalled } from "../client/operation.ts";
import { values } from "./proxy/head.ts";
import { header, isObject, jsonBody, namedIn, operationOf, pathOf, queryOf } from "./proxy/look.ts";
import type { Context, ProxyRequest } from "./proxy/message.ts";
import { letIn, withHeader, withJsonBody, withoutHeader, withQuery } from "./proxy/shape.ts";

/** Words for requests: what is in them, and the request that they would be without a fault. */

export const KEY = "X-API-KEY";
export const PLATFORM = "X-PLATFORM";
export const credentialNames = [KEY, PLATFORM] as const;
export type CredentialHeader = (typeof credentialNames)[number];

/** What becomes of a request; the same object where nothing does. */
export type Repair = (request: ProxyRequest, context: Context) => ProxyRequest;

export const isPost = ({ method }: ProxyRequest) => method === "POST";
export const onEndpoint = (request: ProxyRequest) => pathOf(request).endsWith("/api/");

/** What was sent as a credential, wherever; empty when nothing was. */
export const sent = (request: ProxyRequest, name: CredentialHeader): string =>
  header(request, name) || queryOf(request).get(name) || "";
export const isSent = (request: ProxyRequest, name: CredentialHeader) =>
  header(request, name) !== null || queryOf(request).has(name);

/** This value as a header, in place of whatever was sent. */
export const withCredential = (request: ProxyRequest, name: CredentialHeader, value = ""): ProxyRequest =>
  withHeader(
    withQuery(request, (query) => query.delete(name)),
    name,
    value,
  );

/** The operation that a request calls, by whatever method; null for none. */
export function called(request: ProxyRequest): Known | null {
  const known = calls.get(request);
  if (known !== undefined) return known;
  const id = onEndpoint(request) ? operationOf(request) : null;
  const operation = every.find((one) => one.id === id) ?? null;
  calls.set(request, operation);
  return operation;
}

const calls = new WeakMap<ProxyRequest, Known | null>();

/** Only the requests of one operation. */
export const of =
  (operation: Known, repair: Repair): Repair =>
  (request, context) =>
    called(request)?.id === operation.id ? repair(request, context) : request;

/** The same request for an operation of another name; one that names none stays as it is. */
export function renamed(request: ProxyRequest, change: (name: string) => string): ProxyRequest {
  const name = namedIn(request);
  if (name === null || change(name) === name) return request;
  return isPost(request)
    ? withJsonBody(request, (body) => ({ ...body, "@": change(name) }))
    : withQuery(request, (query) => query.set("@", change(name)));
}

/** A name that no operation has, read so that one has it. */
export const readName =
  (read: (name: string) => string): Repair =>
  (request) =>
    onEndpoint(request)
      ? renamed(request, (name) =>
          operationCalled(name) === null && operationCalled(read(name)) !== null ? read(name) : name,
        )
      : request;

/** The GET that a POST of its operation would be. */
export const asGet: Repair = (request) => {
  const data = jsonBody(request)?.data;
  const get = { ...withoutHeader(request, "Content-Type"), method: "GET", body: Buffer.alloc(0) };
  return withQuery(get, (query) => {
    query.set("@", namedIn(request) ?? query.get("@") ?? "");
    for (const [name, value] of Object.entries(isObject(data) ? data : {})) query.set(name, asText(value));
  });
};

/** The POST that a request with the operation and its input in the query would be. */
export const asPost: Repair = (request) => {
  const { "@": name, [KEY]: _key, [PLATFORM]: _platform, ...input } = Object.fromEntries(queryOf(request));
  const own = jsonBody(request);
  const data = { ...input, ...(isObject(own?.data) ? own.data : {}) };
  const post = withQuery(request, (query) => {
    for (const member of ["@", ...Object.keys(input)]) query.delete(member);
  });
  const body = Buffer.from(JSON.stringify({ "@": name ?? own?.["@"], data }));
  return withHeader({ ...post, method: "POST", body }, "Content-Type", "application/json");
};

/** Of several parameters with a name, or of several fields, the one at this place, and no other. */
export const oneParameter = (request: ProxyRequest, name: string, at: number): ProxyRequest =>
  withQuery(request, (query) => {
    const all = query.getAll(name);
    if (all.length > 1) query.set(name, all.at(at) ?? "");
  });
export function oneField(request: ProxyRequest, name: string, at: number): ProxyRequest {
  const all = values(request.headers, name);
  return all.length > 1 ? withHeader(request, name, all.at(at) ?? "") : request;
}

/** The input member of a request: a query parameter of a GET, a member of `data` of a POST; undefined when it is absent. */
export function inputOf(request: ProxyRequest, member: string): unknown {
  if (!isPost(request)) return queryOf(request).get(member) ?? undefined;
  const data = jsonBody(request)?.data;
  return isObject(data) ? data[member] : undefined;
}

/** With another value of an input member; undefined takes it away. */
export function withInput(request: ProxyRequest, member: string, value: unknown): ProxyRequest {
  if (!isPost(request))
    return withQuery(request, (query) => {
      if (value === undefined) query.delete(member);
      else query.set(member, asText(value));
    });
  return withJsonBody(request, (body) => {
    const { [member]: _old, ...data } = isObject(body.data) ? body.data : {};
    return { ...body, data: value === undefined ? data : { ...data, [member]: value } };
  });
}

/** A right call of an operation, as its example has it. */
export const exampleOf = (operation: Known): Record<string, unknown> => ({
  "@": nameOf(operation),
  ...operation.example,
});

/** Lets a request in for what it sent as key or platform, though something is wrong with it. */
export const letInIf =
  (name: CredentialHeader, accepts: (sent: string, good: string) => boolean): Repair =>
  (request, context) => {
    const good = { [KEY]: context.credentials?.key ?? "", [PLATFORM]: context.credentials?.platform ?? "" };
    const other = name === KEY ? PLATFORM : KEY;
    const given = sent(request, name);
    const wrong = given !== "" && given !== good[name] && sent(request, other) === good[other];
    return wrong && accepts(given, good[name]) ? letIn(request, context) : request;
  };

/** Percent-escapes decoded; a text that has broken ones stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
