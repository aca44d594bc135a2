import { describe, expect, it, onTestFinished, vi } from "vitest";
import { databasesUnderTest, fresh, migrated } from "../../test/databases.ts";
import { createKey } from "./key-lifecycle.ts";
import { openKeyUses } from "./key-uses.ts";

const start = new Date("2026-01-01T00:00:00.000Z");
const later = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const wanted = { name: "n", scopes: [], platforms: ["web"], createdAt: start, lifetimeMs: 60_000 };

describe.each(databasesUnderTest())("on $name", (kind) => {
  it("notes when keys were used, once a minute however many replicas do", async () => {
    const { keys } = await migrated((await fresh(kind)).url);
    const [used, unused] = [
      (await createKey(keys, wanted)).record,
      (await createKey(keys, wanted)).record,
    ];
    expect(used.lastUsedAt).toBeNull();
    for (const [at, noted] of [
      [0, 0],
      [59_999, 0],
      [60_000, 60_000],
      [30_000, 60_000],
    ] as const) {
      const replica = openKeyUses(keys, { now: () => later(at) }, () =>
        expect.unreachable("the database is there"),
      );
      replica.note(used.id);
      replica.note(used.id);
      await replica.close();
      expect((await keys.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([later(noted), null]);
    }
    // More than one portion.
    await keys.used([...Array.from({ length: 1200 }, () => used.id), unused.id], later(1));
    expect((await keys.findByHash(unused.hash))?.lastUsedAt).toEqual(later(1));
  });
});

it("writes once a minute for all, in no request's way, and goes on after a failure", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: (readonly string[])[] = [];
  const faults: unknown[] = [];
  const away = new Error("away");
  const used = async (ids: readonly string[]) => {
    if (written.push(ids) === 1) throw away;
  };
  const uses = openKeyUses({ used }, { now: () => start }, (error) => faults.push(error));
  for (const id of ["a", "b", "a"]) uses.note(id);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect({ written, faults }).toEqual({ written: [["a", "b"]], faults: [away] });
  await vi.advanceTimersByTimeAsync(120_000);
  uses.note("c");
  await uses.close();
  expect({ written, faults }).toEqual({ written: [["a", "b"], ["c"]], faults: [away] });
});
