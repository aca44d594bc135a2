import type { Operation } from "../../../../generated/operations.ts";
import { type Requirement, requirements } from "../../../../generated/requirements.ts";
import { every, operationCalled } from "../../../client/operation.ts";
import type { Context, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, isObject, jsonBody, namedIn, pathOf, queryOf } from "../../look.ts";
import { withHeader, withJsonBody, withoutHeader, withQuery } from "../../shape.ts";

/** Words for defects that speak of every operation. */

/** The checks of one requirement for these operations: `dispatch/head#sysinfo`. */
export const checksOf = (prefix: string, list: readonly Operation[] = every): string[] =>
  list.map(({ id }) => `${prefix}${prefix.includes("#") ? "-" : "#"}${id}`);

/** The check of what is given of an operation; none of one that came later. */
export const givenChecks = (id: string): string[] =>
  requirements.flatMap(({ id: one, origin }: Requirement) =>
    origin === "given" && (one === `${id}/json` || one === `${id}/document`) ? [one] : [],
  );

/** The same request for an operation of another name; one that names none stays as it is. */
export function renamed(request: ProxyRequest, change: (name: string) => string): ProxyRequest {
  const name = namedIn(request);
  if (name === null || change(name) === name) return request;
  return request.method === "POST"
    ? withJsonBody(request, (body) => ({ ...body, "@": change(name) }))
    : withQuery(request, (query) => query.set("@", change(name)));
}

/** The name where the change makes it one that an operation has; as it was where not. */
export const ifKnown = (change: (name: string) => string) => (name: string) => {
  const changed = change(name);
  return operationCalled(name) === null && operationCalled(changed) !== null ? changed : name;
};

/** The operation that a request names; null for a name that none has. */
export function knownOperation(request: ProxyRequest): Operation | null {
  const name = namedIn(request);
  return name === null ? null : operationCalled(name);
}

export const namesKey = (request: ProxyRequest) =>
  header(request, "X-API-KEY") !== null || queryOf(request).has("X-API-KEY");

/** The POST that a GET with this query would be. */
export function asPost(request: ProxyRequest): ProxyRequest {
  const { "@": name, ...input } = Object.fromEntries(queryOf(request));
  const inBody = jsonBody(request)?.data;
  const data = input.data === undefined ? { ...input, ...(isObject(inBody) ? inBody : {}) } : JSON.parse(input.data);
  const post = { ...request, method: "POST", target: "/api/", body: Buffer.from(JSON.stringify({ "@": name, data })) };
  return withHeader(post, "Content-Type", "application/json");
}

/** A GET or HEAD of an operation of POST. */
export const namesPost = (request: ProxyRequest) =>
  (request.method === "GET" || request.method === "HEAD") && knownOperation(request)?.method === "POST";

/** Changes Allow where it is; null takes it away. */
export const changeAllow = (change: (allow: string) => string | null) => (answer: ProxyAnswer) => {
  const allow = header(answer, "Allow");
  if (allow === null) return answer;
  const changed = change(allow);
  return changed === null ? withoutHeader(answer, "Allow") : withHeader(answer, "Allow", changed);
};

export const onEndpoint = (request: ProxyRequest) => pathOf(request) === "/api/";

/** Does what it refuses: sends a request that is let in, and lets the client's own be refused. */
export const secretly =
  (change: (request: ProxyRequest) => ProxyRequest) =>
  async (request: ProxyRequest, { forward }: Context): Promise<ProxyRequest> => {
    const changed = change(request);
    if (changed !== request) await forward(changed);
    return request;
  };

/** Without `@` in the query. */
export const withoutAt = (request: ProxyRequest) => withQuery(request, (query) => query.delete("@"));

export const isPost = (request: ProxyRequest) => request.method === "POST";
