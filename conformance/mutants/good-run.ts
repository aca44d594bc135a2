import type { RunningService } from "../test/service.test-kit.ts";
import { type Bench, lanes, onLanes } from "./laboratory.ts";
import type { Mutant, Seen } from "./mutant.ts";
import type { Context } from "./proxy/message.ts";
import { type Sender, seenBy, trial } from "./trial.ts";

/** What a check sees of a right service, and which service that was. */
interface Sight {
  readonly seen: readonly Seen[];
  readonly context: Context;
}
export type GoodRun = ReadonlyMap<Sender, Sight>;

/** Runs the checks against a right service. Throws when one of them is not green there. */
export async function goodRun(checks: readonly Sender[], bench: Bench): Promise<GoodRun> {
  const run = new Map<Sender, Sight>();
  await onLanes(
    bench,
    checks,
    (check) => check,
    async (check, service) => {
      const context: Context = {
        target: new URL(service.url),
        credentials: service.credentials.full,
        state: new Map(),
        random: () => 0.5,
        forward: () => Promise.reject(new Error("nothing is sent to find out what a mutant touches")),
      };
      run.set(check, { seen: await seenBy(check, service), context });
    },
  );
  return run;
}

/** The checks that a mutant can touch, those that send least first. */
export function touchedBy(mutant: Mutant, good: GoodRun): Sender[] {
  const touches = (check: Sender, { seen, context }: Sight) => {
    try {
      return seen.some((one) => mutant.touches(one, check, context));
    } catch (error) {
      throw new Error(`"${mutant.id}" cannot say whether it touches ${check.id}`, { cause: error });
    }
  };
  const touched = [...good].filter(([check, sight]) => touches(check, sight));
  return touched.sort(([, one], [, other]) => one.seen.length - other.seen.length).map(([check]) => check);
}

/** Tries mutants by their checks, lane by lane, until an attempt catches them. */
export async function untilCaught(
  bench: Bench,
  touched: ReadonlyMap<Mutant, readonly Sender[]>,
  attempt: (mutant: Mutant, check: Sender, service: RunningService) => Promise<boolean>,
): Promise<void> {
  const open = new Map(touched);
  for (const { width, takes } of lanes) {
    const some = [...open].filter(([, checks]) => checks.some(takes));
    await bench(some, width, async ([mutant, checks], service) => {
      for (const check of checks.filter(takes)) {
        if (!(await attempt(mutant, check, service))) continue;
        open.delete(mutant);
        return;
      }
    });
  }
}

/** Which of these mutants, of those that touch something, none of these checks catches. */
export async function survivors(
  mutants: readonly Mutant[],
  checks: readonly Sender[],
  bench: Bench,
): Promise<readonly Mutant[]> {
  const good = await goodRun(checks, bench);
  const touched = mutants.map((mutant) => [mutant, touchedBy(mutant, good)] as const);
  const open = new Set(touched.flatMap(([mutant, { length }]) => (length > 0 ? [mutant] : [])));
  await untilCaught(bench, new Map(touched), async (mutant, check, service) => {
    const caught = (await trial(mutant, check, service)).length > 0;
    if (caught) open.delete(mutant);
    return caught;
  });
  return [...open];
}
