import type { RunningService } from "../test/service.test-kit.ts";
import { type GoodRun, goodRun, touchedBy, untilCaught } from "./good-run.ts";
import { onLanes, onServices } from "./laboratory.ts";
import { judgeOf, type Matrix, senderOf } from "./matrix.ts";
import type { Mutant } from "./mutant.ts";
import { type Kill, type Sender, senders, trial } from "./trial.ts";

/** Mutants by which a check without a kill is tried at most: those that touch the fewest checks come first. */
const ATTEMPTS = 400;

export interface Recording {
  /** What need not be tried again. */
  readonly previous: Matrix;
  readonly tell: (line: string) => void;
  /** Told now and then what is known. */
  readonly save: (matrix: Matrix) => void;
}

/** What is known already, where mutant and check still exist. */
function kept(previous: Matrix, mutants: readonly Mutant[]): Map<Mutant, Kill[]> {
  const known = new Set(senders.map(({ id }) => id));
  const kills = ({ id }: Mutant) => (previous[id] ?? []).filter((kill) => known.has(senderOf(kill)));
  return new Map(mutants.map((mutant) => [mutant, kills(mutant)]));
}

/**
 * Tries each mutant that nothing is known of by checks that it can touch, until one catches it; and then each check that has
 * caught none by mutants that touch it.
 */
export function record(
  mutants: readonly Mutant[],
  checks: readonly Sender[],
  { previous, tell, save }: Recording,
): Promise<Matrix> {
  return onServices(async (bench) => {
    const good = await goodRun(checks, bench);
    const widths = new Map<Mutant, readonly Sender[]>();
    const touchedOf = (mutant: Mutant) => {
      const touched = widths.get(mutant) ?? touchedBy(mutant, good);
      widths.set(mutant, touched);
      return touched;
    };
    const kills = kept(previous, mutants);
    const known = (): Matrix => Object.fromEntries([...kills].map(([{ id }, list]) => [id, [...new Set(list)]]));
    const tried = new Set<string>();
    const attempt = async (mutant: Mutant, check: Sender, service: RunningService) => {
      tried.add(`${mutant.id}\n${check.id}`);
      if (tried.size % 1_000 === 0) {
        tell(`${tried.size} trials`);
        save(known());
      }
      const found = await trial(mutant, check, service);
      kills.get(mutant)?.push(...found);
      return found;
    };
    const fresh = mutants.filter((mutant) => kills.get(mutant)?.length === 0);
    tell(`${fresh.length} of ${mutants.length} mutants are to be tried`);
    const touched = new Map(fresh.map((mutant) => [mutant, touchedOf(mutant)]));
    const untouched = [...touched].flatMap(([{ id }, { length }]) => (length === 0 ? [id] : []));
    if (untouched.length > 0) tell(`these touch nothing: ${untouched.join("; ")}`);
    await untilCaught(bench, touched, async (...one) => (await attempt(...one)).length > 0);
    const red = new Set([previous, known()].flatMap((matrix) => Object.values(matrix).flat().map(judgeOf)));
    const idle = checks.filter(({ id }) => !red.has(id));
    tell(`${tried.size} trials; ${idle.length} checks have caught nothing yet`);
    await onLanes(
      bench,
      idle,
      (check) => check,
      async (check, service) => {
        const alone: GoodRun = new Map([...good].filter(([one]) => one === check));
        const isOpen = (one: Mutant) => !tried.has(`${one.id}\n${check.id}`) && touchedBy(one, alone).length > 0;
        const narrow = mutants.filter(isOpen).sort((one, other) => touchedOf(one).length - touchedOf(other).length);
        for (const mutant of narrow.slice(0, ATTEMPTS)) {
          const found = await attempt(mutant, check, service);
          if (found.some((kill) => judgeOf(kill) === check.id)) return;
        }
      },
    );
    tell(`${tried.size} trials`);
    return known();
  });
}
