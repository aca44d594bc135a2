import type { Timed } from "../exchange.ts";
import { View } from "../laws/view.ts";
import type { Prediction } from "../oracle/predict.ts";
import { dataOf, idempotencyKeyOf } from "../oracle/rules.ts";
import { fieldsOf, idempotencyId, type World } from "../oracle/world.ts";
import { type Known, uniqueOf } from "./learn.ts";

/**
 * Linearizability (Herlihy and Wing) of requests that overlap: in some order each response is right in
 * the state after those before it, and what had its response before another began comes before it.
 */

/** The part of a world that commands change. */
type State = Pick<World, "created" | "taken">;

/** A copy of it as it is now. */
export const stateOf = ({ created, taken }: Known): State => ({
  created: new Map(created),
  taken: new Map([...taken].map(([code, some]) => [code, new Set(some)])),
});

/** A request of a race, with its response. */
interface Raced {
  readonly exchange: Timed & { readonly prediction: Prediction };
}

/** Whether one had its response before the other began. What has no response is never over. */
const isBefore = ({ exchange: one }: Raced, { exchange: other }: Raced): boolean =>
  one.response !== null && one.ended < other.began;

/** Orders that are tried at most before the best of them counts. */
const MOST_TRIES = 2000;

const creates = ({ exchange: { request, response } }: Raced) =>
  request.method === "POST" &&
  response?.status === 201 &&
  fieldsOf(response.fields, "Idempotent-Replayed").length === 0;

/** The state after a command that has created something. */
function after(world: Known, { created, taken }: State, { exchange }: Raced): State {
  const reading = world.oracle.read(exchange.request, world);
  const key = idempotencyKeyOf(reading);
  const operation = reading.operation?.id ?? "";
  const { response } = exchange;
  const body = response && new View(world.oracle.contract, exchange, response).json;
  const record = { data: dataOf(reading.json?.data), body };
  const more = new Map(taken);
  for (const [code, value] of uniqueOf(world.oracle, operation, reading.data))
    more.set(code, new Set(more.get(code)).add(value));
  return {
    created:
      key === ""
        ? created
        : new Map(created).set(idempotencyId(operation, reading.apiKey, key), record),
    taken: more,
  };
}

/**
 * Each with its prediction in the longest order that explains the responses, and what is wrong with it.
 * Of what no order explains, the first that ended is compared in the state behind it, and the others are
 * left out. `compared`: what is wrong with a response that has this prediction.
 */
export function explained<One extends Raced, Found>(
  world: Known,
  before: State,
  all: readonly One[],
  compared: (one: One, prediction: Prediction) => readonly Found[],
) {
  const predicted = ({ exchange }: One, state: State): Prediction =>
    world.oracle.predict(exchange.request, { ...world, ...state });
  /** The prediction that a response fits next; null if it does not, or comes after another of the rest. */
  const fitting = (one: One, state: State, rest: readonly One[]): Prediction | null => {
    if (rest.some((other) => isBefore(other, one))) return null;
    const prediction = predicted(one, state);
    return compared(one, prediction).length === 0 ? prediction : null;
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
    for (const one of rest) {
      const prediction = creates(one) ? null : fitting(one, state, rest);
      if (prediction) calm.set(one, prediction);
    }
    const left = rest.filter((one) => !calm.has(one));
    if (left.length < rest.length) return search(calm, left, state);
    return rest.some((one) => {
      const prediction = creates(one) ? fitting(one, state, rest) : null;
      if (!prediction) return false;
      const others = rest.filter((other) => other !== one);
      return search(new Map(order).set(one, prediction), others, after(world, state, one));
    });
  };
  search(new Map(), all, before);
  const unexplained = all.filter((one) => !best.order.has(one));
  const [first] = unexplained.sort((one, other) => one.exchange.ended - other.exchange.ended);
  return all.map((one) => {
    const prediction = best.order.get(one) ?? predicted(one, best.state);
    return { one, prediction, findings: one === first ? compared(one, prediction) : [] };
  });
}
