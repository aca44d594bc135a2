import { type Operation, pageItemOf, takesIdempotencyKey } from "../oracle/contract.ts";
import { packaged } from "../packaged.ts";
import { probesOf } from "../run/preflight.ts";
import { header, isObject, jsonBody, operationOf, pathOf, queryOf } from "./proxy/look.ts";
import type { ProxyRequest } from "./proxy/message.ts";

/** The operations of the contract, and helpers to read requests. */

const { contract, own } = packaged.oracle;
const every = Object.values(contract.operations);
export const queries = every.filter(({ method }) => method === "GET");
export const commands = every.filter(({ method }) => method === "POST");
export const paged = queries.filter((one) => pageItemOf(contract, one) !== null);
/** The query used where any would do: one without credentials and input, if there is one. */
export const { simplest } = probesOf(contract);

export const KEY = "X-API-KEY";
export const credentialNames = [KEY, "X-PLATFORM"] as const;

/** Commands that create a record with an e-mail address, by which mutants recognize it. */
export const creating = commands.filter((one) => "email" in one.input && takesIdempotencyKey(one));

/** Operations whose successes show which names of a template exist. */
export const listing = own.flatMap(({ operation, names }) => (names ? [operation] : []));

/** The value sent as a credential, in any place; empty if there was none. */
export const sent = (request: ProxyRequest, name: (typeof credentialNames)[number]): string =>
  header(request, name) || queryOf(request).get(name) || "";

const calls = new WeakMap<ProxyRequest, Operation | null>();

/** The operation that a request calls, by any method; null for none. */
export function called(request: ProxyRequest): Operation | null {
  const known = calls.get(request);
  if (known !== undefined) return known;
  const id = pathOf(request).endsWith("/api/") ? operationOf(request) : null;
  const operation = every.find((one) => one.id === id) ?? null;
  calls.set(request, operation);
  return operation;
}

/** The input member of a request: a query parameter of a GET, a member of `data` of a POST; undefined if it is absent. */
export function inputOf(request: ProxyRequest, member: string): unknown {
  if (request.method !== "POST") return queryOf(request).get(member) ?? undefined;
  const data = jsonBody(request)?.data;
  return isObject(data) ? data[member] : undefined;
}
