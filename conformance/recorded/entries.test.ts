// Files of a few entries, as the command reads them: their form, what is left out, and what is not
// shown.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { command, file } from "../cli/command.test-kit.ts";
import { MOST_FILE } from "../http/limits.ts";
import type { ReportData, ReportedFinding } from "../report/json.ts";
import { isAbout } from "../report/lines.ts";
import type { Entry } from "./entries.ts";
import { readHar } from "./har.ts";

const KEY = "somebody-elses-key-4711";
const fieldsOf = (fields: object) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));
const entry = (url: string, members: object = {}, request: object = {}, response: object = {}) => ({
  startedDateTime: "2026-11-26T07:00:00.000Z",
  time: 5,
  request: { method: "GET", url, headers: fieldsOf({ ":authority": "h" }), ...request },
  response: { status: 404, headers: [], content: { size: 0 }, ...response },
  ...members,
});
const harOf = (entries: readonly object[]) => ({ log: { version: "1.2", entries } });
/** What the command says about a file, and its report. */
async function recorded(content: unknown, name = "a.har", url = "http://h") {
  const report = file("report.json");
  const words = ["--recorded", file(name, content), "--url", url, "--json", report];
  const ran = await command(words, { env: {} });
  return { ...ran, report: () => readFileSync(report, "utf8") };
}
const resultOf = (report: string): Required<ReportData> => JSON.parse(report);

async function readAll(text: string, size = text.length): Promise<readonly Entry[]> {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  const read: Entry[] = [];
  for await (const entryOrReason of readHar(chunks))
    if (typeof entryOrReason !== "string") read.push(entryOrReason);
  return read;
}

const body = (text: string | null) => ({ response: { body: text && Buffer.from(text) } });
const content = (size: number, members: object = {}) => ({ content: { size, ...members } });
const ZERO = fieldsOf({ "Content-Length": "0" });
const length = (value: string) => ({ headers: fieldsOf({ "content-length": value }) });
const posted = (postData: object | undefined, members: object = {}) => ({
  method: "POST",
  postData,
  ...members,
});
const CACHED = { left: "from a browser's cache" };
const tagged = { headers: fieldsOf({ "If-None-Match": '"a"' }) };
const AXIOS = { creator: { name: "axios-har-tracker" } };

it.each<[what: string, wanted: object, request: object, response?: object, members?: object]>([
  ["a body that is missing", body(null), {}, content(3)],
  ["a body in part", body(null), {}, content(3, { text: "ab" })],
  ["a body", body("abc"), {}, content(3, { text: "abc" })],
  ["an empty body", { response: { body: Buffer.alloc(0) } }, {}, content(0)],
  ["no size", body(null), {}, content(-1, { text: "" })],
  [
    "a length of zero",
    { response: { body: Buffer.alloc(0) } },
    {},
    { ...content(-1, { text: "" }), headers: ZERO },
  ],
  ["an error of the browser", body(null), {}, { ...content(0), _error: "net::ERR_ABORTED" }],
  ["a body that was sent", { body: "\xc3\xa9" }, posted({ text: "é" })],
  ["a body of which only the length is known", { body: null }, posted(undefined, length("2"))],
  ["none that was sent", { body: "" }, length("0")],
  ["the members of a form", { body: null }, posted({ params: fieldsOf({ a: "b" }) })],
  ["a body sent, in base64", { body: "\xc3\xa9" }, posted({ encoding: "base64", text: "w6k=" })],
  ["no base64", { body: null }, posted({ encoding: "base64", text: "{}" })],
  ["another encoding", { body: null }, posted({ encoding: "gzip", text: "a" })],
  ["characters that were lost", { body: null }, posted({ text: "a\ufffd" })],
  ["fewer bytes than were sent", { body: null }, posted({ text: "" }, { bodySize: 3 })],
  ["a connection of its own", { connection: "7" }, {}, {}, { connection: "7" }],
  ["shared connections", { connection: "" }, { httpVersion: "h2" }, {}, { connection: "7" }],
  ["a cache", CACHED, {}, { status: 200 }, { _fromCache: "memory" }],
  ["no bytes sent", CACHED, {}, { status: 200, _transferSize: 0 }],
  [
    "a copy that is current",
    { left: null, response: { status: 304 } },
    tagged,
    { status: 200, _transferSize: 9, bodySize: 0 },
  ],
  [
    "a new copy",
    { left: null, response: { status: 200 } },
    tagged,
    { status: 200, _transferSize: 9, bodySize: 1 },
  ],
  ["a method in small letters", { method: "GET", isPartial: true }, { method: "get" }],
  ["a whole head", { isPartial: false }, { headersSize: -1 }],
  ["a head without a host", { isPartial: true }, { headers: fieldsOf({ accept: "*/*" }) }],
  ["a provisional head", { isPartial: true }, { _isProvisional: true }],
  [
    "no value and a number",
    { fields: [["A", "7"]] },
    { headers: [{ name: "B" }, { name: "A", value: 7 }] },
    {},
    AXIOS,
  ],
  [
    "a second question mark",
    { url: "http://h/api/?@=a&b=c", isPartial: true },
    { url: "http://h/api/?@=a?b=c" },
    {},
    AXIOS,
  ],
])("a HAR with %s is read as %j", async (_, wanted, request, response, members = {}) => {
  const log = { ...members, entries: [entry("http://h/api/", members, request, response)] };
  expect(await readAll(JSON.stringify({ log }))).toMatchObject([wanted]);
});

it("a HAR has the host of HTTP/2 and nothing of framing", async () => {
  const headers = fieldsOf({ ":authority": "h", ":path": "/", "content-length": "3", accept: "a" });
  const [parsedEntry] = await readAll(
    JSON.stringify(harOf([entry("https://h/x y#z", {}, { headers })])),
  );
  expect(parsedEntry).toMatchObject({
    fields: Object.entries({ Host: "h", accept: "a" }),
    url: "https://h/x%20y",
  });
});

it("a HAR may have anything else, in any order, and strings of any length", async () => {
  const long = (text: string) => text.repeat(2_500_000);
  const cut = entry("http://h/1", { _a: [[harOf([])]] }, {}, content(0, { text: long('é\\"\n') }));
  const log = {
    pages: [{ id: long("a"), entries: [{}] }],
    entries: [cut, entry("http://h/2")],
    browser: { name: "" },
  };
  const text = `\ufeff\r\n${JSON.stringify({ _log: [harOf([{}])], log }, null, 1)}\r\n`;
  const read = await readAll(text, 65_537);
  expect(read.map(({ number, url }) => `${number} ${url}`)).toEqual([
    "1 http://h/1",
    "2 http://h/2",
  ]);
  const bodyLength = read[0]?.response?.body?.length ?? 0;
  expect([bodyLength > MOST_FILE, bodyLength < 4 * MOST_FILE]).toEqual([true, true]);
});

it("a HAR is not compressed", async () => {
  const reading = readHar([gzipSync("{}")]).next();
  await expect(reading).rejects.toThrow("the file is compressed (gzip): unpack it first");
});

describe("an odd entry is left out", () => {
  const right = entry("http://h/");
  const request = (more: object) => ({ ...right, request: { ...right.request, ...more } });
  const odd: readonly unknown[] = [
    7,
    null,
    [],
    "a",
    ...["/x.dat", "http://h/\ud800"].map((url) => request({ url })),
    request({ method: 7 }),
    ...["a: b", [{ name: "a" }], [{ name: "a", value: 7 }], [null]].map((headers) =>
      request({ headers }),
    ),
    request({ method: "POST", postData: "a" }),
    { ...right, request: 7 },
    { ...right, startedDateTime: null },
    { ...right, startedDateTime: "2026-99-99T00:00:00Z" },
    { ...right, time: [] },
    ...[
      null,
      [],
      { status: "" },
      { status: "200", headers: [] },
      { status: 1e308, headers: [] },
    ].map((response) => ({ ...right, response })),
    { ...right, response: { status: 200, headers: [], content: { text: "a", encoding: 7 } } },
    { ...right, response: { status: 200, headers: [], _fetchedViaServiceWorker: true } },
    { ...right, _wasFulfilled: true },
  ];

  it.each(odd.map((oddEntry) => ({ oddEntry })))("$oddEntry", async ({ oddEntry }) => {
    const read = await readAll(
      JSON.stringify({ log: { creator: oddEntry, entries: [right, oddEntry] } }),
    );
    expect(read.filter(({ left, response }) => left === null && response).length).toBe(1);
  });

  it("of any kind, in JSON lines too", async () => {
    const line = { startedAt: "2026-11-26T07:00:00Z", endedAt: "2026-11-26T07:00:01Z" };
    const otherTargetLine = {
      ...line,
      request: { method: "GET", url: "http://other/", headers: [] },
    };
    const lines = [{ ...line, startedAt: null }, otherTargetLine].map((one) => JSON.stringify(one));
    const { code, report } = await recorded(lines.join("\n"), "a.jsonl");
    const left = { "startedAt must be a string": 1, "another target": 1 };
    expect([code, resultOf(report()).recorded?.left]).toEqual([5, left]);
  });
});

it("does not conclude from header fields that may be missing", async () => {
  const text = JSON.stringify({ code: "not-acceptable" });
  const response = { status: 406, content: { text } };
  const entryWithoutHead = entry("http://h/api/?@=docs.list", {}, { headers: [] }, response);
  const { report } = await recorded(harOf([entryWithoutHead]));
  expect(resultOf(report()).recorded?.undecided).toEqual({ "head not recorded as sent": 1 });
});

it.each([
  ['{"log":{"entries":[\n{"a":x}]}}', "line 2, column 6: "],
  [`{"log":{"entries":[\n"${"a".repeat(100_000)}",\n {"a":1 2}]}}`, "line 3, column 9: "],
  ['{"log":{"entries":[', "the file ends in the middle"],
  ['{"entries":[],"log":{"pages":[]}}', "a HAR has log.entries"],
  ["\x1b[31m", 'line 1, column 1: unexpected "\\u001b"'],
  ['\ufeff{ "log":{"entries":[{"request":1}]}}', "entry 1: request must be an object", "its log"],
  ["\r\n1\r\n", "line 2: ", "a.jsonl"],
  ['\n{"startedAt": "yesterday"}', "line 2: startedAt must be a time of RFC 3339", "a.jsonl"],
])("a broken file is rejected: %s %s", async (text, message, name?: string) => {
  const { code, stderr } = await recorded(text, name);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it.each(["--origin given", "--smoke", "--exhaustive", "--explore 2", "--slow", "--case x"])(
  "is not combined with what is about sending: %s",
  async (words) => {
    const all = ["--recorded", "a.har", "--url", "http://h", ...words.split(" ")];
    const { code, stderr } = await command(all, { env: {} });
    const message = `cannot be used with option '${words.split(" ", 1)}`;
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  },
);

it("leaves out entries of others, without a response and from a cache", async () => {
  const otherTargets = [
    "http://other/p/",
    "http://h/p2/",
    "chrome-extension://h/p/",
    "blob:http://h/p/",
  ];
  const entries = [
    ...otherTargets.map((url) => entry(url)),
    entry("http://h:80/p/", {}, {}, { status: 0 }),
    entry("http://h/p/", { _fromCache: "memory" }),
    entry("http://h/p/", {}, {}, { status: 429 }),
  ];
  const { code, report } = await recorded(harOf(entries), "a.har", "http://h/p");
  const left = { "another target": 4, "without a response": 1, "from a browser's cache": 1 };
  const counts = { compared: 0, left, undecided: { 429: 1 } };
  expect([code, resultOf(report()).recorded]).toMatchObject([5, counts]);
});

it("shows no key, cookie or value of a user, and counts what it does not show", async () => {
  const headers = fieldsOf({
    Cookie: "session=cookie-of-somebody",
    "X-API-KEY": KEY,
    Authorization: "Bearer token-of-somebody",
    "X-PLATFORM": "web",
  });
  const answer = fieldsOf({
    "Content-Type": "application/json",
    "Set-Cookie": "session=another-cookie",
    "X-Operation": "user.list",
    Location: `/?k=${KEY}`,
  });
  const list = "http://h/api/?@=user.list&limit=2";
  const shown = (name: string, status: number, extraQuery = "", request = {}) => {
    const items = [1, 2].map((id) => ({ id, email: "jane@example.org", name }));
    const text = JSON.stringify({ items, key: KEY });
    const response = { status, headers: answer, ...content(text.length, { text }) };
    return entry(list + extraQuery, {}, request, response);
  };
  const query = `&q=jane%40example.org&X-API-KEY=${KEY}`;
  const wrong = Array.from({ length: 25 }, () => shown("Jane Roe", 500, query));
  // Another name of the same form: it is no fault of the suite that both are shown alike.
  const listed = ["Jane Roe", "Joan Roe"].map((name) => shown(name, 200, "", { headers }));
  const { code, stdout, report } = await recorded(harOf([...listed, ...wrong]));
  const { findings, faults, requirements } = resultOf(report());
  expect([code, faults]).toEqual([1, []]);
  const first = requirements.find((one) => one.findings >= 25) ?? expect.fail();
  const reportedFindings = findings.filter((one: ReportedFinding) => isAbout(one, first.id));
  expect(reportedFindings.length).toBeLessThan(first.findings);
  const secret = /somebody-els|cookie-of|another-cookie|token-of|jane@|jane%40|J(?:ane|oan) Roe/;
  expect(stdout + report()).not.toMatch(secret);
  const expected = '{"email":"e-mail, 16 characters","id":1,"name":"8 characters"}';
  const actual = `${expected}, with another value`;
  expect(findings).toContainEqual(expect.objectContaining({ expected, actual }));
  expect(findings.some((one) => one.entry === 1)).toBe(true);
});
