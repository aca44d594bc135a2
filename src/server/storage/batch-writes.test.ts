import { expect, it } from "vitest";
import { batchWrites } from "./batch-writes.ts";

it("makes one call of all that came during the one before, of at most so many", async () => {
  const calls: number[][] = [];
  const add = batchWrites(async (items: number[]) => calls.push(items), 3);
  await Promise.all([1, 2, 3, 4, 5, 6].map((item) => add(item)));
  expect(calls).toEqual([[1], [2, 3, 4], [5, 6]]);
});

it("fails for those of the call that failed, and goes on", async () => {
  const add = batchWrites(async (items: number[]) => {
    if (items.includes(2)) throw new Error("2");
    return items.length;
  }, 2);
  const results = await Promise.allSettled([1, 2, 3, 4].map((item) => add(item)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
});

it("does not begin what was due before its turn came", async () => {
  const calls: number[][] = [];
  const add = batchWrites(async (items: number[]) => calls.push(items), 2);
  const results = await Promise.allSettled([add(1), add(2, performance.now() - 1), add(3, performance.now() + 60_000)]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(calls).toEqual([[1], [3]]);
});
