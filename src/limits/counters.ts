import { createRequire } from "node:module";
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "../config.ts";
import type { Log } from "../log/log.ts";

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

export interface Counters {
  /** At most `most` calls in each window. */
  open(limit: string, most: number): Counter;
  close(): void;
}

type Settings = Pick<Config["rateLimits"], "windowS" | "redisUrl" | "redisTimeoutMs">;

/** In this process, or in the Redis that replicas share; while that is away, in this process again. */
export function openCounters(settings: Settings, log: Pick<Log, "info" | "warn">): Counters {
  const shared = settings.redisUrl === undefined ? null : openShared(settings.redisUrl, settings.redisTimeoutMs, log);
  return {
    open(limit, most) {
      const options = { keyPrefix: `atpoint:${limit}`, points: most, duration: settings.windowS };
      const memory = new RateLimiterMemory(options);
      // `penalty` counts as `consume` does, and does not throw where it is too many.
      const alone = (who: string) => memory.penalty(who);
      const ask = shared?.counting(new RateLimiterRedis({ ...options, storeClient: shared.redis }), alone) ?? alone;
      return async (who) => {
        const { remainingPoints: left, consumedPoints, msBeforeNext: resetMs } = await ask(who);
        return { limit, most, left, over: consumedPoints > most, resetMs };
      };
    },
    close: () => shared?.redis.disconnect(),
  };
}

/** How long to wait before Redis is tried again. */
const RECONNECT_MS = 500;

function openShared(url: string, timeoutMs: number, log: Pick<Log, "info" | "warn">) {
  // Read where it is used: it takes 8 MiB, and most services have none.
  const { Redis }: typeof import("ioredis") = createRequire(import.meta.url)("ioredis");
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
