import type { Operation } from "../oracle/contract.ts";
import { MODES } from "../requests/generate.ts";
import type { Command, List, Space } from "./space.ts";
import type { Step } from "./steps.ts";

/** Single steps, drawn from a seed, and the parts of threads. */

export type Random = () => number;

/** Numbers of records and keys that no other step of the scenario has. */
export interface Numbers {
  next(): number;
}

export const pick = <Item>(random: Random, [first, ...others]: readonly [Item, ...Item[]]): Item =>
  others[Math.floor(random() * (others.length + 1)) - 1] ?? first;
/** One of them; nothing of none. */
export const some = <Item>(random: Random, items: readonly Item[]): readonly Item[] =>
  items.slice(Math.floor(random() * items.length)).slice(0, 1);
export const chance = (random: Random, share: number) => random() < share;
export const [BY_HEAD, IN_QUERY] = [MODES.get("HEAD"), MODES.get("credentials in the query")];
export const mode = (row: typeof BY_HEAD) => (row ? [row] : []);

/** How it is sent, which does not affect the response. */
export function manner(random: Random, { calm, callers: all }: Space, operation: Operation, callers = all) {
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

export const create = (random: Random, space: Space, { operation, callers }: Command, more: Partial<Step>): Step => ({
  ...manner(random, space, operation, callers),
  ...more,
});

export function page(
  random: Random,
  space: Space,
  { operation, callers, most, byDefault }: List,
  more: Partial<Step> = {},
) {
  const limit = pick(random, [undefined, 1, 2, 3, 5, byDefault, most - 1, most]);
  const { rows, ...how } = manner(random, space, operation, callers);
  const head = chance(random, 0.1) ? mode(BY_HEAD) : [];
  return { ...how, rows: [...rows, ...head], ...(limit && { limit }), from: "end" as const, ...more };
}

export const pageOf = (random: Random, space: Space): readonly Step[] =>
  some(random, space.lists).map((list) => page(random, space, list));
/** The end of each list, as one page. */
export const looks = (random: Random, space: Space): readonly Step[] =>
  space.lists.map((list) =>
    page(random, space, list, { limit: list.most, rows: [], caller: list.callers[0] ?? "full" }),
  );

export const broken = (random: Random, { faults }: Space, step: Step): Step => ({
  ...step,
  rows: [...step.rows, ...some(random, [...(faults.get(step.operation)?.values() ?? [])])],
});

/** The steps of one caller, in order; steps of others are interleaved. `nth`: of how many scenarios, so that together they have all. */
export type Thread = (random: Random, numbers: Numbers, space: Space, nth: number) => readonly Step[];
export type OfCommand = (command: Command) => Thread;

/** Scenarios of single requests, and as many of parallel ones, of a run. */
export const SCENARIOS = 3;

/** Of the fields that a first call has, and of those that a document is read with, one in so many: the seed draws which. */
export const OF_FIELDS = 4;
