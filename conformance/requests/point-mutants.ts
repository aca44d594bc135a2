import {
  DecisionPoints,
  type PointFacts,
  type PointMutant,
  type WrongWays,
  ways,
} from "../oracle/decision-points.ts";
import type { ModelState, Request } from "../oracle/model-state.ts";
import { type Oracle, type Prediction, visible } from "../oracle/predict.ts";
import type { Rule } from "../oracle/rules.ts";

/**
 * Mutants without servers: the oracle, wrong at one point. One is caught if a request has another
 * right response under it: a deployment that decides this way is red, since every response is
 * compared with its prediction.
 */

export interface Trial {
  readonly mutants: number;
  readonly caught: number;
  /** The mutants that no request shows. */
  readonly survivors: readonly PointMutant[];
}

/** A request of the lists, and its right response. */
interface PredictedRequest {
  readonly request: Request;
  readonly right: string;
  /** The step in the order of checks that rejects it, or after them all. */
  readonly step: number;
  /** The scopes that it is in, each with the first step at which a server knows that. */
  readonly scopes: ReadonlyMap<string, number>;
}

interface Point extends Pick<PointFacts, "kind" | "values"> {
  /**
   * The scopes that a server knows when it decides this for some request: earlier decisions are the
   * same for all scopes.
   */
  readonly scopes: Set<string>;
  /** By the way, the requests for which it decides otherwise, each with these scopes. */
  readonly passing: Map<string, (readonly [PredictedRequest, ReadonlySet<string>])[]>;
}

/** The input for the mutants of an oracle. */
export interface Trials {
  readonly asked: readonly PredictedRequest[];
  readonly points: ReadonlyMap<string, Point>;
}

/** The point whose ways are orders of checks. */
export const ORDER = "the order of checks";

const isHead = ({ method }: Request) => method === "HEAD";
const stepsOf = ({ contract }: Oracle) => [
  ...contract.steps.map(({ step }) => step),
  "OPTIONS",
  "handled",
];

/** Every point that some request passes, with those requests. */
export function trialsOf(oracle: Oracle, model: ModelState, requests: Iterable<Request>): Trials {
  const order = stepsOf(oracle);
  const points = new Map<string, Point>();
  const asked: PredictedRequest[] = [];
  const differing: WrongWays = new Map();
  const sets = new Map<string, ReadonlySet<string>>();
  /** The scopes known at a step: there are few, and every point of every request has some. */
  const knownAt = (scopes: PredictedRequest["scopes"], last: number) => {
    const known = [...scopes].flatMap(([scope, since]) => (since <= last ? [scope] : []));
    const name = known.join();
    const shared = sets.get(name) ?? new Set(known);
    sets.set(name, shared);
    return shared;
  };
  for (const request of requests) {
    const decisionPoints = new DecisionPoints(null, differing);
    const prediction = oracle.predict(request, model, decisionPoints);
    const reading = oracle.read(request, model);
    const taken = Object.entries(oracle.scopes).filter(([, scope]) => scope.takes(reading));
    const scopes = new Map(taken.map(([name, { since }]) => [name, order.indexOf(since)]));
    const step = order.indexOf(prediction.step);
    const predictedRequest = { request, right: visible(prediction, isHead(request)), step, scopes };
    asked.push(predictedRequest);
    for (const [name, { kind, values, steps, ways }] of decisionPoints.seen) {
      const point = points.get(name) ?? {
        kind,
        values: new Set(),
        scopes: new Set(),
        passing: new Map(),
      };
      const last = Math.max(...[...steps].map((step) => order.indexOf(step)));
      for (const value of values) point.values.add(value);
      const known = knownAt(scopes, last);
      for (const scope of known) point.scopes.add(scope);
      for (const way of ways) {
        const passing = point.passing.get(way);
        if (passing) passing.push([predictedRequest, known]);
        else point.passing.set(way, [[predictedRequest, known]]);
      }
      points.set(name, point);
    }
  }
  return { asked, points };
}

/**
 * The ways in which a point can be decided wrongly: a constant fact can only be wrong by being
 * false.
 */
function waysOf({ kind, values }: Point): readonly string[] {
  const all = Object.keys(ways[kind]);
  return kind === "holds"
    ? all.filter((how) => values.size > 1 || how === (values.has(true) ? "never" : "always"))
    : all;
}

/** Other orders of checks: each step omitted, and each moved before an earlier one. */
function ordersOf({ rules }: Oracle): ReadonlyMap<string, readonly Rule[]> {
  const steps = [...new Set(rules.map(({ step }) => step))];
  const before = (step: string, earlier: string) => {
    const moved = rules.filter((rule) => rule.step === step);
    const rest = rules.filter((rule) => rule.step !== step);
    const index = rest.findIndex((rule) => rule.step === earlier);
    return [...rest.slice(0, index), ...moved, ...rest.slice(index)];
  };
  return new Map([
    ...steps.map(
      (step) => [`without ${step}`, rules.filter((rule) => rule.step !== step)] as const,
    ),
    ...steps.flatMap((step, at) =>
      steps
        .slice(0, at)
        .map((earlier) => [`${step} before ${earlier}`, before(step, earlier)] as const),
    ),
  ]);
}

/**
 * The predictions of a server that is wrong in this way; requests outside its scope are unchanged.
 */
export function predictedBy(
  oracle: Oracle,
  mutation: PointMutant,
): (request: Request, model: ModelState) => Prediction {
  if (mutation.point !== ORDER) {
    const decisionPoints = new DecisionPoints(mutation);
    return (request, model) => oracle.predict(request, model, decisionPoints);
  }
  const order = ordersOf(oracle).get(mutation.how) ?? oracle.rules;
  const scope = oracle.scopes[mutation.only];
  return (request, model) =>
    scope?.takes(oracle.read(request, model))
      ? oracle.predict(request, model, undefined, order)
      : oracle.predict(request, model);
}

/** A mutation, the requests that can show it, and which of them do. */
type Tried = readonly [
  PointMutant,
  readonly PredictedRequest[],
  shows: (predictedRequest: PredictedRequest) => boolean,
];

/** Every mutation of an oracle for these scopes. */
export function* mutationsOf(
  oracle: Oracle,
  model: ModelState,
  { asked, points }: Trials,
  scopes: readonly string[] = Object.keys(oracle.scopes),
): Generator<Tried> {
  /** In a narrower scope a server decides about a request of this scope as it does in all. */
  const showing = (point: string, how: string) => {
    const predict = predictedBy(oracle, { point, how, only: "all" });
    const known = new Map<PredictedRequest, boolean>();
    return (predictedRequest: PredictedRequest) => {
      const { request, right } = predictedRequest;
      const isShown =
        known.get(predictedRequest) ?? visible(predict(request, model), isHead(request)) !== right;
      known.set(predictedRequest, isShown);
      return isShown;
    };
  };
  for (const [point, facts] of points) {
    const each = waysOf(facts).map((how) => [how, showing(point, how)] as const);
    for (const only of scopes) {
      if (!facts.scopes.has(only)) continue;
      for (const [how, shows] of each) {
        const passing = (facts.passing.get(how) ?? []).filter(([, known]) => known.has(only));
        yield [{ point, how, only }, passing.map(([asked]) => asked), shows];
      }
    }
  }
  const order = stepsOf(oracle);
  for (const how of ordersOf(oracle).keys()) {
    const [late = "", early = late] = how.replace(/^without /, "").split(" before ");
    const [first, last] = [order.indexOf(early), order.indexOf(late)];
    const shows = showing(ORDER, how);
    // Swapping two steps affects requests that fail both: none is in a scope at only one of them.
    for (const only of scopes.filter((one) => how.startsWith("without") || one === "all")) {
      const known = ({ step, scopes }: PredictedRequest) =>
        step >= first && step <= last && (scopes.get(only) ?? Infinity) <= first;
      const some = asked.filter(known);
      if (some.length > 0) yield [{ point: ORDER, how, only }, some, shows];
    }
  }
}

/** Decides each point wrongly in each way, for the requests of each scope. */
export function tryPoints(
  oracle: Oracle,
  model: ModelState,
  trials: Trials,
  scopes?: readonly string[],
): Trial {
  let mutants = 0;
  const survivors: PointMutant[] = [];
  for (const [mutation, some, shows] of mutationsOf(oracle, model, trials, scopes)) {
    mutants += 1;
    if (!some.some(shows)) survivors.push(mutation);
  }
  return { mutants, caught: mutants - survivors.length, survivors };
}

/** `the key | trimmed | HEAD`. */
export const mutantName = ({ point, how, only }: PointMutant): string =>
  `${point} | ${how} | ${only}`;
