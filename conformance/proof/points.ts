import type { Request } from "../oracle/model-state.ts";
import { packaged } from "../packaged.ts";
import { sampleOf } from "../requests/cover.ts";
import { caseOf, cases } from "../requests/generate.ts";
import { mutantName, trialsOf, tryPoints } from "../requests/point-mutants.ts";

/**
 * Decision points: the oracle, wrong at one of them, has another right response to some case of a
 * default run.
 */

const { oracle, tables, paths, coveringCases } = packaged;

/**
 * The cases of a default run against a deployment that holds the examples of the contract, all of
 * them if no set is known; of these operations, if any are named.
 */
function sample(operations?: readonly string[]) {
  const { source, model } = sampleOf(oracle.contract, paths);
  const some =
    coveringCases?.flatMap((id) => caseOf(tables, source, id) ?? []) ??
    cases(tables, source, oracle, model);
  const isMeant = (request: Request) =>
    operations === undefined ||
    operations.includes(oracle.read(request, model).operation?.id ?? "");
  const requests = [...some].map(({ request }) => request).filter(isMeant);
  return { trials: trialsOf(oracle, model, requests), model };
}

/**
 * How many there are, of these operations if any are named, and the names of those that no case
 * shows.
 */
export function triedPoints(operations?: readonly string[]) {
  const { trials, model } = sample(operations);
  const { mutants, survivors } = tryPoints(oracle, model, trials, operations);
  return { tried: mutants, left: survivors.map(mutantName) };
}
