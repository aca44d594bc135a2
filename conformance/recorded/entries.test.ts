// Files of a few entries: their form, what is left out, and what is not shown.
import { describe, expect, it } from "vitest";
import { readHar } from "./har.ts";
import type { Entry } from "./json-lines.ts";
import { readJsonLines } from "./json-lines.ts";
import { harOf, replayed } from "./recorded.test-kit.ts";

const KEY = "somebody-elses-key-4711";
const entry = (url: string, more: object = {}, request: object = {}, response: object = {}) => ({
  ...{ startedDateTime: "2026-11-26T07:00:00.000Z", time: 5 },
  request: { method: "GET", url, headers: [{ name: ":authority", value: "h" }], ...request },
  response: { status: 404, headers: [], content: { size: 0 }, ...response },
  ...more,
});
const har = (...entries: readonly object[]) => readHar([Buffer.from(harOf(entries))]);
async function all(entries: AsyncIterable<Entry>): Promise<readonly Entry[]> {
  const read: Entry[] = [];
  for await (const one of entries) read.push(one);
  return read;
}

describe("a HAR", () => {
  it("has the host of HTTP/2 and nothing of framing", async () => {
    const headers = [":authority h", ":path /", "content-length 3", "accept a/b"].map((line) => {
      const [name, value] = line.split(" ");
      return { name, value };
    });
    const [one] = await all(har(entry("https://h/x y#z", {}, { headers, postData: { text: "é" } })));
    expect(one).toMatchObject({
      fields: [
        ["Host", "h"],
        ["accept", "a/b"],
      ],
      url: "https://h/x%20y",
      body: "\xc3\xa9",
    });
  });

  it("may lack a body, or a part of it", async () => {
    const bodies = [{ size: 3 }, { size: 3, text: "ab" }, { size: 3, text: "abc" }, { size: 0 }];
    const read = await all(har(...bodies.map((content) => entry("http://h/", {}, {}, { content }))));
    expect(read.map(({ response }) => response?.body?.toString() ?? null)).toEqual([null, null, "abc", ""]);
  });

  it.each([
    ['{"log":{"entries":[\n{"a":x}]}}', "line 2, column 6: "],
    ['{"log":{"entries":[\n\n{"a":1 2}]}}', "line 3, column 8: "],
    ['{"log":{"entries":[', "the file ends in the middle"],
    ['{"log":{}}', "a HAR has log.entries"],
    ['{"log":{"entries":[{"request":1}]}}', "entry 1: request must be an object"],
  ])("that is broken is rejected: %s", async (text, message) => {
    await expect(all(readHar([Buffer.from(text.slice(0, 9)), Buffer.from(text.slice(9))]))).rejects.toThrow(message);
  });
});

describe("JSON lines", () => {
  it.each([
    ['{"startedAt": "yesterday"}', "line 2: "],
    ['{"startedAt"', "line 2: "],
  ])("that are broken are rejected: %s", async (line, message) => {
    await expect(all(readJsonLines(["", line]))).rejects.toThrow(message);
  });
});

describe("entries", () => {
  it("of others, without a response and from a cache are left out", async () => {
    const { counts, exitCode } = await replayed(
      "http://h/p",
      null,
      har(
        entry("http://other/p/"),
        entry("http://h/p2/"),
        entry("http://h:80/p/", {}, {}, { status: 0 }),
        entry("http://h/p/", { _fromCache: "memory" }),
        entry("http://h/p/", {}, {}, { status: 429 }),
      ),
    );
    expect([...counts.left.values(), ...counts.undecided.values()]).toEqual([2, 1, 1, 1]);
    expect(exitCode).toBe(5);
  });

  it("show no key, cookie or value of a user", async () => {
    const headers = [
      ...[
        { name: "Cookie", value: "session=cookie-of-somebody" },
        { name: "X-API-KEY", value: KEY },
      ],
      ...[
        { name: "Authorization", value: "Bearer token-of-somebody" },
        { name: "X-PLATFORM", value: "web" },
      ],
    ];
    const body = JSON.stringify({ items: [{ id: 1, email: "jane@example.org", name: "Jane Roe" }], key: KEY });
    const content = { size: body.length, text: body };
    const answer = [
      ...[
        { name: "Content-Type", value: "application/json" },
        { name: "Set-Cookie", value: "session=another-cookie" },
      ],
      ...[
        { name: "X-Operation", value: "user.list" },
        { name: "Location", value: `/?k=${KEY}` },
      ],
    ];
    const { results, verdict } = await replayed(
      "http://h",
      null,
      har(
        entry("http://h/api/?@=user.list", {}, { headers }, { status: 200, headers: answer, content }),
        entry(`http://h/api/?@=user.list&X-API-KEY=${KEY}`, {}, {}, { status: 500, headers: answer, content }),
      ),
    );
    expect(verdict).toBe("not conformant");
    expect(results.findings.length).toBeGreaterThan(5);
    const shown = results.findings.map((finding) => [
      JSON.stringify(finding),
      ...finding.exchanges.map(({ response, request }) => response?.body.toString() + request.body),
    ]);
    const text = shown.join("\n");
    for (const secret of [KEY, KEY.slice(0, 12), "cookie-of", "another-cookie", "token-of", "jane@", "Jane Roe"])
      expect(text).not.toContain(secret);
    expect(new Set(results.findings.map(({ entry: number }) => number))).toEqual(new Set([1, 2]));
  });
});
