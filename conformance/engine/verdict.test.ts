import { expect, it } from "vitest";
import type { CheckResult } from "../report/report.ts";
import { clean } from "../report/sample.fixture.ts";
import { verdictOf, worst } from "./verdict.ts";

it.each<[string, string, { readonly strict?: boolean; readonly faults?: readonly string[] }, number]>([
  ["no SHOULD and no MAY", "failed SHOULD, failed MAY", {}, 0],
  ["a SHOULD when strict", "failed SHOULD, failed MAY", { strict: true }, 1],
  ["no MAY when strict", "failed MAY", { strict: true }, 0],
  ["a failure before a fault of the harness", "failed MUST", { faults: ["ours"] }, 1],
  ["a fault of the harness", "passed MUST", { faults: ["ours"] }, 4],
  ["a failure before what is incomplete", "failed MUST, incomplete MUST", {}, 1],
  ["what is incomplete", "passed MUST, incomplete MUST", {}, 5],
])("a verdict counts %s", (_, outcomes, { strict = false, faults = [] }, exitCode) => {
  const [like] = clean.results;
  const results = outcomes.split(", ").map((each) => {
    const [outcome, level] = each.split(" ");
    return { ...like, outcome, requirement: { ...like?.requirement, level } } as CheckResult; // the words above are its
  });
  const ending = { results, faults, baseline: [], preflight: null, checks: [] };
  expect(verdictOf(ending, { strict }).exitCode).toBe(exitCode);
});

it("the worst of two is the gravest", () => {
  expect([worst([0, 5]), worst([5, 1]), worst([1, 3]), worst([0, 0])]).toEqual([5, 1, 3, 0]);
});
