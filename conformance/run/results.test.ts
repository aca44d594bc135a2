import { describe, expect, it } from "vitest";
import type { Finding } from "../exchange.ts";
import { createResponse } from "../http/response.ts";
import { packaged } from "../packaged.ts";
import { Results } from "./results.ts";

const suite = packaged;
const [law = ""] = suite.laws.map(({ id }) => id);
/** Decided by rules, not by a law. */
const RULE = "credentials/invalid";

const outcomeOf = (results: Results, id: string) => results.outcomes().find(({ requirement }) => requirement.id === id);

function finding(requirement: string, { aspect = "status", sentAt = 0, size = 1 } = {}): Finding {
  const head = { status: 200, reason: "", version: "1.1", fields: [] };
  const response = aspect === "connection" ? null : createResponse(head, Buffer.alloc(size));
  const request = { method: "GET", target: "/", fields: [], body: "" };
  const exchange = { request, response, error: null, prediction: null, sentAt, endedAt: 1, connection: 1 };
  const what = { aspect, expected: "a", actual: "b" };
  return { requirement, source: "prediction", ...what, exchanges: [exchange], at: 0, case: null };
}

describe("a requirement", () => {
  it("is not selected if nothing is for it", () => {
    const results = new Results(suite);
    expect(outcomeOf(results, RULE)).toMatchObject({ outcome: "not selected", planned: 0, sent: 0 });
    expect(outcomeOf(results, law)).toMatchObject({ outcome: "not selected" });
    results.withheld(RULE, "needs --allow-hostile");
    expect(outcomeOf(results, RULE)).toMatchObject({ outcome: "not selected", reason: "needs --allow-hostile" });
  });

  it("passes when all that was planned for it was compared; a law with an exchange of its kind", () => {
    const results = new Results(suite);
    results.plan(RULE);
    expect(outcomeOf(results, RULE)?.outcome).toBe("incomplete");
    results.sent(RULE);
    results.applied(law);
    expect(outcomeOf(results, RULE)).toMatchObject({ outcome: "passed", reason: null, planned: 1, sent: 1 });
    expect(outcomeOf(results, law)).toMatchObject({ outcome: "passed", sent: 1 });
  });

  it("is incomplete, with the reason, if the run ended before", () => {
    const results = new Results(suite);
    results.plan(RULE);
    results.plan(RULE);
    results.sent(RULE);
    results.applied(law);
    results.stopped = "the run was interrupted";
    const open = { outcome: "incomplete", reason: "the run was interrupted" };
    expect(outcomeOf(results, RULE)).toMatchObject({ ...open, planned: 2, sent: 1 });
    expect(outcomeOf(results, law)).toMatchObject(open);
    results.sent(RULE);
    expect(outcomeOf(results, RULE)?.outcome).toBe("passed");
  });

  it("fails by any finding, of which some are kept, with the beginning of a response", () => {
    const results = new Results(suite);
    for (let n = 0; n < 100; n += 1) results.find(finding(RULE, { size: 1_000_000 }));
    expect(outcomeOf(results, RULE)).toMatchObject({ outcome: "failed", findings: 100 });
    expect([results.findings.length, results.countOf(RULE), results.failed]).toEqual([20, 100, 1]);
    expect(results.findings[0]?.exchanges[0]?.response).toMatchObject({ omitted: 1_000_000 - 16 * 1024 });
  });
});

it("a finding without a difference is a fault of the suite", () => {
  const results = new Results(suite);
  results.find({ ...finding(RULE), expected: "2 users", actual: "2 users" });
  expect(outcomeOf(results, RULE)).toMatchObject({ outcome: "not selected", findings: 0 });
  expect(results.faults).toEqual([`${RULE}: the finding shows no difference: 2 users`]);
  results.find({ ...finding(RULE), expected: "Allow: GET, HEAD", actual: "Allow: GET" });
  expect(outcomeOf(results, RULE)?.outcome).toBe("failed");
});

it("a finding counts for a requirement that the contract does not name, too", () => {
  const results = new Results(suite);
  results.find(finding("no/such"));
  expect(outcomeOf(results, "no/such")).toMatchObject({ outcome: "failed", requirement: { level: "MUST" } });
});

it("a target that has gone is one finding, behind those before it and those of others", () => {
  const results = new Results(suite);
  results.find(finding(RULE, { aspect: "connection", sentAt: 1 }));
  results.find(finding(law, { aspect: "connection", sentAt: 2000 }));
  results.find(finding(RULE, { aspect: "connection", sentAt: 2001 }));
  results.find(finding(law));
  results.gone(2000);
  expect(results.findings.map(({ requirement, actual }) => [requirement, actual])).toEqual([
    [RULE, "b"],
    [law, "b"],
    [law, "the target stopped responding at 1970-01-01T00:00:02.000Z"],
  ]);
  expect([results.countOf(RULE), results.countOf(law)]).toEqual([1, 2]);
});
