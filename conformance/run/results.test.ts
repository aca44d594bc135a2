import { expect, it } from "vitest";
import { contract } from "../contract.ts";
import type { Finding } from "../exchange.ts";
import { exchangeOf, get } from "../laws/exchange.test-kit.ts";
import type { Requirement } from "../oracle/contract.ts";
import { packaged } from "../packaged.ts";
import { OUTSIDE_ONLY, OUTSIDE_PROFILE } from "./options.ts";
import { notApplicable, type Outcome, Results } from "./results.ts";
import { EXIT, verdictOf } from "./verdict.ts";

const [law = ""] = packaged.laws.map(({ id }) => id);
/** Decided by rules, not by a law. */
const RULE = "credentials/invalid";

/** Results, and what they have of a requirement. */
function begin() {
  const results = new Results(packaged);
  const of = (id: string) => results.outcomes().find(({ requirement }) => requirement.id === id);
  return { results, of };
}

function finding(requirement: string, { aspect = "status", sentAt = 0, size = 1 } = {}): Finding {
  const exchange = exchangeOf(
    get("/"),
    aspect === "connection" ? null : { body: Buffer.alloc(size) },
    { sentAt },
  );
  const what = { aspect, expected: "a", actual: "b" };
  return { requirement, source: "prediction", ...what, exchanges: [exchange], at: 0, case: null };
}

it("a requirement passes when all that is for it and is not withheld was compared", () => {
  const left = begin();
  left.results.withheld(RULE, "needs --allow-hostile");
  expect(left.of(RULE)).toMatchObject({ outcome: "not selected", reason: "needs --allow-hostile" });
  const { results, of } = begin();
  const both = () => [RULE, law].map((id) => of(id)?.outcome);
  expect(both()).toEqual(["not selected", "not selected"]);
  results.plan(RULE);
  expect(of(RULE)?.outcome).toBe("incomplete");
  results.sent(RULE);
  // A law passes with an exchange of its kind.
  results.applied(law);
  expect(both()).toEqual(["passed", "passed"]);
  results.plan(RULE);
  results.stopped = "the run was interrupted";
  const open = { outcome: "incomplete", reason: "the run was interrupted" };
  expect([of(RULE), of(law)]).toMatchObject([{ ...open, planned: 2, sent: 1 }, open]);
  results.sent(RULE);
  expect(of(RULE)?.outcome).toBe("passed");
});

it("a finding outside of the profile is not taken, one outside of --only is", () => {
  const reasons = new Map([
    [RULE, OUTSIDE_PROFILE],
    [law, OUTSIDE_ONLY],
  ]);
  const results = new Results(packaged, reasons);
  expect([RULE, law, "no/such"].map((id) => results.takes(finding(id)))).toEqual([
    false,
    true,
    true,
  ]);
  results.find(finding(RULE));
  expect(results.failed).toBe(0);
});

it("a requirement is incomplete when the target let nothing be sent that could show it", () => {
  const { results, of } = begin();
  results.scheduled([RULE]);
  results.ended([RULE]);
  expect(of(RULE)?.outcome).toBe("not selected");
  results.unproven = ["no id for user.get at user.create/id"];
  expect(of(RULE)).toMatchObject({ outcome: "incomplete", reason: results.unproven[0] });
  results.sent(RULE);
  expect(of(RULE)?.outcome).toBe("passed");
  results.withheld("credentials/expired", "needs a key");
  expect(of("credentials/expired")).toMatchObject({
    outcome: "not selected",
    reason: "needs a key",
  });
});

it("a requirement fails by any finding; some are kept, with the beginning of a response", () => {
  const { results, of } = begin();
  for (let n = 0; n < 100; n += 1) results.find(finding(RULE, { size: 1_000_000 }));
  expect(of(RULE)).toMatchObject({ outcome: "failed", findings: 100 });
  expect([results.findings.length, results.countOf(RULE), results.failed]).toEqual([20, 100, 1]);
  expect(results.findings[0]?.exchanges[0]?.response).toMatchObject({
    omitted: 1_000_000 - 16 * 1024,
  });
  results.find(finding("no/such"));
  expect(of("no/such")).toMatchObject({ outcome: "failed", requirement: { level: "MUST" } });
});

it("a finding without a difference is a fault of the suite", () => {
  const { results, of } = begin();
  results.find({ ...finding(RULE), expected: "2 users", actual: "2 users" });
  expect(of(RULE)).toMatchObject({ outcome: "not selected", findings: 0 });
  expect(results.faults).toEqual([`${RULE}: the finding shows no difference: 2 users`]);
  results.find({ ...finding(RULE), expected: "Allow: GET, HEAD", actual: "Allow: GET" });
  expect(of(RULE)?.outcome).toBe("failed");
});

it("a target that has gone is shown by what no known failure accepts", () => {
  const results = new Results(packaged, new Map(), ({ case: of }) => (of ? "known" : null));
  const [operation = expect.fail()] = Object.values(contract.operations);
  const known = { id: "a case", operation, rows: [], request: get("/") };
  const silent = finding(RULE, { aspect: "connection", sentAt: 2 });
  results.find({ ...silent, case: known });
  results.find(silent);
  results.gone(1);
  const [gone, ...otherFindings] = results.findings;
  expect([gone?.known, gone?.case, otherFindings]).toEqual([undefined, null, []]);
  const { findings, unexpected } =
    results.outcomes().find(({ requirement }) => requirement.id === RULE) ?? {};
  expect([findings, unexpected]).toEqual([1, 1]);
});

function outcome(what: Outcome["outcome"], level: Requirement["level"] = "MUST"): Outcome {
  const [first = expect.fail()] = contract.requirements;
  const findings = what === "failed" ? 1 : 0;
  const counts = { planned: 1, sent: 1, findings, unexpected: findings };
  return { requirement: { ...first, level }, outcome: what, reason: null, ...counts };
}

const all = { allowWrite: true, allowHostile: true };
const [passed, failed, left] = [outcome("passed"), outcome("failed"), outcome("not selected")];
const [should, incomplete] = [outcome("failed", "SHOULD"), outcome("incomplete")];
const homeless = { ...left, reason: notApplicable("a second list is needed") };

it.each<[string, keyof typeof EXIT, Outcome[], Parameters<typeof verdictOf>[1], object?]>([
  ["conformant", "conformant", [passed, homeless], { ...all, isComplete: true }],
  ["conformant (exhaustive)", "conformant", [passed], { ...all, isExhaustive: true }],
  ["conformant (partial)", "conformant", [passed, left], { ...all, isExhaustive: true }],
  ["conformant (partial)", "conformant", [passed], { allowWrite: true, allowHostile: false }],
  [
    "conformant (read only)",
    "conformant",
    [passed, left],
    { allowWrite: false, allowHostile: false },
  ],
  ["conformant (given)", "conformant", [passed, left], { ...all, isGiven: true }],
  ["not conformant", "notConformant", [passed, failed], { ...all, isGiven: true }],
  ["conformant", "conformant", [passed, should], all],
  ["not conformant", "notConformant", [passed, should], { ...all, isStrict: true }],
  ["not conformant", "notConformant", [failed, incomplete], all],
  ["incomplete", "incomplete", [passed, incomplete], all],
  ["incomplete", "incomplete", [left], all],
  ["incomplete", "incomplete", [passed, left], { ...all, isComplete: true }],
  // What is known is accepted, and no entry that is out of date.
  ["conformant", "conformant", [passed, { ...failed, unexpected: 0 }], all],
  ["not conformant", "notConformant", [passed], all, { stale: 1 }],
  // The preflight counts first, then a requirement, then a fault of the suite.
  ["unreachable", "preflight", [failed], all, { faults: ["a fault"], preflight: "unreachable" }],
  ["not conformant", "notConformant", [failed], all, { faults: ["a fault"] }],
  ["incomplete", "harness", [passed], all, { faults: ["a fault"] }],
])("the verdict is %s (%s)", (verdict, exit, outcomes, mode, overrides) => {
  const given = { outcomes, faults: [], stale: 0, preflight: null, ...overrides };
  expect(verdictOf(given, mode)).toEqual({ verdict, exitCode: EXIT[exit] });
});
