import { expect, it } from "vitest";
import { contract } from "../contract.ts";
import type { Outcome } from "./results.ts";
import { EXIT, verdictOf } from "./verdict.ts";

function outcome(what: Outcome["outcome"], level = "MUST"): Outcome {
  const requirement = contract.requirements.find((one) => one.level === level) ?? expect.fail(level);
  const findings = what === "failed" ? 1 : 0;
  return { requirement, outcome: what, reason: null, planned: 1, sent: 1, findings, unexpected: findings };
}

const all = { mayWrite: true, mayHarm: true };
const [passed, failed, left] = [outcome("passed"), outcome("failed"), outcome("not selected")];
const should = outcome("failed", "SHOULD");
const incomplete = outcome("incomplete");
const known = { ...failed, unexpected: 0 };

it.each<[string, keyof typeof EXIT, Outcome[], Parameters<typeof verdictOf>[1], object?]>([
  ["conformant", "conformant", [passed], all],
  ["conformant (exhaustive)", "conformant", [passed], { ...all, isExhaustive: true }],
  ["conformant (partial)", "conformant", [passed, left], { ...all, isExhaustive: true }],
  ["conformant (partial)", "conformant", [passed], { mayWrite: true, mayHarm: false }],
  ["conformant (read only)", "conformant", [passed, left], { mayWrite: false, mayHarm: false }],
  ["conformant (given)", "conformant", [passed, left], { ...all, isGiven: true }],
  ["not conformant", "notConformant", [passed, failed], { ...all, isGiven: true }],
  ["conformant", "conformant", [passed, should], all],
  ["not conformant", "notConformant", [passed, should], { ...all, isStrict: true }],
  ["not conformant", "notConformant", [passed, failed, incomplete], all],
  ["incomplete", "incomplete", [passed, incomplete], all],
  ["incomplete", "incomplete", [left], all],
  ["incomplete", "incomplete", [passed, left], { ...all, isComplete: true }],
  // What is known is accepted, and no entry that is out of date.
  ["conformant", "conformant", [passed, known], all],
  ["not conformant", "notConformant", [passed], all, { stale: 1 }],
  // The preflight counts first, then a requirement, then a fault of the suite.
  ["unreachable", "preflight", [failed], all, { faults: ["a fault"], preflight: "unreachable" }],
  ["not conformant", "notConformant", [failed], all, { faults: ["a fault"] }],
  ["incomplete", "harness", [passed], all, { faults: ["a fault"] }],
])("the verdict is %s (%s)", (verdict, exit, outcomes, mode, more) => {
  const given = { outcomes, faults: [], stale: 0, preflight: null, ...more };
  expect(verdictOf(given, mode)).toEqual({ verdict, exitCode: EXIT[exit] });
});
