import { setImmediate } from "node:timers/promises";
import type { Check, TargetCheck } from "../checks/check.ts";
import { secretsOf } from "../client/credentials.ts";
import { shuffle } from "../client/random.ts";
import { createSession } from "../client/session.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { excused, type Faults, faultsOf } from "./blame.ts";
import { type Judgement, judgeTarget, Overall } from "./judge.ts";
import { judgePair } from "./parity.ts";
import type { RunOptions } from "./run-options.ts";
import { createShortener } from "./shorten.ts";

/** Number of parallel checks, unless `--concurrency` says otherwise. */
export const DEFAULT_CONCURRENCY = 8;

/** How long laws may keep the process from anything else. */
const LONGEST_TURN_MS = 5;

/** Does the work for every item, `width` at a time, in their order. */
export async function pool<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}

/**
 * Calm checks in parallel, then those that need the target exclusively (the last ones last), then those that wait for a time-out.
 */
async function schedule(
  checks: readonly TargetCheck[],
  concurrency: number,
  work: (check: TargetCheck) => Promise<void>,
): Promise<void> {
  await pool(
    checks.filter(({ alone, slow }) => !alone && !slow),
    concurrency,
    work,
  );
  const [early, late] = [false, true].map((wanted) =>
    checks.filter(({ alone, slow, last }) => alone && !slow && last === wanted),
  );
  await pool([...(early ?? []), ...(late ?? [])], 1, work);
  // Each of them waits on its own connection: in sequence they would take minutes.
  await pool(
    checks.filter(({ slow }) => slow),
    concurrency,
    work,
  );
}

/** Runs the selected checks in the order of the seed: those with a target, the comparison, then those over all exchanges. Returns the number of requests. */
export async function judgeAll(
  selected: readonly Check[],
  session: Session,
  options: RunOptions,
  asked: readonly Exchange[],
  add: (judgement: Judgement) => void,
): Promise<number> {
  const order = shuffle(selected, options.seed);
  const secrets = [options, options.other].flatMap((one) => (one ? secretsOf(one.credentials) : []));
  const overall = order.flatMap((check) =>
    check.kind === "exchanges" ? [new Overall(check, secrets, session.model)] : [],
  );
  const shorten = createShortener();
  let requests = 0;
  let pausedAt = performance.now();
  const see = async (check: string | null, exchanges: readonly Exchange[]) => {
    requests += exchanges.length;
    for (const exchange of exchanges) {
      // Lets sockets and the deadline timer run: scanning long responses takes time.
      if (performance.now() - pausedAt > LONGEST_TURN_MS) {
        await setImmediate();
        pausedAt = performance.now();
      }
      if (session.stop.aborted) return;
      // Nothing can be verified of a truncated body.
      if (exchange.answer?.body.omitted) continue;
      for (const one of overall) {
        const adding = one.see({ check, exchange });
        if (adding) await adding;
      }
    }
  };
  const keep = async (judgement: Judgement) => {
    await see(judgement.check.id, judgement.exchanges);
    add(shorten(judgement));
  };
  await see(null, asked);
  const targets = order.flatMap((check) => (check.kind === "target" ? [check] : []));
  const origin = options.selection.origin === "given" ? "given" : "decided";
  const asks = options.preflight !== false && targets.length > 0;
  const creates = targets.some(({ effect }) => effect === "write");
  const faults: Faults = asks ? await faultsOf(session, origin, creates, (some) => see(null, some)) : new Map();
  await schedule(targets, options.concurrency, async (check) =>
    keep(excused(await judgeTarget(check, session), faults)),
  );
  const pairs = order.flatMap((check) => (check.kind === "pair" ? [check] : []));
  if (options.other) {
    const { runId, seed, timeoutMs, mayHarm, leeway, gateway, stop } = session;
    const other = createSession(
      {
        ...options.other,
        oracle: options.oracle,
        runId,
        seed,
        timeoutMs,
        mayWrite: false,
        mayHarm,
        leeway,
        gateway,
        onUser: () => {},
      },
      stop,
    );
    for (const check of pairs) await keep(await judgePair(check, other, session, options.exceptions ?? []));
  }
  const whole = !session.stop.aborted && !session.pace.gone;
  for (const one of overall) add(shorten(await one.end(whole)));
  return requests;
}
