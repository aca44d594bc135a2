import type { Finding } from "../exchange.ts";
import { Stopped } from "../http/pace.ts";
import type { Operation } from "../oracle/contract.ts";
import type { Variation } from "../requests/draft.ts";
import { byPart, drawn } from "../requests/draw.ts";
import { BY_HEAD, type Case, caseOf, HARMLESS, IN_QUERY, idOf } from "../requests/generate.ts";
import { shrunk } from "../requests/shrink.ts";
import { history } from "../scenarios/generate.ts";
import { played } from "../scenarios/play.ts";
import { spaceOf } from "../scenarios/space.ts";
import { chance, Moves, SCENARIOS, type Step, some } from "../scenarios/steps.ts";
import { exchange, OF_KEY } from "./exchange.ts";
import { seededRandom } from "./random.ts";
import { Results } from "./results.ts";
import type { Exercised, Run, Script } from "./state.ts";

/** Exploration: requests of several rows at once, alone and in sequences of several callers. What they find is shrunk. */

/** Of the requests, how many are steps of a sequence. */
const IN_SEQUENCES = 0.1;
const BY_OTHER_MODE = 0.15;
/** Of a sequence, how many steps are drawn; the others are those of a history. */
const DRAWN_STEPS = 0.4;

const countOf = (explore: number) => Math.round(explore * IN_SEQUENCES);

/** Single requests of two and three rows at once. */
export function* drawnCases(
  { suite: { tables }, source }: Run,
  operations: readonly Operation[],
  explore: number,
  random: () => number,
): Generator<Case> {
  const parts = new Map(operations.map((one) => [one, partsOf(tables.rows, one)]));
  const known = new Set<string>();
  // Where a contract has few rows, all that can be drawn are soon known.
  for (let tries = 0; tries < 2 * explore && known.size < explore - countOf(explore); tries++)
    for (const operation of some(random, operations)) {
      const rows = [...drawn(parts.get(operation) ?? [], random), ...modes(random, operation)];
      const one = caseOf(tables, source, idOf(operation, rows));
      if (!one || known.has(one.id)) continue;
      known.add(one.id);
      yield one;
    }
}

const partsOf = (tables: Run["suite"]["tables"]["rows"], { id }: Operation) =>
  byPart(tables.get(id)?.values() ?? []);

const modes = (random: () => number, { method }: Operation): readonly Variation[] => [
  ...(chance(random, BY_OTHER_MODE) ? [IN_QUERY] : []),
  ...(method === "GET" && chance(random, BY_OTHER_MODE) ? [BY_HEAD] : []),
];

/** Requests that shrinking sends at most, and how long it takes. */
const MOST_SENT = 2000;
const MOST_MS = 60_000;
const MOST_TRIES = 100;

class Budget {
  private sent = 0;
  private readonly endsAt = Date.now() + MOST_MS;

  /** Whether so many more requests may be sent: then they count as sent. */
  take(count: number): boolean {
    if (this.sent + count > MOST_SENT || Date.now() > this.endsAt) return false;
    this.sent += count;
    return true;
  }
}

/** The same fault again: of fewer rows another rule may decide what is right, but the response is the same. */
const isSame = (one: Finding, other: Finding): boolean =>
  one.source === other.source &&
  one.aspect === other.aspect &&
  (one.requirement === other.requirement || one.actual === other.actual);

/** A run whose results nobody sees. */
const aside = (run: Run): Run => ({
  ...run,
  results: new Results(run.suite),
  endAfterFailures: () => {},
});

/** What exploration sends after its single requests: it shrinks what they found, and plays its sequences. */
export const exploration: Script = {
  ...{ id: "explore", requirements: [], effect: "read", alone: true },
  async *run(run, exercised) {
    const budget = new Budget();
    await shrinkCases(run, budget);
    const random = seededRandom(run.options.seed + 1);
    const space = spaceOf(run, random);
    let left = countOf(run.options.explore ?? 0);
    for (let nth = 0; left > 0; nth++) {
      const steps = sequence(run, new Moves(random, space, SCENARIOS - 1 + nth)).slice(0, left);
      if (steps.length === 0) return;
      left -= steps.length;
      yield* smallest(run, steps, { mark: `explore${nth}`, budget, exercised });
    }
  },
};

/** Replaces each finding of a single request by that of the smallest one that shows it. */
async function shrinkCases(run: Run, budget: Budget): Promise<void> {
  const { results } = run;
  const small: (Finding & { readonly case: Case })[] = [];
  for (const finding of [...results.findings]) {
    const { case: one, exchanges } = finding;
    if (!one || exchanges.length > 1) continue;
    const isKnown = (rows: readonly Variation[]) =>
      small.some(
        (other) =>
          isSame(other, finding) &&
          other.case.operation === one.operation &&
          other.case.rows.every(({ name }) => rows.some((row) => row.name === name)),
      );
    let best: Finding = finding;
    const shows = async (rows: readonly Variation[]) => {
      if (!budget.take(1)) return false;
      const smaller = caseOf(run.suite.tables, run.source, idOf(one.operation, rows));
      const again = aside(run);
      if (smaller) await exchange(again, smaller);
      const found = again.results.findings.find((other) => isSame(other, finding));
      best = found ?? best;
      return found !== undefined;
    };
    try {
      if (!isKnown(one.rows)) await shrunk(one.rows, shows);
    } finally {
      // Also where the run ends meanwhile.
      const isAgain = isKnown(best.case?.rows ?? []);
      if (isAgain || best !== finding) results.replace(finding, isAgain ? null : best);
      if (!isAgain) small.push({ ...best, case: best.case ?? one });
    }
  }
}

/** A history, with drawn requests between its steps. The first two of a run also try every field. */
function sequence({ suite, source }: Run, moves: Moves): readonly Step[] {
  const { random, space } = moves;
  const all = [...space.lists, ...space.commands]
    .map(({ operation }) => operation)
    .concat(space.queries);
  const canSend = ({ needs }: Variation) => needs === undefined || needs in source.caller.others;
  const step = (operation: Operation): Step => {
    const how = moves.manner(operation);
    const rows = drawn(partsOf(suite.tables.rows, operation), random).filter(canSend);
    // What a step creates names the run, and takes no key that a later run may find in use.
    const isOwn =
      operation.method === "GET" ||
      !rows.some(({ part }) => /^input\b/.test(part) || OF_KEY.test(part));
    return {
      ...how,
      rows: [...rows, ...modes(random, operation), ...(isOwn ? [] : [HARMLESS])],
      from: "end",
    };
  };
  const steps = history(moves).flat();
  return steps.flatMap((one) => [
    one,
    ...(moves.chance(DRAWN_STEPS) ? moves.some(all).map(step) : []),
  ]);
}

/** What a sequence finds, each as the shortest sequence that still shows it. What is known already is left out. */
async function* smallest(
  run: Run,
  steps: readonly Step[],
  {
    mark,
    budget,
    exercised,
  }: { readonly mark: string; readonly budget: Budget; readonly exercised: Exercised },
): AsyncGenerator<Finding> {
  const found: Finding[] = [];
  try {
    for await (const one of played(run, steps, mark, exercised)) {
      const isKnown = [...run.results.findings, ...found].some((other) => isSame(other, one));
      if (!isKnown) found.push(one);
    }
  } finally {
    for (const [at, one] of found.entries())
      yield await shortest(run, steps, one, `${mark}-${at}`, budget);
  }
}

async function shortest(
  run: Run,
  steps: readonly Step[],
  finding: Finding,
  mark: string,
  budget: Budget,
) {
  let best = finding;
  let tries = 0;
  const shows = async (fewer: readonly Step[]) => {
    if (!budget.take(fewer.length)) return false;
    tries += 1;
    for await (const one of played(aside(run), fewer, `${mark}-${tries}`)) {
      if (!isSame(one, finding)) continue;
      best = one;
      return true;
    }
    return false;
  };
  const simpler = (step: Step): readonly Step[] => {
    const others = step.rows.map((row) => step.rows.filter((one) => one !== row));
    const fewer = [[], ...step.rows.map((row) => [row]), ...others];
    return fewer
      .filter(({ length }) => length < step.rows.length)
      .map((rows) => ({ ...step, rows }));
  };
  try {
    await shrunk(steps, shows, simpler, MOST_TRIES);
  } catch (error) {
    // What was found so far is reported: what plays the sequence ends with the same error.
    if (!(error instanceof Stopped)) throw error;
  }
  return best;
}
