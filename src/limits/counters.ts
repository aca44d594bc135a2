import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "../config.ts";
import type { Log } from "../log/log.ts";
import { SafeError } from "../log/safe-error.ts";

/** What a counter says once a call is counted. */
export interface Count {
  readonly limit: string;
  /** Calls that are allowed in a window, and those that are left. */
  readonly most: number;
  readonly left: number;
  /** Whether this call was one too many. */
  readonly over: boolean;
  /** Milliseconds until all are there again. */
  readonly resetMs: number;
}

/** Counts the calls of everybody (`who`) by itself. */
export type Counter = (who: string) => Promise<Count>;

/** What was counted since the start, for metrics. */
export interface Tally {
  /** Calls by limit. */
  readonly calls: Readonly<Record<string, { readonly allowed: number; readonly refused: number }>>;
  /** Whether Redis is away, so that this process counts for itself. */
  readonly isAlone: boolean;
}

export interface Counters {
  /** At most `most` calls in each window. */
  open(limit: string, most: number): Counter;
  tally(): Tally;
  close(): void;
}

type Settings = Pick<Config["rateLimits"], "windowS" | "entries" | "redisUrl" | "redisTimeoutMs">;

/** In this process, or in the Redis that replicas share; while that is away, in this process again. */
export function openCounters(settings: Settings, log: Pick<Log, "info" | "warn">): Counters {
  const shared = settings.redisUrl === undefined ? null : openShared(settings.redisUrl, settings.redisTimeoutMs, log);
  const calls: Record<string, { allowed: number; refused: number }> = {};
  return {
    open(limit, most) {
      const options = { keyPrefix: `atpoint:${limit}`, points: most, duration: settings.windowS };
      const memory = new RateLimiterMemory(options);
      // It has no bound of its own, and one caller may have any number of addresses. Who calls on is never the one forgotten.
      const counted = new LRUCache<string, true>({
        max: settings.entries,
        dispose: (_, who, reason) => void (reason === "evict" && memory.delete(who)),
      });
      const alone = (who: string) => {
        counted.set(who, true);
        // `penalty` counts as `consume` does, and does not throw where it is too many.
        return memory.penalty(who);
      };
      const sum = { allowed: 0, refused: 0 };
      calls[limit] = sum;
      const ask = shared?.counting(new RateLimiterRedis({ ...options, storeClient: shared.redis }), alone) ?? alone;
      return async (who) => {
        const { remainingPoints: left, consumedPoints, msBeforeNext: resetMs } = await ask(who);
        const over = consumedPoints > most;
        sum[over ? "refused" : "allowed"] += 1;
        return { limit, most, left, over, resetMs };
      };
    },
    tally: () => ({ calls, isAlone: shared?.isAway() ?? false }),
    close: () => shared?.redis.disconnect(),
  };
}

/** Read where it is used: it takes 8 MiB, and most services have none. */
const loadRedis = (): typeof import("ioredis") => createRequire(import.meta.url)("ioredis");

/** Throws `SafeError` where Redis does not answer in time. */
export async function pingRedis(url: string, timeoutMs: number): Promise<void> {
  const { Redis } = loadRedis();
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  });
  let cause: unknown;
  redis.on("error", (error) => {
    cause = error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    const says = "The Redis of REDIS_URL does not answer in time: until it does, each replica counts for itself.";
    throw new SafeError(says, { cause: cause ?? error });
  } finally {
    redis.disconnect();
  }
}

/** How long to wait before Redis is tried again. */
const RECONNECT_MS = 500;

function openShared(url: string, timeoutMs: number, log: Pick<Log, "info" | "warn">) {
  const { Redis } = loadRedis();
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => RECONNECT_MS,
  });
  /** How many calls were counted here since it is away; null while it is there. */
  let countedAlone: number | null = null;
  const away = (error: unknown) => {
    if (countedAlone !== null) return;
    countedAlone = 0;
    log.warn("Redis is away: calls are counted by this process alone", {}, error);
  };
  redis.on("error", away);
  redis.on("ready", () => {
    if (countedAlone !== null) log.info("Redis is back: calls are counted together", { countedAlone });
    countedAlone = null;
  });
  return {
    redis,
    isAway: () => countedAlone !== null,
    counting:
      (together: RateLimiterRedis, alone: (who: string) => Promise<RateLimiterRes>) =>
      async (who: string): Promise<RateLimiterRes> => {
        if (redis.status === "ready")
          try {
            return await together.penalty(who);
          } catch (error) {
            away(error);
            // Until it answers again nobody waits for it: a connection counts as ready when a first question is answered.
            if (redis.status === "ready") redis.disconnect(true);
          }
        if (countedAlone !== null) countedAlone += 1;
        return alone(who);
      },
  };
}
