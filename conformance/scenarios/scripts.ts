import type { Finding } from "../exchange.ts";
import {
  type Contract,
  createsRecord,
  type Operation,
  pageItemOf,
  takesIdempotencyKey,
} from "../oracle/contract.ts";
import type { Oracle } from "../oracle/predict.ts";
import { plain, written } from "../requests/draft.ts";
import { sendAndCompare } from "../run/exchange.ts";
import { isCarriedOut, skipReason } from "../run/policy.ts";
import { seededRandom } from "../run/random.ts";
import { type Exercised, MissingPrecondition, type Run, type Script } from "../run/state.ts";
import { catalogOf } from "./catalog.ts";
import { stateExercised } from "./exercised.ts";
import { history, mixed, rounds } from "./generate.ts";
import { cursorScripts, type LastPage, lookedAt, nearEndOf, pagesFrom } from "./lists.ts";
import { played } from "./play.ts";
import { SCENARIOS, StepGenerator } from "./steps.ts";

/** The responses after earlier requests, during others, and at the end of a run. */

/** The rules of a paged list, and of a command that creates its records. */
const OF_LIST = ["order", "limit", "limit-default", "next", "link", "walk", "read-only"];
const OF_COMMAND = ["listed", "id", "refused-not-stored"];
const OF_UNIQUE = ["one-of-many"];
const OF_KEYED = ["replayed", "key-reused", "key-whole", "key-of-caller", "key-free", "key-twins"];

/** The requirements of the contract among the rules that apply to an operation. */
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
    oracle.operationExtensions.some(({ operation, unique }) => operation === id && unique);
  const reading = requirementsOf(oracle, (operation) =>
    pageItemOf(oracle.contract, operation) ? OF_LIST : [],
  );
  const writing = requirementsOf(oracle, (operation) => [
    ...(createsRecord(operation) ? OF_COMMAND : []),
    ...(createsRecord(operation) && isUnique(operation) ? OF_UNIQUE : []),
    ...(takesIdempotencyKey(operation) ? OF_KEYED : []),
  ]);
  const ofEffects = oracle.contract.requirements.flatMap(({ id }) =>
    /^(?:effects|idempotency)\//.test(id) ? [id] : [],
  );
  const requirements = [...reading, ...writing, ...ofEffects];
  const script = (id: string, nth: number, make: typeof history): Script => ({
    id: `scenario ${id} ${nth + 1}`,
    requirements,
    writing: [...writing, ...ofEffects],
    effect: "read",
    alone: true,
    run: (run, exercised) => {
      const random = seededRandom(run.options.seed + nth);
      const catalog = catalogOf(run);
      if (catalog.lists.length === 0 && catalog.commands.length === 0)
        throw new MissingPrecondition("no list and no command to play it with");
      return played(
        run,
        make(new StepGenerator(random, catalog, nth)),
        `${id}${nth + 1}`,
        exercised,
      );
    },
  });
  const all = Array.from({ length: SCENARIOS }, (_, nth) => [
    script("history", nth, history),
    script("rounds", nth, rounds),
  ]);
  return [
    ...all.flat(),
    script("fields and faults", 0, mixed),
    ...cursorScripts(oracle),
    lastLook(oracle.contract, writing),
  ];
}

/** Records of this that a run leaves more, at most. */
const MOST_NEW = 20;

/** Creates records with the values that no scenario had. */
async function* withNewValues(run: Run): AsyncGenerator<Finding> {
  const { suite, model, inputs, source } = run;
  for (const operation of Object.values(suite.oracle.contract.operations))
    for (let remaining = MOST_NEW; remaining > 0 && inputs.hasNew(operation); remaining -= 1) {
      const request = written(plain(operation, inputs.newRecord(operation), source.caller));
      const prediction = suite.oracle.predict(request, model);
      if (skipReason(run, request, prediction) !== null) return;
      yield* (await sendAndCompare(run, request, prediction)).findings;
    }
}

/** Commands of each operation that are sent again at the end. */
const AGAIN = 4;

/**
 * The first and the last that have created a record, sent again, create nothing; then the end of
 * each list: what was rejected is not there, and what was created is.
 */
const lastLook = (contract: Contract, writing: readonly string[]): Script => ({
  id: "scenario last look",
  requirements: writing,
  effect: "write",
  alone: true,
  explores: "too",
  async *run(run: Run, exercised: Exercised) {
    const { suite, model, creating } = run;
    yield* withNewValues(run);
    for (const request of new Set([...creating.slice(0, AGAIN), ...creating.slice(-AGAIN)])) {
      const prediction = suite.oracle.predict(request, model);
      if (isCarriedOut(request, prediction) || skipReason(run, request, prediction) !== null)
        continue;
      yield* (await sendAndCompare(run, request, prediction)).findings;
      exercised(prediction.by);
    }
    for (const operation of Object.values(contract.operations)) {
      if (!run.model.lists.has(operation.id)) continue;
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
