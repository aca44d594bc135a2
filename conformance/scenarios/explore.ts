import type { Finding } from "../exchange.ts";
import { RunAborted } from "../http/rate-limiter.ts";
import type { Operation } from "../oracle/contract.ts";
import type { Mutation } from "../requests/draft.ts";
import { drawn } from "../requests/draw.ts";
import { type Case, caseOf, createCase } from "../requests/generate.ts";
import { HARMLESS } from "../requests/modes.ts";
import { shrunk } from "../requests/shrink.ts";
import { dimensionsOf, modes, stepsOf } from "../run/drawn.ts";
import { OF_KEY, runCase } from "../run/exchange.ts";
import { seededRandom } from "../run/random.ts";
import { Results } from "../run/results.ts";
import type { Exercised, Run, Script } from "../run/state.ts";
import { catalogOf } from "./catalog.ts";
import { history } from "./generate.ts";
import { played } from "./play.ts";
import { SCENARIOS, type Step, StepGenerator } from "./steps.ts";

/**
 * Exploration: requests of several rows at once, alone and in sequences of several callers. What
 * they find is shrunk.
 */

/** The number of drawn steps in a sequence; the other steps are those of a history. */
const DRAWN_STEPS = 0.4;

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

/**
 * The same fault again: of fewer rows another rule may decide what is right, but the response is
 * the same.
 */
const isSame = (finding: Finding, otherFinding: Finding): boolean =>
  finding.source === otherFinding.source &&
  finding.aspect === otherFinding.aspect &&
  (finding.requirement === otherFinding.requirement || finding.actual === otherFinding.actual);

/** A run whose results nobody sees. */
const aside = (run: Run): Run => ({
  ...run,
  results: new Results(run.suite),
  endAfterFailures: () => {},
});

/**
 * What exploration sends after its single requests: it shrinks what they found, and plays its
 * sequences.
 */
export const exploration: Script = {
  id: "explore",
  requirements: [],
  effect: "read",
  alone: true,
  explores: "alone",
  async *run(run, exercised) {
    const budget = new Budget();
    await shrinkCases(run, budget);
    const random = seededRandom(run.options.seed + 1);
    const catalog = catalogOf(run);
    let remaining = stepsOf(run.options.explore ?? 0);
    for (let nth = 0; remaining > 0; nth++) {
      const steps = sequence(run, new StepGenerator(random, catalog, SCENARIOS - 1 + nth)).slice(
        0,
        remaining,
      );
      if (steps.length === 0) return;
      remaining -= steps.length;
      yield* smallest(run, steps, { mark: `explore${nth}`, budget, exercised });
    }
  },
};

/** Replaces each finding of a single request by that of the smallest one that shows it. */
async function shrinkCases(run: Run, budget: Budget): Promise<void> {
  const { results } = run;
  const small: (Finding & { readonly case: Case })[] = [];
  for (const finding of [...results.findings]) {
    const { case: foundCase, exchanges } = finding;
    const testCase = foundCase && caseOf(run.suite.tables, run.source, foundCase.id);
    if (!testCase || exchanges.length > 1) continue;
    const isKnown = (rows: readonly Mutation[]) =>
      small.some(
        (known) =>
          isSame(known, finding) &&
          known.case.operation === testCase.operation &&
          known.case.mutations.every(({ name }) => rows.some((row) => row.name === name)),
      );
    let best: Finding = finding;
    let smallest = testCase;
    const shows = async (rows: readonly Mutation[]) => {
      if (!budget.take(1)) return false;
      const smaller = createCase(run.source, testCase.operation, rows);
      const again = aside(run);
      if (smaller) await runCase(again, smaller);
      const smallerFinding = again.results.findings.find((other) => isSame(other, finding));
      if (!smaller || !smallerFinding) return false;
      [best, smallest] = [smallerFinding, smaller];
      return true;
    };
    try {
      if (!isKnown(testCase.mutations)) await shrunk(testCase.mutations, shows);
    } finally {
      // The smaller finding is kept even if the run ends meanwhile.
      const isAgain = isKnown(smallest.mutations);
      if (isAgain || best !== finding) results.replace(finding, isAgain ? null : best);
      if (!isAgain) small.push({ ...best, case: smallest });
    }
  }
}

/**
 * A history, with drawn requests between its steps. The first two of a run also try every field.
 */
function sequence({ suite, source }: Run, generator: StepGenerator): readonly Step[] {
  const { random, catalog } = generator;
  const all = [...catalog.lists, ...catalog.commands]
    .map(({ operation }) => operation)
    .concat(catalog.queries);
  const canSend = ({ needs }: Mutation) => needs === undefined || needs in source.caller.others;
  const step = (operation: Operation): Step => {
    const how = generator.manner(operation);
    const rows = drawn(dimensionsOf(suite.tables.mutationsByOperation, operation), random).filter(
      canSend,
    );
    // What a step creates names the run, and takes no key that a later run may find in use.
    const isOwn =
      operation.method === "GET" ||
      !rows.some(({ dimension }) => /^input\b/.test(dimension) || OF_KEY.test(dimension));
    return {
      ...how,
      rows: [...rows, ...modes(random, operation), ...(isOwn ? [] : [HARMLESS])],
      from: "end",
    };
  };
  const steps = history(generator).flat();
  return steps.flatMap((historyStep) => [
    historyStep,
    ...(generator.chance(DRAWN_STEPS) ? generator.some(all).map(step) : []),
  ]);
}

/**
 * What a sequence finds, each as the shortest sequence that still shows it. What is known already
 * is left out.
 */
async function* smallest(
  run: Run,
  steps: readonly Step[],
  {
    mark,
    budget,
    exercised,
  }: { readonly mark: string; readonly budget: Budget; readonly exercised: Exercised },
): AsyncGenerator<Finding> {
  const findings: Finding[] = [];
  try {
    for await (const finding of played(run, steps, mark, exercised)) {
      const isKnown = [...run.results.findings, ...findings].some((known) =>
        isSame(known, finding),
      );
      if (!isKnown) findings.push(finding);
    }
  } finally {
    for (const [at, finding] of findings.entries())
      yield await shortest(run, steps, finding, `${mark}-${at}`, budget);
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
    for await (const shorter of played(aside(run), fewer, `${mark}-${tries}`)) {
      if (!isSame(shorter, finding)) continue;
      best = shorter;
      return true;
    }
    return false;
  };
  const simpler = (step: Step): readonly Step[] => {
    const withoutOne = step.rows.map((row) => step.rows.filter((one) => one !== row));
    const fewer = [[], ...step.rows.map((row) => [row]), ...withoutOne];
    return fewer
      .filter(({ length }) => length < step.rows.length)
      .map((rows) => ({ ...step, rows }));
  };
  try {
    await shrunk(steps, shows, simpler, MOST_TRIES);
  } catch (error) {
    // What was found so far is reported: what plays the sequence ends with the same error.
    if (!(error instanceof RunAborted)) throw error;
  }
  return best;
}
