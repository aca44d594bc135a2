import { createRequire } from "node:module";
import type { Result } from "ioredis";
import { ExpectedError } from "../expected-error.ts";
import type { Log } from "../log/log.ts";

/** Loaded where it is used: it takes 8 MiB, and most services have no Redis. */
const loadRedis = (): typeof import("ioredis") => createRequire(import.meta.url)("ioredis");

/**
 * A key in Redis expires by its clock: if that was set back, the window begins again rather than
 * lasting longer.
 */
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

const optionsOf = (timeoutMs: number) => ({
  connectTimeout: timeoutMs,
  commandTimeout: timeoutMs,
  scripts: { countCall: { lua: COUNT, numberOfKeys: 1 } },
});

/**
 * The first word of a reply that is an error, such as NOPERM; undefined for another error. Redis 6
 * and older put what a command in a script replies behind their own text.
 */
function replyWord(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "ReplyError") return undefined;
  return /^(?:ERR Error running script.* -)?([A-Z]+)/s.exec(error.message)?.[1];
}

const ofCluster = "Name a server that is not a node of a cluster: a count has one connection.";
const logIn = "Correct user and password in REDIS_URL.";
const wait = "Wait until it has finished, and look into its log.";

/** What to do, by the first word of the reply. */
const REMEDIES: Readonly<Record<string, string>> = {
  NOPERM: "Allow the user: `acl setuser USER ~KEYSPACE:* +eval +evalsha +incr +pttl +pexpire`.",
  NOAUTH: logIn,
  WRONGPASS: logIn,
  READONLY: "Name the primary in REDIS_URL: this is a replica.",
  OOM: "Raise maxmemory of the server, or set `maxmemory-policy volatile-ttl`: counts expire.",
  MOVED: ofCluster,
  ASK: ofCluster,
  CLUSTERDOWN: ofCluster,
  LOADING: wait,
  BUSY: wait,
  MASTERDOWN: wait,
  MISCONF: "Make room on the disk of the server: it cannot save, and accepts no change.",
};

/** Keys of so many slots are tried: a node of a cluster has only some of them. */
const TRIED_KEYS = 16;

/**
 * Counts as the service does. Returns null when Redis does so, or the first word of its reply, and
 * what to do. Throws `ExpectedError` when it does not respond in time.
 */
export async function tryRedis(url: string, timeoutMs: number, keyspace: string) {
  const { Redis } = loadRedis();
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, ...optionsOf(timeoutMs) });
  const errors: unknown[] = [];
  redis.on("error", (error) => errors.push(error));
  try {
    await redis.connect();
    for (let serial = 0; serial < TRIED_KEYS; serial++)
      await redis.countCall(`${keyspace}:doctor:${serial}`, 1);
    return null;
  } catch (error) {
    const cause = errors.at(-1) ?? error;
    const reply = replyWord(cause);
    const says =
      "The Redis of REDIS_URL does not respond in time: until it does, each replica counts alone.";
    if (reply === undefined) throw new ExpectedError(says, { cause });
    const todo = REMEDIES[reply] ?? "Let it run the script of the service: EVAL and EVALSHA.";
    return { reply, todo: todo.replace("KEYSPACE", keyspace) };
  } finally {
    redis.disconnect();
  }
}

/** How long to wait before Redis is tried again. */
const RETRY_MS = 500;

/** At most one line that Redis is unavailable is written in this time. */
const LINE_MS = 60_000;

type Calls = { readonly calls: number; readonly resetMs: number };

/** The calls of a caller in the current window, this one counted, and how long the window lasts. */
export type CountCall = (who: string) => Calls | Promise<Calls>;

/** Counts in Redis, and with `local` while that is unavailable, or rejects a count. */
export function redisCounter(url: string, timeoutMs: number, log: Pick<Log, "info" | "warn">) {
  const { Redis } = loadRedis();
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    ...optionsOf(timeoutMs),
    retryStrategy: () => RETRY_MS,
  });
  /**
   * While Redis is unavailable: how many calls were counted here since, and the key that is tried
   * until it can be counted.
   */
  let outage: { countedAlone: number; key: string | undefined; isLogged: boolean } | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const fail = (error: unknown, key?: string) => {
    outage ??= { countedAlone: 0, key, isLogged: false };
    outage.key ??= key;
    if (outage.isLogged || performance.now() - loggedAt < LINE_MS) return;
    outage.isLogged = true;
    loggedAt = performance.now();
    const facts = { reply: replyWord(error) };
    log.warn("Redis is unavailable: calls are counted by this process alone", facts, error);
  };
  const count = async (key: string, windowMs: number): Promise<Calls> => {
    const begun = outage;
    try {
      const [calls, resetMs] = await redis.countCall(key, windowMs);
      return { calls, resetMs };
    } catch (error) {
      // Closed by the first of the calls that fail together: with a frozen Redis, its connection
      // takes a while to close.
      if (replyWord(error) === undefined && redis.status === "ready" && outage === begun)
        redis.disconnect(true);
      fail(error, key);
      throw error;
    }
  };
  /**
   * While it is unavailable no call waits for it, and no other key shows that it counts: a node of
   * a cluster counts some of them.
   */
  const tryAgain = async (key: string, windowMs: number) => {
    if (redis.status !== "ready" || performance.now() - triedAt < RETRY_MS) return;
    triedAt = performance.now();
    const tried = outage;
    await count(tried?.key ?? key, windowMs);
    if (outage !== tried) return;
    if (tried?.isLogged)
      log.info("Redis is back: calls are counted together", { countedAlone: tried.countedAlone });
    outage = null;
  };
  redis.on("error", (error) => fail(error));
  return {
    close: () => redis.disconnect(),
    isDegraded: () => outage !== null,
    open:
      (prefix: string, windowMs: number, local: CountCall): CountCall =>
      async (who) => {
        const key = prefix + who;
        // A connection counts as ready when a first command is answered.
        if (redis.status === "ready" && outage === null) {
          const counted = await count(key, windowMs).catch(() => null);
          if (counted) return counted;
        } else if (outage !== null) tryAgain(key, windowMs).catch(() => {});
        if (outage !== null) outage.countedAlone += 1;
        return local(who);
      },
  };
}
