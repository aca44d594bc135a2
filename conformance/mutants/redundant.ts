import type { Check } from "../checks/check.ts";
import { goodRun, touchedBy, untilCaught } from "./good-run.ts";
import { onServices } from "./laboratory.ts";
import { judgeOf, type Matrix } from "./matrix.ts";
import type { Mutant } from "./mutant.ts";
import { senders, trial } from "./trial.ts";

/**
 * Of these checks, those without which every one of these mutants would still be caught: for each mutant that is recorded with
 * one of them alone, another check is looked for. A mutant that only one check catches is recorded with just that one.
 */
export function redundant(
  mutants: readonly Mutant[],
  checks: readonly Check[],
  matrix: Matrix,
): Promise<readonly string[]> {
  const ids = new Set(checks.map(({ id }) => id));
  const alone = new Map<Mutant, string>();
  for (const mutant of mutants) {
    const [judge = "", ...others] = new Set((matrix[mutant.id] ?? []).map(judgeOf));
    if (ids.has(judge) && others.length === 0) alone.set(mutant, judge);
  }
  return onServices(async (bench) => {
    const good = await goodRun(senders, bench);
    const touched = new Map([...alone.keys()].map((mutant) => [mutant, touchedBy(mutant, good)]));
    const only = new Map(alone);
    await untilCaught(bench, touched, async (mutant, check, service) => {
      const found = (await trial(mutant, check, service)).some((kill) => judgeOf(kill) !== alone.get(mutant));
      if (found) only.delete(mutant);
      return found;
    });
    const needed = new Set(only.values());
    return [...ids].filter((id) => !needed.has(id));
  });
}
