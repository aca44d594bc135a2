import { expect, it } from "vitest";
import { isSameValue } from "./values.ts";

const time = "2026-01-31T12:00:00Z";

it.each<[value: unknown, other: unknown, isSame: boolean, isSameInFreeJson: boolean]>([
  [null, undefined, true, true],
  [time, "2026-01-31T13:00:00.000+01:00", true, false],
  [{ a: [1, { b: "x" }] }, { a: [1, { b: "x" }] }, true, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true, true],
  [{ a: null }, {}, true, false],
  [{ a: [null] }, { a: [] }, true, false],
  [{ a: [] }, { a: {} }, false, false],
  [{ toString: 1 }, {}, false, false],
  [1, "1", false, false],
])("%j is the value %j: %s, in free JSON %s", (value, other, isSame, isSameInFreeJson) => {
  expect([isSameValue(value, other), isSameValue(other, value)]).toEqual([isSame, isSame]);
  const free = [isSameValue(value, other, true), isSameValue(other, value, true)];
  expect(free).toEqual([isSameInFreeJson, isSameInFreeJson]);
});
