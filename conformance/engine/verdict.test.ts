import { expect, it } from "vitest";
import type { CheckResult, Outcome } from "../report/report.ts";
import { clean } from "../report/sample.fixture.ts";
import { verdictOf, worst } from "./verdict.ts";

type Row = readonly [
  sentence: string,
  outcomes: readonly (readonly [Outcome, "MUST" | "SHOULD" | "MAY"])[],
  rest: { readonly strict?: boolean; readonly faults?: readonly string[] },
  exitCode: number,
];

it.each<Row>([
  [
    "counts no SHOULD, and no MAY",
    [
      ["failed", "SHOULD"],
      ["failed", "MAY"],
    ],
    {},
    0,
  ],
  ["counts a SHOULD when strict", [["failed", "SHOULD"]], { strict: true }, 1],
  ["counts no MAY when strict", [["failed", "MAY"]], { strict: true }, 0],
  ["names a failure before a fault of the harness", [["failed", "MUST"]], { faults: ["ours"] }, 1],
  ["names a fault of the harness", [["passed", "MUST"]], { faults: ["ours"] }, 4],
  [
    "names a failure before what is incomplete",
    [
      ["failed", "MUST"],
      ["incomplete", "MUST"],
    ],
    {},
    1,
  ],
  [
    "names what is incomplete",
    [
      ["passed", "MUST"],
      ["incomplete", "MUST"],
    ],
    {},
    5,
  ],
])("a verdict %s", (_, outcomes, { strict = false, faults = [] }, exitCode) => {
  const [like] = clean.results;
  const results = outcomes.map(
    ([outcome, level]) => ({ ...like, outcome, requirement: { ...like?.requirement, level } }) as CheckResult, // it has one
  );
  const ending = { results, faults, baseline: [], preflight: null, checks: [] };
  expect(verdictOf(ending, { strict }).exitCode).toBe(exitCode);
});

it("the worst of two is the gravest", () => {
  const pairs = [
    [0, 5],
    [5, 1],
    [1, 3],
    [0, 0],
  ] as const;
  expect(pairs.map(worst)).toEqual([5, 1, 3, 0]);
});
