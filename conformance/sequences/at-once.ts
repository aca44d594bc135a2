import type { Reply } from "../client/reply.ts";
import { type Model, uniqueOf } from "../models/model.ts";
import type { Prediction } from "../oracle/predict.ts";
import { dataOf, idempotencyKeyOf } from "../oracle/rules.ts";
import { type Created, idempotencyId, type World } from "../oracle/world.ts";
import { type Finding, judge, type Sent } from "./judge.ts";

/** The part of a world that commands change. */
export interface Before {
  readonly created: ReadonlyMap<string, Created>;
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Exchanged {
  readonly sent: Sent;
  readonly reply: Reply;
}

/** Maximum orders that are tried before the best of them counts. */
const MOST_TRIES = 2_000;

/** The world as before, with everything else that is known by now. */
const worldOf = (model: Model, { created, taken }: Before): World => ({
  ...{ keys: model.keys, platforms: model.platforms, files: model.files, names: model.names },
  ...{ cursors: model.cursors, tags: model.tags, created, taken },
});

/** The same after a command that has created something. */
function after(model: Model, { created, taken }: Before, { sent, reply }: Exchanged): Before {
  const reading = model.oracle.read(sent.request, model);
  const key = idempotencyKeyOf(reading);
  const operation = reading.operation?.id ?? "";
  const more = uniqueOf(model.oracle, operation, reading.data);
  const record = { data: dataOf(reading.json?.data), body: reply.json() };
  return {
    created: key === "" ? created : new Map(created).set(idempotencyId(operation, reading.apiKey, key), record),
    taken: more.reduce(
      (sets, [code, value]) => new Map(sets).set(code, new Set(sets.get(code)).add(value)),
      new Map(taken),
    ),
  };
}

/**
 * Explains the responses to parallel requests: in some order each of them is right in the state after those before it
 * (linearizability). The longest order that explains them is kept; the first response that it does not explain is the finding.
 */
export function explain<One extends Exchanged>(
  model: Model,
  before: Before,
  all: readonly One[],
): readonly (One & { readonly finding: Finding | null })[] {
  let best: { order: readonly One[]; state: Before } = { order: [], state: before };
  let tries = 0;
  const predicted = ({ sent }: One, state: Before): Prediction =>
    model.oracle.predict(sent.request, worldOf(model, state));
  const judged = (one: One, state: Before) =>
    judge(model, { ...one.sent, prediction: predicted(one, state) }, one.reply);
  const creates = ({ reply, sent }: One) =>
    sent.request.method === "POST" && reply.status === 201 && reply.header("idempotent-replayed") === undefined;
  const search = (order: readonly One[], rest: readonly One[], state: Before): boolean => {
    tries += 1;
    if (order.length > best.order.length) best = { order, state };
    if (rest.length === 0 || tries > MOST_TRIES) return rest.length === 0;
    // A request that changes nothing is placed as soon as its response is right.
    const calm = rest.filter((one) => !creates(one) && judged(one, state) === null);
    if (calm.length > 0)
      return search(
        [...order, ...calm],
        rest.filter((one) => !calm.includes(one)),
        state,
      );
    return rest.some(
      (one) =>
        creates(one) &&
        judged(one, state) === null &&
        search(
          [...order, one],
          rest.filter((other) => other !== one),
          after(model, state, one),
        ),
    );
  };
  search([], all, before);
  const [first] = all.filter((one) => !best.order.includes(one));
  return all.map((one) => ({ ...one, finding: one === first ? judged(one, best.state) : null }));
}
