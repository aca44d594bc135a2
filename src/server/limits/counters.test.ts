import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { leaveOut } from "../../test/left-out.ts";
import { BOUND_MS } from "../../test/patience.ts";
import { behindProxy } from "../../test/proxy.ts";
import { openCounters } from "./counters.ts";
import { tryRedis } from "./redis.ts";

const server = process.env.TEST_REDIS_URL;
const MOST = 1_000;

/** A process that counts, at most three callers by itself, and what it logs. */
function counting(REDIS_URL: string | undefined, limit: string, most = MOST) {
  const lines: string[] = [];
  const line = (message: string, facts: object = {}) =>
    void lines.push(`${message} ${JSON.stringify(facts)}`);
  const settings = {
    name: "atpoint",
    RATE_LIMIT_WINDOW_S: 60,
    RATE_LIMIT_ENTRIES: 3,
    REDIS_URL,
    REDIS_TIMEOUT_MS: 2_000,
  };
  const counters = openCounters(settings, { info: line, warn: line });
  onTestFinished(() => counters.close());
  return { count: counters.open(limit, most), stats: counters.stats, lines };
}

const alone = (most: number) => counting(undefined, "few", most);

it("counts no more at a time than it may, and forgets none that goes on calling", async () => {
  const { count } = alone(MOST);
  const left = async (who: string) => MOST - (await count(who)).left;
  for (const who of ["b", "c", "d", "e", "f", "g"]) {
    await left("a");
    expect(await left(who)).toBe(1);
  }
  expect(await left("a")).toBe(7);
  expect([await left("b"), await left("g")]).toEqual([1, 2]);
});

it("counts each caller in a window from its first call, whatever the system clock is", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { count, stats } = alone(1);
  const first = { limit: "few", most: 1, left: 0, over: false, resetMs: 60_000 };
  expect(await count("a")).toEqual(first);
  for (const by of [-2_592_000_000, 2_592_000_000, 3_600_000]) {
    vi.setSystemTime(Date.now() + by);
    expect(await count("a")).toMatchObject({ over: true, resetMs: 60_000 });
  }
  vi.advanceTimersByTime(59_999);
  expect(await count("a")).toMatchObject({ over: true, resetMs: 1 });
  expect(await count("b")).toMatchObject({ over: false, resetMs: 60_000 });
  vi.advanceTimersByTime(1);
  expect(await count("a")).toEqual(first);
  expect(await count("b")).toMatchObject({ over: true, resetMs: 59_999 });
  expect(stats()).toEqual({ calls: { few: { allowed: 3, rejected: 5 } }, isDegraded: false });
});

if (server === undefined)
  leaveOut("counts on Redis", "no Redis; set TEST_REDIS_URL=redis://HOST:PORT");

describe.each(server === undefined ? [] : [server])("on Redis", (server) => {
  /** Redis behind a door of ours, by which it can be gone or silent. */
  async function redis() {
    const sockets = new Set<Socket>();
    let state: "there" | "silent" | "gone" = "there";
    const url = await behindProxy(server, (client, behind) => {
      if (state === "gone") return void client.destroy();
      for (const socket of [client, behind]) sockets.add(socket);
      behind.pipe(client);
      if (state === "there") client.pipe(behind);
    });
    const become = (next: typeof state) => {
      state = next;
      for (const socket of sockets) state === "silent" ? socket.unpipe() : socket.destroy();
    };
    onTestFinished(() => become("gone"));
    return { url, become };
  }

  /** Counts until all of them count together: each sees the calls of the other. */
  const together = (counter: ReturnType<typeof counting>, otherCounter: typeof counter) =>
    vi.waitFor(async () => {
      const { left } = await counter.count("a");
      expect((await otherCounter.count("a")).left).toBe(left - 1);
      expect((await counter.count("a")).left).toBe(left - 2);
    }, BOUND_MS);

  it("begins a window again after the clock of Redis was set back", async () => {
    const limit = randomUUID();
    const counter = counting(server, limit);
    const redis = new Redis(server);
    onTestFinished(() => redis.disconnect());
    await vi.waitFor(async () => {
      await counter.count("a");
      expect(await redis.exists(`atpoint:${limit}:a`)).toBe(1);
    }, 60_000);
    await redis.pexpire(`atpoint:${limit}:a`, 3_600_000);
    expect((await counter.count("a")).resetMs).toBe(60_000);
    await redis.pexpire(`atpoint:${limit}:a`, 30_000);
    expect((await counter.count("a")).resetMs).toBeLessThanOrEqual(30_000);
  });

  it.each(["gone", "silent"] as const)(
    "one that is %s is done without, logged once, and used again",
    async (state) => {
      const [{ url, become }, limit] = [await redis(), randomUUID()];
      const [proxied, direct] = [counting(url, limit), counting(server, limit)];
      await together(proxied, direct);
      proxied.lines.length = 0;
      become(state);
      const alone: number[] = [];
      for (let call = 0; call < 5; call++) alone.push((await proxied.count("b")).left);
      // The last question of all may still have been counted there.
      expect(alone.slice(1)).toEqual([0, 1, 2, 3].map((call) => (alone[1] ?? 0) - call));
      expect(proxied.lines).toEqual([
        "Redis is unavailable: calls are counted by this process alone {}",
      ]);
      expect(proxied.stats().isDegraded).toBe(true);
      become("there");
      await together(proxied, direct);
      expect(proxied.stats().isDegraded).toBe(false);
      expect(proxied.lines).toHaveLength(2);
      expect(proxied.lines[1]).toMatch(
        /^Redis is back: calls are counted together \{"countedAlone":\d+\}$/,
      );
    },
  );

  /** Redis behind a door of ours that replies to each count itself, as long as it has a reply. */
  async function refusing() {
    let reply: string | null = null;
    const url = await behindProxy(server, (client, behind) => {
      behind.pipe(client);
      client.on("data", (data) => {
        const counts = data.toString().match(/\r\neval(sha)?\r\n/g) ?? [];
        if (reply === null || counts.length === 0) behind.write(data);
        else client.write(`-${reply}\r\n`.repeat(counts.length));
      });
    });
    const become = (next: typeof reply) => {
      reply = next;
    };
    return { url, become };
  }

  it.each([
    [
      "NOPERM",
      "NOPERM this user has no permissions to run the 'incr' command script: 0, on @user_script:2.",
    ],
    [
      "OOM",
      "ERR Error running script (call to f_0): @user_script:2: @user_script: 2: -OOM " +
        "command not allowed",
    ],
  ])(
    "one that replies %s is done without, logged once a minute, until a count succeeds",
    async (word, text) => {
      vi.useFakeTimers({ toFake: ["performance"] });
      onTestFinished(() => void vi.useRealTimers());
      const [{ url, become }, limit] = [await refusing(), randomUUID()];
      const [proxied, direct] = [counting(url, limit), counting(server, limit)];
      /** A call, after which what it has begun has ended. */
      const call = async () => {
        vi.advanceTimersByTime(500);
        await proxied.count("b");
        await direct.count("c");
      };
      const until = (isDegraded: boolean) =>
        vi.waitFor(async () => {
          await call();
          expect(proxied.stats().isDegraded).toBe(isDegraded);
        }, BOUND_MS);
      const unavailable = expect.stringMatching(`^Redis is unavailable: .*{"reply":"${word}"}$`);
      become(text);
      await until(true);
      for (let round = 0; round < 9; round++) await call();
      expect(proxied.lines).toEqual([unavailable]);
      become(null);
      await until(false);
      expect(proxied.lines).toEqual([unavailable, expect.stringMatching(/^Redis is back: /)]);
      vi.advanceTimersByTime(60_000);
      become(text);
      await until(true);
      expect(proxied.lines).toEqual([unavailable, expect.any(String), unavailable]);
    },
  );

  it("one that allows no scripts, or has another password, is named to doctor", async () => {
    const redis = new Redis(server);
    const user = `atpoint-${randomUUID()}`;
    await redis.call("acl", "setuser", user, "on", ">p", "~*", "+@all", "-@scripting");
    onTestFinished(async () => {
      await redis.call("acl", "deluser", user);
      redis.disconnect();
    });
    const url = Object.assign(new URL(server), { username: user, password: "p" }).href;
    const todo = expect.stringContaining("~atpoint:* +eval");
    expect(await tryRedis(url, BOUND_MS, "atpoint")).toEqual({ reply: "NOPERM", todo });
    expect(await tryRedis(server, BOUND_MS, "atpoint")).toBe(null);
    const wrong = Object.assign(new URL(url), { password: "q" }).href;
    expect(await tryRedis(wrong, BOUND_MS, "atpoint")).toMatchObject({ reply: "WRONGPASS" });
  });
});
