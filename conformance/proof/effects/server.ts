// A server of one of the three contracts: records of two models in memory, and one function for
// each thing that may be done wrongly with them.
import { Problem, pageOf, type RequestContext } from "../../../src/server/index.ts";

export type Id = string | number;
export type Fields = Readonly<Record<string, unknown>>;
export type Row = Fields & { readonly id: Id };

/** The records of a model by their ids, in the order in which they were created. */
export type Rows = Map<Id, Row>;

export interface Store {
  readonly owners: Rows;
  readonly rows: Rows;
  /** Every record as it was created, also those that are gone. */
  readonly created: Map<string, Row>;
}

/** What differs between the three. */
export interface Shape {
  readonly name: string;
  readonly owner: string;
  readonly record: string;
  /** The member of a record that names its owner. */
  readonly ownerId: string;
  readonly unique: string;
  /** A text that may be long, and a number that a create needs. */
  readonly text: string;
  readonly number: string;
  /** Its value is `initial` at first. */
  readonly state: { readonly member: string; readonly initial: string };
  /** Commands that change the state, each from some of its values to another. */
  readonly moves: Readonly<Record<string, { readonly from: readonly string[]; to: string }>>;
  /** By parameter: the member that it is about, and whether a value of that matches. */
  readonly filters: Readonly<
    Record<string, readonly [member: string, matches: (value: never, wanted: never) => boolean]>
  >;
  /** Members, those that descend behind `-`. */
  readonly order: readonly string[];
  /** Members of it that are times. */
  readonly times: readonly string[];
  readonly ignoresCase: boolean;
  newId(): Id;
  /** The members of somebody's record, and an id that another server may make. */
  sample(n: number): Fields;
  otherId(n: number): Id;
  /** Members that change by themselves, by the milliseconds since the record was created. */
  volatile?(age: number): Fields;
}

/** What a server does with its records: a broken one has another function here. */
export interface Rules {
  /** Is called before anything else: records of others come and go. */
  begin(store: Store): void;
  /** Waits between the checks of an operation and its change. */
  pause(operation: string): Promise<void> | undefined;
  /** The code with which an operation rejects a record, though nothing says when. */
  objection(operation: string, row: Row, store: Store): string | null;
  newId(): Id;
  make(input: Fields, now: string): Row;
  insert(store: Store, row: Row): void;
  owner(store: Store, id: Id): Row | undefined;
  get(store: Store, id: Id): Row | undefined;
  find(store: Store, id: Id): Row | undefined;
  update(row: Row, input: Fields, now: string): Row;
  replace(store: Store, row: Row, before: Row): void;
  mayMove(row: Row, from: readonly string[]): boolean;
  move(row: Row, to: string, now: string): Row;
  remove(store: Store, rows: Rows, id: Id): void;
  isSame(value: unknown, other: unknown): boolean;
  isTaken(store: Store, row: Row): boolean;
  /** A response shows this of a record. */
  show(row: Row): Row;
  all(store: Store, input: Fields): readonly Row[];
  matches(row: Row, parameter: string, wanted: unknown): boolean;
  matchesAll(row: Row, parameters: readonly string[], input: Fields): boolean;
  readonly order: readonly string[];
  readonly absentLast: boolean;
  compare(value: unknown, other: unknown, member: string): number;
  ignoresKey(operation: string): boolean;
  /** Whether an absent record is rejected before a replay is looked for. */
  readonly looksFirst: boolean;
  /** What was rejected; nothing is left to do. */
  rejected(store: Store, row: Row, operation: string): void;
  /** Changes owners in any way. */
  merge(store: Store): void;
}

export const isSame = (value: unknown, wanted: unknown): boolean => value === wanted;

export const lower = (text: unknown) =>
  String(text).replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Numbers and booleans by their size, texts by their code points. */
export function compare(value: unknown, other: unknown): number {
  if (typeof value === "string" && typeof other === "string")
    return Buffer.compare(Buffer.from(value), Buffer.from(other));
  return Number(value) - Number(other);
}

/** A time as a text that compares as its instant does; a leap second is the next one. */
export function instant(time: string): string {
  const [, second = "", fraction = "", zone = ""] =
    /^(.{19})(?:\.(\d+))?(.+)$/.exec(time.toUpperCase()) ?? [];
  const leap = second.endsWith("60") ? 1 : 0;
  const seconds = Date.parse(second.replace(/60$/, "59") + zone) / 1000 + leap;
  return `${1e12 + seconds}.${fraction.replace(/0+$/, "")}`;
}

/** An absent member is `null` here, and comes last in either direction. */
function compareRows(row: Fields, other: Fields, rules: Rules): number {
  for (const part of rules.order) {
    const member = part.replace("-", "");
    const [a, b] = [row[member] ?? null, other[member] ?? null];
    const isAbsent = a === null || b === null;
    const result = isAbsent ? Number(a === null) - Number(b === null) : rules.compare(a, b, member);
    if (result === 0) continue;
    return (isAbsent ? !rules.absentLast : part.startsWith("-")) ? -result : result;
  }
  return 0;
}

/** Without the members that are null. */
const withoutNull = (row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;

export const rightRules = (shape: Shape): Rules => {
  const { state, unique, filters, order, ignoresCase } = shape;
  return {
    begin: () => {},
    pause: () => undefined,
    objection: () => null,
    newId: shape.newId,
    make(this: Rules, input, now) {
      return { ...input, id: this.newId(), [state.member]: state.initial, updatedAt: now };
    },
    insert: ({ rows }, row) => void rows.set(row.id, row),
    owner: ({ owners }, id) => owners.get(id),
    get: ({ rows }, id) => rows.get(id),
    find: ({ rows }, id) => rows.get(id),
    update: (row, input, now) => withoutNull({ ...row, ...input, updatedAt: now }),
    replace: ({ rows }, row) => void rows.set(row.id, row),
    mayMove: (row, from) => from.includes(String(row[state.member])),
    move: (row, to, now) => ({ ...row, [state.member]: to, updatedAt: now }),
    remove: (_, rows, id) => void rows.delete(id),
    isSame: (value, other) => (ignoresCase ? lower(value) === lower(other) : value === other),
    isTaken(this: Rules, { rows }, row) {
      const isOther = (other: Row) => other.id !== row.id && other[unique] !== undefined;
      return (
        row[unique] !== undefined &&
        [...rows.values()].some((one) => isOther(one) && this.isSame(one[unique], row[unique]))
      );
    },
    // An owner has no time.
    show: (row) =>
      "updatedAt" in row
        ? { ...row, ...shape.volatile?.(Date.now() - Date.parse(String(row.updatedAt))) }
        : row,
    all: ({ rows }) => [...rows.values()],
    matches(row, parameter, wanted) {
      const [member = "", holds] = filters[parameter] ?? [];
      const value = row[member];
      return value !== undefined && holds?.(value as never, wanted as never) === true;
    },
    matchesAll(this: Rules, row, parameters, input) {
      return parameters.every((one) => this.matches(row, one, input[one]));
    },
    order,
    absentLast: true,
    compare: (value, other, member) =>
      shape.times.includes(member)
        ? compare(instant(String(value)), instant(String(other)))
        : compare(value, other),
    ignoresKey: () => false,
    looksFirst: false,
    rejected: () => {},
    merge: () => {},
  };
};

type Context = RequestContext<unknown, Fields>;

/** The handlers of a server with these rules, and records of its own. */
export function handlersOf(shape: Shape, rules: Rules) {
  const store: Store = { owners: new Map(), rows: new Map(), created: new Map() };
  const { owner, record, ownerId } = shape;
  const reject = (code: string, operation: string, row: Row): never => {
    rules.rejected(store, row, operation);
    throw new Problem(code);
  };
  /** Rejects what the contract says nothing about, and a record whose owner is not there. */
  function check(operation: string, row: Row, input: Fields): void {
    const wanted = input[ownerId] as Id | undefined;
    if (wanted !== undefined && !rules.owner(store, wanted))
      reject("owner-not-found", operation, row);
    if (rules.isTaken(store, row)) reject("value-taken", operation, row);
    const code = rules.objection(operation, row, store);
    if (code !== null) reject(code, operation, row);
  }
  const present = (row: Row | undefined): Row => {
    if (!row) throw new Problem("record-not-found");
    return row;
  };
  const known = (id: Id) => present(rules.find(store, id));
  /** Carries out a command once for each `Idempotency-Key`, and shows the record. */
  function once(operation: string, { once }: Context, id: Id, work: () => Promise<Row>) {
    const show = async () => rules.show(await work());
    return rules.ignoresKey(operation) ? show() : once({ record: id }, show);
  }
  /** A command on a record that is there: `prepare` rejects it, or returns what it becomes. */
  function command(
    operation: string,
    context: Context,
    find: () => Row,
    { id }: Row,
    prepare: (row: Row) => Row,
    apply: (after: Row, row: Row) => void,
  ) {
    if (rules.looksFirst) find();
    return once(operation, context, id, async () => {
      const row = find();
      const after = prepare(row);
      const pause = rules.pause(operation);
      if (pause) await pause;
      apply(after, row);
      return after;
    });
  }
  const create = (operation: string, context: Context, row: Row, insert: () => unknown) =>
    once(operation, context, row.id, async () => {
      await insert();
      store.created.set(String(row.id), row);
      return row;
    });
  const change = (operation: string, input: Row, context: Context, to: (row: Row) => Row) =>
    command(
      operation,
      context,
      () => known(input.id),
      input,
      (row) => {
        const after = to(row);
        check(operation, after, input);
        return after;
      },
      (after, row) => rules.replace(store, after, row),
    );
  const remove = (operation: string, input: Row, context: Context, rows: Rows, find: () => Row) =>
    command(
      operation,
      context,
      find,
      input,
      (row) => {
        const code = rules.objection(operation, row, store);
        if (code !== null) reject(code, operation, row);
        return row;
      },
      () => rules.remove(store, rows, input.id),
    );
  const time = ({ now }: Context) => now().toISOString();
  const list =
    (operation: string, rows: (input: Fields) => readonly Row[], order: Rules) =>
    (input: Fields & { readonly limit: number }, { deadline }: Context) =>
      pageOf(
        operation,
        input,
        async ({ after, limit }) => {
          const sorted = [...rows(input)].sort((a, b) => compareRows(a, b, order));
          const position = after === null ? null : JSON.parse(String(after));
          const left = sorted.filter((row) => !position || compareRows(row, position, order) > 0);
          const page = left.slice(0, limit);
          const last = page.at(-1);
          const parts = order.order.map((part) => part.replace("-", ""));
          const values = last && Object.fromEntries(parts.map((part) => [part, last[part]]));
          return {
            items: JSON.stringify(page),
            last: values ? JSON.stringify(values) : null,
            more: left.length > limit,
          };
        },
        deadline,
      );
  const handlers: Record<string, (input: never, context: Context) => unknown> = {
    [`${owner}.create`](input: Fields, context) {
      const row = { ...input, id: rules.newId() };
      return create(`${owner}.create`, context, row, () => store.owners.set(row.id, row));
    },
    [`${owner}.delete`]: (input: Row, context) =>
      remove(`${owner}.delete`, input, context, store.owners, () =>
        present(store.owners.get(input.id)),
      ),
    [`${owner}.list`]: list(`${owner}.list`, () => [...store.owners.values()], {
      ...rules,
      order: ["id"],
    }),
    [`${owner}.merge`]() {
      rules.merge(store);
      return {};
    },
    [`${record}.create`](input: Fields, context) {
      const row = rules.make(input, time(context));
      return create(`${record}.create`, context, row, async () => {
        check(`${record}.create`, row, input);
        const pause = rules.pause(`${record}.create`);
        if (pause) await pause;
        rules.insert(store, row);
      });
    },
    [`${record}.get`]: ({ id }: Row) => rules.show(present(rules.get(store, id))),
    [`${record}.update`]: (input: Row, context) =>
      change(`${record}.update`, input, context, (row) => rules.update(row, input, time(context))),
    [`${record}.delete`]: (input: Row, context) =>
      remove(`${record}.delete`, input, context, store.rows, () => known(input.id)),
    [`${record}.list`]: list(
      `${record}.list`,
      (input) => {
        const parameters = Object.keys(input).filter(
          (one) => one in shape.filters && input[one] !== undefined,
        );
        const rows = rules.all(store, input).map((row) => rules.show(row));
        return rows.filter((row) => rules.matchesAll(row, parameters, input));
      },
      rules,
    ),
  };
  for (const [move, { from, to }] of Object.entries(shape.moves))
    handlers[`${record}.${move}`] = (input: Row, context) =>
      change(`${record}.${move}`, input, context, (row) => {
        if (!rules.mayMove(row, from)) reject("wrong-state", `${record}.${move}`, row);
        return rules.move(row, to, time(context));
      });
  return Object.fromEntries(
    Object.entries(handlers).map(([operation, handle]) => [
      operation,
      (input: never, context: Context) => {
        rules.begin(store);
        return handle(input, context);
      },
    ]),
  );
}
