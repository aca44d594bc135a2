import { expect, it } from "vitest";
import { causesOf } from "./causes.ts";
import { placeShown } from "./lines.ts";
import { caseOf, exchange, finding, NASTY, reportOf, type Sent } from "./sample.test-kit.ts";

type Row = readonly [requirement: string, sent: Sent, about?: Parameters<typeof finding>[1]];

const GONE = "the target stopped responding at 1970-01-01T00:00:00.000Z";
const JSON_TYPE = [["Content-Type", "application/json"]] as const;
const [list, sysinfo] = [{ operation: "user.list" }, { operation: "sysinfo" }];
const problem = {
  headers: [["Content-Type", "application/problem+json"]],
  text: '{"code":"internal-error"}',
} as const;
const html = { headers: [["Content-Type", "text/html; charset=utf-8"]] } as const;
const listed = { ...list, headers: JSON_TYPE, text: "{}" };
const coded = { ...list, headers: [...JSON_TYPE, ["Content-Encoding", "br"]] } as const;
const taken = { ...list, ...problem, status: 409, due: 422 };

const reported = (rows: readonly Row[]) =>
  reportOf(
    rows.map(([requirement, sent, about]) =>
      finding(requirement, { exchanges: [exchange(sent)], ...about }),
    ),
  );

const causes = (...rows: readonly Row[]) =>
  reported(rows).causes.map(({ title, requirements }) => [title, requirements.join(" ")]);

it.each<[name: string, rows: Row[], causes: [title: string, requirements: string][]]>([
  [
    "an operation that fails, whatever was looked for in its responses",
    [
      ["a", { ...list, ...problem, status: 500 }],
      ["b", { ...list, ...problem, status: 500 }, { aspect: "body:/items" }],
      ["c", { ...list, ...problem, status: 500 }, { aspect: "header:link" }],
      ["d", { ...problem, status: 500 }, { aspect: "state" }],
    ],
    [["user.list: 500 internal-error", "a b c d"]],
  ],
  [
    "a gateway that responds for all operations, and two of them, each for itself",
    [
      ["a", { ...list, due: 422 }],
      ["b", { ...sysinfo, due: 422 }],
      ...["sysinfo", "user.list", "docs.list"].map(
        (operation): Row => [operation, { ...html, operation, status: 502 }],
      ),
    ],
    [
      ["3 operations: 502 text/html, no problem document", "sysinfo user.list docs.list"],
      ["user.list: 200 instead of 422", "a"],
      ["sysinfo: 200 instead of 422", "b"],
    ],
  ],
  [
    "a header, a member and all below it, silence; and a target that went away, last",
    [
      ["z", { status: 0 }, { aspect: "connection", actual: GONE }],
      ["a", listed, { aspect: "header:date" }],
      ["b", { ...listed, ...sysinfo }, { aspect: "header:date" }],
      ["c", listed, { aspect: "body:/items" }],
      ["d", listed, { aspect: "body:/items/0/id" }],
      ["e", { status: 0 }, { aspect: "connection" }],
      ["f", { due: 200 }, { expected: "a rejection (limit=201)" }],
    ],
    [
      ["date is missing from a response", "a b"],
      ["items is missing from the response of user.list", "d c"],
      ["no response (connection reset)", "e"],
      ["200 instead of another status", "f"],
      [GONE, "z"],
    ],
  ],
  [
    "the fields that say how to read a body",
    [
      ["a", coded, { case: caseOf("user.list plain"), aspect: "body" }],
      ["b", coded, { case: caseOf("user.list plain"), aspect: "header:content-encoding" }],
    ],
    [["content-encoding is wrong in a response", "b a"]],
  ],
  [
    "another status, with what follows from that, and the rule that decides before what " +
      "restates it",
    [
      ["restates", taken, { source: "law" }],
      ["http/vary", taken, { source: "law", aspect: "header:vary" }],
      ["decides", taken],
    ],
    [["user.list: 409 internal-error instead of 422", "decides restates http/vary"]],
  ],
  [
    "each rule that the same status breaks, below a title that names its operation",
    [
      ["of no operation", { target: "/api/?@=docs.list", due: 400 }],
      ["of the list", { ...list, target: "/api/?@=user.list", due: 400 }],
      ["several/places", { target: "/api/?@=a", due: 400 }],
      ["several/places", { ...sysinfo, target: "/api/?@=sysinfo&much=more", due: 400 }],
    ],
    [
      ["sysinfo: 200 instead of 400", "several/places"],
      ["200 instead of 400", "of no operation"],
      ["user.list: 200 instead of 400", "of the list"],
    ],
  ],
])("is one: %s", (_name, rows, expected) => expect(causes(...rows)).toEqual(expected));

const users = '{"items":[{"id":1,"name":"a"},{"id":2}]}';
it.each<[aspect: string, title: string, overrides?: Parameters<typeof finding>[1]]>([
  ["body:/items/*/createdAt", "createdAt is missing from each item of user.list"],
  ["body:/items/1/name", "name is missing from 1 of 2 items of user.list"],
  ["body:/items/*/id", "id is wrong in an item of user.list"],
  [
    "body:/items/*/id",
    "id is in an item of user.list, and not in the contract",
    { expected: "no such member" },
  ],
  ["body:/a/b/c", "a is missing from the response of user.list"],
  ["body", "the body of user.list is wrong"],
])("names the cause of %s: %s", (aspect, title, overrides) => {
  expect(causes(["a", { ...listed, text: users }, { ...overrides, aspect }])).toEqual([
    [title, "a"],
  ]);
});

it("quotes what a title has of the target, and cuts it", () => {
  const evil = `${NASTY} and much more of it than forty characters`;
  const titles = causes(
    ["a", { status: 404, headers: [["Content-Type", evil]] }],
    ["b", { ...listed, text: JSON.stringify({ [evil]: 1 }) }, { aspect: `body:/${evil}` }],
    ["c", { ...problem, status: 500, text: `{"code":"${"x".repeat(90)} y"}` }],
  );
  expect(titles).toHaveLength(3);
  for (const [title] of titles) expect(title).toMatch(/^[^"]*"[^\n]{40}…"[^"]*$/);
  const odd = ["one ", "two "].map(
    (type): Row => ["a", { status: 404, headers: [["Content-Type", `${type} x`]] }],
  );
  expect(causes(...odd)).toEqual([['404 "one x", no problem document', "a"]]);
});

it.each([
  ["status c", ["a b c", "status"]],
  ["status", ["status", "a b c"]],
])("begins with the cause of most requirements, a MUST first: %s", (musts, order) => {
  const { findings, requirements } = reported([
    ["status", { ...list, due: 422 }],
    ["a", listed, { aspect: "header:vary", concerns: ["b", "c"] }],
  ]);
  const all = requirements.map((requirement) => ({
    ...requirement,
    level: musts.split(" ").includes(requirement.id) ? ("MUST" as const) : ("SHOULD" as const),
  }));
  expect(causesOf(findings, all).map((one) => one.requirements.join(" "))).toEqual(order);
});

it.each([
  ["body:/items/*/name", '/items/0 {"id":1}'],
  ["header:allow", "Allow: GET"],
  ["header:vary", "only Allow"],
  ["status", ""],
])("shows the object or the fields that are wrong: %s", (aspect, shown) => {
  const sent = { ...list, headers: [["Allow", "GET"]], text: '{"items":[{"id":1}]}' } as const;
  expect(reported([["a", sent, { aspect }]]).findings.map(placeShown)).toEqual([shown]);
});
