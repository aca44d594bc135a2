import { expect, it } from "vitest";
import { causesOf } from "./causes.ts";
import type { Failure } from "./report.ts";
import { empty, failure, result, sample, unanswered } from "./sample.fixture.ts";

type Row = readonly [check: string, status: number, type: string, body: string, about: Partial<Failure>];

const PROBLEM = "application/problem+json";
const oops = '{"code":"internal-error"}';
const list = { operation: "user.list" };

/** The causes of failures with these responses: title → checks. */
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
      "user.list: 200 instead of 422": ["a"],
      "sysinfo: 200 instead of 422": ["b"],
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
      "`date` is missing from a response": ["a", "b"],
      "`items` is missing from the response of user.list": ["d", "c"],
      "no answer (connection reset)": ["e"],
      "200 instead of another status": ["f"],
      "no answer": ["g"],
    },
  ],
])("is one: %s", (_name, rows, groups) => {
  expect(causes(...rows)).toEqual(groups);
});

const users = '{"items":[{"id":1,"name":"a"},{"id":2}]}';
it.each([
  ["body:/items/*/createdAt", users, {}, "`createdAt` is missing from each item of user.list"],
  ["body:/items/*/name", users, {}, "`name` is missing from 1 of 2 items of user.list"],
  ["body:/items/*/id", users, {}, "`id` is wrong in an item of user.list"],
  [
    "body:/items/*/id",
    users,
    { expected: "no such member" },
    "`id` is in an item of user.list, and not in the contract",
  ],
  ["body:/items/0/name", users, {}, "`name` is wrong in the response of user.list"],
  ["body:/total", users, {}, "`total` is missing from the response of user.list"],
  ["body:/a/b/c", users, {}, "`a` is missing from the response of user.list"],
  ["body:/items", "no JSON", {}, "user.list: body:/items"],
  ["header:content-type", users, {}, "`content-type` is wrong in a response"],
])("names the cause of %s in %s, %j: %s", (aspect, body, about, title) => {
  expect(Object.keys(causes(["a", 200, "application/json", body, { ...list, ...about, aspect }]))).toEqual([title]);
});

it.each([
  ["status 200 (X-Forwarded-For: 127.0.0.1)", "200"],
  ["a refusal (limit=201)", "another status"],
  ["not the answer of docs.list from http://127.0.0.1:443/?@=docs.list", "another status"],
  ["status 400 or 422", "400"],
  ["the status of GET, 404", "404"],
  ["200 application/json", "200"],
])("names the status that was due, and no other number: %s", (expected, due) => {
  const titles = Object.keys(causes(["a", 201, "application/json", "{}", { ...list, expected }]));
  expect(titles).toEqual([`user.list: 201 instead of ${due}`]);
});

it("begins with the member that is wrong, and with what left most checks open", () => {
  const answer = { ...empty, headers: [["Content-Type", "application/json"]] as const };
  const told = { ...failure, ...list, exchanges: [{ ...unanswered, answer }], guilty: 0 };
  const failed = (check: string, aspect: string) => result(check, "failed", { failure: { ...told, aspect } });
  const open = ["x", "y", "z"].map((check) => result(check, "incomplete", { reason: check, reportedBy: "schema" }));
  const items = failed("page", "body:/items");
  // Its sentence names the compared members, and a missing member is reported by the other check.
  const page = { ...items, requirement: { ...items.requirement, sentence: "It answers `items`." } };
  const headers = ["a", "b", "c"].map((check) => failed(check, "header:vary"));
  const results = [...headers, page, failed("schema", "body:/items/*/createdAt"), ...open];
  const found = causesOf({ ...sample, results });
  expect(found.map(({ failures, open }) => [failures.map(({ check }) => check), open])).toEqual([
    [
      ["schema", "page"],
      ["x", "y", "z"],
    ],
    [["a", "b", "c"], []],
  ]);
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
