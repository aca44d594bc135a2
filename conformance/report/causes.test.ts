import { expect, it } from "vitest";
import { causesOf } from "./causes.ts";
import { placeShown } from "./places.ts";
import { exchange, finding, NASTY, reportOf } from "./sample.test-kit.ts";

type Row = readonly [
  requirement: string,
  sent: NonNullable<Parameters<typeof exchange>[0]>,
  about?: Parameters<typeof finding>[1],
];

const PROBLEM = { headers: [["Content-Type", "application/problem+json"]], text: '{"code":"internal-error"}' } as const;
const JSON_TYPE = [["Content-Type", "application/json"]] as const;
const list = { operation: "user.list" };
const html = { headers: [["Content-Type", "text/html; charset=utf-8"]] } as const;

const reported = (rows: readonly Row[]) =>
  reportOf(rows.map(([requirement, sent, about]) => finding(requirement, { exchanges: [exchange(sent)], ...about })));

/** The causes of these findings: title → requirements. */
const causes = (...rows: readonly Row[]) =>
  Object.fromEntries(reported(rows).causes.map(({ title, requirements }) => [title, requirements]));

it.each<[name: string, rows: Row[], groups: Record<string, string[]>]>([
  [
    "an operation that fails, whatever was looked for in its responses",
    [
      ["a", { ...list, ...PROBLEM, status: 500 }],
      ["b", { ...list, ...PROBLEM, status: 500 }, { aspect: "body:/items" }],
      ["c", { ...list, ...PROBLEM, status: 500 }, { aspect: "header:link" }],
      ["d", { ...PROBLEM, status: 500 }, { aspect: "state" }],
    ],
    { "user.list: 500 internal-error": ["a", "b", "c", "d"] },
  ],
  [
    "a gateway that responds for all operations",
    ["sysinfo", "user.list", "docs.list"].map((operation) => [operation, { ...html, operation, status: 502 }] as const),
    { "3 operations: 502 text/html, no problem document": ["sysinfo", "user.list", "docs.list"] },
  ],
  [
    "two operations, each for itself, and of none where others are as wrong",
    [
      ["a", { ...list, due: 422 }],
      ["b", { operation: "sysinfo", due: 422 }],
      ["c", { ...html, ...list, status: 405 }],
      ["d", { ...html, operation: "sysinfo", status: 405 }],
      ["e", { ...html, status: 405 }],
    ],
    {
      "405 text/html, no problem document": ["c", "d", "e"],
      "user.list: 200 instead of 422": ["a"],
      "sysinfo: 200 instead of 422": ["b"],
    },
  ],
  [
    "a header, a member and all below it, silence; and a target that went away, last",
    [
      [
        "z",
        { status: 0 },
        { aspect: "connection", actual: "the target stopped responding at 1970-01-01T00:00:00.000Z" },
      ],
      ["a", { ...list, headers: JSON_TYPE }, { aspect: "header:date" }],
      ["b", { operation: "sysinfo", headers: JSON_TYPE }, { aspect: "header:date" }],
      ["c", { ...list, headers: JSON_TYPE, text: "{}" }, { aspect: "body:/items" }],
      ["d", { ...list, headers: JSON_TYPE, text: "{}" }, { aspect: "body:/items/0/id" }],
      ["e", { status: 0 }, { aspect: "connection" }],
      ["f", { due: 200 }, { expected: "a rejection (limit=201)" }],
    ],
    {
      "date is missing from a response": ["a", "b"],
      "items is missing from the response of user.list": ["d", "c"],
      "no response (connection reset)": ["e"],
      "200 instead of another status": ["f"],
      "the target stopped responding at 1970-01-01T00:00:00.000Z": ["z"],
    },
  ],
  [
    "not silence where nothing was sent",
    [
      ["a", {}, { exchanges: [], at: -1, aspect: "header:link" }],
      ["b", { status: 0 }],
    ],
    { "header:link (a)": ["a"], "no response (connection reset)": ["b"] },
  ],
])("is one: %s", (_name, rows, groups) => {
  expect(causes(...rows)).toEqual(groups);
  expect(Object.keys(causes(...rows))).toEqual(Object.keys(groups));
});

const users = '{"items":[{"id":1,"name":"a"},{"id":2}]}';
it.each([
  ["body:/items/*/createdAt", users, {}, "createdAt is missing from each item of user.list"],
  ["body:/items/0/createdAt", users, {}, "createdAt is missing from each item of user.list"],
  ["body:/items/1/name", users, {}, "name is missing from 1 of 2 items of user.list"],
  ["body:/items/*/id", users, {}, "id is wrong in an item of user.list"],
  ["body:/items/*/id", users, { expected: "no such member" }, "id is in an item of user.list, and not in the contract"],
  ["body:/total", users, {}, "total is missing from the response of user.list"],
  ["body:/a/b/c", users, {}, "a is missing from the response of user.list"],
  ["body:/items", "no JSON", {}, "user.list: body:/items"],
  ["body", users, {}, "the body of user.list is wrong"],
  ["header:content-type", users, {}, "content-type is wrong in a response"],
])("names the cause of %s in %s, %j: %s", (aspect, text, about, title) => {
  expect(Object.keys(causes(["a", { ...list, headers: JSON_TYPE, text }, { ...about, aspect }]))).toEqual([title]);
});

it("quotes what a title has of the target, and cuts it", () => {
  const evil = `${NASTY} and much more of it than forty characters`;
  const titles = Object.keys(
    causes(
      ["a", { status: 404, headers: [["Content-Type", evil]] }],
      ["b", { ...list, headers: JSON_TYPE, text: JSON.stringify({ [evil]: 1 }) }, { aspect: `body:/${evil}` }],
      ["c", { status: 500, headers: PROBLEM.headers, text: `{"code":"${"x".repeat(90)} y"}` }],
    ),
  );
  expect(titles).toHaveLength(3);
  const odd = ["one ", "two "].map((type): Row => ["a", { status: 404, headers: [["Content-Type", `${type} x`]] }]);
  expect(Object.keys(causes(...odd))).toEqual(['404 "one x", no problem document']);
  for (const title of titles) expect(title).toMatch(/^[^"]*"[^\n]{40}…"[^"]*$/);
});

it("takes a body for as wrong as the fields that say how to read it", () => {
  const coded = { ...list, headers: [...JSON_TYPE, ["Content-Encoding", "br"]] } as const;
  const operation = { script: "one", case: null };
  const rows: Row[] = [
    ["a", coded, { ...operation, aspect: "body" }],
    ["b", coded, { ...operation, aspect: "header:content-encoding" }],
  ];
  const own = { ...reported(rows) };
  const findings = own.findings.map((one) => ({ ...one, case: "user.list plain" }));
  expect(causesOf(findings, own.requirements).map(({ title, requirements }) => [title, requirements])).toEqual([
    ["content-encoding is wrong in a response", ["b", "a"]],
  ]);
});

it("takes what is wrong with a response of another status for a consequence, and the rule that decides before what restates it", () => {
  const taken = { ...list, ...PROBLEM, status: 409, due: 422 };
  const law = { source: "law" } as const;
  const rows: Row[] = [
    ["restates", taken, { ...law, aspect: "status" }],
    ["http/vary", taken, { ...law, aspect: "header:vary" }],
    ["decides", taken],
  ];
  expect(Object.values(causes(...rows))).toEqual([["decides", "restates", "http/vary"]]);
});

it("begins with that of most requirements, a MUST first, and each with the requirement whose sentence names it", () => {
  const headers = ["a", "b", "c"].map((id): Row => [id, { ...list, headers: JSON_TYPE }, { aspect: "header:vary" }]);
  const named: Row = ["http/vary", { ...list, headers: JSON_TYPE }, { aspect: "header:vary" }];
  const { findings } = reported([["status", { ...list, due: 422 }], ...headers, named]);
  const requirement = reported([]).requirements[0];
  if (!requirement) throw new Error("the contract has requirements");
  const of = (id: string, level: "MUST" | "SHOULD", sentence = "") => ({ ...requirement, id, level, sentence });
  const all = [of("status", "MUST"), ...["a", "b", "c"].map((id) => of(id, "SHOULD"))];
  const orderOf = (more: ReturnType<typeof of>) => causesOf(findings, [...all, more]).map((one) => one.requirements);
  expect(orderOf(of("http/vary", "MUST", "It has Vary."))).toEqual([["http/vary", "a", "b", "c"], ["status"]]);
  expect(orderOf(of("http/vary", "SHOULD", "It has Vary."))[0]).toEqual(["status"]);
});

it("shows the object or the fields that are wrong", () => {
  const shown = (aspect: string) => {
    const sent = { ...list, headers: [["Allow", "GET"]] as const, text: '{"items":[{"id":1}]}' };
    return reported([["a", sent, { aspect }]]).findings.map(placeShown)[0];
  };
  expect(shown("body:/items/*/name")).toBe('/items/0 {"id":1}');
  expect(shown("header:allow")).toBe("Allow: GET");
  expect(shown("header:vary")).toBe("only Allow");
  expect(shown("status")).toBe("");
});
