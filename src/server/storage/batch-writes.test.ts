import { expect, it } from "vitest";
import { batchWrites } from "./batch-writes.ts";

it("makes one call of all items that arrive during the previous one", async () => {
  const calls: number[][] = [];
  const add = batchWrites(async (items: number[]) => {
    calls.push(items);
    if (items.includes(2)) throw new Error("2");
    return items.length;
  }, 3);
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => add(item)));
  expect(calls).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  const [failed, done] = [{ status: "rejected" }, { status: "fulfilled", value: 2 }];
  expect(results).toMatchObject([failed, failed, failed, done, done]);
});

it("does not begin what was due before its turn came", async () => {
  const add = batchWrites(async (items: number[]) => items, 3);
  const results = await Promise.allSettled([
    add(1),
    add(2, performance.now() - 1),
    add(3, performance.now() + 60_000),
  ]);
  const done = { status: "fulfilled", value: [1, 3] };
  expect(results).toMatchObject([
    done,
    { status: "rejected", reason: { name: "StorageUnavailable" } },
    done,
  ]);
});
