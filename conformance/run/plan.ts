import { setImmediate } from "node:timers/promises";
import { stopped } from "../http/pace.ts";
import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import type { Prediction } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";
import { shown } from "../requests/draft.ts";
import {
  type Case,
  caseOf,
  cases,
  isWithoutOptional,
  requirementOf,
} from "../requests/generate.ts";
import { LAST_LOOK } from "../scenarios/play.ts";
import { drawnCases, exploration } from "./explore.ts";
import { seededRandom, shuffled } from "./random.ts";
import type { Run, Script } from "./state.ts";

/** A case, and the requirement that it is for, as far as it is known before the run. */
interface Planned {
  readonly case: Case;
  readonly requirement: string;
  readonly isAccepted: boolean;
}

interface Plan {
  /** What shows the content of a deployment, on which other predictions depend: these are sent first, in order. */
  readonly first: readonly Planned[];
  readonly rest: readonly Planned[];
}

/** How long the process may be deaf to a signal and to the deadline. */
const LONGEST_TURN_MS = 50;

/** What is sent, in which order. Throws `Stopped` if the run ends meanwhile, and an error for a case that there is not. */
export async function planOf(run: Run): Promise<Plan> {
  const { options, inputs, left } = run;
  const { selection } = options;
  if (selection.case !== null) return { first: [], rest: oneOf(run, selection.case) };
  const random = seededRandom(options.seed);
  const operations = Object.values(run.suite.oracle.contract.operations).filter(
    ({ id }) => !inputs.lacking.has(id),
  );
  const first = operations.flatMap((operation) => showing(run, operation));
  // Names first: which documents exist is known from a list.
  const ranked = first.sort((one, other) => rankOf(run, one) - rankOf(run, other));
  if (options.isSmoke) {
    const naming = ranked.filter((one) => rankOf(run, one) === 0);
    const known = new Set(naming.map((one) => one.case.id));
    return {
      first: naming,
      rest: (await smokeCases(run)).filter((one) => !known.has(one.case.id)),
    };
  }
  const known = new Set(first.map(({ case: { id } }) => id));
  const whole = isWhole(run) ? await all(run, operations, random) : [];
  const isKnown = ({ requirement, case: { id } }: Planned) => run.baseline.covers(requirement, id);
  const some = () => [...covering(run), ...draw(run, operations, random), ...whole.filter(isKnown)];
  const isAll = options.explore !== undefined || options.isExhaustive;
  const selected = (isAll ? whole : some()).filter(({ requirement }) => !left.has(requirement));
  // Which exchanges a law is about is known from their responses: those of the covering cases are shown to it.
  const isForLaw = selection.only.length > 0 && run.suite.laws.some(({ id }) => !left.has(id));
  const shown = isForLaw ? covering(run) : [];
  const rest = [...selected, ...shown].filter(({ case: { id, operation } }) => {
    if (known.has(id) || inputs.lacking.has(operation.id)) return false;
    known.add(id);
    return true;
  });
  return { first: ranked, rest: shuffled(rest, random) };
}

/** The scripts that a run plays. */
export function scriptsOf({ suite, left, options }: Run): readonly Script[] {
  const { selection } = options;
  if (selection.case !== null) return suite.scripts.filter(({ id }) => id === selection.case);
  if (options.explore !== undefined)
    return [exploration, ...suite.scripts.filter(({ id }) => id === LAST_LOOK)];
  return suite.scripts.filter(
    ({ requirements, isSmoke }) =>
      (requirements.length === 0 || requirements.some((id) => !left.has(id))) &&
      (!options.isSmoke || isSmoke),
  );
}

/**
 * For each requirement that a rule decides, a case that it rejects and one that it accepts: those
 * with the fewest rows; and each operation without each of its optional members. `left`: the
 * requirements that are not meant.
 */
export async function smokeCases(run: Run, left = run.left): Promise<readonly Planned[]> {
  const operations = Object.values(run.suite.oracle.contract.operations);
  const some = run.suite.covering
    ? covering(run)
    : await all(run, operations, seededRandom(run.options.seed));
  const chosen = new Map<string, Planned>();
  for (const one of [...some].sort((a, b) => a.case.rows.length - b.case.rows.length)) {
    const side = isWithoutOptional(one.case) ? one.case.id : `${one.requirement} ${one.isAccepted}`;
    if (!left.has(one.requirement) && !chosen.has(side)) chosen.set(side, one);
  }
  return [...chosen.values()];
}

/** The id of a case that this contract does not have, or for which these keys do not suffice. */
export class UnknownCase extends Error {}

/** The one case with this id; none where it is a script. */
function oneOf(run: Run, id: string): readonly Planned[] {
  const found = called(run, id);
  if (found.length > 0) return found;
  if (run.suite.scripts.some((script) => script.id === id)) return [];
  throw new UnknownCase(
    `--case: there is no case or script "${id}" for this contract and these keys`,
  );
}

/** Whether all cases must be known to say which are sent: also those of a known failure. */
const isWhole = ({ options: { explore, isExhaustive, knownFailures } }: Run): boolean =>
  explore !== undefined || isExhaustive || knownFailures.length > 0;

const rankOf = ({ suite }: Run, { case: { operation, rows } }: Planned): number =>
  rows.length > 0
    ? 2
    : suite.oracle.own.some((one) => one.operation === operation.id && one.names)
      ? 0
      : 1;

const planned = (one: Case, prediction: Prediction): Planned => ({
  ...{
    case: one,
    requirement: requirementOf(one, prediction),
    isAccepted: prediction.code === null,
  },
});

/** The case with this id; none if this contract has none, or the caller lacks its key. */
function called({ suite, source, world }: Run, id: string): readonly Planned[] {
  const one = caseOf(suite.tables, source, id);
  return one ? [planned(one, suite.oracle.predict(one.request, world))] : [];
}

/** The cases that show names, files and tags: files are the same whatever the operation is, and tags belong to types. */
function showing(run: Run, operation: Operation): readonly Planned[] {
  const { id, method, known } = operation;
  if (method !== "GET") return [];
  const { tables, oracle } = run.suite;
  const [first] = Object.values(oracle.contract.operations).filter((one) => one.method === "GET");
  const parts = [
    ...(operation === first ? ["path"] : []),
    ...(mediaTypesOf(operation).length > 1 ? ["Accept"] : []),
  ];
  const rows = [...(tables.rows.get(id)?.values() ?? [])].filter(({ part }) =>
    parts.includes(part),
  );
  const named = known.map((name) => `@ is ${shown(name)}`);
  return ["plain", ...rows.map(({ name }) => name), ...named].flatMap((names) =>
    called(run, `${id} ${names}`),
  );
}

/** Those for which the caller has the keys. */
const covering = (run: Run): readonly Planned[] =>
  (run.suite.covering ?? []).flatMap((id) => called(run, id));

/** Each row alone, by HEAD and with credentials in the query: of these, some. */
function draw(
  run: Run,
  operations: readonly Operation[],
  random: () => number,
): readonly Planned[] {
  const ids = operations.flatMap(({ id, method }) =>
    ["plain", ...(run.suite.tables.rows.get(id)?.keys() ?? [])].flatMap((names) =>
      ["", " + credentials in the query", ...(method === "GET" ? [" + HEAD"] : [])].map(
        (mode) => `${id} ${names}${mode}`,
      ),
    ),
  );
  const some = shuffled(ids, random).slice(0, run.options.draws);
  return some.flatMap((id) => called(run, id.replace(" plain + ", " ")));
}

/** Every case of the contract, or those that exploration draws. */
async function all(
  run: Run,
  operations: readonly Operation[],
  random: () => number,
): Promise<readonly Planned[]> {
  const { source, world, suite, ending } = run;
  const { oracle, tables } = suite;
  const predicted = new Map<Request, Prediction>();
  // The generator predicts nearly every case: it need not be done again.
  const recording: typeof oracle = {
    ...oracle,
    predict: (request, ...more) => {
      const prediction = oracle.predict(request, ...more);
      predicted.set(request, prediction);
      return prediction;
    },
  };
  const found: Planned[] = [];
  let since = performance.now();
  const { explore } = run.options;
  // The others lack what their input has of the target.
  const own = Object.fromEntries(operations.map((one) => [one.id, one]));
  const callable = { contract: { ...tables.contract, operations: own }, rows: tables.rows };
  const made =
    explore === undefined
      ? cases(callable, source, recording, world)
      : drawnCases(run, operations, explore, random);
  for (const one of made) {
    found.push(planned(one, predicted.get(one.request) ?? oracle.predict(one.request, world)));
    if (performance.now() - since < LONGEST_TURN_MS) continue;
    await setImmediate();
    if (ending.signal.aborted) throw stopped(ending.signal);
    since = performance.now();
  }
  return found;
}
