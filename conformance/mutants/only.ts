import type { Check } from "../checks/check.ts";
import { goodRun, touchedBy, untilCaught } from "./good-run.ts";
import { onServices } from "./laboratory.ts";
import { judgeOf, type Matrix } from "./matrix.ts";
import type { Mutant } from "./mutant.ts";
import { senders, trial } from "./trial.ts";

/** Those that wait for a time-out run only when asked for: a fault that none but they would see is not seen. */
const quick = senders.filter(({ slow }) => !slow);

/**
 * For each of these checks a mutant that no other check catches, where there is one: those that are recorded with it alone are
 * tried by all others that they touch, until one is caught by none.
 */
export function onlyKillers(
  mutants: readonly Mutant[],
  checks: readonly Check[],
  matrix: Matrix,
  tell: (line: string) => void,
): Promise<Readonly<Record<string, string>>> {
  const queues = new Map(checks.map(({ id }): [string, Mutant[]] => [id, []]));
  for (const mutant of mutants) {
    const [judge = "", ...others] = new Set((matrix[mutant.id] ?? []).map(judgeOf));
    if (others.length === 0) queues.get(judge)?.push(mutant);
  }
  return onServices(async (bench) => {
    const good = await goodRun(quick, bench);
    const touched = new Map([...queues.values()].flat().map((mutant) => [mutant, touchedBy(mutant, good)]));
    const width = (mutant: Mutant) => touched.get(mutant)?.length ?? 0;
    for (const queue of queues.values()) queue.sort((one, other) => width(one) - width(other));
    const only: Record<string, string> = {};
    for (;;) {
      // One mutant of each check that has none yet.
      const round = new Map<Mutant, string>();
      for (const [judge, queue] of queues) {
        const mutant = judge in only ? undefined : queue.shift();
        if (mutant) round.set(mutant, judge);
      }
      if (round.size === 0) return only;
      tell(`${Object.keys(only).length} of ${checks.length} checks are needed; ${round.size} mutants are tried`);
      const left = new Map(round);
      const others = new Map([...round.keys()].map((mutant) => [mutant, touched.get(mutant) ?? []]));
      await untilCaught(bench, others, async (mutant, check, service) => {
        const found = (await trial(mutant, check, service)).some((kill) => judgeOf(kill) !== round.get(mutant));
        if (found) left.delete(mutant);
        return found;
      });
      for (const [mutant, judge] of left) only[judge] = mutant.id;
    }
  });
}
