import { describe, expect, it } from "vitest";
import type { Exchange, Finding } from "../conformance/exchange.ts";
import { packaged } from "../conformance/packaged.ts";
import type { Outcome } from "../conformance/run/results.ts";
import { blame, lacking, testOperation } from "./test-operation.ts";

const at = (id: string) =>
  packaged.oracle.contract.requirements.find((one) => one.id === id) ?? expect.unreachable(id);
const exchange = (status: number): Exchange => ({
  request: { method: "GET", target: "/api/?@=user.list", fields: [], body: "" },
  response: {
    ...{ status, reason: "", version: "1.1", fields: [], body: Buffer.alloc(0) },
    omitted: 0,
    json: {},
  },
  ...{ error: null, prediction: null, sentAt: 0, endedAt: 1, connection: 1 },
});
const finding = (requirement: string, more: Partial<Finding> = {}): Finding => ({
  ...{ requirement, source: "law", aspect: "status", expected: "this", actual: "that" },
  ...{ exchanges: [exchange(200)], at: 0, case: null, ...more },
});

describe("test:operation", () => {
  it("passes for an operation that is right", async () => {
    const printed: string[] = [];
    const code = await testOperation("sysinfo", (line) => printed.push(line));
    expect(printed.join("\n")).toMatch(
      /^sysinfo: \d+ requirements, \d{3,} mutants, everything holds$/,
    );
    expect(code).toBe(0);
    expect(await testOperation("user.gett", (line) => printed.push(line))).toBe(2);
  });

  it("says which part is at fault", () => {
    const of = (...more: Parameters<typeof finding>) => blame("user.list", true, finding(...more));
    expect(of("answers/schema")).toMatch(/^service \(the requirement follows/);
    expect(of("user.list/credentials")).toMatch(/^service \(the requirement follows/);
    expect(of("user.list/limit-range")).toMatch(
      /^suite \(conformance\/extensions\S+rules\.ts[\s\S]*expected this; got that/,
    );
    expect(blame("user.list", false, finding("user.list/limit-range"))).toMatch(
      /^service or suite/,
    );
    expect(of("user.list/limit-range", { exchanges: [exchange(500)] })).toMatch(
      /^service, which answers 500/,
    );
    expect(of("user.list/limit-range", { source: "golden" })).toMatch(
      /^spec, or the golden exchange/,
    );
  });

  it("names the file to write where nothing checks a requirement", () => {
    const outcome = (more: Partial<Outcome>): Outcome => ({
      ...{
        requirement: at("user.list/limit-range"),
        outcome: "not selected",
        reason: "no case of this run is for it",
      },
      ...{ planned: 0, sent: 0, findings: 0, unexpected: 0, ...more },
    });
    expect(lacking("user.list", outcome({}))).toMatch(
      /user\.list\/limit-range is not checked .*conformance\/extensions\/atpoint\/golden\/users\.ts, or a rule in /,
    );
    expect(lacking("user.list", outcome({ outcome: "passed", reason: null }))).toBeNull();
    expect(
      lacking("user.list", outcome({ reason: "waits for a time-out: needs --slow" })),
    ).toBeNull();
    expect(lacking("user.create", outcome({}))).toBeNull();
  });
});
