import { setImmediate } from "node:timers/promises";
import { stopped } from "../http/rate-limiter.ts";
import type { Operation } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import type { Prediction } from "../oracle/predict.ts";
import {
  type Case,
  caseOf,
  caseRequirement,
  cases,
  createCase,
  isWithoutOptional,
} from "../requests/generate.ts";
import { BY_HEAD, IN_QUERY } from "../requests/modes.ts";
import { randomCases } from "./drawn.ts";
import { seededRandom, shuffled } from "./random.ts";
import type { Run, Script } from "./state.ts";

/** A case, and the requirement that it is for, as far as it is known before the run. */
interface Planned {
  readonly case: Case;
  readonly requirement: string;
  readonly isAccepted: boolean;
}

/** How long the process may be deaf to a signal and to the deadline. */
const LONGEST_TURN_MS = 50;

/**
 * What is sent, in which order. Throws `RunAborted` if the run ends meanwhile, and an error for a
 * case that there is not.
 */
export async function planOf(run: Run): Promise<readonly Planned[]> {
  const { options, inputs, left, suite } = run;
  const { selection } = options;
  if (selection.case !== null) return oneOf(run, selection.case);
  // Which exchanges a law is about is known from their responses: it sees all of these cases.
  const isForLaw = selection.only.length > 0 && suite.laws.some(({ id }) => !left.has(id));
  if (options.isSmoke) return smokeCases(run, isForLaw ? new Map() : left);
  const random = seededRandom(options.seed);
  const operations = Object.values(suite.oracle.contract.operations).filter(
    ({ id }) => !inputs.lacking.has(id),
  );
  const isAll = options.explore !== undefined || options.isExhaustive;
  const whole = isWhole(run) ? await all(run, operations, random) : [];
  const isKnown = ({ requirement, case: { id } }: Planned) => run.baseline.covers(requirement, id);
  const some = isAll
    ? whole
    : [...covering(run), ...draw(run, operations, random), ...whole.filter(isKnown)];
  const selected = some.filter(({ requirement }) => !left.has(requirement));
  const planned = [...selected, ...(isForLaw ? covering(run) : [])];
  const byId = new Map(planned.map((one) => [one.case.id, one]));
  const callable = [...byId.values()].filter(
    ({ case: { operation } }) => !inputs.lacking.has(operation.id),
  );
  return shuffled(callable, random);
}

/** The scripts that a run plays. */
export function scriptsOf({ suite, left, options }: Run): readonly Script[] {
  const { selection } = options;
  if (selection.case !== null) return suite.scripts.filter(({ id }) => id === selection.case);
  if (options.explore !== undefined) return suite.scripts.filter(({ explores }) => explores);
  return suite.scripts.filter(
    ({ requirements, isSmoke, explores }) =>
      explores !== "alone" &&
      (requirements.length === 0 || requirements.some((id) => !left.has(id))) &&
      (!options.isSmoke || isSmoke),
  );
}

/**
 * For each requirement that a rule decides, a case that it rejects and one that it accepts: those
 * with the fewest rows; and each operation without each of its optional members. `left`: the
 * requirements that are not meant.
 */
export async function smokeCases(run: Run, unselected: Run["left"]): Promise<readonly Planned[]> {
  const operations = Object.values(run.suite.oracle.contract.operations);
  const some = run.suite.coveringCases
    ? covering(run)
    : await all(run, operations, seededRandom(run.options.seed));
  const chosen = new Map<string, Planned>();
  for (const planned of [...some].sort(
    (a, b) => a.case.mutations.length - b.case.mutations.length,
  )) {
    const side = isWithoutOptional(planned.case)
      ? planned.case.id
      : `${planned.requirement} ${planned.isAccepted}`;
    if (!unselected.has(planned.requirement) && !chosen.has(side)) chosen.set(side, planned);
  }
  return [...chosen.values()];
}

/** The id of a case that this contract does not have, or for which these keys do not suffice. */
export class UnknownCase extends Error {}

/** The one case with this id; none where it is a script. */
function oneOf(run: Run, id: string): readonly Planned[] {
  const [testCase] = called(run, id);
  if (testCase) return [testCase];
  if (run.suite.scripts.some((script) => script.id === id)) return [];
  throw new UnknownCase(
    `--case: there is no case or script "${id}" for this contract and these keys`,
  );
}

/** Whether all cases must be known to say which are sent: also those of a known failure. */
const isWhole = ({ options: { explore, isExhaustive, knownFailures } }: Run): boolean =>
  explore !== undefined || isExhaustive || knownFailures.length > 0;

const planned = (testCase: Case, prediction: Prediction): Planned => ({
  case: testCase,
  requirement: caseRequirement(testCase, prediction),
  isAccepted: prediction.code === null,
});

/** A case with its prediction; none where the caller lacks its key. */
const withPrediction = ({ suite, model }: Run, testCase: Case | null): readonly Planned[] =>
  testCase ? [planned(testCase, suite.oracle.predict(testCase.request, model))] : [];

/** The case with this id; none if this contract has none, or the caller lacks its key. */
const called = (run: Run, id: string): readonly Planned[] =>
  withPrediction(run, caseOf(run.suite.tables, run.source, id));

/** The covering cases for which the caller has the keys. */
const covering = (run: Run): readonly Planned[] =>
  (run.suite.coveringCases ?? []).flatMap((id) => called(run, id));

/** Each row alone, by HEAD and with credentials in the query: of these, some. */
function draw(
  run: Run,
  operations: readonly Operation[],
  random: () => number,
): readonly Planned[] {
  const { suite, source, options } = run;
  const all = operations.flatMap((operation) => {
    const rows = [...(suite.tables.mutationsByOperation.get(operation.id)?.values() ?? [])].map(
      (row) => [row],
    );
    const modes = [[], [IN_QUERY], ...(operation.method === "GET" ? [[BY_HEAD]] : [])];
    return [[], ...rows].flatMap((some) =>
      modes.map((mode) => [operation, [...some, ...mode]] as const),
    );
  });
  const some = shuffled(all, random).slice(0, options.randomCaseCount);
  return some.flatMap(([operation, rows]) =>
    withPrediction(run, createCase(source, operation, rows)),
  );
}

/** Every case of the contract, or those that exploration draws. */
async function all(
  run: Run,
  operations: readonly Operation[],
  random: () => number,
): Promise<readonly Planned[]> {
  const { source, model, suite, ending } = run;
  const { oracle, tables } = suite;
  const predicted = new Map<Request, Prediction>();
  // The generator predicts nearly every case: it need not be done again.
  const recording: typeof oracle = {
    ...oracle,
    predict: (request, ...rest) => {
      const prediction = oracle.predict(request, ...rest);
      predicted.set(request, prediction);
      return prediction;
    },
  };
  const result: Planned[] = [];
  let since = performance.now();
  const { explore } = run.options;
  // The others lack what their input has of the target.
  const byId = Object.fromEntries(operations.map((one) => [one.id, one]));
  const callable = {
    contract: { ...tables.contract, operations: byId },
    mutationsByOperation: tables.mutationsByOperation,
  };
  const generator =
    explore === undefined
      ? cases(callable, source, recording, model)
      : randomCases(run, operations, explore, random);
  for (const testCase of generator) {
    result.push(
      planned(testCase, predicted.get(testCase.request) ?? oracle.predict(testCase.request, model)),
    );
    if (performance.now() - since < LONGEST_TURN_MS) continue;
    await setImmediate();
    if (ending.signal.aborted) throw stopped(ending.signal);
    since = performance.now();
  }
  return result;
}
