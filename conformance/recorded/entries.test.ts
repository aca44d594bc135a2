// Files of a few entries, as the command reads them: their form, what is left out, and what is not shown.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { command, file } from "../cli/command.test-kit.ts";
import { MOST_FILE } from "../http/limits.ts";
import type { Entry } from "./entries.ts";
import { readHar } from "./har.ts";

const KEY = "somebody-elses-key-4711";
const fieldsOf = (fields: object) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));
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

async function readAll(text: string, chunk = text.length): Promise<readonly Entry[]> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) =>
    bytes.subarray(at * chunk),
  );
  const read: Entry[] = [];
  for await (const one of readHar(chunks.map((rest) => rest.subarray(0, chunk))))
    if (typeof one !== "string") read.push(one);
  return read;
}
const readEntries = (...entries: readonly object[]) => readAll(JSON.stringify(harOf(entries)));

describe("a HAR", () => {
  it("has the host of HTTP/2 and nothing of framing", async () => {
    const headers = fieldsOf({
      ":authority": "h",
      ":path": "/",
      "content-length": "3",
      accept: "a/b",
    });
    const [one] = await readEntries(
      entry("https://h/x y#z", {}, { headers, postData: { text: "é" } }),
    );
    const fields = [
      ["Host", "h"],
      ["accept", "a/b"],
    ];
    expect(one).toMatchObject({ fields, url: "https://h/x%20y", body: "\xc3\xa9" });
  });

  it.each([
    [{ content: { size: 3 } }, null],
    [{ content: { size: 3, text: "ab" } }, null],
    [{ content: { size: 3, text: "abc" } }, "abc"],
    [{ content: { size: 3, text: "YWJj", encoding: "base64" } }, "abc"],
    [{ content: { size: 0 } }, ""],
    [{ content: { size: -1, text: "" } }, null],
    [{ content: { size: -1, text: "" }, headers: [{ name: "Content-Length", value: "0" }] }, ""],
    [{ content: {} }, null],
    [{ content: { size: 0 }, _error: "net::ERR_ABORTED" }, null],
  ])("may lack the body of a response, or a part of it: %j", async (response, body) => {
    const [one] = await readEntries(entry("http://h/", {}, {}, response));
    expect(one?.response?.body?.toString() ?? null).toBe(body);
  });

  it.each([
    [{ text: "é" }, [], "\xc3\xa9"],
    [{ text: "" }, ["2"], null],
    [{ text: "é" }, ["2"], "\xc3\xa9"],
    [{ params: [{ name: "a", value: "b" }] }, [], null],
    [undefined, ["2"], null],
    [undefined, ["0"], ""],
  ])("may lack the body of a request: %j %j", async (postData, lengths, body) => {
    const headers = lengths.map((value) => ({ name: "content-length", value }));
    const [one] = await readEntries(entry("http://h/", {}, { headers, postData }));
    expect(one?.body).toBe(body);
  });

  it("has connections that requests share from HTTP/2 on", async () => {
    const versions = ["HTTP/1.1", "h2", "HTTP/3", "http/2.0"];
    const read = await readEntries(
      ...versions.map((httpVersion) => entry("http://h/", { connection: "7" }, { httpVersion })),
    );
    expect(read.map(({ connection }) => connection)).toEqual(["7", "", "", ""]);
  });

  it.each([
    [{ _fromCache: "memory" }, { status: 200 }, [], true, 200],
    [{ _fromCache: false }, { status: 200, _transferSize: 9 }, [], false, 200],
    [{}, { status: 200, _transferSize: 0 }, [], true, 200],
    [{}, { status: 200, _transferSize: 9, bodySize: 0 }, ['"a"'], false, 304],
    [{}, { status: 200, _transferSize: 9, bodySize: 1 }, ['"a"'], false, 200],
    [{}, { status: 200, _transferSize: 9, bodySize: 0 }, [], false, 200],
    [{}, { status: 200, bodySize: 0 }, ['"a"'], false, 200],
  ])(
    "says what a browser had already: %j %j %j",
    async (more, response, tags, isCached, status) => {
      const headers = tags.map((value) => ({ name: "If-None-Match", value }));
      const [one] = await readEntries(entry("http://h/", more, { headers }, response));
      const left = isCached ? "from a browser's cache" : null;
      expect([one?.left, one?.response?.status]).toEqual([left, status]);
    },
  );

  it("may have anything else, in any order, and strings of any length", async () => {
    const long = (text: string) => text.repeat(2_500_000);
    const cut = entry(
      "http://h/1",
      { _a: [[{ log: { entries: [1] } }]] },
      {},
      { content: { text: long('é\\"\n') } },
    );
    const log = {
      pages: [{ id: long("a"), entries: [{}] }],
      entries: [cut, entry("http://h/2")],
      browser: { name: "" },
    };
    const read = await readAll(
      `\ufeff\r\n${JSON.stringify({ _log: [{ entries: [1] }], log }, null, 1)}\r\n`,
      65_537,
    );
    expect(read.map(({ number, url }) => [number, url])).toEqual(
      [1, 2].map((at) => [at, `http://h/${at}`]),
    );
    expect(read[0]?.response?.body?.length).toBeGreaterThan(MOST_FILE);
    expect(read[0]?.response?.body?.length).toBeLessThan(4 * MOST_FILE);
  });

  it("is not compressed", async () => {
    await expect(readHar([gzipSync("{}")]).next()).rejects.toThrow(
      "the file is compressed (gzip): unpack it first",
    );
  });
});

describe("an odd entry is left out, and counted", () => {
  const odd: readonly (readonly [string, object])[] = [
    ["no address", { request: { method: "GET", url: "/x.dat", headers: [] } }],
    ["half a character", { request: { method: "GET", url: "http://h/\ud800", headers: [] } }],
    ["no request", { request: null }],
    ["a number as a request", { request: 7 }],
    ["a number as a method", { request: { method: 7, url: "http://h/", headers: [] } }],
    ["a text as header fields", { request: { method: "GET", url: "http://h/", headers: "a: b" } }],
    [
      "a field without a value",
      { request: { method: "GET", url: "http://h/", headers: [{ name: "a" }] } },
    ],
    [
      "a number as a value",
      { request: { method: "GET", url: "http://h/", headers: [{ name: "a", value: 7 }] } },
    ],
    ["a field that is null", { request: { method: "GET", url: "http://h/", headers: [null] } }],
    [
      "a text as a body",
      { request: { method: "POST", url: "http://h/", headers: [], postData: "a" } },
    ],
    [
      "a number as an encoding",
      { response: { status: 200, headers: [], content: { text: "a", encoding: 7 } } },
    ],
    ["no time", { startedDateTime: null }],
    ["no date", { startedDateTime: "2026-99-99T00:00:00Z" }],
    ["a list as a duration", { time: [] }],
    ["no response", { response: null }],
    ["a response without a status", { response: { status: "", headers: [] } }],
    ["a text as a status", { response: { status: "200", headers: [] } }],
    ["a huge status", { response: { status: 1e308, headers: [] } }],
    ["a list as a response", { response: [] }],
    [
      "an entry of an extension",
      { request: { method: "GET", url: "chrome-extension://h/", headers: [] } },
    ],
    ["a page's own data", { request: { method: "GET", url: "blob:http://h/1", headers: [] } }],
    ["the answer of a mock", { _wasFulfilled: true }],
    [
      "the answer of a service worker",
      { response: { status: 200, headers: [], _fetchedViaServiceWorker: true } },
    ],
  ];
  it.each(odd)("%s", async (_, more) => {
    const listed = [entry("http://h/"), { ...entry("http://h/"), ...more }];
    const { report } = await recorded("a.har", harOf(listed));
    const { left } = JSON.parse(report).recorded;
    expect(Object.values(left)).toEqual([1]);
  });

  it.each([7, null, [], "a"])("%j instead of one", async (one) => {
    const { report } = await recorded("a.har", {
      log: { creator: one, entries: [one, entry("http://h/")] },
    });
    expect(Object.values(JSON.parse(report).recorded.left)).toEqual([1]);
  });

  it("of any kind, in JSON lines too", async () => {
    const line = { startedAt: "2026-11-26T07:00:00Z", endedAt: "2026-11-26T07:00:01Z" };
    const request = { method: "GET", url: "http://other/", headers: [] };
    const lines = [
      { ...line, startedAt: null },
      { ...line, request },
    ]
      .map((one) => JSON.stringify(one))
      .join("\n");
    const { code, report } = await recorded("a.jsonl", lines);
    const left = { "startedAt must be a string": 1, "another target": 1 };
    expect([code, JSON.parse(report).recorded.left]).toEqual([5, left]);
  });
});

describe("a request is read as it was sent", () => {
  const axios = { creator: { name: "axios-har-tracker" } };
  it.each([
    ["GET", {}, { method: "get" }, { method: "GET", isPartial: true }],
    ["GET", {}, { headersSize: -1 }, { method: "GET", isPartial: false }],
    ["GET", {}, { headers: [] }, { isPartial: true }],
    ["GET", {}, { headers: fieldsOf({ accept: "*/*" }) }, { isPartial: true }],
    ["GET", {}, { _isProvisional: true }, { isPartial: true }],
    [
      "GET",
      axios,
      { headers: [{ name: "Content-Type" }, { name: "A", value: 7 }] },
      { fields: [["A", "7"]] },
    ],
    [
      "GET",
      axios,
      { url: "http://h/api/?@=a?b=c" },
      { url: "http://h/api/?@=a&b=c", isPartial: true },
    ],
    ["POST", {}, { postData: { encoding: "base64", text: "w6k=" } }, { body: "\xc3\xa9" }],
    ["POST", {}, { postData: { encoding: "base64", text: "{}" } }, { body: null }],
    ["POST", {}, { postData: { encoding: "gzip", text: "a" } }, { body: null }],
    ["POST", {}, { postData: { text: "a\ufffd" } }, { body: null }],
    ["POST", {}, { postData: { text: "a\udc80" } }, { body: null }],
    ["POST", {}, { postData: { text: "" }, bodySize: 3 }, { body: null }],
    ["POST", {}, { headers: [] }, { body: null }],
  ])("%s %j %j", async (method, log, request, wanted) => {
    const entries = [entry("http://h/api/", {}, { method, ...request })];
    const [one] = await readAll(JSON.stringify({ log: { ...log, entries } }));
    expect(one).toMatchObject(wanted);
  });
});

it("does not conclude from header fields that may be missing", async () => {
  const problem = JSON.stringify({ code: "not-acceptable" });
  const one = entry(
    "http://h/api/?@=docs.list",
    {},
    { headers: [] },
    { status: 406, content: { text: problem } },
  );
  const { report } = await recorded("a.har", harOf([one]));
  expect(JSON.parse(report).recorded.undecided).toEqual({ "head not recorded as sent": 1 });
});

it.each([
  ["a.har", '{"log":{"entries":[\n{"a":x}]}}', "line 2, column 6: "],
  ["a.har", '{"log":{"entries":[\n\n{"a":1 2}]}}', "line 3, column 8: "],
  ["a.har", `{"log":{"entries":[\n"${"a".repeat(100_000)}",\n {"a":1 2}]}}`, "line 3, column 9: "],
  ["a.har", '{"log":{"entries":[', "the file ends in the middle"],
  ["a.har", '{"log":{}}', "a HAR has log.entries"],
  ["a.har", '{"entries":[],"log":{"pages":[]}}', "a HAR has log.entries"],
  ["a.har", '{"log":{"entries":{}}}', "a HAR has log.entries"],
  ["a.har", '{"log":{"entries":[{}]}}', "entry 1: "],
  ["a.har", '{"log":{"entries":[1]}}', "entry 1: "],
  ["a.har", "\x1b[31m", 'line 1, column 1: unexpected "\\u001b"'],
  ["a.har", '{"log":{"entries":[\n{"a":1]}}', 'line 2, column 7: unexpected "]"'],
  ["a.jsonl", "\r\n1\r\n", "line 2: "],
  [
    "its log begins it",
    '\ufeff{ "log":{"entries":[{"request":1}]}}',
    "entry 1: request must be an object",
  ],
  ["a.jsonl", '\n{"startedAt": "yesterday"}', "line 2: startedAt must be a time of RFC 3339"],
  ["a.jsonl", '\n{"startedAt"', "line 2: "],
])("a broken file is rejected: %s %s", async (name, text, message) => {
  const { code, stderr } = await recorded(name, text);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it.each([
  ["--origin", "given"],
  ["--smoke"],
  ["--exhaustive"],
  ["--explore", "2"],
  ["--slow"],
  ["--case", "x"],
])("is not combined with what is about sending: %s", async (...words) => {
  const { code, stderr } = await command(["--recorded", "a.har", "--url", "http://h", ...words], {
    env: {},
  });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`cannot be used with option '${words[0]}`),
  ]);
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
  const jane = { email: "jane@example.org", name: "Jane Roe" };
  const body = JSON.stringify({ items: [1, 2].map((id) => ({ id, ...jane })), key: KEY });
  const answer = fieldsOf({
    ...{ "Content-Type": "application/json", "Set-Cookie": "session=another-cookie" },
    ...{ "X-Operation": "user.list", Location: `/?k=${KEY}` },
  });
  const response = { headers: answer, content: { size: body.length, text: body } };
  const list = "http://h/api/?@=user.list&limit=2";
  const wrong = Array.from({ length: 25 }, () =>
    entry(`${list}&q=jane%40example.org&X-API-KEY=${KEY}`, {}, {}, { status: 500, ...response }),
  );
  // Another name of the same form: it is no fault of the suite that both are shown alike.
  const text = body.replaceAll("Jane Roe", "Joan Roe");
  const changed = { ...response, content: { size: text.length, text } };
  const listed = [response, changed].map((one) =>
    entry(list, {}, { headers }, { status: 200, ...one }),
  );
  const entries = [...listed, ...wrong];
  const { code, stdout, report } = await recorded("a.har", harOf(entries));
  const { findings, faults, requirements } = JSON.parse(report);
  expect([code, faults]).toEqual([1, []]);
  const [first] = requirements.filter((one: { findings: number }) => one.findings >= 25);
  expect(
    findings.filter((one: { requirement: string }) => one.requirement === first.id),
  ).toHaveLength(20);
  for (const secret of [
    KEY,
    KEY.slice(0, 12),
    "cookie-of",
    "another-cookie",
    "token-of",
    "jane@",
    "jane%40",
    "Jane Roe",
    "Joan Roe",
  ])
    expect(stdout + report).not.toContain(secret);
  const form = '{"email":"e-mail, 16 characters","id":1,"name":"8 characters"}';
  expect(findings).toContainEqual(
    expect.objectContaining({ expected: form, actual: `${form}, with another value` }),
  );
  expect(new Set(findings.map((one: { entry: number }) => one.entry))).toContain(1);
});
