import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serve } from "../proof/kits/server.test-kit.ts";
import { noGateway, Withheld } from "./gateway.ts";
import { clientOf, requestTo } from "./line.test-kit.ts";
import { DEFAULT_RETRY_AFTER_MS, MOST_UNANSWERED, Pace, retryAfterMs, Stopped } from "./pace.ts";

const NOBODY = "http://127.0.0.1:1";

/** Answers with this status and fields so many times, then with 200. */
async function busy(times: number, status: number, fields: Record<string, string>, code: string) {
  let asked = 0;
  const url = await serve((_, response) => {
    asked += 1;
    if (asked > times) response.end("{}");
    else response.writeHead(status, fields).end(JSON.stringify({ code }));
  });
  return { url, asked: () => asked };
}

describe("a target that is busy", () => {
  const AT_ONCE = { "Retry-After": "0" };
  it.each<[number, number, Record<string, string>, string, number, number]>([
    [1, 429, {}, "rate-limited", 2, 200],
    [1, 429, AT_ONCE, "x", 2, 200],
    [1, 503, AT_ONCE, "overloaded", 2, 200],
    // It has answered when it says so without a time, or for another reason.
    [1, 503, {}, "overloaded", 1, 503],
    [1, 503, AT_ONCE, "shutting-down", 1, 503],
    [Number.POSITIVE_INFINITY, 503, AT_ONCE, "overloaded", 21, 503],
  ])(
    "%s times: %s %j %s: gets the request %i times and answers %i",
    async (times, status, fields, code, sent, last) => {
      const { url, asked } = await busy(times, status, fields, code);
      expect((await clientOf(url).send(requestTo(url))).response).toMatchObject({ status: last });
      expect(asked()).toBe(sent);
    },
  );

  it("ends the run at once when it wants a longer pause than is left", async () => {
    const { url, asked } = await busy(1, 429, { "Retry-After": "3600" }, "rate-limited");
    const client = clientOf(url, { left: 60_000 });
    const why =
      "the target answers 429 with Retry-After: 3600 and wants a pause of 3600 s: longer than is left";
    for (const _time of [1, 2])
      await expect(client.send(requestTo(url))).rejects.toThrow(new Stopped(why));
    expect(asked()).toBe(1);
  });

  it("ends the run when it answers nothing but 429", async () => {
    const { url } = await busy(Number.POSITIVE_INFINITY, 429, AT_ONCE, "rate-limited");
    const client = clientOf(url, { patienceMs: 100 });
    const why = /^the target has answered 429 with Retry-After: 0 to every request for \d+ s$/;
    await expect(client.send(requestTo(url))).rejects.toThrow(why);
    await expect(client.converse([Buffer.from("x")], { heads: [false] })).rejects.toThrow(why);
  });
});

it("a target that has gone is not asked for ever", async () => {
  const client = clientOf(NOBODY);
  for (let n = 0; n < MOST_UNANSWERED; n += 1) await client.send(requestTo(NOBODY));
  await expect(client.send(requestTo(NOBODY))).rejects.toThrow("the target has gone");
});

it("the fields of a gateway withhold a request that they would change", async () => {
  const gateway = { ...noGateway, fields: [["X-Gate", "open"] as const] };
  const client = clientOf(NOBODY, { gateway });
  const many = Array.from({ length: 98 }, (_, n) => [`X-${n}`, "x"] as const);
  for (const fields of [
    [["x-gate", "shut"] as const],
    many,
    [["X-Long", "x".repeat(16_340)] as const],
  ])
    await expect(client.send(requestTo(NOBODY, { fields }))).rejects.toThrow(Withheld);
});

describe("the pace", () => {
  const begin = (intervalMs = 0) => {
    const stop = new AbortController();
    const lines: string[] = [];
    const tell = (line: string) => lines.push(line);
    const deadline = { endsAt: Number.POSITIVE_INFINITY };
    return { stop, lines, pace: new Pace({ intervalMs, signal: stop.signal, deadline, tell }) };
  };

  it("reads Retry-After as seconds or a date, and has an answer for everything else", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(retryAfterMs("3", now)).toBe(3000);
    expect(retryAfterMs("Thu, 01 Jan 2026 00:00:05 GMT", now)).toBe(5000);
    for (const other of [undefined, "soon"])
      expect(retryAfterMs(other, now)).toBe(DEFAULT_RETRY_AFTER_MS);
    expect(retryAfterMs("0", now)).toBeGreaterThan(0);
  });

  it("waits for a target again, with a line, once a request got through", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { pace, lines } = begin();
    for (let n = 0; n < 3; n += 1) {
      for (let waited = 0; waited < 100_000; waited += 500) {
        pace.pause(500, "429");
        vi.advanceTimersByTime(500);
      }
      expect(lines).toEqual(Array.from({ length: n + 1 }, () => "waiting: 429 to every request"));
      pace.passed();
    }
  });

  it("lets requests start one after the other, some at once, however slow it is, and what comes then later", async () => {
    const { pace } = begin(1);
    await pace.turn();
    await pace.turn();
    const slow = begin(3_600_000);
    await slow.pace.atOnce(8);
    await Promise.all(Array.from({ length: 8 }, () => slow.pace.turn()));
    const later = slow.pace.turn();
    slow.stop.abort(new Error("enough"));
    await expect(later).rejects.toThrow(new Stopped("enough"));
  });

  it("says what it waits for, once, and ends a wait when the run ends", async () => {
    const { pace, stop, lines } = begin();
    // Longer than the maximum of a Node timer.
    for (let n = 0; n < 3; n += 1) pace.pause(2 ** 40, "429 with Retry-After: 1099511628");
    pace.pause(100, "429");
    expect(lines).toEqual(["waiting 1099511628 s: 429 with Retry-After: 1099511628"]);
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const turn = pace.turn();
    await setImmediate();
    stop.abort(new Error("enough"));
    await expect(turn).rejects.toThrow(new Stopped("enough"));
    expect(warnings).toEqual([]);
  });
});
