import { type Operation, operations } from "../generated/operations.ts";
import { Expectation } from "./expectation.ts";

/** What it needs of an `Api`. */
interface Caller {
  call(operation: string, options: { input: Record<string, unknown> }): Promise<{ json(): unknown }>;
  example(operation: string): Record<string, unknown>;
}

/** Stands for a value that none of its sources has. */
export class Missing {
  constructor(
    /** What was asked, in words. */
    readonly reason: string,
  ) {}
}

/** By operation: members of its input whose value exists on this target, or `Missing`. */
export type Examples = Map<string, Record<string, unknown>>;

type Table = Readonly<Record<string, Operation>>;

/**
 * Finds values that exist, such as the id of a user, where the contract says that callers find them (`exampleFrom`); the first
 * source that has one counts. Only a run that may write asks a source that creates; on a target that has nothing yet it creates
 * what needs no such value, and asks again.
 */
export async function findExamples(api: Caller, mayWrite: boolean, table: Table = operations): Promise<Examples> {
  const examples = await askSources(api, mayWrite, table);
  const members = [...examples.values()].flatMap((found) => Object.values(found));
  if (!mayWrite || !members.some((value) => value instanceof Missing)) return examples;
  for (const { id, method, exampleFrom } of Object.values(table)) {
    if (method === "POST" && Object.keys(exampleFrom).length === 0) await valueAt(api, id, "");
  }
  return askSources(api, mayWrite, table);
}

async function askSources(api: Caller, mayWrite: boolean, table: Table): Promise<Examples> {
  const examples: Examples = new Map();
  for (const { id, exampleFrom } of Object.values(table)) {
    for (const [member, sources] of Object.entries(exampleFrom)) {
      const asked: string[] = [];
      let value: unknown;
      for (const { operation, pointer } of sources) {
        const may = mayWrite || table[operation]?.method !== "POST";
        value = may ? await valueAt(api, operation, pointer) : undefined;
        if (value !== undefined && value !== null) break;
        asked.push(may ? `${operation} has none at ${pointer}` : `${operation} needs --allow-write`);
      }
      value ??= new Missing(`no ${member} for ${id}: ${asked.join("; ")}`);
      examples.set(id, { ...examples.get(id), [member]: value });
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
