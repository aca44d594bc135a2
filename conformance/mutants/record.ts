import { onServices } from "./laboratory.ts";
import type { Matrix } from "./matrix.ts";
import { senderOf } from "./matrix.ts";
import type { Mutant, Seen } from "./mutant.ts";
import type { Context } from "./proxy/message.ts";
import { type Kill, type Sender, seenBy, trial } from "./trial.ts";

/** Kills after which a mutant has been caught beyond doubt: one with fewer has met every check that it can touch. */
const ENOUGH = 3;

export type Tell = (line: string) => void;

/** Those that may run beside each other, those that want the target for themselves, those that wait: how many at a time. */
const lanes = [
  { width: 8, takes: ({ alone, slow }: Sender) => !alone && !slow },
  { width: 4, takes: ({ alone, slow, effect }: Sender) => alone && !slow && effect === "hostile" },
  { width: 1, takes: ({ alone, slow, effect }: Sender) => alone && !slow && effect !== "hostile" },
  { width: 32, takes: ({ slow }: Sender) => slow },
] as const;

/** What the checks see of a right service. */
interface GoodRun {
  readonly seen: ReadonlyMap<Sender, readonly Seen[]>;
  readonly context: Context;
}

/** Runs the checks against a right service. Throws when one of them is not green there. */
export async function goodRun(checks: readonly Sender[]): Promise<GoodRun> {
  const seen = new Map<Sender, Seen[]>();
  let context: Context | null = null;
  for (const { width, takes } of lanes) {
    await onServices(checks.filter(takes), width, async (check, service) => {
      seen.set(check, await seenBy(check, service));
      context ??= {
        target: new URL(service.url),
        credentials: service.credentials.full,
        state: new Map(),
        random: () => 0.5,
        forward: () => Promise.reject(new Error("nothing is sent to find out what a mutant touches")),
      };
    });
  }
  if (!context) throw new Error("there is nothing to record");
  return { seen, context };
}

/** The checks that a mutant can touch, those that send least first. */
function touchedBy(mutant: Mutant, { seen, context }: GoodRun): Sender[] {
  const touched = [...seen].filter(([check, all]) => all.some((one) => mutant.touches(one, check, context)));
  return touched.sort(([, one], [, other]) => one.length - other.length).map(([check]) => check);
}

/**
 * Tries each mutant by the checks that it can touch until it is caught beyond doubt, and then each check that has caught none
 * yet by the mutants that touch it, those with the fewest kills first.
 */
export async function record(mutants: readonly Mutant[], checks: readonly Sender[], tell: Tell): Promise<Matrix> {
  const good = await goodRun(checks);
  tell(`${good.seen.size} checks, ${[...good.seen.values()].flat().length} answers of a right service`);
  const kills = new Map<Mutant, Kill[]>(mutants.map((mutant) => [mutant, []]));
  const killsOf = (mutant: Mutant) => kills.get(mutant) ?? [];
  const touched = new Map(mutants.map((mutant) => [mutant, touchedBy(mutant, good)]));
  const tried = new Set<string>();
  let trials = 0;
  const attempt = async (mutant: Mutant, check: Sender, service: Parameters<typeof trial>[2]) => {
    tried.add(`${mutant.id}\n${check.id}`);
    trials += 1;
    if (trials % 1_000 === 0) tell(`${trials} trials`);
    const found = await trial(mutant, check, service);
    killsOf(mutant).push(...found);
    return found;
  };
  for (const { width, takes } of lanes) {
    await onServices(
      mutants.filter((mutant) => killsOf(mutant).length < ENOUGH && touched.get(mutant)?.some(takes)),
      width,
      async (mutant, service) => {
        for (const check of (touched.get(mutant) ?? []).filter(takes)) {
          if (killsOf(mutant).length >= ENOUGH) return;
          await attempt(mutant, check, service);
        }
      },
    );
    tell(`${trials} trials, ${mutants.filter((mutant) => killsOf(mutant).length === 0).length} mutants not caught yet`);
  }
  const killers = () => new Set([...kills.values()].flat().map(senderOf));
  const idle = checks.filter(({ id }) => !killers().has(id));
  tell(`${idle.length} checks have caught nothing yet`);
  const touching = (check: Sender) => mutants.filter((mutant) => touched.get(mutant)?.includes(check));
  for (const { width, takes } of lanes) {
    await onServices(idle.filter(takes), width, async (check, service) => {
      const rest = touching(check).filter(({ id }) => !tried.has(`${id}\n${check.id}`));
      for (const mutant of rest.sort((one, other) => killsOf(one).length - killsOf(other).length)) {
        if ((await attempt(mutant, check, service)).length > 0) return;
      }
    });
  }
  tell(`${trials} trials`);
  return Object.fromEntries(
    [...kills].map(([mutant, list]) => [mutant.id, touched.get(mutant)?.length === 0 ? null : list.sort()]),
  );
}
