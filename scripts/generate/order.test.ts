import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { order } from "../../generated/order.ts";

it("is the order in which the dispatcher checks a request", () => {
  const source = readFileSync(new URL("../../src/dispatcher.ts", import.meta.url), "utf8");
  const steps = [...source.matchAll(/^ +at\.step = "(\w+)";/gm)].map(([, step]) => step);
  const all = order.map(({ step }) => step);
  expect(steps).toEqual(all.slice(all.indexOf("readQuery")));
});
