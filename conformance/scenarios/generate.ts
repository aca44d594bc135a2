import type { Operation } from "../oracle/contract.ts";
import type { Mutation } from "../requests/draft.ts";
import { shuffled } from "../run/random.ts";
import type { Command, ScenarioCatalog } from "./catalog.ts";
import { amongFields, conflict, framed, met, rejected, twoOwners, underKey } from "./commands.ts";
import { contested, lives } from "./effects.ts";
import { conditions, faulty, guarded, metByCursor, queries, twice, walk } from "./queries.ts";
import { coded, everywhere, represented } from "./representations.ts";
import { SCENARIOS, type Scenario, type Step, type StepGenerator, WRITTEN } from "./steps.ts";

/**
 * Scenarios, drawn from a seed: every run tries everything that has a requirement, in another order
 * and by other callers.
 */

const OF_COMMAND = [rejected, twoOwners, conflict, met, underKey, amongFields, framed];
const READING = [twice, conditions, queries, faulty];

const ROUNDS = 9;

/** The steps of several callers, interleaved at random; each caller's order is kept. */
function interleaved(random: () => number, threads: readonly (readonly Step[])[]): readonly Step[] {
  const rest = threads.map((thread) => [...thread]).filter(({ length }) => length > 0);
  const steps: Step[] = [];
  while (rest.length > 0) {
    const index = Math.floor(random() * rest.length);
    const thread = rest[index] ?? [];
    steps.push(...thread.splice(0, 1));
    if (thread.length === 0) rest.splice(index, 1);
  }
  return steps;
}

/** A scenario of single requests: about 60 of them, and 6 records of each command. */
export function history(generator: StepGenerator): Scenario {
  const reading = shuffled(READING, generator.random).slice(0, 3);
  const threads = [
    ...generator.catalog.commands.flatMap((command) =>
      OF_COMMAND.map((one) => one(generator, command)),
    ),
    ...[lives, walk, guarded, coded, represented, everywhere, metByCursor, ...reading].map(
      (thread) => thread(generator),
    ),
  ];
  return [...interleaved(generator.random, threads), ...generator.looks()];
}

/** What is rejected whatever else a request has, by the requirement. */
const FIRST = /^credentials\/|unknown|^order\//;
const SHARE = 12;

/** The number of operations that are tried with every field. */
const FULL = 2;

/** One in this many of the callers who may not call an operation tries it. */
const OF_CALLERS = 3;

/** The faults of an operation, by the rule that rejects them. */
function faultsByRule(
  { faults }: ScenarioCatalog,
  operation: Operation,
): ReadonlyMap<string, readonly Mutation[]> {
  const byRule = new Map<string, Mutation[]>();
  for (const [kind, fault] of faults.get(operation) ?? []) {
    const [by = ""] = kind.split(" ");
    byRule.set(by, [...(byRule.get(by) ?? []), fault]);
  }
  return byRule;
}

/**
 * Every fault is one with any other field: those of the credentials each time, of the others some.
 */
export function mixed(generator: StepGenerator): Scenario {
  const { random, catalog } = generator;
  const start = Math.floor(random() * SHARE);
  const all = [...catalog.lists, ...catalog.commands];
  // The operations share a budget, so that a run does not grow with their number.
  const share = Math.ceil(all.length / FULL);
  const steps = all.flatMap(({ operation, callers }, turn) => {
    const strangers = catalog.callers.filter((caller) => !callers.includes(caller));
    const record =
      operation.method === "POST"
        ? { record: generator.next() }
        : { from: "end" as const, limit: 2 };
    const step: Step = {
      operation,
      caller: callers[0] ?? "full",
      isKept: true,
      rows: [],
      ...record,
    };
    // An invalid key is read after the credentials and the input.
    const ofKey = [...(catalog.faults.get(operation)?.values() ?? [])].filter(
      ({ dimension }) => dimension === "Idempotency-Key",
    );
    const fields = (catalog.benignMutations.get(operation) ?? []).filter(
      (_, index) =>
        (index + turn) % share === 0 && (operation.method === "GET" || (index + start) % 2 === 0),
    );
    const faults = faultsByRule(catalog, operation);
    return [...fields, ...ofKey].flatMap((calm, at): Step[] => [
      ...(operation.method === "GET" ? [{ ...step, rows: [calm] }] : []),
      ...[...faults].flatMap(([by, some], nth) =>
        FIRST.test(by) || (nth + at + start) % SHARE === 0
          ? some
              .slice(at % some.length)
              .slice(0, 1)
              .map((fault) => ({ ...step, rows: [calm, fault] }))
          : [],
      ),
      ...strangers
        .filter((_, nth) => (nth + at + start) % OF_CALLERS === 0)
        .map((caller) => ({ ...step, caller, rows: [calm] })),
    ]);
  });
  return shuffled(steps, random);
}

/** Several requests at once, round after round, and a read of the state after each. */
export function rounds(generator: StepGenerator): Scenario {
  const { random, catalog, nth } = generator;
  const count = ROUNDS / SCENARIOS;
  return Array.from({ length: count }, (_, n): Scenario => {
    const races = catalog.commands.flatMap((command) =>
      racing(generator, command, nth * count + n),
    );
    // Another caller sends the same meanwhile.
    const pages = [...generator.pageOfSome(), ...generator.pageOfSome()];
    const asked = pages.flatMap((page) => [
      page,
      ...generator.some(catalog.callers).map((caller) => ({ ...page, caller })),
    ]);
    const beside = [...asked, ...queries(generator).slice(0, 3)];
    const later = generator.looks().map((step): Step => ({ ...step, isLater: true }));
    return [
      [...shuffled([...races, ...beside], random), ...later],
      ...generator.looks(),
      ...contested(generator, n),
    ];
  }).flat();
}

/**
 * Commands that compete: for one record in several spellings, for one key, with one key for two
 * records, or for separate records.
 */
function racing(generator: StepGenerator, command: Command, round: number): readonly Step[] {
  const { callers, isKeyed } = command;
  const [record, otherRecord, key] = [generator.next(), generator.next(), generator.next()];
  const several = (count: number, step: (at: number) => Partial<Step>) =>
    Array.from({ length: count }, (_, at) => generator.create(command, step(at)));
  const [owner = "full"] = generator.some(callers);
  const kinds = [
    () =>
      several(6, (index) => ({
        record,
        written: WRITTEN[index % WRITTEN.length] ?? "same",
        of: "one-of-many",
      })),
    () => several(5, () => ({ record, key, caller: owner, of: "key-twins" })),
    () => several(5, (at) => ({ record: at % 2 ? record : otherRecord, key, caller: owner })),
    () =>
      several(4, (at) => ({
        record: at % 2 ? record : otherRecord,
        key,
        caller: callers[at % callers.length] ?? owner,
      })),
    () => several(3, () => ({ record: generator.next() })),
    () => [
      ...several(2, () => ({ record, key, caller: owner })),
      ...several(2, () => ({ record })),
      ...several(2, () => ({ record: otherRecord })),
    ],
  ];
  return kinds[round % kinds.length]?.().filter((step) => isKeyed || step.key === undefined) ?? [];
}
