import { type Contract, createsRecord, type Operation, pageItemOf, takesIdempotencyKey } from "../oracle/contract.ts";
import type { Oracle } from "../oracle/predict.ts";
import { isCarriedOut, reasonAgainst } from "../run/effects.ts";
import { compared } from "../run/exchange.ts";
import { seededRandom } from "../run/random.ts";
import type { Run, Script } from "../run/state.ts";
import { Lacking } from "../run/state.ts";
import { history, mixed, rounds } from "./generate.ts";
import { cursorScripts, nearEndOf, pagesFrom } from "./lists.ts";
import { played } from "./play.ts";
import { spaceOf } from "./space.ts";
import { Moves, SCENARIOS } from "./steps.ts";

/** The responses after earlier requests, during others, and at the end of a run. */

/** The rules of a paged list, and of a command that creates its records. */
const OF_LIST = ["page", "order", "limit", "limit-default", "next", "link", "walk", "read-only"];
const OF_COMMAND = ["created", "listed", "id", "refused-not-stored"];
const OF_UNIQUE = ["one-of-many"];
const OF_KEYED = ["replayed", "key-reused", "key-whole", "key-of-caller", "key-free", "key-twins"];

/** Those that the contract has, of the rules that apply to an operation. */
function requirementsOf({ contract }: Oracle, rulesOf: (operation: Operation) => readonly string[]): readonly string[] {
  const known = new Set(contract.requirements.map(({ id }) => id));
  const operations = Object.values(contract.operations);
  const all = operations.flatMap((operation) => rulesOf(operation).map((rule) => `${operation.id}/${rule}`));
  return all.filter((id) => known.has(id));
}

/** During each nothing else is sent: a scenario knows the state from its own exchanges. */
export function scenarioScripts(oracle: Oracle): readonly Script[] {
  const isUnique = ({ id }: Operation) => oracle.own.some(({ operation, unique }) => operation === id && unique);
  const reading = requirementsOf(oracle, (one) => (pageItemOf(oracle.contract, one) ? OF_LIST : []));
  const writing = requirementsOf(oracle, (one) => [
    ...(createsRecord(one) ? OF_COMMAND : []),
    ...(createsRecord(one) && isUnique(one) ? OF_UNIQUE : []),
    ...(takesIdempotencyKey(one) ? OF_KEYED : []),
  ]);
  const requirements = [...reading, ...writing];
  const one = (id: string, nth: number, make: typeof history): Script => ({
    ...{ id: `scenario ${id} ${nth + 1}`, requirements, writing, effect: "read", alone: true },
    run: (run) => {
      const random = seededRandom(run.options.seed + nth);
      const space = spaceOf(run, random);
      if (space.lists.length === 0 && space.commands.length === 0)
        throw new Lacking("no list and no command to play it with");
      return played(run, make(new Moves(random, space, nth)), `${id}${nth + 1}`);
    },
  });
  const all = Array.from({ length: SCENARIOS }, (_, nth) => [one("history", nth, history), one("rounds", nth, rounds)]);
  return [
    ...all.flat(),
    one("fields and faults", 0, mixed),
    ...cursorScripts(oracle),
    lastLook(oracle.contract, writing),
  ];
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
  async *run(run: Run) {
    const { suite, world, creating } = run;
    for (const request of new Set([...creating.slice(0, AGAIN), ...creating.slice(-AGAIN)])) {
      const prediction = suite.oracle.predict(request, world);
      if (isCarriedOut(request, prediction) || reasonAgainst(run, request, prediction) !== null) continue;
      yield* (await compared(run, request, prediction)).findings;
    }
    for (const operation of Object.values(contract.operations)) {
      if (!run.world.lists.has(operation.id)) continue;
      const near = await nearEndOf(run, operation);
      // What is wrong with a page is a finding of its own.
      for await (const _ of pagesFrom(run, operation, near));
    }
  },
});
