import { createRequire } from "node:module";
import type { Result } from "ioredis";
import type { Log } from "../log/log.ts";
import { SafeError } from "../safe-error.ts";

/** Loaded where it is used: it takes 8 MiB, and most services have no Redis. */
const loadRedis = (): typeof import("ioredis") => createRequire(import.meta.url)("ioredis");

const within = (timeoutMs: number) => ({ connectTimeout: timeoutMs, commandTimeout: timeoutMs });

/** Throws `SafeError` when Redis does not respond in time. */
export async function pingRedis(url: string, timeoutMs: number): Promise<void> {
  const { Redis } = loadRedis();
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, ...within(timeoutMs) });
  const errors: unknown[] = [];
  redis.on("error", (error) => errors.push(error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    const says = "The Redis of REDIS_URL does not respond in time: until it does, each replica counts alone.";
    throw new SafeError(says, { cause: errors.at(-1) ?? error });
  } finally {
    redis.disconnect();
  }
}

/** How long to wait before Redis is tried again. */
const RECONNECT_MS = 500;

/** A key in Redis expires by its clock: if that was set back, the window begins again rather than lasting longer. */
const COUNT = `
local calls = redis.call('incr', KEYS[1])
local left = redis.call('pttl', KEYS[1])
if left < 0 or left > tonumber(ARGV[1]) then
  redis.call('pexpire', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {calls, left}`;

declare module "ioredis" {
  interface RedisCommander<Context> {
    countCall(key: string, windowMs: number): Result<[calls: number, resetMs: number], Context>;
  }
}

type Calls = { readonly calls: number; readonly resetMs: number };

/** The calls of a caller in the current window, this one counted, and how long the window lasts. */
export type CountCall = (who: string) => Calls | Promise<Calls>;

/** Counts in Redis, and with `local` while that is unavailable. */
export function redisCounter(url: string, timeoutMs: number, log: Pick<Log, "info" | "warn">) {
  const { Redis } = loadRedis();
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    ...within(timeoutMs),
    retryStrategy: () => RECONNECT_MS,
    scripts: { countCall: { lua: COUNT, numberOfKeys: 1 } },
  });
  /** How many calls were counted here since Redis became unavailable; null while it is available. */
  let countedAlone: number | null = null;
  const degrade = (error: unknown) => {
    if (countedAlone !== null) return;
    countedAlone = 0;
    log.warn("Redis is unavailable: calls are counted by this process alone", {}, error);
  };
  redis.on("error", degrade);
  redis.on("ready", () => {
    if (countedAlone !== null) log.info("Redis is back: calls are counted together", { countedAlone });
    countedAlone = null;
  });
  return {
    close: () => redis.disconnect(),
    isDegraded: () => countedAlone !== null,
    open:
      (prefix: string, windowMs: number, local: CountCall): CountCall =>
      async (who) => {
        // While it is unavailable no call waits for it: a connection counts as ready when a first command is answered.
        if (redis.status === "ready" && countedAlone === null)
          try {
            const [calls, resetMs] = await redis.countCall(prefix + who, windowMs);
            return { calls, resetMs };
          } catch (error) {
            // Closed by the first of the calls that fail together: with a frozen Redis, its connection takes a while to close.
            if (redis.status === "ready" && countedAlone === null) redis.disconnect(true);
            degrade(error);
          }
        if (countedAlone !== null) countedAlone += 1;
        return local(who);
      },
  };
}
