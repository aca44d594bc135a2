import { describe, expect, it } from "vitest";
import data from "../../generated/contract.json" with { type: "json" };
import { readContract } from "./contract.ts";

describe("readContract", () => {
  it("takes the contract of this release", () => {
    expect(readContract(data)).toBe(data);
  });

  const oldSteps = data.steps.map(({ step, does, problems }) => ({ step, does, refuses: problems }));
  it.each<readonly [message: string, value: unknown]>([
    ['it is no contract: the member "limits" is missing', null],
    ['it is no contract: the member "steps" is missing', { ...data, steps: undefined }],
    ['it is no contract: the member "hash" is missing', { ...data, hash: undefined }],
    ['it is of an older release: its steps have no "problems"; generate it again', { ...data, steps: oldSteps }],
    ['it is no contract: the operation "a" has no schemas', { ...data, operations: { a: {} } }],
    ["it has no query, and nothing to see a deployment by", { ...data, operations: {} }],
  ])("rejects a value with: %s", (message, value) => {
    expect(() => readContract(value)).toThrow(new Error(message));
  });
});
