import { contract } from "../contract.ts";
import type { Operation } from "../oracle/contract.ts";
import { Expectation, Stopped } from "./expectation.ts";

/** The part of `Api` that it needs. */
interface Caller {
  call(operation: string, options: { input: Record<string, unknown> }): Promise<{ status: number; json(): unknown }>;
  /** The contract's example with the values found; throws `Stopped` if a required value was not found. */
  example(operation: string): Record<string, unknown>;
}

type Table = Readonly<Record<string, Operation>>;
type Input = Readonly<Record<string, unknown>>;

/** Represents a value that none of its sources has. */
export class Missing {
  constructor(
    /** The requests that were sent. */
    readonly reason: string,
  ) {}
}

/**
 * Thrown by a check that needs the example of an operation before it was looked up: the engine looks it up and restarts the
 * check.
 */
export class Unasked extends Error {
  override readonly name = "Unasked";
  constructor(readonly operation: string) {
    super(`nobody has asked for the example of ${operation}`);
  }
}

/**
 * Values that exist on a target, such as the id of a user, found where the contract says that callers find them (`exampleFrom`);
 * the first source that has one is used. They are looked up once for each operation, when a check needs them.
 *
 * A command changes only what this run has created, whatever the contract says: its values come from commands only.
 */
export class Examples {
  private readonly found = new Map<string, Input>();
  /** Members of one input that come from one response belong together: each source is called once. */
  private readonly answers = new Map<string, unknown>();
  /** The current lookup: they run one after another, since operations share their sources. */
  private last: Promise<void> = Promise.resolve();

  constructor(
    /** Only a run that may write calls a source that creates records. */
    readonly mayWrite: boolean,
    private readonly table: Table = contract.operations,
  ) {}

  /** The members of an operation's input that exist, or are `Missing`. Throws `Unasked` before `ask`. */
  of(id: string): Input {
    if (Object.keys(this.table[id]?.exampleFrom ?? {}).length === 0) return {};
    const found = this.found.get(id);
    if (!found) throw new Unasked(id);
    return found;
  }

  /** Looks up the values of an operation on the target, unless that has been done. Throws `Stopped` if the run ends meanwhile. */
  ask(id: string, api: Caller): Promise<void> {
    const asked = this.last.then(() => this.find(id, api));
    this.last = asked.catch(() => {});
    return asked;
  }

  /** On an empty target it creates what needs no such value, and looks again. */
  private async find(id: string, api: Caller): Promise<void> {
    await this.findIn([id], api);
    if (!this.mayWrite || !Object.values(this.found.get(id) ?? {}).some((value) => value instanceof Missing)) return;
    const all = Object.values(this.table);
    // Only commands that the contract names as a source: they create records.
    const sources = all.flatMap(({ exampleFrom }) => Object.values(exampleFrom).flat());
    for (const { id: source, method, exampleFrom } of all) {
      const isSource = sources.some(({ operation }) => operation === source);
      if (method === "POST" && isSource && Object.keys(exampleFrom).length === 0) await this.answerOf(source, api);
      if (method === "GET") this.answers.delete(source);
    }
    this.found.delete(id);
    await this.findIn([id], api);
  }

  /** `path`: the operation, after those that wait for it. */
  private async findIn(path: readonly [string, ...string[]], api: Caller): Promise<void> {
    const [id] = path;
    const operation = this.table[id];
    if (!operation || this.found.has(id)) return;
    const found: Record<string, unknown> = {};
    for (const [member, sources] of Object.entries(operation.exampleFrom)) {
      const asked: string[] = [];
      for (const { operation: source, pointer } of sources) {
        const refusal = this.refusalOf(source, operation, path);
        if (refusal === null) {
          await this.findIn([source, ...path], api);
          found[member] = valueAt(await this.answerOf(source, api), pointer);
        }
        if (found[member] !== undefined && found[member] !== null) break;
        asked.push(`${source} ${refusal ?? `has none at ${pointer}`}`);
      }
      found[member] ??= new Missing(`no ${member} for ${id}: ${asked.join("; ")}`);
    }
    this.found.set(id, found);
  }

  /** Why a source is not called for a value of an operation; null if it is called. */
  private refusalOf(source: string, { method }: Operation, path: readonly string[]): string | null {
    const command = this.table[source]?.method === "POST";
    if (!command && method === "POST") return "does not create it";
    if (command && !this.mayWrite) return "needs --allow-write";
    return path.includes(source) ? "needs it itself" : null;
  }

  /** Undefined if the operation cannot be called or rejects the call: its own checks report that. */
  private async answerOf(id: string, api: Caller): Promise<unknown> {
    if (!this.answers.has(id)) this.answers.set(id, await call(id, api));
    return this.answers.get(id);
  }
}

async function call(operation: string, api: Caller): Promise<unknown> {
  let input: Record<string, unknown> | null = null;
  try {
    input = api.example(operation);
    const reply = await api.call(operation, { input });
    return reply.status < 300 ? reply.json() : undefined;
  } catch (error) {
    // Before anything is sent, `Stopped` means that there is no input; afterwards, that the run ends.
    if (error instanceof Expectation || (error instanceof Stopped && input === null)) return undefined;
    throw error;
  }
}

/** The value at a JSON pointer; undefined if there is none. */
export function valueAt(answer: unknown, pointer: string): unknown {
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
