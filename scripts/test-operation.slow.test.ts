import { describe, expect, it } from "vitest";
import type { Exchange, Finding } from "../conformance/exchange.ts";
import { blame, testOperation } from "./test-operation.ts";

const exchange = (status: number): Exchange => ({
  request: { method: "GET", target: "/api/?@=user.list", fields: [], body: "" },
  response: {
    status,
    reason: "",
    version: "1.1",
    fields: [],
    body: Buffer.alloc(0),
    omitted: 0,
    json: {},
  },
  error: null,
  prediction: null,
  sentAt: 0,
  endedAt: 1,
  connection: 1,
});
const finding = (requirement: string, overrides: Partial<Finding> = {}): Finding => ({
  requirement,
  source: "law",
  aspect: "status",
  expected: "this",
  actual: "that",
  exchanges: [exchange(200)],
  at: 0,
  case: null,
  ...overrides,
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
});
