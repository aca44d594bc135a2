import type { Bench } from "./laboratory.ts";
import { onLanes } from "./laboratory.ts";
import { judgeOf, type Matrix, senderOf } from "./matrix.ts";
import type { Mutant } from "./mutant.ts";
import { type Kill, overAll, type Sender, trial } from "./trial.ts";

/** A kill that was recorded, to be seen again. */
interface Planned {
  readonly mutant: Mutant;
  readonly check: Sender;
  /** The check that went red: `check`, or one over all exchanges. */
  readonly judge: string;
}

/**
 * One kill for each mutant and one for each check: first each check, those that catch least before the others, by a mutant
 * that is still to be caught; then each mutant that is left, by what catches it with the least traffic, which stands first.
 */
export function plan(matrix: Matrix, mutants: readonly Mutant[], checks: readonly Sender[]): Planned[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const all = mutants.flatMap((mutant) =>
    (matrix[mutant.id] ?? []).flatMap((kill) => {
      const check = byId.get(senderOf(kill));
      return check ? [{ mutant, check, judge: judgeOf(kill) }] : [];
    }),
  );
  const byJudge = new Map(all.map(({ judge }): [string, Planned[]] => [judge, []]));
  for (const one of all) byJudge.get(one.judge)?.push(one);
  const planned = new Map<string, Planned>();
  const killed = new Set<Mutant>();
  const take = (one: Planned) => {
    planned.set(nameOf(one.mutant.id, one.check.id, one.judge), one);
    killed.add(one.mutant);
  };
  for (const kills of [...byJudge.values()].sort((one, other) => one.length - other.length)) {
    const next = kills.find(({ mutant }) => !killed.has(mutant)) ?? kills[0];
    if (next) take(next);
  }
  for (const one of all) if (!killed.has(one.mutant)) take(one);
  return [...planned.values()];
}

const nameOf = (mutant: string, check: string, judge: string) => `${mutant}\n${check}\n${judge}`;

/** Only the kills that are planned: what is never seen again would go stale unseen. */
export function needed(matrix: Matrix, mutants: readonly Mutant[], checks: readonly Sender[]): Matrix {
  const planned = new Set(
    plan(matrix, mutants, checks).map(({ mutant, check, judge }) => nameOf(mutant.id, check.id, judge)),
  );
  const isPlanned = (id: string, kill: Kill) => planned.has(nameOf(id, senderOf(kill), judgeOf(kill)));
  return Object.fromEntries(
    Object.entries(matrix).map(([id, kills]) => [id, kills.filter((kill) => isPlanned(id, kill))]),
  );
}

/** Tries again what was recorded; returns what is not so any more, in words. */
export async function replay(planned: readonly Planned[], bench: Bench): Promise<string[]> {
  const lost: string[] = [];
  await onLanes(
    bench,
    planned,
    ({ check }) => check,
    async ({ mutant, check, judge }, service) => {
      const others = overAll.filter(({ id }) => id === judge);
      const kills = await trial(mutant, check, service, others);
      if (!kills.some((kill) => judgeOf(kill) === judge))
        lost.push(
          `${judge}, asked by ${check.id}, does not catch any more: ${mutant.id} (now: ${kills.join(", ") || "green"})`,
        );
    },
  );
  return lost.sort();
}
