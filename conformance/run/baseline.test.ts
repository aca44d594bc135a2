import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import type { Finding } from "../exchange.ts";
import { Baseline, type KnownFailure } from "./baseline.ts";
import type { Outcome } from "./results.ts";
import { everything, leftBy, matches, unmatched } from "./select.ts";

const today = new Date("2026-06-15T12:00:00Z");
const entry: KnownFailure = { id: "a/b", case: "path %00*", reason: "the proxy", until: "2026-06-15" };
const found = (script: string, requirement = "a/b"): Finding => ({
  ...{
    requirement,
    source: "script",
    aspect: "status",
    expected: "",
    actual: "",
    exchanges: [],
    at: 0,
    case: null,
    script,
  },
});
const outcome = (what: Outcome["outcome"], id = "a/b"): Outcome => {
  const requirement = { id, level: "MUST", origin: "decided", clause: "", sentence: "", operation: null } as const;
  return { requirement, outcome: what, reason: null, planned: 1, sent: 1, findings: 0, unexpected: 0 };
};

describe("known failures", () => {
  it("are of a requirement, and of some of its cases", () => {
    const baseline = new Baseline([entry], today);
    expect(baseline.accepts(found("path %00 alone"))).toBe("the proxy (until 2026-06-15)");
    expect(baseline.accepts(found("path %01"))).toBeNull();
    expect(baseline.accepts(found("path %00", "a/c"))).toBeNull();
    expect(baseline.covers("a/b", "path %00")).toBe(true);
    expect(baseline.covers("a/b", "plain")).toBe(false);
  });

  it("end with their day", () => {
    const baseline = new Baseline([{ ...entry, until: "2026-06-14" }], today);
    expect(baseline.accepts(found("path %00"))).toBeNull();
    expect(baseline.staleOf([outcome("failed")], () => true)).toMatchObject([{ problem: "expired" }]);
  });

  it("are out of date when what they are about passes, and was sent whole", () => {
    const stale = (outcomes: Outcome[], isWhole = true) =>
      new Baseline([entry], today).staleOf(outcomes, () => isWhole);
    expect(stale([outcome("passed")])).toMatchObject([{ entry, problem: "stale" }]);
    // Another case of the requirement fails, and this one no longer does.
    expect(stale([outcome("failed")])).toMatchObject([{ problem: "stale" }]);
    expect(stale([outcome("passed")], false)).toEqual([]);
    expect(stale([outcome("incomplete")])).toEqual([]);
    expect(stale([outcome("not selected")])).toEqual([]);
    const used = new Baseline([entry], today);
    used.accepts(found("path %00"));
    expect(used.staleOf([outcome("failed")], () => true)).toEqual([]);
  });
});

describe("a selection", () => {
  const left = (some: Partial<typeof everything>) => leftBy({ ...everything, ...some }, contract);
  it("takes patterns on ids", () => {
    expect(matches("user.*/k", "user.list/k")).toBe(true);
    expect(matches("user.*", "xuser.list")).toBe(false);
    expect(unmatched(contract, ["user.list/*", "no.such/*"])).toEqual(["no.such/*"]);
  });

  it("says of the others why they are not in it", () => {
    expect(left({}).size).toBe(0);
    expect(left({ only: ["user.list/page"] }).get("user.list/walk")).toBe("outside --only");
    expect(left({ only: ["user.list/*"] }).has("user.list/walk")).toBe(false);
    expect([...left({ skip: ["user.list/page"] })]).toEqual([["user.list/page", "skipped by --skip"]]);
    expect(new Set(left({ level: "MUST" }).values())).toEqual(new Set(["outside --level MUST"]));
  });
});
