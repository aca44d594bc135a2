import { describe, expect, it } from "vitest";
import type { Outcome } from "../report/report.ts";
import { verdictOf } from "./verdict.ts";

function ending(...outcomes: [Outcome, "MUST" | "SHOULD" | "MAY"][]) {
  const results = outcomes.map(([outcome, level], index) => ({
    check: `c${index}`,
    requirement: { id: "r", level, origin: "given" as const, clause: "G1" as const, sentence: "s" },
    effect: "read" as const,
    outcome,
    reason: null,
    failure: null,
    evidence: null,
    durationMs: 0,
  }));
  return { results, faults: [], baseline: [], preflight: null, checks: [] };
}

describe("verdictOf", () => {
  it("counts a SHOULD only when strict, and a MAY never", () => {
    const should = ending(["failed", "SHOULD"], ["failed", "MAY"]);
    expect(verdictOf(should, {})).toEqual({ verdict: "conformant", exitCode: 0 });
    expect(verdictOf(should, { strict: true })).toEqual({ verdict: "not conformant", exitCode: 1 });
  });

  it("names a failure before a fault of the harness", () => {
    expect(verdictOf({ ...ending(["failed", "MUST"]), faults: ["ours"] }, {}).exitCode).toBe(1);
    expect(verdictOf({ ...ending(["passed", "MUST"]), faults: ["ours"] }, {}).exitCode).toBe(4);
  });

  it("names a failure before what is incomplete", () => {
    expect(verdictOf(ending(["failed", "MUST"], ["incomplete", "MUST"]), {}).exitCode).toBe(1);
    expect(verdictOf(ending(["passed", "MUST"], ["incomplete", "MUST"]), {}).exitCode).toBe(5);
  });
});
