import { expect, it } from "vitest";
import { causesOf } from "./causes.ts";
import type { CheckResult, Failure, Report } from "./report.ts";
import { sample } from "./sample.fixture.ts";

type Row = readonly [check: string, status: number, type: string, body: string, about: Partial<Failure>];

const PROBLEM = "application/problem+json";
const oops = '{"code":"internal-error"}';
const list = { operation: "user.list" };

/** The causes of failures that these answers are about: title → checks. */
function causes(...rows: readonly Row[]): Record<string, string[]> {
  const [, like] = sample.results;
  const results = rows.map(([check, status, type, body, about]): CheckResult => {
    const answer = {
      status,
      reason: "",
      httpVersion: "1.1",
      headers: [["Content-Type", type]] as const,
      body: Buffer.from(body),
    };
    const exchanges = (like?.failure?.exchanges ?? [])
      .slice(0, 1)
      .map((one) => ({ ...one, answer: status ? answer : null, error: body }));
    const failure = {
      ...like?.failure,
      aspect: "status",
      expected: "status 200",
      exchanges,
      guilty: 0,
      operation: null,
      ...about,
    };
    return { ...like, check, failure } as CheckResult; // the sample has a failure
  });
  const found = causesOf({ ...sample, results } satisfies Report);
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
  const about = { ...list, aspect: "header:x-request-id" };
  const [, like] = sample.results;
  if (!like?.failure) throw new Error("the sample has a failure");
  const answered = like.failure.exchanges[0]?.answer;
  if (!answered) throw new Error("the sample has an answer");
  const answer = { ...answered, status: 404, headers: [["Content-Type", type]] as const };
  const of = (check: string, guilty: number, sentence = "Something.") =>
    ({
      ...like,
      check,
      requirement: { ...like.requirement, sentence },
      failure: { ...like.failure, ...about, guilty },
    }) as CheckResult;
  const results = [of("late", 1), of("early", 0), of("own", 2, sentence)].map((one) => ({
    ...one,
    failure: one.failure && {
      ...one.failure,
      exchanges: one.failure.exchanges.map((each) => ({ ...each, answer })),
    },
  }));
  const [only, ...others] = causesOf({ ...sample, results });
  expect([only?.failures.map(({ check }) => check), others]).toEqual([["own", "early", "late"], []]);
});
