import { EXTRAS } from "./extras.ts";
import { FAULTS } from "./faults.ts";
import type { Command, List, Space } from "./space.ts";
import { KEY_WRITTEN, PLACED, type Sequence, type Step, WRITTEN } from "./step.ts";

/** Random sequences, reproducible by their numbers. */

export type Random = () => number;

/** Numbers of records and keys that no other step of the sequence has. */
interface Numbers {
  next(): number;
}

const pick = <T>(random: Random, some: readonly [T, ...T[]] | readonly T[]): T =>
  some[Math.floor(random() * some.length)] as T; // Never empty: callers check before
const chance = (random: Random, share: number) => random() < share;

/** How it is sent, which does not affect the response. */
function manner(random: Random, callers: readonly string[]): Pick<Step, "caller" | "placed" | "kept" | "extras"> {
  const extras = chance(random, 0.4) ? [pick(random, Object.keys(EXTRAS))] : [];
  // Most calls come from one caller, and most on the open connection.
  const caller = chance(random, 0.6) ? (callers[0] ?? "full") : pick(random, callers);
  return { caller, placed: pick(random, PLACED), kept: chance(random, 0.7), ...(extras.length > 0 && { extras }) };
}

const create = (random: Random, { id, callers }: Command, more: Partial<Step>): Step => ({
  ...{ operation: id, ...manner(random, callers) },
  ...more,
});

const page = (random: Random, { id, callers, most, byDefault }: List, more: Partial<Step> = {}): Step => {
  const limit = pick(random, [1, 2, 3, 5, byDefault, most - 1, most, undefined]);
  const head = chance(random, 0.1);
  return {
    operation: id,
    ...manner(random, callers),
    ...(limit && { limit }),
    ...(head && { head }),
    from: "end",
    ...more,
  };
};

/** The steps of one caller, in order; steps of others are interleaved. */
type Thread = (random: Random, numbers: Numbers, space: Space) => readonly Step[];

const pageOf = (random: Random, space: Space, more: Partial<Step> = {}): readonly Step[] =>
  space.lists.length > 0 ? [page(random, pick(random, space.lists), more)] : [];

/** A record, and the same once more in another spelling. */
const conflict: Thread = (random, numbers, space) => {
  const command = pick(random, space.commands);
  const record = numbers.next();
  const again = WRITTEN.map((written) => create(random, command, { record, written }));
  return [
    create(random, command, { record }),
    ...pageOf(random, space),
    ...shuffled(random, again).slice(0, 3),
    ...pageOf(random, space),
  ];
};

/** A key: replays, other data with it, the same key of another caller, and similar keys. */
const underKey: Thread = (random, numbers, space) => {
  const keyed = space.commands.filter(({ isKeyed }) => isKeyed);
  if (keyed.length === 0) return [];
  const command = pick(random, keyed);
  const [owner = "full", ...others] = shuffled(random, command.callers);
  const [record, key] = [numbers.next(), numbers.next()];
  const mine = (more: Partial<Step>) => create(random, command, { record, key, caller: owner, ...more });
  const between = [
    mine({}),
    ...(["reordered", "escaped"] as const).map((written) => mine({ written })),
    ...(["other", "capitals"] as const).map((written) => mine({ written })),
    ...KEY_WRITTEN.slice(1).map((keyWritten) => mine({ keyWritten, of: "key-whole" })),
    ...others.map((caller) => mine({ caller, of: "key-of-caller" })),
    create(random, command, { record, caller: owner }),
    ...pageOf(random, space),
  ];
  return [mine({}), ...shuffled(random, between).slice(0, 7), mine({})];
};

/** The same key, used by two callers for records of their own. */
const twoOwners: Thread = (random, numbers, space) => {
  const keyed = space.commands.filter(({ isKeyed, callers }) => isKeyed && callers.length > 1);
  if (keyed.length === 0) return [];
  const command = pick(random, keyed);
  const [one = "full", other = "full"] = shuffled(random, command.callers);
  const [first, second, key] = [numbers.next(), numbers.next(), numbers.next()];
  const steps = [
    create(random, command, { record: first, key, caller: one }),
    create(random, command, { record: second, key, caller: other, of: "key-of-caller" }),
  ];
  return [...steps, ...shuffled(random, steps)];
};

/** Rejected first, with a key or without: nothing is stored, and key and values stay free. */
const rejected: Thread = (random, numbers, space) => {
  const command = pick(random, space.commands);
  const [record, taken] = [numbers.next(), numbers.next()];
  const key = command.isKeyed ? { key: numbers.next() } : {};
  const faults = Object.entries(FAULTS).filter(([, { harms }]) => space.mayHarm || !harms);
  const wrong = shuffled(random, faults);
  const of = "key-free";
  return [
    ...wrong.map(([fault]) => create(random, command, { record, ...key, fault })),
    ...space.callers
      .filter((caller) => !command.callers.includes(caller))
      .map((caller) => create(random, command, { record, ...key, caller })),
    // A conflict uses up no key.
    create(random, command, { record: taken }),
    ...(command.isKeyed ? [create(random, command, { record: taken, ...key })] : []),
    ...pageOf(random, space),
    create(random, command, { record, ...key, caller: command.callers[0] ?? "full", ...("key" in key && { of }) }),
    create(random, command, { record, ...key, caller: command.callers[0] ?? "full" }),
    ...pageOf(random, space),
  ];
};

/** Pages in sequence, by cursors and links; then an old cursor again, and another length. */
const walk: Thread = (random, _, space) => {
  if (space.lists.length === 0) return [];
  const list = pick(random, space.lists);
  const from = chance(random, 0.3) ? "start" : "end";
  const limit = pick(random, [1, 2, 3]);
  const on = () => page(random, list, { from: -1, limit, ...(chance(random, 0.4) && { linked: true }) });
  return [
    page(random, list, { from, limit }),
    ...Array.from({ length: 4 }, on),
    page(random, list, { from: Math.floor(random() * 5) }),
    page(random, list, { from: Math.floor(random() * 5), linked: true }),
    page(random, list, { from }),
  ];
};

/** The same page twice, and then as another caller may see it. */
const twice: Thread = (random, _, space) => {
  if (space.lists.length === 0) return [];
  const one = page(random, pick(random, space.lists), { from: pick(random, ["start", "end"]) });
  const placed = pick(random, PLACED);
  return [one, one, { ...one, placed, kept: !one.kept }, { ...one, caller: pick(random, space.callers) }, one];
};

/** A current copy, and then none again. */
const conditions: Thread = (random, _, space) => {
  const operation = pick(random, space.conditional);
  if (operation === undefined) return [];
  const one: Step = { operation, ...manner(random, space.callers) };
  const current = { ...one, conditional: true };
  return [one, current, one, { ...one, ...manner(random, space.callers) }, current, { ...current, head: true }, one];
};

/** Other queries, also with the caller's copy of the response. */
const queries: Thread = (random, _, space) =>
  Array.from({ length: 5 }, () => {
    const operation = pick(random, space.queries);
    const how = { operation, ...manner(random, space.callers) };
    const kind = random();
    return { ...how, ...(kind < 0.2 && { head: true }), ...(kind > 0.7 && { conditional: true }) };
  });

/** Any operation with any fault, by any caller. */
const faulty: Thread = (random, numbers, space) => {
  const all = [...space.lists.map(({ id }) => id), ...space.queries];
  const faults = Object.entries(FAULTS).flatMap(([name, { harms }]) => (space.mayHarm || !harms ? [name] : []));
  const wrong = Array.from({ length: 6 }, () => ({
    ...{ operation: pick(random, all), ...manner(random, space.callers), from: "end" as const },
    fault: pick(random, faults),
  }));
  if (space.commands.length === 0) return wrong;
  const record = numbers.next();
  const commands = Array.from({ length: 2 }, () =>
    create(random, pick(random, space.commands), { record, fault: pick(random, faults) }),
  );
  return shuffled(random, [...wrong, ...commands]);
};

export function shuffled<T>(random: Random, some: readonly T[]): T[] {
  const rest = [...some];
  return Array.from(some, () => rest.splice(Math.floor(random() * rest.length), 1)).flat();
}

const READING: readonly Thread[] = [walk, twice, conditions, queries, faulty];

/** The steps of several callers, interleaved at random; each caller's order is kept. */
function interleaved(random: Random, threads: readonly (readonly Step[])[]): Step[] {
  const rest = threads.map((thread) => [...thread]).filter(({ length }) => length > 0);
  const steps: Step[] = [];
  while (rest.length > 0) {
    const thread = pick(random, rest);
    steps.push(...thread.splice(0, 1));
    if (thread.length === 0) rest.splice(rest.indexOf(thread), 1);
  }
  return steps;
}

const numbered = (): Numbers => {
  let last = 0;
  return { next: () => ++last };
};

/** Each command has requirements of its own about what is drawn, whatever the seed. */
const alone = (space: Space): readonly Space[] => space.commands.map((command) => ({ ...space, commands: [command] }));

/** A sequence of single requests: about 60 of them, and 6 records if the run may write. */
export function sequence(random: Random, space: Space): Sequence {
  const numbers = numbered();
  // Each sequence tries what has a requirement of its own: a key that stays free, and one that two callers use.
  const more = shuffled(random, [conflict, underKey, underKey]).slice(0, 2);
  const writing = space.commands.length > 0 ? [rejected, twoOwners, ...more] : [];
  const reading = space.queries.length > 0 ? READING : READING.slice(0, 2);
  const threads = [
    ...alone(space).flatMap((each) => writing.map((thread) => thread(random, numbers, each))),
    ...shuffled(random, reading)
      .slice(0, 4)
      .map((thread) => thread(random, numbers, space)),
  ];
  const ends = space.lists.map((list) =>
    page(random, list, { limit: list.most, head: false, caller: list.callers[0] ?? "full" }),
  );
  return [...interleaved(random, threads), ...ends];
}

/** Several parallel requests, round after round, and a read of the state after each; `first` is the number of the first round. */
export function rounds(random: Random, space: Space, first: number, count: number): Sequence {
  const numbers = numbered();
  return Array.from({ length: count }, (_, n): Sequence => {
    const looks = space.lists.map((list) =>
      page(random, list, { limit: list.most, head: false, caller: list.callers[0] ?? "full" }),
    );
    const races = alone(space).flatMap((each) => racing(random, numbers, each, first + n));
    return [shuffled(random, [...races, ...reading(random, space)]), ...looks];
  }).flat();
}

const reading = (random: Random, space: Space): readonly Step[] => [
  ...Array.from({ length: 2 }, () =>
    pageOf(random, space, chance(random, 0.5) ? { caller: pick(random, space.callers) } : {}),
  ).flat(),
  ...queries(random, numbered(), space).slice(0, 3),
];

/**
 * Commands that compete: for one record in several spellings, for one key, with one key for two records, or for separate records.
 */
function racing(random: Random, numbers: Numbers, space: Space, round: number): readonly Step[] {
  if (space.commands.length === 0) return [];
  const command = pick(random, space.commands);
  const { callers } = command;
  const [record, other, key] = [numbers.next(), numbers.next(), numbers.next()];
  const several = (count: number, step: (at: number) => Partial<Step>) =>
    Array.from({ length: count }, (_, at) => create(random, command, step(at)));
  const owner = pick(random, callers);
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
  return kinds[round % kinds.length]?.().filter(({ key: number }) => command.isKeyed || number === undefined) ?? [];
}

/** The share of combinations that is sent to public queries. */
const OF_PUBLIC = 0.3;

/**
 * Every operation with every fault and every field that changes nothing, by any caller in any place; sometimes with another
 * field.
 */
export function combinations(random: Random, space: Space): Sequence {
  const faults = Object.entries(FAULTS).flatMap(([name, { harms }]) => (space.mayHarm || !harms ? [name] : []));
  const names = Object.keys(EXTRAS);
  const how = (extra: string, callers: readonly string[]): Omit<Step, "operation"> => {
    const more = chance(random, 0.3) ? pick(random, names) : extra;
    return {
      ...manner(random, chance(random, 0.5) ? callers : space.callers),
      ...{ extras: more === extra ? [extra] : [extra, more], kept: chance(random, 0.9) },
    };
  };
  /** With each fault, and by each caller without a fault. */
  const each = (callers: readonly string[], step: Partial<Step> & Pick<Step, "operation">): readonly Step[] =>
    names.flatMap((extra) => [
      ...faults.map((fault) => ({ ...how(extra, callers), ...step, fault })),
      ...space.callers.map((caller) => ({ ...how(extra, callers), ...step, caller })),
    ]);
  const heads = (steps: readonly Step[]) => steps.map((step) => (chance(random, 0.2) ? { ...step, head: true } : step));
  return [
    ...space.lists.flatMap(({ id, callers }) => heads(each(callers, { operation: id, from: "end", limit: 2 }))),
    ...space.queries.flatMap((operation) =>
      heads(each(space.callers, { operation })).filter(
        () => space.guarded.includes(operation) || chance(random, OF_PUBLIC),
      ),
    ),
    // The record already exists, and is replayed with its key.
    ...space.commands.flatMap((command) => {
      const one: Step = { ...create(random, command, { record: 1 }), caller: command.callers[0] ?? "full" };
      const keyed = command.isKeyed ? { key: 1 } : {};
      const steps = each(command.callers, { operation: command.id, record: 1 });
      return [{ ...one, ...keyed }, ...steps.map((step) => (chance(random, 0.5) ? { ...step, ...keyed } : step))];
    }),
  ];
}
