import { contract } from "../contract.ts";
import { membersOf, type Operation } from "../oracle/contract.ts";
import { memberIn } from "./reply.ts";
import type { Exchange } from "./wire/exchange.ts";

/**
 * How operations are named and matched; an operation with a templated name is `docs.get`, written `docs.get.{name}`, called
 * `docs.get.README`.
 */

/** What a call needs to know about an operation. */
export type Callable = Omit<Operation, "decides" | "schema" | "headers" | "responses">;

export const every = Object.values(contract.operations);
export const queries = every.filter(({ method }) => method === "GET");
export const commands = every.filter(({ method }) => method === "POST");
export const guarded = every.filter(({ auth }) => auth);

/** How much a query requires to be accepted and valid; lowest if its success has the version. */
const needs = ({ input, headers, auth, responses: [first] }: Operation): number =>
  (auth ? 4 : 0) +
  ([...Object.values(input), ...headers].some(({ required }) => required) ? 2 : 0) +
  (first && "version" in membersOf(contract, first.schema) ? 0 : 1);

/** The query used where any would do: one without credentials and input, if there is one. */
// At least one: `readContract` checks it.
export const [simplest] = queries.toSorted((one, other) => needs(one) - needs(other)) as [Operation];

/** The operations with paged responses. */
export const paged = queries.filter(({ input }) => "limit" in input && "cursor" in input);

/** Whether the given document names it: a deployment built from that document alone has no others. */
export const isGiven = ({ id }: Pick<Operation, "id">): boolean =>
  contract.requirements.some(({ operation, origin }) => operation === id && origin === "given");

/** Whether the given document says that it needs no credentials. */
export const isPublic = (id: string): boolean =>
  contract.requirements.some((one) => one.id === `${id}/public` && one.origin === "given");

/** The members of a command's input that identify the record it changes. */
export const aimsOf = ({ method, exampleFrom }: Callable): readonly string[] =>
  method === "POST" ? Object.keys(exampleFrom) : [];

/** The operation called by this name; null if the contract has none. The id of a templated operation is not a name. */
export function operationCalled(name: string): Operation | null {
  const takes = (one: Operation) => (one.pattern === null ? one.name === name : new RegExp(one.pattern).test(name));
  return every.find(takes) ?? null;
}

/** The operation with this id. Throws an `Error`, a fault of the check, when the contract has none. */
export function operationById(id: string): Operation {
  const operation = contract.operations[id];
  if (!operation) throw new Error(`the contract has no operation ${id}`);
  return operation;
}

/** The same, or the operation with this id. */
export function findOperation(nameOrId: string): Operation | null {
  return every.find(({ id }) => id === nameOrId) ?? operationCalled(nameOrId);
}

/** A value of an input as text; a list is separated by commas. */
export const asText = (value: unknown) => (Array.isArray(value) ? value.map(String).join(",") : String(value));

/** The name that calls an operation: `docs.get.README`; the parts of a template come from the input. */
export function nameOf(
  { name, parts, example }: Pick<Operation, "name" | "parts" | "example">,
  input: Readonly<Record<string, unknown>> = example,
): string {
  return parts.reduce((text, part) => text.replace(`{${part}}`, () => asText(input[part])), name);
}

/** The input without the members that are part of the name. */
export function withoutParts(
  { parts }: Pick<Operation, "parts">,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([member]) => !parts.includes(member)));
}

/** The parts of names that every deployment must serve according to the contract: `README` of `docs.get.README`. */
export function knownParts({ known, pattern }: Pick<Operation, "known" | "pattern">): string[] {
  return known.flatMap((name) => (pattern === null ? [] : (new RegExp(pattern).exec(name)?.slice(1) ?? [])));
}

/** The query that calls an operation with an input: `@=user.list&limit=1`. */
export function queryOf(
  operation: Pick<Operation, "name" | "parts" | "example">,
  input: Readonly<Record<string, unknown>>,
): string {
  const members = Object.entries({ "@": nameOf(operation, input), ...withoutParts(operation, input) });
  return members.map(([name, value]) => `${name}=${encodeURIComponent(asText(value))}`).join("&");
}

/** The name in a request: a POST has it in its body's `@`, any other method in the query. Null if there is none. */
export function nameIn({
  method,
  query,
  body,
}: {
  method: string;
  query: URLSearchParams;
  body: Buffer;
}): string | null {
  return method === "POST" ? memberIn(body, "@") : query.get("@");
}

/** The operation that a request through the HTTP client calls; null for raw bytes, which may be several requests. */
export function operationOf({ request: { method, url, body, raw } }: Exchange): Operation | null {
  if (raw !== null || !["GET", "HEAD", "POST"].includes(method) || !URL.canParse(url)) return null;
  const { pathname, searchParams: query } = new URL(url);
  return pathname.endsWith("/api/") ? operationCalled(nameIn({ method, query, body }) ?? "") : null;
}
