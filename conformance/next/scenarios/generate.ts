import type { Operation } from "../../oracle/contract.ts";
import { MODES } from "../requests/generate.ts";
import { shuffled } from "../run/random.ts";
import type { Command, List, Space } from "./space.ts";
import { KEY_WRITTEN, type Scenario, type Step, WRITTEN } from "./steps.ts";

/** Scenarios, drawn from a seed: every run tries everything that has a requirement, in another order and by other callers. */

type Random = () => number;

/** Numbers of records and keys that no other step of the scenario has. */
interface Numbers {
  next(): number;
}

const pick = <Item>(random: Random, [first, ...others]: readonly [Item, ...Item[]]): Item =>
  others[Math.floor(random() * (others.length + 1)) - 1] ?? first;
/** One of them; nothing of none. */
const some = <Item>(random: Random, items: readonly Item[]): readonly Item[] =>
  items.slice(Math.floor(random() * items.length)).slice(0, 1);
const chance = (random: Random, share: number) => random() < share;
const [BY_HEAD, IN_QUERY] = [MODES.get("HEAD"), MODES.get("credentials in the query")];
const mode = (row: typeof BY_HEAD) => (row ? [row] : []);

/** How it is sent, which does not affect the response. */
function manner(random: Random, { calm, callers: all }: Space, operation: Operation, callers = all) {
  return {
    operation,
    rows: [
      ...(chance(random, 0.4) ? some(random, calm.get(operation) ?? []) : []),
      ...(chance(random, 0.3) ? mode(IN_QUERY) : []),
    ],
    // Most calls come from one caller, and most on the open connection.
    caller: (chance(random, 0.6) ? undefined : some(random, callers)[0]) ?? callers[0] ?? "full",
    isKept: chance(random, 0.7),
  };
}

const create = (random: Random, space: Space, { operation, callers }: Command, more: Partial<Step>): Step => ({
  ...manner(random, space, operation, callers),
  ...more,
});

function page(random: Random, space: Space, { operation, callers, most, byDefault }: List, more: Partial<Step> = {}) {
  const limit = pick(random, [undefined, 1, 2, 3, 5, byDefault, most - 1, most]);
  const { rows, ...how } = manner(random, space, operation, callers);
  const head = chance(random, 0.1) ? mode(BY_HEAD) : [];
  return { ...how, rows: [...rows, ...head], ...(limit && { limit }), from: "end" as const, ...more };
}

const pageOf = (random: Random, space: Space): readonly Step[] =>
  some(random, space.lists).map((list) => page(random, space, list));
/** The end of each list, as one page. */
const looks = (random: Random, space: Space): readonly Step[] =>
  space.lists.map((list) =>
    page(random, space, list, { limit: list.most, rows: [], caller: list.callers[0] ?? "full" }),
  );

const broken = (random: Random, { faults }: Space, step: Step): Step => ({
  ...step,
  rows: [...step.rows, ...some(random, faults.get(step.operation) ?? [])],
});

/** The steps of one caller, in order; steps of others are interleaved. `nth`: of how many scenarios, so that together they have all. */
type Thread = (random: Random, numbers: Numbers, space: Space, nth: number) => readonly Step[];
type OfCommand = (command: Command) => Thread;

/** A record, and the same once more in another spelling. */
const conflict: OfCommand = (command) => (random, numbers, space) => {
  const record = numbers.next();
  const again = WRITTEN.map((spelling) => create(random, space, command, { record, written: spelling }));
  return [
    create(random, space, command, { record }),
    ...pageOf(random, space),
    ...shuffled(again, random).slice(0, 3),
    ...pageOf(random, space),
  ];
};

/** A key: replays, other data with it, the same key of another caller, and similar keys. */
const underKey: OfCommand = (command) => (random, numbers, space, nth) => {
  if (!command.isKeyed) return [];
  const [owner = "full", ...others] = shuffled(command.callers, random);
  const [record, key] = [numbers.next(), numbers.next()];
  const mine = (more: Partial<Step>) => create(random, space, command, { record, key, caller: owner, ...more });
  const between = [
    mine({}),
    ...KEY_WRITTEN.slice(1).map((keyWritten) => mine({ keyWritten, of: "key-whole" })),
    ...(["reordered", "other", "escaped", "capitals"] as const).map((spelling) => mine({ written: spelling })),
    create(random, space, command, { record, caller: owner }),
    ...others.map((caller) => mine({ caller, of: "key-of-caller" })),
    ...pageOf(random, space),
  ];
  const share = between.filter((_, at) => at % SCENARIOS === nth % SCENARIOS);
  const more = some(random, between);
  return [mine({}), ...shuffled([...share, ...more], random), mine({})];
};

/** The same key, used by two callers for records of their own. */
const twoOwners: OfCommand = (command) => (random, numbers, space) => {
  const [one, other] = shuffled(command.callers, random);
  if (!command.isKeyed || one === undefined || other === undefined) return [];
  const [first, second, key] = [numbers.next(), numbers.next(), numbers.next()];
  const steps = [
    create(random, space, command, { record: first, key, caller: one }),
    create(random, space, command, { record: second, key, caller: other, of: "key-of-caller" }),
  ];
  return [...steps, ...shuffled(steps, random)];
};

/** Rejected first, with a key or without: nothing is stored, and key and values stay free. */
const rejected: OfCommand = (command) => (random, numbers, space) => {
  const { operation, callers, isKeyed } = command;
  const [record, taken] = [numbers.next(), numbers.next()];
  const key = isKeyed ? { key: numbers.next() } : {};
  const ask = (more: Partial<Step>) => create(random, space, command, { record, ...key, ...more });
  const owner = { caller: callers[0] ?? "full", rows: [] };
  return [
    ...(space.faults.get(operation) ?? []).map((fault) => ask({ rows: [fault] })),
    ...space.callers.filter((caller) => !callers.includes(caller)).map((caller) => ask({ caller })),
    // A conflict uses up no key.
    create(random, space, command, { record: taken }),
    ...(isKeyed ? [create(random, space, command, { record: taken, ...key })] : []),
    ...pageOf(random, space),
    ask({ ...owner, ...(isKeyed && { of: "key-free" }) }),
    ask(owner),
    ...pageOf(random, space),
  ];
};

/** Pages in sequence, by cursors and links; then an old cursor again, and another length. */
const walk: Thread = (random, _, space) =>
  some(random, space.lists).flatMap((list) => {
    const from = chance(random, 0.3) ? "start" : "end";
    const limit = pick(random, [1, 2, 3]);
    const on = () => page(random, space, list, { from: -1, limit, ...(chance(random, 0.4) && { isLinked: true }) });
    return [
      page(random, space, list, { from, limit }),
      ...Array.from({ length: 4 }, on),
      page(random, space, list, { from: Math.floor(random() * 5) }),
      page(random, space, list, { from: Math.floor(random() * 5), isLinked: true }),
      page(random, space, list, { from }),
    ];
  });

/** The same page twice, and then as another caller may see it. */
const twice: Thread = (random, _, space) =>
  some(random, space.lists).flatMap((list) => {
    const one = page(random, space, list, { from: pick(random, ["start", "end"]) });
    const [other = one.caller] = some(random, space.callers);
    const moved = { ...one, rows: [...one.rows, ...mode(IN_QUERY)], isKept: !one.isKept };
    return [one, one, moved, { ...one, caller: other }, one];
  });

/** A current copy, and then none again. */
const conditions: Thread = (random, _, space) =>
  some(random, space.conditional).flatMap((operation) => {
    const one: Step = manner(random, space, operation);
    const other: Step = manner(random, space, operation);
    const current: Step = { ...one, isConditional: true };
    const head = { ...current, rows: [...one.rows, ...mode(BY_HEAD)] };
    return [one, current, one, other, current, head, one];
  });

/** Other queries, also with the caller's copy of the response. */
const queries: Thread = (random, _, space) =>
  Array.from({ length: 5 }, () => some(random, space.queries))
    .flat()
    .map((operation): Step => {
      const how = manner(random, space, operation);
      const kind = random();
      if (kind > 0.7) return { ...how, isConditional: true };
      return kind < 0.2 ? { ...how, rows: [...how.rows, ...mode(BY_HEAD)] } : how;
    });

/** Any operation with any fault, by any caller. */
const faulty: Thread = (random, numbers, space) => {
  const all = [...space.lists.map(({ operation }) => operation), ...space.queries];
  const wrong = Array.from({ length: 6 }, () => some(random, all))
    .flat()
    .map((operation) => broken(random, space, { ...manner(random, space, operation), from: "end" }));
  const record = numbers.next();
  const commands = Array.from({ length: 2 }, () => some(random, space.commands))
    .flat()
    .map((command) => broken(random, space, create(random, space, command, { record })));
  return shuffled([...wrong, ...commands], random);
};

const OF_COMMAND = [rejected, twoOwners, conflict, underKey];
const READING = [walk, twice, conditions, queries, faulty];

/** Scenarios of single requests, and rounds of parallel ones, of a run. */
export const SCENARIOS = 3;
const ROUNDS = 9;

/** The steps of several callers, interleaved at random; each caller's order is kept. */
function interleaved(random: Random, threads: readonly (readonly Step[])[]): Step[] {
  const rest = threads.map((thread) => [...thread]).filter(({ length }) => length > 0);
  const steps: Step[] = [];
  while (rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    const thread = rest[at] ?? [];
    steps.push(...thread.splice(0, 1));
    if (thread.length === 0) rest.splice(at, 1);
  }
  return steps;
}

function createNumbers(): Numbers {
  let last = 0;
  return { next: () => ++last };
}

/** A scenario of single requests: about 60 of them, and 6 records of each command. */
export function history(random: Random, space: Space, nth: number): Scenario {
  const numbers = createNumbers();
  const reading = shuffled(READING, random).slice(0, 4);
  const threads = [...space.commands.flatMap((command) => OF_COMMAND.map((one) => one(command))), ...reading];
  return [
    ...interleaved(
      random,
      threads.map((thread) => thread(random, numbers, space, nth)),
    ),
    ...looks(random, space),
  ];
}

/** Several requests at once, round after round, and a read of the state after each. */
export function rounds(random: Random, space: Space, nth: number): Scenario {
  const numbers = createNumbers();
  const count = ROUNDS / SCENARIOS;
  return Array.from({ length: count }, (_, n): Scenario => {
    const races = space.commands.flatMap((command) => racing(random, numbers, space, command, nth * count + n));
    const beside = [...pageOf(random, space), ...pageOf(random, space), ...queries(random, numbers, space, 0)].slice(
      0,
      5,
    );
    return [shuffled([...races, ...beside], random), ...looks(random, space)];
  }).flat();
}

/** Commands that compete: for one record in several spellings, for one key, with one key for two records, or for separate records. */
function racing(random: Random, numbers: Numbers, space: Space, command: Command, round: number): readonly Step[] {
  const { callers, isKeyed } = command;
  const [record, other, key] = [numbers.next(), numbers.next(), numbers.next()];
  const several = (count: number, step: (at: number) => Partial<Step>) =>
    Array.from({ length: count }, (_, at) => create(random, space, command, step(at)));
  const [owner = "full"] = some(random, callers);
  const kinds = [
    () => several(6, (at) => ({ record, written: WRITTEN[at % WRITTEN.length] ?? "same", of: "one-of-many" })),
    () => several(5, () => ({ record, key, caller: owner, of: "key-twins" })),
    () => several(5, (at) => ({ record: at % 2 ? record : other, key, caller: owner })),
    () => several(4, (at) => ({ record: at % 2 ? record : other, key, caller: callers[at % callers.length] ?? owner })),
    () => several(3, () => ({ record: numbers.next() })),
    () => [
      ...several(2, () => ({ record, key, caller: owner })),
      ...several(2, () => ({ record })),
      ...several(2, () => ({ record: other })),
    ],
  ];
  return kinds[round % kinds.length]?.().filter((step) => isKeyed || step.key === undefined) ?? [];
}
