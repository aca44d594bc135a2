import { type Operation, operations } from "../generated/operations.ts";
import { Expectation } from "./expectation.ts";

/** What it needs of an `Api`. */
interface Caller {
  call(operation: string, options: { input: Record<string, unknown> }): Promise<{ json(): unknown }>;
  example(operation: string): Record<string, unknown>;
}

/** By operation: members of its input whose value exists on this target. */
export type Examples = Map<string, Record<string, unknown>>;

/**
 * Finds values that exist, such as the id of a user, where the contract says that callers find them (`exampleFrom`); the first
 * source that has one counts. A source that creates is asked only when the run may write. Where none is found, the contract's
 * own example stands.
 */
export async function findExamples(
  api: Caller,
  mayWrite: boolean,
  table: Readonly<Record<string, Operation>> = operations,
): Promise<Examples> {
  const examples: Examples = new Map();
  for (const { id, exampleFrom } of Object.values(table)) {
    for (const [member, sources] of Object.entries(exampleFrom)) {
      for (const { operation, pointer } of sources) {
        if (table[operation]?.method === "POST" && !mayWrite) continue;
        const value = await valueAt(api, operation, pointer);
        if (value === undefined) continue;
        examples.set(id, { ...examples.get(id), [member]: value });
        break;
      }
    }
  }
  return examples;
}

/** Undefined when the operation is refused, or has nothing there: what is wrong with it is for its own checks to say. */
async function valueAt(api: Caller, operation: string, pointer: string): Promise<unknown> {
  try {
    let value: unknown = (await api.call(operation, { input: api.example(operation) })).json();
    for (const token of pointer.split("/").slice(1)) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      value =
        typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
    }
    return value;
  } catch (error) {
    if (error instanceof Expectation) return undefined;
    throw error;
  }
}
