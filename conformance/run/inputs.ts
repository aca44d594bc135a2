import { type Exchange, MARK_DIGITS } from "../exchange.ts";
import { createsRecord, mayChange, membersOf, type Operation } from "../oracle/contract.ts";
import { uniqueOf } from "../oracle/operation-extension.ts";
import type { Oracle } from "../oracle/predict.ts";
import { isValid } from "../oracle/schema.ts";
import { stringOf } from "../oracle/values.ts";
import { addressesOf, simpleValue, valuesOf } from "../requests/classes.ts";
import { operationNameFor } from "../requests/draft.ts";
import type { Input } from "./options.ts";

/** The statuses of what a key may not do. */
const OF_CREDENTIALS = new Set([401, 403]);

/** Calls an operation with a valid input; null if it is not sent. */
type Call = (operation: Operation, input: Input) => Promise<Exchange | null>;

/** The value at a JSON pointer; undefined if there is none. */
export function valueAt(json: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  return names
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((value, name) => Object.getOwnPropertyDescriptor(Object(value), name)?.value, json);
}

/** The value in a success. */
const shownBy = (response: Exchange["response"], pointer: string): unknown =>
  response !== null && response.status < 300 ? valueAt(response.json, pointer) : undefined;

/**
 * A valid input for each operation: its example, with values that exist on the target where the
 * contract says that callers find them (`exampleFrom`). The values of a command come from commands
 * of this run only, whatever the contract says: it changes only what this run has created.
 */
export class Inputs {
  readonly all = new Map<string, Input>();
  /** Why an operation cannot be called on this target. */
  readonly lacking = new Map<string, string>();
  /** Why some of them cannot, though the target was called for it, and may be. */
  readonly unproven = new Set<string>();
  /** By the operation that was called, and the command that it was called for. */
  private readonly responses = new Map<string, Exchange["response"]>();
  private readonly samples = new Map<Operation, Input>();
  private last = 0;
  /** The commands whose last record was the example. */
  private readonly varies = new Set<string>();
  /**
   * By operation and member, one right value of each class; by operation, how many records had
   * some, and by operation and member, how many changes.
   */
  private readonly classes = new Map<string, readonly unknown[]>();
  private readonly varied = new Map<string, number>();

  constructor(
    private readonly oracle: Oracle,
    private readonly runId: string,
  ) {
    for (const { id, example } of Object.values(oracle.contract.operations))
      this.all.set(id, example);
  }

  /** Looks for the values that exist on the target. `allowWrite`: commands may create them. */
  async find(call: Call, allowWrite: boolean): Promise<void> {
    for (const operation of Object.values(this.oracle.contract.operations))
      await this.findFor(operation, call, allowWrite, []);
  }

  private async findFor(
    operation: Operation,
    call: Call,
    allowWrite: boolean,
    path: readonly string[],
  ): Promise<void> {
    const { id, method, exampleFrom, example } = operation;
    const record: Record<string, unknown> = Object.assign(Object.create(null), example);
    for (const [member, sources] of Object.entries(exampleFrom)) {
      delete record[member];
      let isCalled = false;
      for (const { operation: name, pointer } of sources) {
        const source = this.oracle.contract.operations[name];
        const isCommand = source?.method === "POST";
        if (!source || path.includes(name) || (isCommand ? !allowWrite : method === "POST"))
          continue;
        // What may be gone afterwards is of no use to others.
        const place = mayChange(operation) ? `${name} for ${id}` : name;
        if (!this.responses.has(place)) {
          await this.findFor(source, call, allowWrite, [...path, id]);
          const input = await this.withNewRecords(source, this.fresh(source), call);
          const exchange = this.lacking.has(name) ? null : await call(source, input);
          this.responses.set(place, exchange?.response ?? null);
        }
        const response = this.responses.get(place) ?? null;
        isCalled ||= response !== null && !OF_CREDENTIALS.has(response.status);
        const value = shownBy(response, pointer);
        if (this.isValid(operation, member, value)) record[member] ??= value;
      }
      if (member in record) continue;
      const places = sources.map((one) => one.operation + one.pointer).join(", ");
      const reason = `no ${member} for ${id} at ${places}`;
      this.lacking.set(id, reason);
      if (isCalled) this.unproven.add(reason);
    }
    this.all.set(id, record);
  }

  /** Whether a target has shown a value that the contract allows there: it may answer anything. */
  private isValid(operation: Operation, member: string, value: unknown): boolean {
    return value !== undefined && value !== null && this.isRight(operation, member, value);
  }

  /** Whether the contract allows a value there. */
  isRight(operation: Operation, member: string, value: unknown): boolean {
    const { contract } = this.oracle;
    const { [member]: schema = {} } = membersOf(contract, operation.schema);
    if (!isValid(contract, operation, schema, value)) return false;
    const { example, pattern, parts } = operation;
    if (pattern === null || !parts.includes(member)) return true;
    return new RegExp(pattern).test(operationNameFor(operation, { ...example, [member]: value }));
  }

  /**
   * The input with values of its own where they must be unique: with the id of the run wherever
   * they leave room.
   */
  fresh(operation: Operation, input: Input = this.all.get(operation.id) ?? {}): Input {
    const unique = this.uniqueOf(operation, input);
    this.last += 1;
    const [mark, short] = [
      10 ** (MARK_DIGITS - 1) + this.last,
      `${this.last}`.padStart(2, "0"),
    ].map((number) => `${this.runId}-${number}`);
    return Object.fromEntries(
      Object.entries(input).map(([name, value]) => {
        if (typeof value !== "string" || !unique.has(name)) return [name, value];
        if (value.includes("@")) return [name, `conformance+${mark}@example.com`];
        // The short one only where the other has no room: a part of a value may end as it does.
        const all = [...marked(value, mark), ...marked(value, short)];
        return [name, all.find((one) => this.isRight(operation, name, one)) ?? all[0]];
      }),
    );
  }

  /**
   * One such input that rows are tried with: of the run's own values it is known whether they are
   * free.
   */
  sample(operation: Operation): Input {
    const input = this.samples.get(operation) ?? this.fresh(operation);
    this.samples.set(operation, input);
    return input;
  }

  /**
   * The same for a record of a scenario, which needs it to be created. Where its values may be why
   * nothing predicts its rejection, it is the example, or every other one is.
   */
  forRecord(operation: Operation): Input {
    const isPlain =
      !this.isDecided(operation) && (!this.namesRun(operation) || this.isTurn(operation));
    return isPlain ? this.fresh(operation) : this.newRecord(operation);
  }

  /** Each record has the next class of values of each member, so that a run stores them all. */
  newRecord(operation: Operation): Input {
    const plain = this.fresh(operation);
    const nth = this.varied.get(operation.id) ?? 0;
    const input = { ...this.furtherOf(operation, plain), ...plain };
    const unique = this.uniqueOf(operation, input);
    this.varied.set(operation.id, nth + 1);
    const isOwn = (member: string) => !Object.hasOwn(operation.exampleFrom, member);
    const next = (member: string, value: unknown) => {
      if (!isOwn(member)) return value;
      const isRight = (one: unknown) => this.isRight(operation, member, one);
      const isAddress = unique.has(member) && typeof value === "string";
      const blank = isAddress ? [` ${value}`, `${value} `].filter(isRight) : [];
      const all = isAddress
        ? [...blank, ...addressesOf(value, isRight)]
        : this.valuesOf(operation, member, value, isRight);
      return all[nth % all.length] ?? value;
    };
    const optional = Object.keys(input).filter(
      (member) => isOwn(member) && !operation.input[member]?.required,
    );
    const absent = absentIn(optional, nth);
    return Object.fromEntries(
      Object.entries(input).flatMap(([member, value]) =>
        absent.includes(member) ? [] : [[member, next(member, value)]],
      ),
    );
  }

  /** Optional members of a record that the plain call has not. */
  private furtherOf({ effect, input, schema, requires = {} }: Operation, plain: Input): Input {
    const { contract } = this.oracle;
    const members = membersOf(contract, schema);
    const isFurther = (name: string) =>
      !Object.hasOwn(plain, name) && !input[name]?.required && !Object.hasOwn(requires, name);
    const names = effect?.kind === "creates" ? Object.keys(input).filter(isFurther) : [];
    return Object.fromEntries(
      names.map((name) => [name, simpleValue(contract, members[name] ?? {})]),
    );
  }

  /**
   * An input that names new records. Only where a code that nothing predicts may reject it: others
   * that name the same record may be the reason.
   */
  async withNewRecords(operation: Operation, input: Input, create: Call): Promise<Input> {
    if (this.isDecided(operation)) return input;
    const { exampleFrom, requires = {} } = operation;
    const changed = { ...input };
    for (const member of Object.keys(requires))
      for (const { operation: name, pointer } of exampleFrom[member] ?? []) {
        const source = this.oracle.contract.operations[name];
        if (source?.method !== "POST" || this.lacking.has(name)) continue;
        const exchange = await create(source, this.fresh(source));
        const value = shownBy(exchange?.response ?? null, pointer);
        if (this.isValid(operation, member, value)) changed[member] = value;
      }
    return changed;
  }

  /** Whether some class has not been in a record. */
  hasNew(operation: Operation): boolean {
    const isOfScenarios = this.isDecided(operation) || this.lacking.has(operation.id);
    if (!this.varied.has(operation.id)) return createsRecord(operation) && !isOfScenarios;
    const all = [...this.classes].filter(([name]) => name.startsWith(`${operation.id} `));
    return all.some(([, values]) => values.length > (this.varied.get(operation.id) ?? 0));
  }

  /** The next right value of a member, with the mark of the run where it must be unique. */
  nextValue(operation: Operation, member: string): unknown {
    const { contract } = this.oracle;
    const schema = membersOf(contract, operation.schema)[member] ?? {};
    const { [member]: example = simpleValue(contract, schema) } = operation.example;
    const isRight = (one: unknown) => this.isRight(operation, member, one);
    const { [member]: unique } = this.fresh(operation, { [member]: example });
    if (typeof unique === "string" && this.isOfRun(unique)) return unique;
    const all = this.valuesOf(operation, member, example, isRight);
    const place = `${operation.id} ${member}`;
    const nth = this.varied.get(place) ?? 0;
    this.varied.set(place, nth + 1);
    return all[nth % all.length];
  }

  private valuesOf(
    operation: Operation,
    member: string,
    example: unknown,
    isRight: (value: unknown) => boolean,
  ): readonly unknown[] {
    const name = `${operation.id} ${member}`;
    const schema = membersOf(this.oracle.contract, operation.schema)[member] ?? {};
    const values =
      this.classes.get(name) ?? valuesOf(this.oracle.contract, schema, example, isRight);
    this.classes.set(name, values);
    return values;
  }

  /**
   * Whether its input alone decides that a command succeeds: no code that no rule predicts is left
   * to its handler.
   */
  private isDecided(operation: Operation): boolean {
    return this.oracle.undecidedCodes(operation).length === 0;
  }

  /** Whether the input of a command has a value, or names a record, that only this run has. */
  private namesRun(operation: Operation): boolean {
    const { id, requires = {}, exampleFrom } = operation;
    const unique = this.uniqueOf(operation, this.all.get(id) ?? {});
    return unique.size > 0 || Object.keys(requires).some((one) => Object.hasOwn(exampleFrom, one));
  }

  /** Whether the next record of a command is the example: every other one is. */
  private isTurn({ id }: Operation): boolean {
    if (this.varies.delete(id)) return false;
    this.varies.add(id);
    return true;
  }

  /** The members of an input whose values must be unique. */
  uniqueOf({ id }: Operation, input: Input): ReadonlySet<string> {
    const unique = uniqueOf(this.oracle.operationExtensions, id, input);
    const values = unique.map(([, value]) => value.toLowerCase());
    const isUnique = (value: unknown) => values.includes(stringOf(value).toLowerCase());
    return new Set(Object.keys(input).filter((name) => isUnique(input[name])));
  }

  /**
   * Whether a value that must be unique names this run, as what `fresh` makes does: then the record
   * can be found and removed.
   */
  isOfRun(value: string): boolean {
    const mark = `${this.runId}-?\\d`;
    const address = `^[^@]*conformance\\+${mark}[^@]*@(?:[^@]+\\.)?example\\.com$`;
    return new RegExp(value.includes("@") ? address : mark, "i").test(value);
  }
}

/** A value with the mark of a run, in the spellings that a pattern or a length may require. */
function marked(value: string, mark = ""): readonly string[] {
  const spellings = [mark, mark.replace("-", "")].flatMap((one) => [one, one.toUpperCase()]);
  return [`${value}-`, value, ""].flatMap((before) => spellings.map((one) => before + one));
}

/**
 * Of the optional members of every fourth record all are absent, of another all but one, each in
 * turn.
 */
function absentIn(optional: readonly string[], nth: number): readonly string[] {
  const present = optional[Math.floor(nth / 4) % Math.max(1, optional.length)];
  if (nth % 4 === 1) return optional.filter((member) => member !== present);
  return nth % 4 === 3 ? optional : [];
}
