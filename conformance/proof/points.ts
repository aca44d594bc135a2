import type { Mutation } from "../oracle/points.ts";
import type { Request, World } from "../oracle/world.ts";
import { packaged } from "../packaged.ts";
import { sampleOf } from "../requests/cover.ts";
import { caseOf, cases } from "../requests/generate.ts";
import { mutationsOf, nameOf, type Trials, trialsOf, tryPoints } from "../requests/points.ts";

/** Decision points: the oracle, wrong at one of them, has another right response to some case of a default run. */

const { oracle, tables, paths, covering } = packaged;

/**
 * The cases of a default run against a deployment that holds the examples of the contract, all of them if no set is known; of these
 * operations, if any are named.
 */
function sample(operations?: readonly string[]): {
  readonly trials: Trials;
  readonly world: World;
} {
  const { source, world } = sampleOf(oracle.contract, paths);
  const some =
    covering?.flatMap((id) => caseOf(tables, source, id) ?? []) ??
    cases(tables, source, oracle, world);
  const isMeant = (request: Request) =>
    operations === undefined ||
    operations.includes(oracle.read(request, world).operation?.id ?? "");
  const requests = [...some].map(({ request }) => request).filter(isMeant);
  return { trials: trialsOf(oracle, world, requests), world };
}

/** Every point that a case passes, decided in every wrong way. */
export function mutations(): readonly Mutation[] {
  const { trials, world } = sample();
  return [...mutationsOf(oracle, world, trials)].map(([mutation]) => mutation);
}

/** How many there are, of these operations if any are named, and the names of those that no case shows. */
export function triedPoints(operations?: readonly string[]): {
  readonly tried: number;
  readonly left: readonly string[];
} {
  const { trials, world } = sample(operations);
  const { mutants, survivors } = tryPoints(oracle, world, trials, operations);
  return { tried: mutants, left: survivors.map(nameOf) };
}
