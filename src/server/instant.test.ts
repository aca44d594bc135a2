import { expect, it } from "vitest";
import { instantOf } from "./instant.ts";

it.each([
  ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31t12:00:00.5z", "2026-01-31T12:00:00.500Z"],
  ["2026-01-31T12:00:00.123456+02:00", "2026-01-31T10:00:00.123Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["2016-12-31T15:59:60.5-08:00", "2017-01-01T00:00:00.500Z"],
])("%s is the moment %s", (text, moment) => {
  expect(instantOf(text).toISOString()).toBe(moment);
});
