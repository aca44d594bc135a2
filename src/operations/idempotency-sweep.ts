import type { Clock } from "../clock.ts";
import { type IdempotencyKeys, portion } from "../storage/idempotency-keys.ts";

/** How often, unless keys are kept for less. */
const EVERY_MS = 600_000;

interface SweepOptions {
  readonly idempotencyKeys: Pick<IdempotencyKeys, "forget">;
  readonly clock: Clock;
  /** How long a key is kept. */
  readonly ttlMs: number;
  /** A failure is reported, and the sweep is tried again the next time. */
  readonly onFault: (error: unknown) => void;
}

interface Sweep {
  /** Sweeps now; resolves when it is done. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Regularly deletes expired idempotency keys in portions (D25): no request waits for it. */
export function sweepIdempotencyKeys({ idempotencyKeys, clock, ttlMs, onFault }: SweepOptions): Sweep {
  let closed = false;
  let swept = Promise.resolve();

  async function forgetAll(): Promise<void> {
    const before = new Date(clock.now().getTime() - ttlMs);
    while (!closed && (await idempotencyKeys.forget(before)) === portion);
  }
  const sweep = () => {
    swept = swept.then(forgetAll).catch(onFault);
    return swept;
  };
  const timer = setInterval(sweep, Math.min(EVERY_MS, ttlMs)).unref();
  return {
    sweep,
    close() {
      closed = true;
      clearInterval(timer);
      return swept;
    },
  };
}
