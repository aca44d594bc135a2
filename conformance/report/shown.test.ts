import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { renderConsole } from "./console.ts";
import { toHtml } from "./html.ts";
import { failure, result, sample, unanswered } from "./sample.fixture.ts";
import { differencesOf, requestText, sidesOf } from "./shown.ts";
import { wrapped, wrappedCommand } from "./wrap.ts";

describe("a failure", () => {
  it("begins with its cause, the request without its usual fields, and the effect", () => {
    const raw = Buffer.from(
      "GET /api/?@=user.list&limit=201 HTTP/1.1\r\nHost: one\r\nX-PLATFORM: web\r\nConnection: close\r\n\r\n",
    );
    const exchanges = [{ ...unanswered, request: { ...unanswered.request, raw } }];
    const found = { ...failure, exchanges, guilty: 0, actual: '200 application/json "{\\"items\\":[{\\"id\\":"…' };
    const report = { ...sample, results: [result("user.list/limit-max", "failed", { failure: found })] };
    const text = renderConsole(report, { color: false, detail: "normal", whole: null });
    expect(text).toContain(`
FAIL no answer 1 check
  request   GET /api/?@=user.list&limit=201
            X-PLATFORM: web
  expected  status 422
  got       200 application/json {"items":[{"id":…
  rule      It <must> & shall.
  check     user.list/limit-max MUST, given`);
    const places = ["Request", "Expected", "The whole exchange"].map((part) => toHtml(report).indexOf(part));
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it("shows the body of a request after its fields, and a long one shortened", () => {
    const { request } = failure.exchanges[0] ?? unanswered;
    expect(requestText({ ...unanswered, request })).toBe('POST /api/\nX-API-KEY: $API_KEY\n{"@":"user.list"}');
    const raw = Buffer.from(`GET / HTTP/1.1\r\nX: ${"y".repeat(5000)}\r\n\r\n`);
    expect(requestText({ ...unanswered, request: { ...request, raw } })).toMatch(
      /^GET \/\nX: y+\n… 4\d{3} characters more$/,
    );
  });

  it("has JSON as it was sent, and two values as their differences", () => {
    const [expected, actual] = ['[{"id":"{uuid}","a":1}] (Two users.)', '"[{\\"id\\":\\"7\\",\\"b\\":[]}]"'];
    expect(sidesOf({ ...failure, expected, actual })).toEqual({
      expected,
      actual: '[{"id":"7","b":[]}]',
      differences: ["/0/a  expected 1, got nothing", "/0/b  expected nothing, got []"],
    });
    expect(sidesOf({ ...failure, actual: 'X: "{\\q" is a text' }).actual).toBe('X: "{\\q" is a text');
    const report = { ...sample, results: [result("one", "failed", { failure: { ...failure, expected, actual } })] };
    const text = renderConsole(report, { color: false, detail: "normal", whole: null });
    expect(text).toContain("  differs   /0/a  expected 1, got nothing\n            /0/b  expected nothing, got []\n");
    expect(toHtml(report).includes("<dt>Differs</dt><dd>/0/a  expected 1, got nothing\n")).toBe(true);
  });

  it("lists eight differences of many, and each shortened", () => {
    const long = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [at, "x".repeat(35_000)]));
    const lines = differencesOf(long, {});
    expect(lines).toHaveLength(9);
    expect(lines.at(-1)).toBe("and 4 more");
    expect(lines.join("").length).toBeLessThan(4000);
  });

  it("has what could not be checked below its cause, and not a second time", () => {
    const open = result("user.list/next", "incomplete", { reason: "no list", reportedBy: "user.list/limit-max" });
    const report = { ...sample, results: [result("user.list/limit-max", "failed", { failure }), open] };
    const text = renderConsole(report, { color: false, detail: "normal", whole: null });
    expect(text).toContain("and so    1 check could not be completed: user.list/next");
    expect(text.match(/user\.list\/next/g)).toHaveLength(1);
    expect(toHtml(report).includes("<summary>1 incomplete")).toBe(false);
  });
});

describe("the width of a terminal", () => {
  const look = { color: false, detail: "normal", whole: null } as const;

  it.each([40, 80, 120])("of %i columns is not exceeded, except by a word of a command", (width) => {
    const lines = renderConsole(sample, { ...look, width }).split("\n");
    const long = lines.filter((line) => line.length > width);
    expect(long.filter((line) => /\S+ \S/.test(line.trim().replace(/ \\$/, "")))).toEqual([]);
  });

  it("changes nothing where there is none, as in a pipe", () => {
    const text = renderConsole(sample, look);
    expect(renderConsole(sample, { ...look, width: 100_000 })).toBe(text);
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeGreaterThan(120);
  });

  it("breaks at blanks, between members of JSON, and a long word where it must", () => {
    expect(wrapped("  got   one two three", 16, 8)).toBe("  got   one two\n        three");
    expect(wrapped('got {"a":1,"b":2}', 12, 4)).toBe('got {"a":1,\n    "b":2}');
    expect(wrapped("\u001b[31mone\u001b[0m two", 7, 2)).toBe("\u001b[31mone\u001b[0m two");
    expect(wrapped("x".repeat(10), 4, 1)).toBe("xxxx\n xxx\n xxx");
  });

  it("leaves a command that a shell runs as before", () => {
    const command = `printf '%s|' 'one  two' "three \\" four" --five six'\n seven'"$NAME" | cat`;
    const broken = wrappedCommand(command, 20, 2);
    expect(broken.split("\n").length).toBeGreaterThan(4);
    const run = (text: string) => execFileSync("sh", ["-c", text], { env: { NAME: "a  b" } }).toString();
    expect(run(broken)).toBe(run(command));
  });
});
