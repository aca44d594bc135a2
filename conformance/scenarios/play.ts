import type { Exchange, Finding, Timed } from "../exchange.ts";
import { withShortenedResponse } from "../http/response.ts";
import { underWay } from "../model/changes.ts";
import { explained, stateOf } from "../model/linearize.ts";
import { requirementOf } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import type { Prediction } from "../oracle/predict.ts";
import {
  lawFindings,
  learnFrom,
  sendAndCompare,
  sendPredicted,
  stateFindings,
} from "../run/exchange.ts";
import { skipReason } from "../run/policy.ts";
import type { Exercised, Run } from "../run/state.ts";
import { ScenarioContext } from "./context.ts";
import { stateExercised } from "./exercised.ts";
import type { Scenario, Step } from "./steps.ts";

/** Findings after which a scenario ends: later ones have the same cause. */
const MOST_FINDINGS = 20;

/**
 * Sends the requests of a scenario, each compared with its prediction in the state after those
 * before it. `mark`: unique among the scenarios of the run. Throws `RunAborted` if the run ends.
 */
export async function* played(
  run: Run,
  scenario: Scenario,
  mark: string,
  exercised: Exercised = () => {},
): AsyncGenerator<Finding> {
  const context = new ScenarioContext(run, mark);
  const before: Exchange[] = [];
  let count = 0;
  try {
    for (const part of scenario) {
      const taken =
        "operation" in part ? await take(run, context, part) : await race(run, context, part);
      const { exchanges, findings } = taken;
      for (const id of taken.exercised) exercised(id);
      for (const [at, exchange] of exchanges.entries()) {
        const step = taken.steps[at];
        if (step) context.note(exchange, step);
      }
      for (const finding of findings) {
        if (run.results.takes(finding)) count += 1;
        yield {
          ...finding,
          exchanges: [...before, ...finding.exchanges],
          at: before.length + finding.at,
        };
      }
      if (count >= MOST_FINDINGS) return;
      before.push(...exchanges.map((exchange) => withShortenedResponse(exchange)));
    }
  } finally {
    context.close();
  }
}

interface Taken {
  readonly exchanges: readonly Exchange[];
  /** The step of each. */
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
  /** The requirements that it has exercised. */
  readonly exercised: readonly string[];
}
const NOTHING: Taken = { exchanges: [], steps: [], findings: [], exercised: [] };

/** The rule that a step tests, or else the one that decides its response. */
const testedBy = ({ suite }: Run, { of, operation }: Step, { by }: Prediction): string =>
  of === undefined ? by : requirementOf(suite.oracle.contract, operation, of, by);

/** A finding of the prediction is about the rule that the step tests. */
function about(run: Run, step: Step, prediction: Prediction): (finding: Finding) => Finding {
  const { by } = prediction;
  const requirement = testedBy(run, step, prediction);
  return (finding) => (finding.requirement === by ? { ...finding, requirement } : finding);
}

async function take(run: Run, context: ScenarioContext, step: Step): Promise<Taken> {
  const request = await context.requestOf(step);
  if (!request) return NOTHING;
  return run.inTurn(async () => {
    const prediction = run.suite.oracle.predict(request, run.model);
    if (skipReason(run, request, prediction) !== null) return NOTHING;
    const since = run.model.clock.now;
    const isShown = context.shows(step);
    const { exchange, findings } = await sendAndCompare(
      run,
      request,
      prediction,
      context.connectionOf(step),
    );
    if (step.key !== undefined) context.sentKeys.add(step.key);
    const exercised = [
      ...(isShown ? [testedBy(run, step, prediction)] : []),
      ...stateExercised(run, exchange, since),
    ];
    return {
      exchanges: [exchange],
      steps: [step],
      findings: findings.map(about(run, step, prediction)),
      exercised,
    };
  });
}

/** Several at once, each on a connection of its own: their responses must fit some order. */
async function race(run: Run, context: ScenarioContext, steps: readonly Step[]): Promise<Taken> {
  const { suite, model } = run;
  const requests: (readonly [Step, Request | null])[] = [];
  for (const step of steps) requests.push([step, await context.requestOf(step)]);
  // Records that their requests name may have been created for them.
  const before = stateOf(model);
  const moments = [{ ended: Number.NEGATIVE_INFINITY, since: model.clock.now }];
  const asked: PlayedStep[] = [];
  for (const [step, request] of requests) {
    const prediction = request && suite.oracle.predict(request, model);
    if (request && prediction && skipReason(run, request, prediction) === null)
      asked.push({ step, request, prediction });
  }
  if (asked.length > 0) await run.client.atOnce(asked.length);
  const changing = asked.map(({ request }) => underWay(model, request));
  const all = await sentTogether(run, asked);
  const sinceOf = ({ began }: Timed) => moments.findLast(({ ended }) => ended < began)?.since ?? 0;
  // What has ended when another begins is known then, and its records are listed.
  for (const { exchange } of all.toSorted(
    (one, other) => one.exchange.ended - other.exchange.ended,
  )) {
    learnFrom(run, exchange, sinceOf(exchange));
    moments.push({ ended: exchange.ended, since: model.clock.now });
  }
  for (const ended of changing) ended();
  const explanations = explained(before, all, ({ exchange }, prediction) =>
    stateFindings(run, { ...exchange, prediction }, sinceOf(exchange)),
  );
  const isRaced = ({ of }: Step) => all.filter(({ step }) => step.of === of).length > 1;
  const exercised = explanations.flatMap(({ raced: { step, exchange }, prediction }) => [
    ...(step.of === undefined || isRaced(step) ? [testedBy(run, step, prediction)] : []),
    ...stateExercised(run, { ...exchange, prediction }, sinceOf(exchange)),
  ]);
  return {
    exercised,
    exchanges: all.map(({ exchange }) => exchange),
    steps: all.map(({ step }) => step),
    findings: explanations.flatMap(({ raced, prediction, findings }) => [
      ...findings.map(about(run, raced.step, prediction)),
      ...lawFindings(run, { ...raced.exchange, prediction }),
    ]),
  };
}

interface PlayedStep {
  readonly step: Step;
  readonly request: Request;
  readonly prediction: Prediction;
}

/** Sends all at once, but for those that begin when something has been created meanwhile. */
function sentTogether(run: Run, asked: readonly PlayedStep[]) {
  let created = () => {};
  const creation = new Promise<void>((resolve) => {
    created = resolve;
  });
  const send = async ({ step, request, prediction }: PlayedStep) => {
    const exchange = await sendPredicted(run, request, prediction);
    if (exchange.response?.status === 201) created();
    return { step, exchange };
  };
  const atOnce = asked.filter(({ step }) => !step.isLater).map(send);
  const later = asked.filter(({ step }) => step.isLater);
  // Where nothing is created they begin behind all others.
  void Promise.allSettled(atOnce).then(created);
  return Promise.all([...atOnce, ...later.map((one) => creation.then(() => send(one)))]);
}
