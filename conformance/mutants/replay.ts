import type { Bench } from "./laboratory.ts";
import { judgeOf, type Matrix, senderOf } from "./matrix.ts";
import type { Mutant } from "./mutant.ts";
import { onLanes } from "./record.ts";
import { type Sender, trial } from "./trial.ts";

/** A kill that was recorded, to be seen again. */
interface Planned {
  readonly mutant: Mutant;
  readonly check: Sender;
  /** The check that went red: `check`, or one over all exchanges. */
  readonly judge: string;
}

/**
 * One kill for each mutant and one for each check, no trial twice: a mutant takes the killer that has the fewest others to
 * kill, so that most checks are seen on the way.
 */
export function plan(matrix: Matrix, mutants: readonly Mutant[], checks: readonly Sender[]): Planned[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const all = mutants.flatMap((mutant) =>
    (matrix[mutant.id] ?? []).flatMap((kill) => {
      const check = byId.get(senderOf(kill));
      return check ? [{ mutant, check, judge: judgeOf(kill) }] : [];
    }),
  );
  const count = new Map<string, number>();
  for (const { judge } of all) count.set(judge, (count.get(judge) ?? 0) + 1);
  const rarest = (one: Planned, other: Planned) => (count.get(one.judge) ?? 0) - (count.get(other.judge) ?? 0);
  const seen = new Set<string>();
  const killed = new Set<Mutant>();
  return [...all].sort(rarest).filter(({ mutant, judge }) => {
    if (killed.has(mutant) && seen.has(judge)) return false;
    killed.add(mutant);
    seen.add(judge);
    return true;
  });
}

/** Tries again what was recorded; returns what is not so any more, in words. */
export async function replay(planned: readonly Planned[], bench?: Bench): Promise<string[]> {
  const lost: string[] = [];
  await onLanes(
    planned,
    ({ check }) => check,
    async ({ mutant, check, judge }, service) => {
      const kills = await trial(mutant, check, service);
      if (!kills.some((kill) => judgeOf(kill) === judge)) lost.push(`${judge} does not catch any more: ${mutant.id}`);
    },
    bench,
  );
  return lost.sort();
}
