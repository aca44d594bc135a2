import type { Exchange, Finding, Timed } from "../exchange.ts";
import { kept } from "../http/response.ts";
import { momentsOf } from "../model/learn.ts";
import { explained, stateOf } from "../model/linearize.ts";
import {
  type Contract,
  createsRecord,
  type Operation,
  pageItemOf,
  requirementOf,
  takesIdempotencyKey,
} from "../oracle/contract.ts";
import type { Oracle, Prediction } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";
import { plain, written } from "../requests/draft.ts";
import { isCarriedOut, reasonAgainst } from "../run/effects.ts";
import { broken, compared, differences, learnFrom, sent } from "../run/exchange.ts";
import { seededRandom } from "../run/random.ts";
import { type Exercised, Lacking, type Run, type Script } from "../run/state.ts";
import { stateExercised } from "./exercised.ts";
import { history, mixed, rounds } from "./generate.ts";
import { cursorScripts, type LastPage, lookedAt, nearEndOf, pagesFrom } from "./lists.ts";
import { spaceOf } from "./space.ts";
import { Stage } from "./stage.ts";
import { Moves, SCENARIOS, type Scenario, type Step } from "./steps.ts";

/** Findings after which a scenario ends: later ones have the same cause. */
const MOST_FINDINGS = 20;

/**
 * Sends the requests of a scenario, each compared with its prediction in the state after those before it. `mark`: unique among the
 * scenarios of the run. Throws `Stopped` if the run ends.
 */
export async function* played(
  run: Run,
  scenario: Scenario,
  mark: string,
  exercised: Exercised = () => {},
): AsyncGenerator<Finding> {
  const stage = new Stage(run, mark);
  const before: Exchange[] = [];
  let count = 0;
  try {
    for (const one of scenario) {
      const taken = "operation" in one ? await take(run, stage, one) : await race(run, stage, one);
      const { exchanges, findings } = taken;
      for (const id of taken.exercised) exercised(id);
      for (const exchange of exchanges) stage.note(exchange);
      for (const finding of findings) {
        count += 1;
        yield {
          ...finding,
          exchanges: [...before, ...finding.exchanges],
          at: before.length + finding.at,
        };
      }
      if (count >= MOST_FINDINGS) return;
      before.push(...exchanges.map((exchange) => kept(exchange)));
    }
  } finally {
    stage.close();
  }
}

interface Taken {
  readonly exchanges: readonly Exchange[];
  readonly findings: readonly Finding[];
  /** The requirements that it has exercised. */
  readonly exercised: readonly string[];
}
const NOTHING: Taken = { exchanges: [], findings: [], exercised: [] };

/** The rule that a step tests, or else the one that decides its response. */
const testedBy = ({ suite }: Run, { of, operation }: Step, { by }: Prediction): string =>
  of === undefined ? by : requirementOf(suite.oracle.contract, operation, of, by);

/** A finding of the prediction is about the rule that the step tests. */
function about(run: Run, step: Step, prediction: Prediction): (finding: Finding) => Finding {
  const { by } = prediction;
  const requirement = testedBy(run, step, prediction);
  return (finding) => (finding.requirement === by ? { ...finding, requirement } : finding);
}

async function take(run: Run, stage: Stage, step: Step): Promise<Taken> {
  const request = await stage.requestOf(step);
  if (!request) return NOTHING;
  return run.inTurn(async () => {
    const prediction = run.suite.oracle.predict(request, run.world);
    if (reasonAgainst(run, request, prediction) !== null) return NOTHING;
    const since = run.world.lists.get(step.operation.id)?.now ?? 0;
    const isShown = stage.shows(step);
    const { exchange, findings } = await compared(
      run,
      request,
      prediction,
      stage.connectionOf(step),
    );
    if (step.key !== undefined) stage.sentKeys.add(step.key);
    const exercised = [
      ...(isShown ? [testedBy(run, step, prediction)] : []),
      ...stateExercised(run, exchange, since),
    ];
    return {
      exchanges: [exchange],
      findings: findings.map(about(run, step, prediction)),
      exercised,
    };
  });
}

/** Several at once, each on a connection of its own: their responses must fit some order. */
async function race(run: Run, stage: Stage, steps: readonly Step[]): Promise<Taken> {
  const { suite, world } = run;
  const before = stateOf(world);
  const moments = [{ ended: Number.NEGATIVE_INFINITY, since: momentsOf(world) }];
  const asked: Asked[] = [];
  for (const step of steps) {
    const request = await stage.requestOf(step);
    const prediction = request && suite.oracle.predict(request, world);
    if (request && prediction && reasonAgainst(run, request, prediction) === null)
      asked.push({ step, request, prediction });
  }
  if (asked.length > 0) await run.client.atOnce(asked.length);
  const all = await sentTogether(run, asked);
  const sinceOf = ({ began }: Timed) =>
    moments.findLast(({ ended }) => ended < began)?.since ?? new Map();
  // What has ended when another begins is known then, and its records are listed.
  for (const { exchange } of all.toSorted(
    (one, other) => one.exchange.ended - other.exchange.ended,
  )) {
    learnFrom(run, exchange, sinceOf(exchange));
    moments.push({ ended: exchange.ended, since: momentsOf(world) });
  }
  const found = explained(world, before, all, ({ exchange }, prediction) =>
    differences(run, { ...exchange, prediction }, sinceOf(exchange)),
  );
  const isRaced = ({ of }: Step) => all.filter(({ step }) => step.of === of).length > 1;
  const exercised = found.flatMap(({ one: { step, exchange }, prediction }) => [
    ...(step.of === undefined || isRaced(step) ? [testedBy(run, step, prediction)] : []),
    ...stateExercised(
      run,
      { ...exchange, prediction },
      sinceOf(exchange).get(step.operation.id) ?? 0,
    ),
  ]);
  return {
    exercised,
    exchanges: all.map(({ exchange }) => exchange),
    findings: found.flatMap(({ one, prediction, findings }) => [
      ...findings.map(about(run, one.step, prediction)),
      ...broken(run, { ...one.exchange, prediction }),
    ]),
  };
}

interface Asked {
  readonly step: Step;
  readonly request: Request;
  readonly prediction: Prediction;
}

/** Sends all at once, but for those that begin when something has been created meanwhile. */
function sentTogether(run: Run, asked: readonly Asked[]) {
  let created = () => {};
  const creation = new Promise<void>((resolve) => {
    created = resolve;
  });
  const send = async ({ step, request, prediction }: Asked) => {
    const exchange = await sent(run, request, prediction);
    if (exchange.response?.status === 201) created();
    return { step, exchange };
  };
  const atOnce = asked.filter(({ step }) => !step.isLater).map(send);
  const later = asked.filter(({ step }) => step.isLater);
  // Where nothing is created they begin behind all others.
  void Promise.allSettled(atOnce).then(created);
  return Promise.all([...atOnce, ...later.map((one) => creation.then(() => send(one)))]);
}

/** The responses after earlier requests, during others, and at the end of a run. */

/** The rules of a paged list, and of a command that creates its records. */
const OF_LIST = ["order", "limit", "limit-default", "next", "link", "walk", "read-only"];
const OF_COMMAND = ["listed", "id", "refused-not-stored"];
const OF_UNIQUE = ["one-of-many"];
const OF_KEYED = ["replayed", "key-reused", "key-whole", "key-of-caller", "key-free", "key-twins"];

/** Those that the contract has, of the rules that apply to an operation. */
function requirementsOf(
  { contract }: Oracle,
  rulesOf: (operation: Operation) => readonly string[],
): readonly string[] {
  const known = new Set(contract.requirements.map(({ id }) => id));
  const operations = Object.values(contract.operations);
  const all = operations.flatMap((operation) =>
    rulesOf(operation).map((rule) => `${operation.id}/${rule}`),
  );
  return all.filter((id) => known.has(id));
}

/** During each nothing else is sent: a scenario knows the state from its own exchanges. */
export function scenarioScripts(oracle: Oracle): readonly Script[] {
  const isUnique = ({ id }: Operation) =>
    oracle.own.some(({ operation, unique }) => operation === id && unique);
  const reading = requirementsOf(oracle, (one) =>
    pageItemOf(oracle.contract, one) ? OF_LIST : [],
  );
  const writing = requirementsOf(oracle, (one) => [
    ...(createsRecord(one) ? OF_COMMAND : []),
    ...(createsRecord(one) && isUnique(one) ? OF_UNIQUE : []),
    ...(takesIdempotencyKey(one) ? OF_KEYED : []),
  ]);
  const requirements = [...reading, ...writing];
  const one = (id: string, nth: number, make: typeof history): Script => ({
    ...{ id: `scenario ${id} ${nth + 1}`, requirements, writing, effect: "read", alone: true },
    run: (run, exercised) => {
      const random = seededRandom(run.options.seed + nth);
      const space = spaceOf(run, random);
      if (space.lists.length === 0 && space.commands.length === 0)
        throw new Lacking("no list and no command to play it with");
      return played(run, make(new Moves(random, space, nth)), `${id}${nth + 1}`, exercised);
    },
  });
  const all = Array.from({ length: SCENARIOS }, (_, nth) => [
    one("history", nth, history),
    one("rounds", nth, rounds),
  ]);
  return [
    ...all.flat(),
    one("fields and faults", 0, mixed),
    ...cursorScripts(oracle),
    lastLook(oracle.contract, writing),
  ];
}

/** Records of this that a run leaves more, at most. */
const MOST_NEW = 20;

/** Creates records with the values that no scenario had. */
async function* withNewValues(run: Run): AsyncGenerator<Finding> {
  const { suite, world, inputs, source } = run;
  for (const operation of Object.values(suite.oracle.contract.operations))
    for (let left = MOST_NEW; left > 0 && inputs.hasNew(operation); left -= 1) {
      const request = written(plain(operation, inputs.forRecord(operation), source.caller));
      const prediction = suite.oracle.predict(request, world);
      if (reasonAgainst(run, request, prediction) !== null) return;
      yield* (await compared(run, request, prediction)).findings;
    }
}

export const LAST_LOOK = "scenario last look";
/** Commands of each operation that are sent again at the end. */
const AGAIN = 4;

/**
 * The first and the last that have created a record, sent again, create nothing; then the end of each list: what was rejected is not
 * there, and what was created is.
 */
const lastLook = (contract: Contract, writing: readonly string[]): Script => ({
  ...{ id: LAST_LOOK, requirements: writing, effect: "write", alone: true },
  async *run(run: Run, exercised: Exercised) {
    const { suite, world, creating } = run;
    yield* withNewValues(run);
    for (const request of new Set([...creating.slice(0, AGAIN), ...creating.slice(-AGAIN)])) {
      const prediction = suite.oracle.predict(request, world);
      if (isCarriedOut(request, prediction) || reasonAgainst(run, request, prediction) !== null)
        continue;
      yield* (await compared(run, request, prediction)).findings;
      exercised(prediction.by);
    }
    for (const operation of Object.values(contract.operations)) {
      if (!run.world.lists.has(operation.id)) continue;
      const near = await nearEndOf(run, operation);
      let last: LastPage = { cursor: near, items: [] };
      // What is wrong with a page is a finding of its own.
      for await (const { exchange, since, cursor, items } of pagesFrom(run, operation, near)) {
        last = { cursor, items };
        for (const id of stateExercised(run, exchange, since)) exercised(id);
      }
      for await (const page of lookedAt(run, operation, last))
        for (const id of page ? stateExercised(run, page.exchange, page.since) : []) exercised(id);
    }
  },
});
