import type { Timed } from "../exchange.ts";
import { ParsedExchange } from "../laws/parsed-exchange.ts";
import { fieldsOf } from "../oracle/model-state.ts";
import type { Prediction } from "../oracle/predict.ts";
import type { KnownState } from "./known-state.ts";
import { carryOut } from "./learn.ts";

/**
 * Linearizability (Herlihy and Wing) of requests that overlap, by the search of Wing and Gong: in
 * some order each response is right in the state after those before it, and what had its response
 * before another began comes before it.
 */

/** A copy of the part of the state that commands change, as it is now. */
export const stateOf = (model: KnownState): KnownState => {
  const clock = { ...model.clock };
  return {
    ...model,
    clock,
    records: new Map([...model.records].map(([name, records]) => [name, records.copy(clock)])),
    created: new Map(model.created),
    taken: new Map([...model.taken].map(([code, some]) => [code, new Set(some)])),
    lists: new Map(),
    owners: new Map(),
  };
};

/** A request of a race, with its response. */
interface Raced {
  readonly exchange: Timed & { readonly prediction: Prediction };
}

/** Whether one had its response before the other began. What has no response is never over. */
const isBefore = ({ exchange: earlier }: Raced, { exchange: later }: Raced): boolean =>
  earlier.response !== null && earlier.ended < later.began;

/** Orders that are tried at most before the best of them counts. */
const MOST_TRIES = 2000;

/** Whether a request has changed something. */
const isChange = ({ exchange: { request, response } }: Raced) =>
  request.method === "POST" &&
  response !== null &&
  response.status < 300 &&
  fieldsOf(response.fields, "Idempotent-Replayed").length === 0;

/** The state after a command that was carried out. */
function after(state: KnownState, { exchange }: Raced): KnownState {
  const next = stateOf(state);
  const { operation } = exchange.prediction;
  const { response } = exchange;
  if (!operation || !response) return next;
  const parsed = new ParsedExchange(state.oracle.contract, exchange, response);
  carryOut(next, operation, parsed, next.clock.now);
  return next;
}

/**
 * Each with its prediction in the longest order that explains the responses, and what is wrong with
 * it. Of what no order explains, the first that ended is compared in the state behind it, and the
 * others are left out. `compared`: what is wrong with a response that has this prediction.
 */
export function explained<One extends Raced, Found>(
  before: KnownState,
  all: readonly One[],
  compared: (raced: One, prediction: Prediction) => readonly Found[],
) {
  const predicted = ({ exchange }: One, state: KnownState): Prediction =>
    state.oracle.predict(exchange.request, state);
  /**
   * The prediction that a response fits next; null if it does not, or comes after another of the
   * rest.
   */
  const fitting = (raced: One, state: KnownState, rest: readonly One[]): Prediction | null => {
    if (rest.some((other) => isBefore(other, raced))) return null;
    const prediction = predicted(raced, state);
    return compared(raced, prediction).length === 0 ? prediction : null;
  };
  type Order = ReadonlyMap<One, Prediction>;
  let best: { order: Order; state: KnownState } = { order: new Map(), state: before };
  let tries = 0;
  const search = (order: Order, rest: readonly One[], state: KnownState): boolean => {
    tries += 1;
    if (order.size > best.order.size) best = { order, state };
    if (rest.length === 0 || tries > MOST_TRIES) return rest.length === 0;
    // A request that changes nothing is placed as soon as its response is right.
    const calm = new Map(order);
    for (const raced of rest) {
      const prediction = isChange(raced) ? null : fitting(raced, state, rest);
      if (prediction) calm.set(raced, prediction);
    }
    const unplaced = rest.filter((one) => !calm.has(one));
    if (unplaced.length < rest.length) return search(calm, unplaced, state);
    return rest.some((raced) => {
      const prediction = isChange(raced) ? fitting(raced, state, rest) : null;
      if (!prediction) return false;
      const remaining = rest.filter((other) => other !== raced);
      return search(new Map(order).set(raced, prediction), remaining, after(state, raced));
    });
  };
  search(new Map(), all, before);
  const unexplained = all.filter((one) => !best.order.has(one));
  // What has no response may have been carried out at any time: others may be right for that.
  const lostFirst = ({ exchange }: One) => (exchange.response ? exchange.ended : -1);
  const [first] = unexplained.sort((one, other) => lostFirst(one) - lostFirst(other));
  return all.map((raced) => {
    const prediction = best.order.get(raced) ?? predicted(raced, best.state);
    return { raced, prediction, findings: raced === first ? compared(raced, prediction) : [] };
  });
}
