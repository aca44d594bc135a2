import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Stopped } from "./expectation.ts";
import { DEFAULT_RETRY_AFTER_MS, Pace, retryAfterMs } from "./pace.ts";

describe("retryAfterMs", () => {
  it("reads seconds and dates, and has an answer for everything else", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(retryAfterMs("3", now)).toBe(3000);
    expect(retryAfterMs("Thu, 01 Jan 2026 00:00:05 GMT", now)).toBe(5000);
    expect(retryAfterMs(undefined, now)).toBe(DEFAULT_RETRY_AFTER_MS);
    expect(retryAfterMs("soon", now)).toBe(DEFAULT_RETRY_AFTER_MS);
    expect(retryAfterMs("0", now)).toBeGreaterThan(0);
  });
});

describe("Pace", () => {
  it("lets requests start one after the other", async () => {
    const pace = new Pace(1, new AbortController().signal);
    await pace.turn();
    await pace.turn();
  });

  it("ends a wait when the run ends", async () => {
    const stop = new AbortController();
    const pace = new Pace(0, stop.signal);
    // Longer than the maximum of a Node timer.
    pace.pause(2 ** 40);
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
