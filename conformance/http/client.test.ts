import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serve } from "../proof/kits/server.test-kit.ts";
import { noGateway, Withheld } from "./gateway.ts";
import { clientOf, requestTo } from "./line.test-kit.ts";
import { DEFAULT_RETRY_AFTER_MS, MOST_UNANSWERED, Pace, retryAfterMs, Stopped } from "./pace.ts";

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
  it.each([
    [429, {}, "rate-limited"],
    [429, { "Retry-After": "0" }, "x"],
    [503, { "Retry-After": "0" }, "overloaded"],
  ])("gets the request again: %s %j %s", async (status, fields, code) => {
    const { url, asked } = await busy(1, status, fields, code);
    expect((await clientOf(url).send(requestTo(url))).response).toMatchObject({ status: 200 });
    expect(asked()).toBe(2);
  });

  it.each([
    [503, {}, "overloaded"],
    [503, { "Retry-After": "0" }, "shutting-down"],
  ])("has answered when it says so without a time, or for another reason: %s %j %s", async (status, fields, code) => {
    const { url, asked } = await busy(1, status, fields, code);
    expect((await clientOf(url).send(requestTo(url))).response).toMatchObject({ status: 503 });
    expect(asked()).toBe(1);
  });

  it("is overloaded only so often", async () => {
    const { url, asked } = await busy(Number.POSITIVE_INFINITY, 503, { "Retry-After": "0" }, "overloaded");
    expect((await clientOf(url).send(requestTo(url))).response).toMatchObject({ status: 503 });
    expect(asked()).toBe(21);
  });

  it("ends the run at once when it wants a longer pause than is left", async () => {
    const { url, asked } = await busy(1, 429, { "Retry-After": "3600" }, "rate-limited");
    const client = clientOf(url, { left: 60_000 });
    const why = "the target answers 429 with Retry-After: 3600 and wants a pause of 3600 s: longer than is left";
    await expect(client.send(requestTo(url))).rejects.toThrow(new Stopped(why));
    await expect(client.send(requestTo(url))).rejects.toThrow(why);
    expect(asked()).toBe(1);
  });
});

describe("a target that answers nothing but 429", () => {
  it("ends the run, and is named", async () => {
    const { url } = await busy(Number.POSITIVE_INFINITY, 429, { "Retry-After": "0" }, "rate-limited");
    const client = clientOf(url, { patienceMs: 100 });
    const why = /^the target has answered 429 with Retry-After: 0 to every request for \d+ s$/;
    await expect(client.send(requestTo(url))).rejects.toThrow(why);
    await expect(client.converse([Buffer.from("x")], { heads: [false] })).rejects.toThrow(why);
  });

  it("is waited for again, with a line, once a request got through", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const lines: string[] = [];
    const pace = new Pace({
      ...{ intervalMs: 0, signal: new AbortController().signal, deadline: { endsAt: Number.POSITIVE_INFINITY } },
      tell: (line) => lines.push(line),
    });
    for (let n = 0; n < 3; n += 1) {
      for (let waited = 0; waited < 100_000; waited += 500) {
        pace.pause(500, "429");
        vi.advanceTimersByTime(500);
      }
      expect(lines).toEqual(Array.from({ length: n + 1 }, () => "waiting: 429 to every request"));
      pace.passed();
    }
  });
});

describe("a target that has gone", () => {
  it("is not asked for ever", async () => {
    const url = "http://127.0.0.1:1";
    const client = clientOf(url);
    for (let n = 0; n < MOST_UNANSWERED; n += 1) await client.send(requestTo(url));
    await expect(client.send(requestTo(url))).rejects.toThrow("the target has gone");
  });
});

describe("the fields of a gateway", () => {
  const gateway = { ...noGateway, fields: [["X-Gate", "open"] as const] };

  it("are sent and recorded", async () => {
    let told: unknown;
    const url = await serve(({ headers }, response) => {
      told = headers["x-gate"];
      response.end();
    });
    const { request } = await clientOf(url, { gateway }).send(requestTo(url));
    expect([told, request.fields.at(-1)]).toEqual(["open", ["X-Gate", "open"]]);
  });

  it("withhold a request that they would change", async () => {
    const url = "http://127.0.0.1:1";
    const client = clientOf(url, { gateway });
    const many = Array.from({ length: 98 }, (_, n) => [`X-${n}`, "x"] as const);
    for (const fields of [[["x-gate", "shut"] as const], many, [["X-Long", "x".repeat(16_340)] as const]])
      await expect(client.send(requestTo(url, { fields }))).rejects.toThrow(Withheld);
  });
});

describe("the pace", () => {
  const signal = new AbortController().signal;

  it("reads Retry-After as seconds or a date, and has an answer for everything else", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(retryAfterMs("3", now)).toBe(3000);
    expect(retryAfterMs("Thu, 01 Jan 2026 00:00:05 GMT", now)).toBe(5000);
    expect(retryAfterMs(undefined, now)).toBe(DEFAULT_RETRY_AFTER_MS);
    expect(retryAfterMs("soon", now)).toBe(DEFAULT_RETRY_AFTER_MS);
    expect(retryAfterMs("0", now)).toBeGreaterThan(0);
  });

  it("lets requests start one after the other", async () => {
    const pace = new Pace({ intervalMs: 1, signal, deadline: { endsAt: Number.POSITIVE_INFINITY }, tell: () => {} });
    await pace.turn();
    await pace.turn();
  });

  it("lets some be sent at once, however slow it is, and what comes then later", async () => {
    const stop = new AbortController();
    const pace = new Pace({
      ...{ intervalMs: 3_600_000, signal: stop.signal, deadline: { endsAt: Number.POSITIVE_INFINITY }, tell: () => {} },
    });
    await pace.atOnce(8);
    await Promise.all(Array.from({ length: 8 }, () => pace.turn()));
    const later = pace.turn();
    stop.abort(new Error("enough"));
    await expect(later).rejects.toThrow(new Stopped("enough"));
  });

  it("says what it waits for, once, and ends a wait when the run ends", async () => {
    const stop = new AbortController();
    const lines: string[] = [];
    const tell = (line: string) => lines.push(line);
    const pace = new Pace({ intervalMs: 0, signal: stop.signal, deadline: { endsAt: Number.POSITIVE_INFINITY }, tell });
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
