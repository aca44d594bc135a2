import type { Contract, Operation, OperationValidators } from "../contract.ts";
import { SafeError } from "../safe-error.ts";

/**
 * By the ids of the operations. Each takes the input and the headers of its own operation; the validators prove them, so the server
 * need not know: where a service is defined, `Handlers` does.
 */
export type AnyHandlers = Readonly<Record<string, (input: never, context: never) => unknown>>;

/** The name of the first query that needs no input, with or without credentials: to try a service with. */
export const plainQuery = (
  operations: readonly Operation[],
  withKey: boolean,
): string | undefined =>
  operations.find(
    ({ auth, method, example }) =>
      auth === withKey && method === "GET" && Object.keys(example).length === 0,
  )?.name;

/** An operation, with everything prepared once. */
export interface Found {
  readonly operation: Operation;
  readonly validator: OperationValidators;
  readonly handler: AnyHandlers[string];
  /** Of every response of the operation, rejections too. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parts of a template name: `{ name: "README" }`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Finds an operation by the exact name, or by the template that the name matches; null when no operation has it (D3). */
export function operationTable(
  contract: Contract,
  handlers: AnyHandlers,
): (name: string) => Found | null {
  const exact = new Map<string, Found>();
  const templates: { readonly found: Found; readonly pattern: RegExp }[] = [];
  for (const operation of Object.values(contract.operations)) {
    const { id, name, pattern } = operation;
    const { [id]: validator } = contract.validators;
    const { [id]: handler } = handlers;
    if (!validator || !handler) throw new SafeError(`the operation ${id} is not complete`);
    const found = { operation, validator, handler, headers: headersOf(operation), parts: {} };
    if (pattern === null) exact.set(name, found);
    else templates.push({ found, pattern: new RegExp(pattern, "u") });
  }
  return (name) => {
    const known = exact.get(name);
    if (known) return known;
    for (const { found, pattern } of templates) {
      const match = pattern.exec(name);
      if (!match) continue;
      const parts = found.operation.parts.map((part, index) => [part, match[index + 1] ?? ""]);
      return { ...found, parts: Object.fromEntries(parts) };
    }
    return null;
  };
}

/** D33: RFC 9745 and RFC 8594. */
function headersOf({ id, deprecation }: Operation): Found["headers"] {
  if (!deprecation) return { "X-Operation": id };
  return {
    "X-Operation": id,
    Deprecation: `@${Date.parse(deprecation.since) / 1000}`,
    Sunset: new Date(deprecation.sunset).toUTCString(),
    Link: `<${deprecation.link}>; rel="deprecation"`,
  };
}
