import { type Operation, operations } from "../../generated/operations.ts";
import { Expectation, Stopped } from "./expectation.ts";

/** What it needs of an `Api`. */
interface Caller {
  call(operation: string, options: { input: Record<string, unknown> }): Promise<{ status: number; json(): unknown }>;
  /** The contract's example with what was found; throws `Stopped` where a value that it needs was not. */
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
 * Finds values that exist, such as the id of a user, where the contract says that callers find them (`exampleFrom`), and puts
 * them into `examples`; the first source that has one counts. Only a run that may write asks a source that creates; on a
 * target that has nothing yet it creates what needs no such value, and asks again.
 *
 * What a command changes is what this run has created, whatever the contract says: its values come from commands only.
 */
export async function findExamples(
  api: Caller,
  mayWrite: boolean,
  examples: Examples,
  table: Table = operations,
): Promise<void> {
  await askSources(api, mayWrite, examples, table);
  const members = [...examples.values()].flatMap((found) => Object.values(found));
  if (!mayWrite || !members.some((value) => value instanceof Missing)) return;
  // Only commands that the contract names as a source: they create.
  const sources = Object.values(table).flatMap(({ exampleFrom }) => Object.values(exampleFrom).flat());
  for (const { id, method, exampleFrom } of Object.values(table)) {
    const isSource = sources.some(({ operation }) => operation === id);
    if (method === "POST" && isSource && Object.keys(exampleFrom).length === 0) await answerOf(api, id);
  }
  await askSources(api, mayWrite, examples, table);
}

async function askSources(api: Caller, mayWrite: boolean, examples: Examples, table: Table): Promise<void> {
  examples.clear();
  /** Members of one input that come from one answer belong together: each source is asked once. */
  const answers = new Map<string, unknown>();
  const asking = new Set<string>();

  const find = async ({ id, method, exampleFrom }: Operation) => {
    if (examples.has(id) || asking.has(id)) return;
    asking.add(id);
    const found: Record<string, unknown> = {};
    for (const [member, sources] of Object.entries(exampleFrom)) {
      const asked: string[] = [];
      for (const { operation, pointer } of sources) {
        const refusal = await ask(operation, method);
        found[member] = refusal === null ? valueAt(answers.get(operation), pointer) : undefined;
        if (found[member] !== undefined && found[member] !== null) break;
        asked.push(`${operation} ${refusal ?? `has none at ${pointer}`}`);
      }
      found[member] ??= new Missing(`no ${member} for ${id}: ${asked.join("; ")}`);
    }
    examples.set(id, found);
  };
  /** Why a source is not asked for a value of an operation of this method; null when it was. */
  const ask = async (operation: string, method: Operation["method"]): Promise<string | null> => {
    const source = table[operation];
    if (source?.method !== "POST" && method === "POST") return "does not create it";
    if (source?.method === "POST" && !mayWrite) return "needs --allow-write";
    if (answers.has(operation)) return null;
    // A source may need such a value itself; a command that needs its own never has one.
    if (source) await find(source);
    if (source?.method === "POST" && !examples.has(operation)) return "needs it itself";
    answers.set(operation, await answerOf(api, operation));
    return null;
  };
  for (const operation of Object.values(table)) await find(operation);
}

/** Undefined when the operation cannot be called or is refused: what is wrong with it is for its own checks to say. */
async function answerOf(api: Caller, operation: string): Promise<unknown> {
  let input: Record<string, unknown> | null = null;
  try {
    input = api.example(operation);
    const reply = await api.call(operation, { input });
    return reply.status < 300 ? reply.json() : undefined;
  } catch (error) {
    // Before anything is sent, `Stopped` says that there is no input; afterwards, that the run ends.
    if (error instanceof Expectation || (error instanceof Stopped && input === null)) return undefined;
    throw error;
  }
}

function valueAt(answer: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(
      (value, key) =>
        typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined,
      answer,
    );
}
