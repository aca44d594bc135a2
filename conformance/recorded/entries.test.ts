// Files of a few entries, as the command reads them: their form, what is left out, and what is not shown.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { command, file } from "../cli/command.test-kit.ts";
import { readHar } from "./har.ts";
import type { Entry } from "./json-lines.ts";

const KEY = "somebody-elses-key-4711";
const fieldsOf = (fields: object) => Object.entries(fields).map(([name, value]) => ({ name, value }));
const entry = (url: string, more: object = {}, request: object = {}, response: object = {}) => ({
  ...{ startedDateTime: "2026-11-26T07:00:00.000Z", time: 5 },
  request: { method: "GET", url, headers: fieldsOf({ ":authority": "h" }), ...request },
  response: { status: 404, headers: [], content: { size: 0 }, ...response },
  ...more,
});
const harOf = (entries: readonly object[]) => ({ log: { version: "1.2", entries } });
/** What the command says about a file, and its report. */
async function recorded(name: string, content: unknown, url = "http://h") {
  const report = file("report.json");
  const words = ["--recorded", file(name, content), "--url", url, "--json", report];
  const { code, stdout, stderr } = await command(words, { env: {} });
  return { code, stderr, stdout, report: readFileSync(report, "utf8") };
}

async function readAll(...entries: readonly object[]): Promise<readonly Entry[]> {
  const read: Entry[] = [];
  for await (const one of readHar([Buffer.from(JSON.stringify(harOf(entries)))])) read.push(one);
  return read;
}

describe("a HAR", () => {
  it("has the host of HTTP/2 and nothing of framing", async () => {
    const headers = fieldsOf({ ":authority": "h", ":path": "/", "content-length": "3", accept: "a/b" });
    const [one] = await readAll(entry("https://h/x y#z", {}, { headers, postData: { text: "é" } }));
    const fields = [
      ["Host", "h"],
      ["accept", "a/b"],
    ];
    expect(one).toMatchObject({ fields, url: "https://h/x%20y", body: "\xc3\xa9" });
  });

  it("may lack a body, or a part of it", async () => {
    const bodies = [{ size: 3 }, { size: 3, text: "ab" }, { size: 3, text: "abc" }, { size: 0 }];
    const read = await readAll(...bodies.map((content) => entry("http://h/", {}, {}, { content })));
    expect(read.map(({ response }) => response?.body?.toString() ?? null)).toEqual([null, null, "abc", ""]);
  });
});

it.each([
  ["a.har", '{"log":{"entries":[\n{"a":x}]}}', "line 2, column 6: "],
  ["a.har", '{"log":{"entries":[\n\n{"a":1 2}]}}', "line 3, column 8: "],
  ["a.har", `{"log":{"entries":[\n"${"a".repeat(100_000)}",\n {"a":1 2}]}}`, "line 3, column 9: "],
  ["a.har", '{"log":{"entries":[', "the file ends in the middle"],
  ["a.har", '{"log":{}}', "a HAR has log.entries"],
  ["its log begins it", '\ufeff{ "log":{"entries":[{"request":1}]}}', "entry 1: request must be an object"],
  ["a.jsonl", '\n{"startedAt": "yesterday"}', "line 2: startedAt must be a time of RFC 3339"],
  ["a.jsonl", '\n{"startedAt"', "line 2: "],
])("a broken file is rejected: %s %s", async (name, text, message) => {
  const { code, stderr } = await recorded(name, text);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it("leaves out entries of others, without a response and from a cache", async () => {
  const entries = [
    entry("http://other/p/"),
    entry("http://h/p2/"),
    entry("http://h:80/p/", {}, {}, { status: 0 }),
    entry("http://h/p/", { _fromCache: "memory" }),
    entry("http://h/p/", {}, {}, { status: 429 }),
  ];
  const { code, report } = await recorded("a.har", harOf(entries), "http://h/p");
  const left = { "another target": 2, "without a response": 1, "from a browser's cache": 1 };
  expect(JSON.parse(report).recorded).toMatchObject({ compared: 0, left, undecided: { 429: 1 } });
  expect(code).toBe(5);
});

it("shows no key, cookie or value of a user, and counts what it does not show", async () => {
  const headers = fieldsOf({
    ...{ Cookie: "session=cookie-of-somebody", "X-API-KEY": KEY },
    ...{ Authorization: "Bearer token-of-somebody", "X-PLATFORM": "web" },
  });
  const body = JSON.stringify({ items: [{ id: 1, email: "jane@example.org", name: "Jane Roe" }], key: KEY });
  const answer = fieldsOf({
    ...{ "Content-Type": "application/json", "Set-Cookie": "session=another-cookie" },
    ...{ "X-Operation": "user.list", Location: `/?k=${KEY}` },
  });
  const response = { headers: answer, content: { size: body.length, text: body } };
  const list = "http://h/api/?@=user.list";
  const wrong = Array.from({ length: 25 }, () =>
    entry(`${list}&X-API-KEY=${KEY}`, {}, {}, { status: 500, ...response }),
  );
  const entries = [entry(list, {}, { headers }, { status: 200, ...response }), ...wrong];
  const { code, stdout, report } = await recorded("a.har", harOf(entries));
  const { findings, faults, requirements } = JSON.parse(report);
  expect([code, faults]).toEqual([1, []]);
  const [first] = requirements.filter((one: { findings: number }) => one.findings >= 25);
  expect(findings.filter((one: { requirement: string }) => one.requirement === first.id)).toHaveLength(20);
  for (const secret of [KEY, KEY.slice(0, 12), "cookie-of", "another-cookie", "token-of", "jane@", "Jane Roe"])
    expect(stdout + report).not.toContain(secret);
  expect(new Set(findings.map((one: { entry: number }) => one.entry))).toContain(1);
});
