import { describe, expect, it } from "vitest";
import { contract } from "../conformance/contract.ts";
import type { CheckResult } from "../conformance/report/report.ts";
import { empty, failure, result as resultOf, unanswered } from "../conformance/report/sample.fixture.ts";
import { blame, testOperation } from "./test-operation.ts";

const at = (id: string) => contract.requirements.find((one) => one.id === id) ?? expect.unreachable(id);
const detailed = { ...failure, expected: "this", actual: "that", exchanges: [] };
const result = (id: string, more: Partial<CheckResult> = {}) =>
  resultOf(`${id}#x`, "failed", { requirement: at(id), failure: detailed, ...more });

describe("test:operation", () => {
  it("passes for an operation that is right", async () => {
    const printed: string[] = [];
    expect(await testOperation("sysinfo", (line) => printed.push(line))).toBe(0);
    expect(printed.join("\n")).toMatch(/^sysinfo: \d\d+ checks, everything holds$/);
    expect(await testOperation("user.gett", (line) => printed.push(line))).toBe(2);
  });

  it("says who is at fault", () => {
    const of = (...more: Parameters<typeof result>) => blame("user.list", true, result(...more));
    expect(of("user.list/page", { outcome: "passed" })).toBeNull();
    expect(of("answers/schema")).toMatch(/^service \(the check follows/);
    expect(of("user.list/credentials")).toMatch(/^service \(the check follows/);
    expect(of("user.list/page")).toMatch(/^check \(or a handler[\s\S]*expected this; got that/);
    expect(blame("user.list", false, result("user.list/page"))).toMatch(/^check or service/);
    const exchanges = [{ ...unanswered, answer: { ...empty, status: 500 } }];
    expect(of("user.list/page", { failure: { ...detailed, exchanges } })).toMatch(/^service, which answers 500/);
    const open = { outcome: "incomplete", failure: null } as const;
    expect(of("user.list/page", { ...open, reason: "the check x itself failed: TypeError" })).toMatch(
      /^check: the check x/,
    );
    expect(of("user.list/page", { ...open, reason: "no id" })).toBe("open: user.list/page#x: no id");
  });
});
