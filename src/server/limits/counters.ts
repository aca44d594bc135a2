import { LRUCache } from "lru-cache";
import type { Log } from "../log/log.ts";
import type { Config } from "../settings/config.ts";
import { type CountCall, redisCounter } from "./redis.ts";

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

/** Counts since the start, for metrics. */
export interface RateLimitStats {
  /** Calls by limit. */
  readonly calls: Readonly<Record<string, { readonly allowed: number; readonly rejected: number }>>;
  /** Whether Redis is unavailable, so that this process counts alone. */
  readonly isDegraded: boolean;
}

type Settings = Pick<
  Config,
  "name" | "RATE_LIMIT_WINDOW_S" | "RATE_LIMIT_ENTRIES" | "REDIS_URL" | "REDIS_TIMEOUT_MS"
>;

/**
 * Counters in this process, or in the Redis that replicas share; while that is unavailable, in this
 * process again.
 */
export function openCounters(settings: Settings, log: Pick<Log, "info" | "warn">) {
  const { name, REDIS_URL, REDIS_TIMEOUT_MS } = settings;
  const windowMs = settings.RATE_LIMIT_WINDOW_S * 1_000;
  const redis = REDIS_URL === undefined ? null : redisCounter(REDIS_URL, REDIS_TIMEOUT_MS, log);
  const calls: Record<string, { allowed: number; rejected: number }> = {};
  return {
    /** At most `most` calls in each window, of each caller (`who`) separately. */
    open(limit: string, most: number): (who: string) => Promise<Count> {
      const local = memoryCounter(windowMs, settings.RATE_LIMIT_ENTRIES);
      const count = redis?.open(`${name}:${limit}:`, windowMs, local) ?? local;
      const outcomes = { allowed: 0, rejected: 0 };
      calls[limit] = outcomes;
      return async (who) => {
        const { calls, resetMs } = await count(who);
        const over = calls > most;
        outcomes[over ? "rejected" : "allowed"] += 1;
        return { limit, most, left: Math.max(most - calls, 0), over, resetMs };
      };
    },
    stats: (): RateLimitStats => ({ calls, isDegraded: redis?.isDegraded() ?? false }),
    close: () => redis?.close(),
  };
}

/** Fixed windows, each from the first call of a caller, by a clock that is never set. */
function memoryCounter(windowMs: number, entries: number): CountCall {
  // Bounded, since one caller may have any number of addresses. A caller that keeps calling is
  // never the one that is dropped.
  const windows = new LRUCache<string, { calls: number; readonly startedAt: number }>({
    max: entries,
  });
  return (who) => {
    const now = performance.now();
    let window = windows.get(who);
    if (!window || now - window.startedAt >= windowMs) {
      window = { calls: 0, startedAt: now };
      windows.set(who, window);
    }
    window.calls += 1;
    return { calls: window.calls, resetMs: windowMs - (now - window.startedAt) };
  };
}
