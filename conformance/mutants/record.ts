import type { RunningService } from "../test/service.test-kit.ts";
import { isEquivalent } from "./justified.ts";
import { type Bench, onServices } from "./laboratory.ts";
import { judgeOf, type Matrix, senderOf } from "./matrix.ts";
import type { Mutant, Seen } from "./mutant.ts";
import type { Context } from "./proxy/message.ts";
import { type Kill, type Sender, seenBy, senders, trial } from "./trial.ts";

/** Checks by which a mutant is tried at most, spread over all that it can touch, those that send least first. */
const TRIES = 60;

export type Tell = (line: string) => void;

/** Those that may run beside each other, those that want the target for themselves, those that wait: how many at a time. */
const lanes = [
  { width: 8, takes: ({ alone, slow }: Sender) => !alone && !slow },
  { width: 4, takes: ({ alone, slow, effect }: Sender) => alone && !slow && effect === "hostile" },
  { width: 1, takes: ({ alone, slow, effect }: Sender) => alone && !slow && effect !== "hostile" },
  { width: 32, takes: ({ slow }: Sender) => slow },
] as const;

const itself = (check: Sender) => check;

/** Does the work for every item, in the lane of its check. */
export async function onLanes<T>(
  items: readonly T[],
  checkOf: (item: T) => Sender,
  work: (item: T, service: RunningService) => Promise<void>,
  bench: Bench = onServices,
): Promise<void> {
  for (const { width, takes } of lanes) {
    await bench(
      items.filter((item) => takes(checkOf(item))),
      width,
      work,
    );
  }
}

/** What the checks see of a right service. */
interface GoodRun {
  readonly seen: ReadonlyMap<Sender, readonly Seen[]>;
  readonly context: Context;
}

/** Runs the checks against a right service. Throws when one of them is not green there. */
export async function goodRun(checks: readonly Sender[], bench?: Bench): Promise<GoodRun> {
  const seen = new Map<Sender, Seen[]>();
  let context: Context | null = null;
  const look = async (check: Sender, service: RunningService) => {
    seen.set(check, await seenBy(check, service));
    context ??= {
      target: new URL(service.url),
      credentials: service.credentials.full,
      state: new Map(),
      random: () => 0.5,
      forward: () => Promise.reject(new Error("nothing is sent to find out what a mutant touches")),
    };
  };
  await onLanes(checks, itself, look, bench);
  if (!context) throw new Error("there is nothing to record");
  return { seen, context };
}

/** The checks that a mutant can touch, those that send least first. */
function touchedBy(mutant: Mutant, { seen, context }: GoodRun): Sender[] {
  const touches = (check: Sender, one: Seen) => {
    try {
      return mutant.touches(one, check, context);
    } catch (error) {
      throw new Error(`"${mutant.id}" cannot say whether it touches ${check.id}`, { cause: error });
    }
  };
  const touched = [...seen].filter(([check, all]) => all.some((one) => touches(check, one)));
  return touched.sort(([, one], [, other]) => one.length - other.length).map(([check]) => check);
}

/** Which of these mutants, of those that touch something, none of these checks catches: each is tried until one does. */
export async function survivors(
  mutants: readonly Mutant[],
  checks: readonly Sender[],
  bench: Bench,
): Promise<readonly Mutant[]> {
  const good = await goodRun(checks, bench);
  const open = new Map(mutants.map((mutant) => [mutant, touchedBy(mutant, good)]));
  for (const [mutant, touched] of open) if (touched.length === 0) open.delete(mutant);
  for (const { width, takes } of lanes)
    await bench([...open], width, async ([mutant, touched], service) => {
      for (const check of touched.filter(takes))
        if ((await trial(mutant, check, service)).length > 0) {
          open.delete(mutant);
          return;
        }
    });
  return [...open.keys()];
}

/** Mutants by which a check without a kill is tried at most: those that touch the fewest checks come first. */
const ATTEMPTS = 400;

/** So many of them at most, the first and others at even distances. */
function spread<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, items.length / most);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** What is known already, where mutant and check still exist. */
function kept(previous: Matrix, mutants: readonly Mutant[]): Map<Mutant, Kill[]> {
  const known = new Set(senders.map(({ id }) => id));
  const kills = ({ id }: Mutant) => (previous[id] ?? []).filter((kill) => known.has(senderOf(kill)));
  return new Map(mutants.map((mutant) => [mutant, kills(mutant)]));
}

/**
 * Tries each mutant that nothing is known of by checks that it can touch, until one catches it; and then each check that has
 * caught none by mutants that touch it. `previous`: what need not be tried again. `save` is told now and then what is known.
 */
export async function record(
  mutants: readonly Mutant[],
  checks: readonly Sender[],
  previous: Matrix,
  tell: Tell,
  save: (matrix: Matrix) => void,
): Promise<Matrix> {
  const good = await goodRun(checks);
  tell(`${good.seen.size} checks, ${[...good.seen.values()].flat().length} answers of a right service`);
  const kills = kept(previous, mutants);
  const killsOf = (mutant: Mutant) => kills.get(mutant) ?? [];
  const touched = new Map(mutants.map((mutant) => [mutant, touchedBy(mutant, good)]));
  const tried = new Set<string>();
  const attempt = async (mutant: Mutant, check: Sender, service: RunningService) => {
    tried.add(`${mutant.id}\n${check.id}`);
    if (tried.size % 1_000 === 0) tell(`${tried.size} trials`);
    const found = await trial(mutant, check, service);
    killsOf(mutant).push(...found);
    return found;
  };
  const known = () =>
    Object.fromEntries(
      [...kills].map(([mutant, list]) => [
        mutant.id,
        // Of some checks only, nothing more is learnt about what none of them touches.
        list.length === 0 && touched.get(mutant)?.length === 0
          ? (previous[mutant.id] ?? null)
          : [...new Set(list)].sort(),
      ]),
    );
  const isOpen = (mutant: Mutant) => killsOf(mutant).length === 0 && touched.get(mutant)?.length !== 0;
  const fresh = mutants.filter((mutant) => isOpen(mutant) && !isEquivalent(mutant.id));
  tell(`${fresh.length} of ${mutants.length} mutants are to be tried`);
  for (const { width, takes } of lanes) {
    const open = fresh.filter((mutant) => isOpen(mutant) && touched.get(mutant)?.some(takes));
    await onServices(open, width, async (mutant, service) => {
      for (const check of spread((touched.get(mutant) ?? []).filter(takes), TRIES))
        if ((await attempt(mutant, check, service)).length > 0) return;
    });
    save(known());
    tell(`${tried.size} trials, ${fresh.filter(isOpen).length} mutants are not caught`);
  }
  const red = new Set([...kills.values()].flat().map(judgeOf));
  const idle = checks.filter(({ id }) => !red.has(id));
  tell(`${idle.length} checks have caught nothing yet`);
  const width = (mutant: Mutant) => touched.get(mutant)?.length ?? 0;
  await onLanes(idle, itself, async (check, service) => {
    const rest = mutants.filter((one) => touched.get(one)?.includes(check) && !tried.has(`${one.id}\n${check.id}`));
    for (const mutant of rest.sort((one, other) => width(one) - width(other)).slice(0, ATTEMPTS)) {
      const found = await attempt(mutant, check, service);
      if (found.some((kill) => judgeOf(kill) === check.id)) return;
    }
  });
  tell(`${tried.size} trials`);
  return known();
}
