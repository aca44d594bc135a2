import type { Timed } from "../exchange.ts";
import { ParsedExchange } from "../laws/parsed-exchange.ts";
import { fieldsOf, idempotencyId, type ModelState } from "../oracle/model-state.ts";
import type { Prediction } from "../oracle/predict.ts";
import { dataOf, idempotencyKeyOf } from "../oracle/rules.ts";
import { type KnownState, uniqueOf } from "./learn.ts";

/**
 * Linearizability (Herlihy and Wing) of requests that overlap, by the search of Wing and Gong: in
 * some order each response is right in the state after those before it, and what had its response
 * before another began comes before it.
 */

/** The part of the state that commands change. */
type State = Pick<ModelState, "created" | "taken">;

/** A copy of it as it is now. */
export const stateOf = ({ created, taken }: KnownState): State => ({
  created: new Map(created),
  taken: new Map([...taken].map(([code, some]) => [code, new Set(some)])),
});

/** A request of a race, with its response. */
interface Raced {
  readonly exchange: Timed & { readonly prediction: Prediction };
}

/** Whether one had its response before the other began. What has no response is never over. */
const isBefore = ({ exchange: earlier }: Raced, { exchange: later }: Raced): boolean =>
  earlier.response !== null && earlier.ended < later.began;

/** Orders that are tried at most before the best of them counts. */
const MOST_TRIES = 2000;

const creates = ({ exchange: { request, response } }: Raced) =>
  request.method === "POST" &&
  response?.status === 201 &&
  fieldsOf(response.fields, "Idempotent-Replayed").length === 0;

/** The state after a command that has created something. */
function after(model: KnownState, { created, taken }: State, { exchange }: Raced): State {
  const reading = model.oracle.read(exchange.request, model);
  const key = idempotencyKeyOf(reading);
  const operation = reading.operation?.id ?? "";
  const { response } = exchange;
  const body = response && new ParsedExchange(model.oracle.contract, exchange, response).json;
  const record = { data: dataOf(reading.json?.data), body };
  const takenAfter = new Map(taken);
  for (const [code, value] of uniqueOf(model.oracle, operation, reading.data))
    takenAfter.set(code, new Set(takenAfter.get(code)).add(value));
  return {
    created:
      key === ""
        ? created
        : new Map(created).set(idempotencyId(operation, reading.apiKey, key), record),
    taken: takenAfter,
  };
}

/**
 * Each with its prediction in the longest order that explains the responses, and what is wrong with
 * it. Of what no order explains, the first that ended is compared in the state behind it, and the
 * others are left out. `compared`: what is wrong with a response that has this prediction.
 */
export function explained<One extends Raced, Found>(
  model: KnownState,
  before: State,
  all: readonly One[],
  compared: (raced: One, prediction: Prediction) => readonly Found[],
) {
  const predicted = ({ exchange }: One, state: State): Prediction =>
    model.oracle.predict(exchange.request, { ...model, ...state });
  /**
   * The prediction that a response fits next; null if it does not, or comes after another of the
   * rest.
   */
  const fitting = (raced: One, state: State, rest: readonly One[]): Prediction | null => {
    if (rest.some((other) => isBefore(other, raced))) return null;
    const prediction = predicted(raced, state);
    return compared(raced, prediction).length === 0 ? prediction : null;
  };
  type Order = ReadonlyMap<One, Prediction>;
  let best: { order: Order; state: State } = { order: new Map(), state: before };
  let tries = 0;
  const search = (order: Order, rest: readonly One[], state: State): boolean => {
    tries += 1;
    if (order.size > best.order.size) best = { order, state };
    if (rest.length === 0 || tries > MOST_TRIES) return rest.length === 0;
    // A request that changes nothing is placed as soon as its response is right.
    const calm = new Map(order);
    for (const raced of rest) {
      const prediction = creates(raced) ? null : fitting(raced, state, rest);
      if (prediction) calm.set(raced, prediction);
    }
    const unplaced = rest.filter((one) => !calm.has(one));
    if (unplaced.length < rest.length) return search(calm, unplaced, state);
    return rest.some((raced) => {
      const prediction = creates(raced) ? fitting(raced, state, rest) : null;
      if (!prediction) return false;
      const remaining = rest.filter((other) => other !== raced);
      return search(new Map(order).set(raced, prediction), remaining, after(model, state, raced));
    });
  };
  search(new Map(), all, before);
  const unexplained = all.filter((one) => !best.order.has(one));
  const [first] = unexplained.sort((one, other) => one.exchange.ended - other.exchange.ended);
  return all.map((raced) => {
    const prediction = best.order.get(raced) ?? predicted(raced, best.state);
    return { raced, prediction, findings: raced === first ? compared(raced, prediction) : [] };
  });
}
