import { expect, it } from "vitest";
import { causesOf } from "./causes.ts";
import type { Failure } from "./report.ts";
import { empty, failure, result, sample, unanswered } from "./sample.fixture.ts";

type Row = readonly [check: string, status: number, type: string, body: string, about: Partial<Failure>];

const PROBLEM = "application/problem+json";
const oops = '{"code":"internal-error"}';
const list = { operation: "user.list" };

/** The causes of failures that these answers are about: title → checks. */
function causes(...rows: readonly Row[]): Record<string, string[]> {
  const results = rows.map(([check, status, type, body, about]) => {
    const answer = { ...empty, status, headers: [["Content-Type", type]] as const, body: Buffer.from(body) };
    const exchanges = [{ ...unanswered, answer: status ? answer : null, error: body }];
    const told = { ...failure, aspect: "status", expected: "status 200", exchanges, guilty: 0, operation: null };
    return result(check, "failed", { failure: { ...told, ...about } });
  });
  const found = causesOf({ ...sample, results });
  return Object.fromEntries(found.map(({ title, failures }) => [title, failures.map((one) => one.check)]));
}

it.each<[name: string, rows: Row[], groups: Record<string, string[]>]>([
  [
    "an operation that fails, whatever was looked for in its answers",
    [
      ["a", 500, PROBLEM, oops, list],
      ["b", 500, PROBLEM, oops, { ...list, aspect: "body:/items", expected: "items" }],
      ["c", 500, PROBLEM, oops, { ...list, aspect: "header:link" }],
      ["d", 500, PROBLEM, oops, { operation: null, aspect: "state" }],
    ],
    { "user.list: 500 internal-error": ["a", "b", "c", "d"] },
  ],
  [
    "a gateway that answers for all operations",
    ["sysinfo", "user.list", "docs.list"].map(
      (operation) => [operation, 502, "text/html; charset=utf-8", "", { operation }] as const,
    ),
    { "3 operations: 502 text/html, no problem document": ["sysinfo", "user.list", "docs.list"] },
  ],
  [
    "two operations, each for itself, and nobody's where others are as wrong",
    [
      ["a", 200, "application/json", "{}", { ...list, expected: "status 422" }],
      ["b", 200, "application/json", "{}", { operation: "sysinfo", expected: "status 422" }],
      ["c", 405, "text/html", "", list],
      ["d", 405, "text/html", "", { operation: "sysinfo" }],
      ["e", 405, "text/html", "", {}],
    ],
    {
      "405 text/html, no problem document": ["c", "d", "e"],
      "user.list: 200 in the place of 422": ["a"],
      "sysinfo: 200 in the place of 422": ["b"],
    },
  ],
  [
    "a header, a member and all below it, silence",
    [
      ["a", 200, "application/json", "{}", { ...list, aspect: "header:date" }],
      ["b", 200, "application/json", "{}", { operation: "sysinfo", aspect: "header:date" }],
      ["c", 200, "application/json", "{}", { ...list, aspect: "body:/items" }],
      ["d", 200, "application/json", "{}", { ...list, aspect: "body:/items/*/id" }],
      ["e", 0, "", "connection reset", { aspect: "connection" }],
      ["f", 200, "", "", { aspect: "status", expected: "a refusal" }],
      ["g", 404, PROBLEM, "", { guilty: -1 }],
    ],
    {
      "header date": ["a", "b"],
      "user.list: body:/items": ["c", "d"],
      "no answer (connection reset)": ["e"],
      "200 in the place of another status": ["f"],
      "no answer": ["g"],
    },
  ],
])("is one: %s", (_name, rows, groups) => {
  expect(causes(...rows)).toEqual(groups);
});

it.each<[string, type: string, sentence: string]>([
  ["its own header", PROBLEM, "`X-Request-Id` is there."],
  ["what is no problem document", "text/plain", "Every refusal is an RFC 9457 problem document."],
])("begins with the failure whose own sentence names it, then with the fewest steps: %s", (_name, type, sentence) => {
  const answer = { ...empty, status: 404, headers: [["Content-Type", type]] as const };
  const exchanges = [1, 2, 3].map(() => ({ ...unanswered, answer }));
  const told = { ...failure, ...list, aspect: "header:x-request-id", exchanges };
  const of = (check: string, guilty: number) => result(check, "failed", { failure: { ...told, guilty } });
  const own = of("own", 2);
  const named = { ...own, requirement: { ...own.requirement, sentence } };
  const [only, ...others] = causesOf({ ...sample, results: [of("late", 1), of("early", 0), named] });
  expect([only?.failures.map(({ check }) => check), others]).toEqual([["own", "early", "late"], []]);
});
