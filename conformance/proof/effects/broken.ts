// Servers that do one thing wrongly, in each of the three contracts.
import { setTimeout as sleep } from "node:timers/promises";
import { type Fields, type Id, lower, type Row, type Rules, type Shape } from "./server.ts";

export interface Broken {
  readonly name: string;
  /** The requirements by which it may be found. */
  readonly of: readonly string[];
  change(right: Rules, shape: Shape): Partial<Rules>;
}

/** The rules of a broken server. */
export const brokenRules = (right: Rules, shape: Shape, { change }: Broken): Rules => ({
  ...right,
  ...change(right, shape),
});

export const broken = (name: string, of: string, change: Broken["change"]): Broken => ({
  name,
  of: of.split(" ").map((rule) => (rule.includes("/") ? rule : `effects/${rule}`)),
  change,
});

/** A wrong filter: whether a record matches a parameter, by whether it should. */
export const filtering = (
  name: string,
  matches: (row: Row, parameter: string, wanted: unknown, right: Rules, shape: Shape) => boolean,
) =>
  broken(name, "filter", (right, shape) => ({
    matches: (row, parameter, wanted) => matches(row, parameter, wanted, right, shape),
  }));

/** A wrong order of lists. */
export const ordering = (
  name: string,
  change: (order: readonly string[]) => readonly string[],
  of = "order",
) => broken(name, of, ({ order }) => ({ order: change(order) }));

/** A create that alters what it was sent, in the response as well. */
export const making = (name: string, make: (row: Row, input: Fields, shape: Shape) => Row) =>
  broken(name, "created", (right, shape) => ({
    make(this: Rules, input, now) {
      return make(right.make.call(this, input, now), input, shape);
    },
  }));

/** An update that leaves a record in another way than it should. */
export const updating = (
  name: string,
  update: (after: Row, before: Row, input: Fields, shape: Shape) => Row,
) =>
  broken(name, "updated", (right, shape) => ({
    update: (row, input, now) => update(right.update(row, input, now), row, input, shape),
  }));

/** The command waits between its checks and its change, so that another one comes in between. */
const racing = (name: string, commands: (shape: Shape) => readonly string[], of: string) =>
  broken(name, of, (_, shape) => {
    const names = commands(shape).map((command) => `${shape.record}.${command}`);
    return { pause: (operation) => (names.includes(operation) ? sleep(20) : undefined) };
  });

/** With the records that were deleted. */
const remembering = (
  name: string,
  of: string,
  change: (gone: Map<Id, Row>, right: Rules, shape: Shape) => Partial<Rules>,
) =>
  broken(name, of, (right, shape) => {
    const gone = new Map<Id, Row>();
    return {
      remove(store, rows, id) {
        const row = rows.get(id);
        if (row) gone.set(id, row);
        right.remove(store, rows, id);
      },
      ...change(gone, right, shape),
    };
  });

const first = (rows: ReadonlyMap<Id, Row>) => [...rows.values()][0];

/** The record that was created before another one. */
function previous(rows: ReadonlyMap<Id, Row>, id: Id): Row | undefined {
  const all = [...rows.values()];
  return all[all.findIndex((row) => row.id === id) - 1];
}

const without = (row: Row, member: string) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== member)) as Row;
export const lowered = (value: unknown) => (typeof value === "string" ? lower(value) : value);
const cut = (row: Row, text: string): Row =>
  typeof row[text] === "string" ? { ...row, [text]: row[text].slice(0, 100) } : row;

const lists: readonly Broken[] = [
  filtering("has a filter that does nothing", (row, parameter, wanted, right, { filters }) => {
    const [, second] = Object.keys(filters);
    return parameter === second || right.matches(row, parameter, wanted);
  }),
  filtering("lists the records of every owner", (row, parameter, wanted, right, { ownerId }) =>
    parameter === ownerId ? true : right.matches(row, parameter, wanted),
  ),
  filtering("matches a record without the member", (row, parameter, wanted, right, { filters }) =>
    row[filters[parameter]?.[0] ?? ""] === undefined ? true : right.matches(row, parameter, wanted),
  ),
  filtering("ignores case in a filter", (row, parameter, wanted, right) => {
    const members = Object.entries(row).map(([name, value]) => [name, lowered(value)]);
    return right.matches(Object.fromEntries(members), parameter, lowered(wanted));
  }),
  broken("takes what matches one of several parameters", "filter", (right) => ({
    matchesAll: (row, parameters, input) =>
      parameters.length === 0 || parameters.some((one) => right.matches(row, one, input[one])),
  })),
  broken("heeds the first of several parameters", "filter", (right) => ({
    matchesAll: (row, parameters, input) =>
      parameters.slice(0, 1).every((one) => right.matches(row, one, input[one])),
  })),
  ordering("orders by ids alone", (order) => order.slice(-1)),
  ordering("ascends where it should descend", (order) => order.map((one) => one.replace("-", ""))),
  ordering("descends where it should ascend", (order) =>
    order.map((one) => (one.startsWith("-") ? one : `-${one}`)),
  ),
  ordering("does not order what is equal", (order) => order.slice(0, -1), "order listed"),
  ordering("orders by the first member last", ([one = "", ...more]) => [
    ...more.slice(0, -1),
    one,
    ...more.slice(-1),
  ]),
  broken("leaves out the newest record", "listed", (right) => ({
    all: (store, input) => right.all(store, input).slice(0, -1),
  })),
  broken("lists a record twice", "listed order", (right) => ({
    all(store, input) {
      const rows = right.all(store, input);
      return [...rows, ...rows.slice(-1)];
    },
  })),
  broken("lists what there was a moment ago", "listed deleted updated", (right) => {
    let [seen, at]: [readonly Row[], number] = [[], 0];
    return {
      all(store, input) {
        if (Date.now() - at > 300) [seen, at] = [right.all(store, input), Date.now()];
        return seen;
      },
    };
  }),
  broken("lists records as they were created", "listed updated state", (right) => ({
    all: (store, input) =>
      right.all(store, input).map((row) => store.created.get(String(row.id)) ?? row),
  })),
];

const reads: readonly Broken[] = [
  broken("gets the first record for an unknown id", "read deleted", (right) => ({
    get: (store, id) => right.get(store, id) ?? first(store.rows),
  })),
  broken("gets another record under an unknown id", "read deleted", (right) => ({
    get(store, id) {
      const other = first(store.rows);
      return right.get(store, id) ?? (other && { ...other, id });
    },
  })),
  broken("always gets the first record", "read", () => ({ get: ({ rows }) => first(rows) })),
  broken("gets a record as it was created", "read updated state deleted", () => ({
    get: ({ created }, id) => created.get(String(id)),
  })),
  broken("gets a record once", "read rejected-unchanged", (right) => ({
    get(store, id) {
      const row = right.get(store, id);
      store.rows.delete(id);
      return row;
    },
  })),
];

const creates: readonly Broken[] = [
  making("creates with a number of 1", (row, _, { number }) => ({ ...row, [number]: 1 })),
  making("cuts a text at 100 characters", (row, _, { text }) => cut(row, text)),
  making("trims a text", (row, _, { unique }) => ({ ...row, [unique]: `${row[unique]}`.trim() })),
  making("leaves out what is optional", (row, _, { text }) => without(row, text)),
  making("writes a text in lowercase", (row, _, { unique }) => ({
    ...row,
    [unique]: lowered(row[unique]),
  })),
  broken("answers a create and stores nothing", "created read listed filter", () => ({
    insert: () => {},
  })),
  broken("stores a text that is cut", "created read listed", (right, { text }) => ({
    insert: (store, row) => right.insert(store, cut(row, text)),
  })),
  broken("stores another number than it answers", "created read listed", (right, { number }) => ({
    insert: (store, row) => right.insert(store, { ...row, [number]: Number(row[number]) - 1 }),
  })),
  broken("replaces the record before it", "created read listed updated", (right) => ({
    insert(store, row) {
      right.insert(store, row);
      const before = previous(store.rows, row.id);
      if (before) store.rows.delete(before.id);
    },
  })),
];

const updates: readonly Broken[] = [
  broken("answers an update and stores nothing", "updated state read listed", () => ({
    replace: () => {},
  })),
  updating("removes what an update leaves out", (after, _, input, { text }) =>
    text in input ? after : without(after, text),
  ),
  updating("keeps what an update removes", (after, before, input) => ({
    ...after,
    ...Object.fromEntries(
      Object.keys(input).flatMap((name) =>
        input[name] === null && name in before ? [[name, before[name]]] : [],
      ),
    ),
  })),
  updating("sets a number that an update leaves out", (after, _, input, { number }) => ({
    ...after,
    [number]: input[number] ?? 1,
  })),
  updating("updates no number", (after, before, _, { number }) => ({
    ...after,
    [number]: before[number],
  })),
  broken("updates the record before it as well", "updated read listed", (right, { number }) => ({
    replace(store, row, before) {
      right.replace(store, row, before);
      const other = previous(store.rows, row.id);
      if (other) store.rows.set(other.id, { ...other, [number]: row[number] });
    },
  })),
  broken("updates the first record for an unknown id", "updated state deleted read", (right) => ({
    find: (store, id) => right.find(store, id) ?? first(store.rows),
  })),
  broken("undoes the update before", "updated", (right) => {
    const firstOf = new Map<Id, Row>();
    return {
      update(row, input, now) {
        const before = firstOf.get(row.id) ?? row;
        firstOf.set(row.id, before);
        return right.update({ ...before }, input, now);
      },
    };
  }),
  racing("loses an update in a race", () => ["update"], "updated"),
];

const deletes: readonly Broken[] = [
  broken("answers a delete and deletes nothing", "deleted", () => ({ remove: () => {} })),
  remembering("shows what is deleted behind a cursor", "deleted listed", (gone, right) => ({
    all(store, input) {
      const rows = right.all(store, input);
      return "cursor" in input ? [...rows, ...gone.values()] : rows;
    },
  })),
  remembering("gets what is deleted", "deleted read", (gone, right) => ({
    get: (store, id) => right.get(store, id) ?? gone.get(id),
  })),
  remembering("deletes what is deleted again", "deleted updated state", (gone, right) => ({
    find: (store, id) => right.find(store, id) ?? gone.get(id),
  })),
  remembering("still counts a deleted value as taken", "unique", (gone, right, { unique }) => ({
    isTaken(this: Rules, store, row) {
      const isOld = (one: Row) => one.id !== row.id && this.isSame(one[unique], row[unique]);
      const hasOld = row[unique] !== undefined && [...gone.values()].some(isOld);
      return hasOld || right.isTaken(store, row);
    },
  })),
  remembering("finds a deleted owner", "requires", (gone, right) => ({
    owner: (store, id) => right.owner(store, id) ?? gone.get(id),
  })),
  broken("deletes the record before it as well", "deleted read listed", (right) => ({
    remove(store, rows, id) {
      const other = previous(rows, id);
      if (other) rows.delete(other.id);
      right.remove(store, rows, id);
    },
  })),
  racing("deletes twice in a race", () => ["delete"], "deleted"),
];

const rejections: readonly Broken[] = [
  broken("takes what is taken", "unique", () => ({ isTaken: () => false })),
  broken("takes in an update what is taken", "unique", (right) => ({
    isTaken: (store, row) => !store.rows.has(row.id) && right.isTaken(store, row),
  })),
  broken("rejects an update with a value of its own", "unique updated", (right, shape) => ({
    isTaken(store, row) {
      const { unique, state } = shape;
      const before = store.rows.get(row.id);
      const isMoved = before?.[state.member] !== row[state.member];
      return (!isMoved && before?.[unique] === row[unique]) || right.isTaken(store, row);
    },
  })),
  broken("compares only the begin of values", "unique", (right) => ({
    isSame: (value, other) => right.isSame(`${value}`.slice(0, 6), `${other}`.slice(0, 6)),
  })),
  broken("compares values with the other case", "unique", (_, { ignoresCase }) => ({
    isSame: (value, other) => (ignoresCase ? value === other : lower(value) === lower(other)),
  })),
  racing("takes a value twice in a race", () => ["create"], "unique"),
  broken("creates for an owner that is not there", "requires", () => ({
    owner: (_, id) => ({ id }),
  })),
  broken("moves what is moved", "state", () => ({ mayMove: () => true })),
  broken("moves nothing", "state", () => ({ mayMove: () => false })),
  broken("leaves the state as it was", "state", () => ({ move: (row) => row })),
  broken("answers a move and does not store it", "state", (right, { state: { member } }) => ({
    replace: (store, row, before) =>
      right.replace(store, { ...row, [member]: before[member] }, before),
  })),
  racing("moves twice in a race", ({ moves }) => Object.keys(moves), "state"),
  broken("stores what it rejects", "rejected-unchanged answers/schema", () => ({
    rejected: ({ rows }, row) => void rows.set(row.id, row),
  })),
  broken("removes what it rejects", "rejected-unchanged", () => ({
    rejected: ({ rows }, row) => void rows.delete(row.id),
  })),
  broken("counts up where it rejects", "rejected-unchanged", (_, { number }) => ({
    rejected({ rows }, { id }) {
      const row = rows.get(id);
      if (row) rows.set(id, { ...row, [number]: Number(row[number]) + 1 });
    },
  })),
];

const REPLAY = "idempotency/replayed created listed unique";

/** A used `Idempotency-Key` carries out the command again. */
const repeating = (name: string, of: string, commands: (shape: Shape) => readonly string[]) =>
  broken(name, `${REPLAY} ${of}`, (_, shape) => {
    const names = commands(shape).map((command) => `${shape.record}.${command}`);
    return { ignoresKey: (operation) => names.includes(operation) };
  });

const replays: readonly Broken[] = [
  repeating("creates again for a used key", "read", () => ["create"]),
  repeating("updates again for a used key", "updated", () => ["update"]),
  repeating("rejects the replay of a move", "state", ({ moves }) => Object.keys(moves)),
  repeating("rejects the replay of a delete", "deleted", () => ["delete"]),
  broken(
    "looks for the record before the key",
    "idempotency/replayed deleted updated state",
    () => ({
      looksFirst: true,
    }),
  ),
];

/** Of an order with a member that may be absent. */
export const absentFirst = broken("begins with what has no value", "order", () => ({
  absentLast: false,
}));

/** Those that each of the three has. */
export const brokenEverywhere: readonly Broken[] = [
  ...lists,
  ...reads,
  ...creates,
  ...updates,
  ...deletes,
  ...rejections,
  ...replays,
];
