import { expect, it } from "vitest";
import { answerSample } from "./answer.ts";

it("holds every answer against the contract in tests, none when that is off, and else one in a hundred of each status", () => {
  const sampled = (mode: "off" | "log" | "throw") => {
    const isSampled = answerSample(mode);
    const all = Array.from({ length: 201 }, (_, index) => index);
    const found = all.filter(() => isSampled("user.list", 200)).length;
    return [found, isSampled("user.list", 503), isSampled("sysinfo", 200)];
  };
  expect(sampled("throw")).toEqual([201, true, true]);
  expect(sampled("log")).toEqual([3, true, true]);
  expect(sampled("off")).toEqual([0, false, false]);
});
