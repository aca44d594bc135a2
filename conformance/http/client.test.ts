import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../proof/kits/server.test-kit.ts";
import { clientOf, requestTo } from "./endpoint.test-kit.ts";
import { DEFAULT_RETRY_AFTER_MS, RateLimiter, RunAborted, retryAfterMs } from "./rate-limiter.ts";

const AT_ONCE = { "Retry-After": "0" };
const OVERLOADED = { code: "overloaded" };
it.each<[number, number, Record<string, string>, object, number, number]>([
  [1, 429, {}, { code: "rate-limited" }, 2, 200],
  [1, 429, AT_ONCE, {}, 2, 200],
  [1, 503, AT_ONCE, OVERLOADED, 2, 200],
  // It has answered when it says so without a time, or for another reason.
  [1, 503, {}, OVERLOADED, 1, 503],
  [1, 503, AT_ONCE, { code: "shutting-down" }, 1, 503],
  [Number.POSITIVE_INFINITY, 503, AT_ONCE, OVERLOADED, 21, 503],
])(
  "a target that is busy %s times: %s %j %j: gets the request %i times and answers %i",
  async (times, status, fields, body, sent, last) => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked += 1;
      if (asked > times) response.end("{}");
      else response.writeHead(status, fields).end(JSON.stringify(body));
    });
    const { response } = await clientOf(url).send(requestTo(url));
    expect([asked, response?.status]).toEqual([sent, last]);
  },
);

it("ends the run at once when a target wants a longer pause than is left", async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked += 1;
    response.writeHead(429, { "Retry-After": "3600" }).end();
  });
  const client = clientOf(url, { left: 60_000 });
  const why = "wants a pause of 3600 s: longer than is left";
  for (const _time of [1, 2]) await expect(client.send(requestTo(url))).rejects.toThrow(why);
  expect(asked).toBe(1);
});

it("ends the run when a target answers nothing but 429", async () => {
  const url = await serve((_, response) => response.writeHead(429, AT_ONCE).end());
  const client = clientOf(url, { patienceMs: 100 });
  const why = /^the target has answered 429 with Retry-After: 0 to every request for \d+ s$/;
  await expect(client.send(requestTo(url))).rejects.toThrow(why);
  await expect(client.converse([Buffer.from("x")], { heads: [false] })).rejects.toThrow(why);
});

describe("the pace", () => {
  const begin = () => {
    const stop = new AbortController();
    const lines: string[] = [];
    const tell = (line: string) => lines.push(line);
    const deadline = { endsAt: Number.POSITIVE_INFINITY };
    return {
      stop,
      lines,
      rateLimiter: new RateLimiter({ intervalMs: 0, signal: stop.signal, deadline, tell }),
    };
  };

  it("reads Retry-After as seconds or a date, and has an answer for everything else", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    const date = "Thu, 01 Jan 2026 00:00:05 GMT";
    const read = ["3", date, undefined, "soon"].map((text) => retryAfterMs(text, now));
    expect(read).toEqual([3000, 5000, DEFAULT_RETRY_AFTER_MS, DEFAULT_RETRY_AFTER_MS]);
    expect(retryAfterMs("0", now)).toBeGreaterThan(0);
  });

  it("says what it waits for, once, and ends a wait when the run ends", async () => {
    const { rateLimiter, stop, lines } = begin();
    // Longer than the maximum of a Node timer.
    for (let n = 0; n < 3; n += 1) rateLimiter.pause(2 ** 40, "429 with Retry-After: 1099511628");
    rateLimiter.pause(100, "429");
    expect(lines).toEqual(["waiting 1099511628 s: 429 with Retry-After: 1099511628"]);
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const turn = rateLimiter.turn();
    await setImmediate();
    stop.abort(new Error("enough"));
    await expect(turn).rejects.toThrow(new RunAborted("enough"));
    expect(warnings).toEqual([]);
  });
});
