import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import type { Outcome } from "./results.ts";
import { EXIT, verdictOf } from "./verdict.ts";

const must = contract.requirements.find(({ level }) => level === "MUST");
const should = contract.requirements.find(({ level }) => level === "SHOULD");

function outcome(what: Outcome["outcome"], requirement = must): Outcome {
  if (!requirement) throw new Error("the contract has no such requirement");
  const findings = what === "failed" ? 1 : 0;
  return { requirement, outcome: what, reason: null, planned: 1, sent: 1, findings, unexpected: findings };
}

const all = { mayWrite: true, mayHarm: true };
const passed = outcome("passed");

describe("a verdict", () => {
  it.each([
    ["conformant", EXIT.conformant, [passed], all],
    ["conformant (exhaustive)", EXIT.conformant, [passed], { ...all, isExhaustive: true }],
    ["conformant (partial)", EXIT.conformant, [passed, outcome("not selected")], { ...all, isExhaustive: true }],
    ["conformant (partial)", EXIT.conformant, [passed], { mayWrite: true, mayHarm: false }],
    ["conformant (read only)", EXIT.conformant, [passed, outcome("not selected")], { mayWrite: false, mayHarm: false }],
    ["conformant (given)", EXIT.conformant, [passed, outcome("not selected")], { ...all, isGiven: true }],
    ["not conformant", EXIT.notConformant, [passed, outcome("failed")], { ...all, isGiven: true }],
    ["conformant", EXIT.conformant, [passed, outcome("failed", should)], all],
    ["not conformant", EXIT.notConformant, [passed, outcome("failed", should)], { ...all, isStrict: true }],
    ["not conformant", EXIT.notConformant, [passed, outcome("failed"), outcome("incomplete")], all],
    ["incomplete", EXIT.incomplete, [passed, outcome("incomplete")], all],
    ["incomplete", EXIT.incomplete, [outcome("not selected")], all],
    ["incomplete", EXIT.incomplete, [passed, outcome("not selected")], { ...all, isComplete: true }],
  ] as const)("is %s (%i)", (verdict, exitCode, outcomes, mode) => {
    expect(verdictOf({ outcomes, faults: [], stale: 0, preflight: null }, mode)).toEqual({ verdict, exitCode });
  });

  it("accepts what is known, and no entry that is out of date", () => {
    const known = { ...outcome("failed"), unexpected: 0 };
    expect(verdictOf({ outcomes: [passed, known], faults: [], stale: 0, preflight: null }, all).exitCode).toBe(
      EXIT.conformant,
    );
    expect(verdictOf({ outcomes: [passed], faults: [], stale: 1, preflight: null }, all).exitCode).toBe(
      EXIT.notConformant,
    );
  });

  it("is of the preflight first, then of a requirement, then of a fault of the suite", () => {
    const faults = ["a fault"];
    const failed = [outcome("failed")];
    expect(verdictOf({ outcomes: failed, faults, stale: 0, preflight: "unreachable" }, all).exitCode).toBe(
      EXIT.preflight,
    );
    expect(verdictOf({ outcomes: failed, faults, stale: 0, preflight: null }, all).exitCode).toBe(EXIT.notConformant);
    expect(verdictOf({ outcomes: [passed], faults, stale: 0, preflight: null }, all).exitCode).toBe(EXIT.harness);
  });
});
