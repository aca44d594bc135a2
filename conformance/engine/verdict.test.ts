import { expect, it } from "vitest";
import type { Effect } from "../checks/check.ts";
import type { CheckResult } from "../report/report.ts";
import { clean, result } from "../report/sample.fixture.ts";
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

it.each<[string, ran: readonly Effect[], left: readonly string[], verdict: string]>([
  ["only read", ["read", "read"], ["needs --allow-write", "needs --allow-hostile"], "conformant (read only)"],
  ["only read what was chosen", ["read"], ["needs --allow-write", "outside --only"], "conformant (read only)"],
  ["has created", ["read", "write"], ["needs --allow-hostile"], "conformant (partial)"],
  ["has sent what is malformed", ["read", "hostile"], ["needs --allow-write"], "conformant (partial)"],
  ["was a first look", ["read", "write", "hostile"], ["outside --smoke"], "conformant (smoke)"],
  ["left nothing out", ["read", "write", "hostile"], [], "conformant"],
  ["judged nothing", [], ["outside --only"], "incomplete"],
])("a verdict says how far a run went that %s", (_, ran, left, verdict) => {
  const results = [
    ...ran.map((effect) => ({ ...result("a/ran", "passed"), effect })),
    ...left.map((reason) => result("a/left", "not selected", { reason })),
  ];
  expect(verdictOf({ results, faults: [], baseline: [], preflight: null, checks: [] }, {})).toMatchObject({ verdict });
});

it("the worst of two is the gravest", () => {
  expect([worst([0, 5]), worst([5, 1]), worst([1, 3]), worst([0, 0])]).toEqual([5, 1, 3, 0]);
});
