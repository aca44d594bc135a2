import { hash } from "node:crypto";
import type { Clock } from "../clock.ts";
import { Problem } from "../problem.ts";
import type { RequestFacts } from "../request/request.ts";
import { type IdempotencyKeys, type Once, portion } from "./idempotency-keys.ts";

/** D25: visible ASCII; a blank would also separate two keys that were sent. */
const FORM = /^[!-~]{1,255}$/;

/** What identifies a repeated call of the operation, or null without a key. Throws `invalid-idempotency-key`. */
export function onceOf(
  operation: string,
  { idempotencyKey, caller }: Pick<RequestFacts, "idempotencyKey" | "caller">,
  data: readonly unknown[],
): Omit<Once, "since"> | null {
  if (idempotencyKey === "") return null;
  if (!FORM.test(idempotencyKey)) throw new Problem("invalid-idempotency-key");
  return { id: digest([caller?.keyId, operation, idempotencyKey]), dataDigest: digest(data) };
}

const digest = (parts: readonly unknown[]): string => hash("sha256", JSON.stringify(parts));

/** How often expired keys are deleted, unless keys are kept for less. */
const SWEEP_MS = 600_000;

interface SweepOptions {
  readonly idempotencyKeys: Pick<IdempotencyKeys, "forget">;
  readonly clock: Clock;
  /** How long a key is kept. */
  readonly ttlMs: number;
  /** A failure is reported, and the sweep is tried again the next time. */
  readonly onFault: (error: unknown) => void;
}

/** Regularly deletes expired idempotency keys in portions (D25): no request waits for it. `sweep` does so now. */
export function sweepIdempotencyKeys({ idempotencyKeys, clock, ttlMs, onFault }: SweepOptions) {
  let closed = false;
  let swept = Promise.resolve();

  async function forgetAll(): Promise<void> {
    const before = new Date(clock.now().getTime() - ttlMs);
    while (!closed && (await idempotencyKeys.forget(before)) === portion);
  }
  const sweep = (): Promise<void> => {
    swept = swept.then(forgetAll).catch(onFault);
    return swept;
  };
  const timer = setInterval(sweep, Math.min(SWEEP_MS, ttlMs)).unref();
  return {
    sweep,
    close() {
      closed = true;
      clearInterval(timer);
      return swept;
    },
  };
}
