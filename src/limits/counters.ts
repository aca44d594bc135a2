import type { Config } from "../config.ts";
import type { Log } from "../log/log.ts";
import { openShared } from "./redis.ts";
import { countAlone } from "./window.ts";

/** The state of a counter after a call was counted. */
export interface Count {
  readonly limit: string;
  /** Calls that are allowed in a window, and those that are left. */
  readonly most: number;
  readonly left: number;
  /** Whether this call was one too many. */
  readonly over: boolean;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/** Counts the calls of each caller (`who`) separately. */
export type Counter = (who: string) => Promise<Count>;

/** Counts since the start, for metrics. */
export interface RateLimitStats {
  /** Calls by limit. */
  readonly calls: Readonly<Record<string, { readonly allowed: number; readonly refused: number }>>;
  /** Whether Redis is unavailable, so that this process counts alone. */
  readonly isAlone: boolean;
}

export interface Counters {
  /** At most `most` calls in each window. */
  open(limit: string, most: number): Counter;
  stats(): RateLimitStats;
  close(): void;
}

type Settings = Pick<Config["rateLimits"], "windowS" | "entries" | "redisUrl" | "redisTimeoutMs">;

/** Counters in this process, or in the Redis that replicas share; while that is unavailable, in this process again. */
export function openCounters(settings: Settings, log: Pick<Log, "info" | "warn">): Counters {
  const { windowS, entries, redisUrl, redisTimeoutMs } = settings;
  const windowMs = windowS * 1_000;
  const shared = redisUrl === undefined ? null : openShared(redisUrl, redisTimeoutMs, log);
  const sums: Record<string, { allowed: number; refused: number }> = {};
  return {
    open(limit, most) {
      const alone = countAlone(windowMs, entries);
      const sum = { allowed: 0, refused: 0 };
      sums[limit] = sum;
      const ask = shared?.counting(`atpoint:${limit}:`, windowMs, alone) ?? alone;
      return async (who) => {
        const { calls, resetMs } = await ask(who);
        const over = calls > most;
        sum[over ? "refused" : "allowed"] += 1;
        return { limit, most, left: Math.max(most - calls, 0), over, resetMs };
      };
    },
    stats: () => ({ calls: sums, isAlone: shared?.isAway() ?? false }),
    close: () => shared?.redis.disconnect(),
  };
}
