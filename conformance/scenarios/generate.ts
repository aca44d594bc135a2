import type { Operation } from "../oracle/contract.ts";
import type { Variation } from "../requests/draft.ts";
import { shuffled } from "../run/random.ts";
import { amongFields, conflict, framed, met, rejected, twoOwners, underKey } from "./commands.ts";
import { conditions, faulty, guarded, metByCursor, queries, twice, walk } from "./queries.ts";
import { coded, everywhere, represented } from "./representations.ts";
import type { Command, Space } from "./space.ts";
import { type Moves, SCENARIOS, type Scenario, type Step, WRITTEN } from "./steps.ts";

/** Scenarios, drawn from a seed: every run tries everything that has a requirement, in another order and by other callers. */

const OF_COMMAND = [rejected, twoOwners, conflict, met, underKey, amongFields, framed];
const READING = [twice, conditions, queries, faulty];

const ROUNDS = 9;

/** The steps of several callers, interleaved at random; each caller's order is kept. */
function interleaved(random: () => number, threads: readonly (readonly Step[])[]): readonly Step[] {
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

/** A scenario of single requests: about 60 of them, and 6 records of each command. */
export function history(moves: Moves): Scenario {
  const reading = shuffled(READING, moves.random).slice(0, 3);
  const threads = [
    ...moves.space.commands.flatMap((command) => OF_COMMAND.map((one) => one(moves, command))),
    ...[walk, guarded, coded, represented, everywhere, metByCursor, ...reading].map((thread) =>
      thread(moves),
    ),
  ];
  return [...interleaved(moves.random, threads), ...moves.looks()];
}

/** What is rejected whatever else a request has, by the requirement. */
const FIRST = /^credentials\/|unknown|^order\//;
const SHARE = 12;

/** So many operations have every field. */
const FULL = 2;

/** Of the callers who may not call it, one in so many. */
const OF_CALLERS = 3;

/** The faults of an operation, by the rule that rejects them. */
function faultsByRule(
  { faults }: Space,
  operation: Operation,
): ReadonlyMap<string, readonly Variation[]> {
  const byRule = new Map<string, Variation[]>();
  for (const [kind, fault] of faults.get(operation) ?? []) {
    const [by = ""] = kind.split(" ");
    byRule.set(by, [...(byRule.get(by) ?? []), fault]);
  }
  return byRule;
}

/** Every fault is one with any other field: those of the credentials each time, of the others some. */
export function mixed(moves: Moves): Scenario {
  const { random, space } = moves;
  const start = Math.floor(random() * SHARE);
  const all = [...space.lists, ...space.commands];
  // Of many operations each has a share, so that a run does not grow with their number.
  const share = Math.ceil(all.length / FULL);
  const steps = all.flatMap(({ operation, callers }, turn) => {
    const others = space.callers.filter((caller) => !callers.includes(caller));
    const record =
      operation.method === "POST" ? { record: moves.next() } : { from: "end" as const, limit: 2 };
    const one: Step = {
      operation,
      caller: callers[0] ?? "full",
      isKept: true,
      rows: [],
      ...record,
    };
    // An invalid key is read after the credentials and the input.
    const ofKey = [...(space.faults.get(operation)?.values() ?? [])].filter(
      ({ part }) => part === "Idempotency-Key",
    );
    const fields = (space.calm.get(operation) ?? []).filter(
      (_, at) =>
        (at + turn) % share === 0 && (operation.method === "GET" || (at + start) % 2 === 0),
    );
    const faults = faultsByRule(space, operation);
    return [...fields, ...ofKey].flatMap((calm, at): Step[] => [
      ...(operation.method === "GET" ? [{ ...one, rows: [calm] }] : []),
      ...[...faults].flatMap(([by, some], nth) =>
        FIRST.test(by) || (nth + at + start) % SHARE === 0
          ? some
              .slice(at % some.length)
              .slice(0, 1)
              .map((fault) => ({ ...one, rows: [calm, fault] }))
          : [],
      ),
      ...others
        .filter((_, nth) => (nth + at + start) % OF_CALLERS === 0)
        .map((caller) => ({ ...one, caller, rows: [calm] })),
    ]);
  });
  return shuffled(steps, random);
}

/** Several requests at once, round after round, and a read of the state after each. */
export function rounds(moves: Moves): Scenario {
  const { random, space, nth } = moves;
  const count = ROUNDS / SCENARIOS;
  return Array.from({ length: count }, (_, n): Scenario => {
    const races = space.commands.flatMap((command) => racing(moves, command, nth * count + n));
    // Another caller sends the same meanwhile.
    const pages = [...moves.pageOfSome(), ...moves.pageOfSome()];
    const asked = pages.flatMap((one) => [
      one,
      ...moves.some(space.callers).map((caller) => ({ ...one, caller })),
    ]);
    const beside = [...asked, ...queries(moves).slice(0, 3)];
    const later = moves.looks().map((step): Step => ({ ...step, isLater: true }));
    return [[...shuffled([...races, ...beside], random), ...later], ...moves.looks()];
  }).flat();
}

/** Commands that compete: for one record in several spellings, for one key, with one key for two records, or for separate records. */
function racing(moves: Moves, command: Command, round: number): readonly Step[] {
  const { callers, isKeyed } = command;
  const [record, other, key] = [moves.next(), moves.next(), moves.next()];
  const several = (count: number, step: (at: number) => Partial<Step>) =>
    Array.from({ length: count }, (_, at) => moves.create(command, step(at)));
  const [owner = "full"] = moves.some(callers);
  const kinds = [
    () =>
      several(6, (at) => ({
        record,
        written: WRITTEN[at % WRITTEN.length] ?? "same",
        of: "one-of-many",
      })),
    () => several(5, () => ({ record, key, caller: owner, of: "key-twins" })),
    () => several(5, (at) => ({ record: at % 2 ? record : other, key, caller: owner })),
    () =>
      several(4, (at) => ({
        record: at % 2 ? record : other,
        key,
        caller: callers[at % callers.length] ?? owner,
      })),
    () => several(3, () => ({ record: moves.next() })),
    () => [
      ...several(2, () => ({ record, key, caller: owner })),
      ...several(2, () => ({ record })),
      ...several(2, () => ({ record: other })),
    ],
  ];
  return kinds[round % kinds.length]?.().filter((step) => isKeyed || step.key === undefined) ?? [];
}
