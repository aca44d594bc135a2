import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import type { Finding } from "../exchange.ts";
import { Baseline, type KnownFailure } from "./baseline.ts";
import type { Outcome } from "./results.ts";
import { everything, leftBy, matches, unmatched } from "./select.ts";

const today = new Date("2026-06-15T12:00:00Z");
const entry: KnownFailure = { id: "a/b", case: "path %00*", reason: "the proxy", until: "2026-06-15" };
const found = (script: string, requirement = "a/b"): Finding => ({
  ...{ requirement, source: "script", aspect: "status", expected: "", actual: "" },
  ...{ exchanges: [], at: 0, case: null, script },
});
const outcome = (what: Outcome["outcome"]): Outcome => {
  const of = { id: "a/b", level: "MUST", origin: "decided", clause: "", sentence: "", operation: null } as const;
  return { requirement: of, outcome: what, reason: null, planned: 1, sent: 1, findings: 0, unexpected: 0 };
};

describe("known failures", () => {
  it("are of a requirement, and of some of its cases", () => {
    const baseline = new Baseline([entry], today);
    expect(baseline.accepts(found("path %00 alone"))).toBe("the proxy (until 2026-06-15)");
    expect(baseline.accepts(found("path %01"))).toBeNull();
    expect(baseline.accepts(found("path %00", "a/c"))).toBeNull();
    expect([baseline.covers("a/b", "path %00"), baseline.covers("a/b", "plain")]).toEqual([true, false]);
    // One that accepted something is not out of date.
    expect(baseline.staleOf([outcome("failed")], () => true)).toEqual([]);
  });

  it("end with their day", () => {
    const baseline = new Baseline([{ ...entry, until: "2026-06-14" }], today);
    expect(baseline.accepts(found("path %00"))).toBeNull();
    expect(baseline.staleOf([outcome("failed")], () => true)).toMatchObject([{ problem: "expired" }]);
  });

  it.each([
    [["stale"], "passed", true],
    // Another case of the requirement fails, and this one no longer does.
    [["stale"], "failed", true],
    [[], "passed", false],
    [[], "incomplete", true],
    [[], "not selected", true],
  ] as const)("are %j where what they are about is %s, sent whole: %s", (problems, what, isWhole) => {
    const stale = new Baseline([entry], today).staleOf([outcome(what)], () => isWhole);
    expect(stale.map(({ problem }) => problem)).toEqual(problems);
  });
});

it("a selection takes patterns on ids, and leaves out the others", () => {
  expect([matches("user.*/k", "user.list/k"), matches("user.*", "xuser.list")]).toEqual([true, false]);
  expect(unmatched(contract, ["user.list/*", "no.such/*"])).toEqual(["no.such/*"]);
  const left = (some: Partial<typeof everything>) => leftBy({ ...everything, ...some }, contract);
  expect(left({}).size).toBe(0);
  expect(left({ only: ["user.list/*"] }).has("user.list/walk")).toBe(false);
  expect([...left({ skip: ["user.list/page"] })]).toEqual([["user.list/page", "skipped by --skip"]]);
});
