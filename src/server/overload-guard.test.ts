import { describe, expect, it } from "vitest";
import { meanDelay, OverloadGuard } from "./overload-guard.ts";

const limits = { MAX_IN_FLIGHT: 2, MAX_EVENT_LOOP_DELAY_MS: 500, MAX_ARRIVING_BYTES: 10 };
const rejected = expect.objectContaining({ code: "overloaded", headers: { "Retry-After": "1" } });

it("rejects one request too many, and every request while the event loop is late", () => {
  let delayMs = 500;
  const guard = new OverloadGuard(limits, () => delayMs);
  guard.enter();
  guard.enter();
  expect(() => guard.enter()).toThrow(rejected);
  guard.leave();
  guard.enter();
  guard.assertCapacity();
  delayMs = 500.1;
  expect(() => guard.assertCapacity()).toThrow(rejected);
});

it("counts each buffer of responses once, and rejects requests above the bound", () => {
  const guard = new OverloadGuard(limits, () => 0);
  const [document, text] = [Buffer.alloc(8), Buffer.alloc(3)];
  for (const buffer of [document, document, text]) guard.hold(buffer);
  expect(guard.heldBytes).toBe(11);
  expect(() => guard.assertCapacity()).toThrow(rejected);
  expect(guard.addBytes(1)).toBe(false);
  guard.release(text);
  guard.release(document);
  expect(guard.heldBytes).toBe(8);
  guard.assertCapacity();
  expect(guard.addBytes(2)).toBe(true);
  guard.release(document);
  expect(guard.heldBytes).toBe(2);
});

describe("the mean delay of the event loop", () => {
  /**
   * What is measured after each period, by the samples of these milliseconds in it, which is as
   * long as they are together, or 1,100 ms.
   */
  const measured = (...periods: (readonly number[])[]) => {
    let [now, sum] = [0, 0];
    const samples = { count: 0, mean: Number.NaN };
    const measure = meanDelay(samples, () => now);
    return periods.map((some) => {
      const ms = some.reduce((all, one) => all + one, 0);
      sum += ms * 1e6;
      samples.count += some.length;
      samples.mean = sum / samples.count;
      now += ms || 1_100;
      return Math.round(measure());
    });
  };
  const idle = Array<number>(50).fill(20);

  it("is that of the samples of a period, the smaller of two", () => {
    expect(measured(idle, [900, 900], [900, 900], idle)).toEqual([0, 0, 880, 0]);
    const delays = measured(...Array(99).fill(idle), [120, 520, 320], [220, 220], [300, 340]);
    expect(delays).toEqual([...Array(100).fill(0), 200, 200]);
  });

  it("is the length of a period without a sample: one pause is no overload", () => {
    const none: number[] = [];
    expect(measured(none, none, none, idle, none, idle)).toEqual([0, 1_080, 1_080, 0, 0, 0]);
    expect(measured(idle, [1_100], none, [1_100])).toEqual([0, 0, 1_080, 1_080]);
  });
});
