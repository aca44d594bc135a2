import type { Contract, Operation, OperationValidators } from "../contract.ts";
import { ExpectedError } from "../expected-error.ts";
import { nearestName } from "./nearest-name.ts";

/**
 * By the ids of the operations. Each takes the input and the headers of its own operation; the
 * validators prove them, so the server need not know: where a service is defined, `Handlers` does.
 */
export type AnyHandlers = Readonly<Record<string, (input: never, context: never) => unknown>>;

/**
 * The name of the first query that needs no input, with or without credentials: to try a service
 * with.
 */
export const plainQuery = (
  operations: readonly Operation[],
  withKey: boolean,
): string | undefined =>
  operations.find(
    ({ auth, method, example }) =>
      auth === withKey && method === "GET" && Object.keys(example).length === 0,
  )?.name;

/** An operation, with everything prepared once. */
export interface ResolvedOperation {
  readonly operation: Operation;
  readonly validator: OperationValidators;
  readonly handler: AnyHandlers[string];
  /** Fields of every response of the operation, rejections included. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of the parts of a template name: `{ name: "README" }`. */
  readonly pathParams: Readonly<Record<string, string>>;
}

/**
 * Finds an operation by the exact name, or by the template that the name matches; null when no
 * operation has it (D3).
 */
export function operationTable(
  contract: Contract,
  handlers: AnyHandlers,
): (name: string) => ResolvedOperation | null {
  const exact = new Map<string, ResolvedOperation>();
  const templates: { readonly resolved: ResolvedOperation; readonly pattern: RegExp }[] = [];
  for (const operation of Object.values(contract.operations)) {
    const { id, name, pattern } = operation;
    const { [id]: validator } = contract.validators;
    const { [id]: handler } = handlers;
    if (!validator || !handler) throw new ExpectedError(`the operation ${id} is not complete`);
    const headers = headersOf(operation);
    const resolved = { operation, validator, handler, headers, pathParams: {} };
    if (pattern === null) exact.set(name, resolved);
    else templates.push({ resolved, pattern: new RegExp(pattern, "u") });
  }
  return (name) => {
    const resolved = exact.get(name);
    if (resolved) return resolved;
    for (const template of templates) {
      const match = template.pattern.exec(name);
      if (!match) continue;
      const { parts } = template.resolved.operation;
      const values = parts.map((part, index) => [part, match[index + 1] ?? ""]);
      return { ...template.resolved, pathParams: Object.fromEntries(values) };
    }
    return null;
  };
}

/**
 * The name of the operation nearest to an unknown one, or its template: what is sent as a part of
 * one is not compared.
 */
export function nearestOperation(
  operations: readonly Operation[],
  unknown: string,
): string | undefined {
  const sent = unknown.split(".");
  const names = new Map<string, string>();
  for (const { name, known } of operations) {
    const filled = name
      .split(".")
      .map((segment, index) => (segment.startsWith("{") ? (sent[index] ?? "") : segment));
    names.set(filled.join("."), name);
    for (const wellKnown of known) names.set(wellKnown, wellKnown);
  }
  return names.get(nearestName(unknown, [...names.keys()]) ?? "");
}

/** D33: RFC 9745 and RFC 8594. */
function headersOf({ id, deprecation }: Operation): ResolvedOperation["headers"] {
  if (!deprecation) return { "X-Operation": id };
  return {
    "X-Operation": id,
    Deprecation: `@${Date.parse(deprecation.since) / 1000}`,
    Sunset: new Date(deprecation.sunset).toUTCString(),
    Link: `<${deprecation.link}>; rel="deprecation"`,
  };
}
