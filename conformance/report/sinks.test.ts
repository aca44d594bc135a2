import { describe, expect, it } from "vitest";
import { elements, reportSchema as schema, validateReport as validate } from "../test/markup.test-kit.ts";
import { badgeSvg } from "./badge.ts";
import { renderConsole, renderProgress } from "./console.ts";
import { toHtml } from "./html.ts";
import { reportForm, toJson } from "./json.ts";
import { toJUnit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { clean, sample, unreachable } from "./sample.fixture.ts";

const reports = { sample, clean, unreachable };

const sinks = {
  json: toJson,
  junit: toJUnit,
  markdown: toMarkdown,
  html: toHtml,
  console: (report: typeof sample) => renderConsole(report, { color: false }),
};

describe.each(Object.entries(sinks))("the %s report", (_name, sink) => {
  it("names target, version, hash, suite, seed, levels and what did not run", () => {
    const text = sink(sample).replaceAll("\\", "");
    for (const word of [
      "http://127.0.0.1:1",
      "3.0.3",
      "c0ffee",
      "atpoint-conformance",
      "42",
      "MUST",
      "writes",
      "needs two processes",
    ])
      expect(text).toContain(word);
    expect(text).toContain("not conformant");
  });

  it("shows what a failure needs", () => {
    const text = sink(sample).replaceAll("&#39;", "'");
    for (const word of ["status 422", "connection reset", "curl -X 'GET'", "--only user.list/limit-max"])
      expect(text).toContain(word);
  });

  it("tells why nothing ran", () => {
    expect(sink(unreachable)).toContain("ECONNREFUSED");
    expect(sink(clean)).not.toContain("ECONNREFUSED");
  });
});

describe("the JSON report", () => {
  it.each(Object.entries(reports))("keeps its schema: %s", (_name, report) => {
    validate(JSON.parse(toJson(report)));
    expect(validate.errors ?? []).toEqual([]);
  });

  it("has the schema's id, and the schema refuses what it does not name", () => {
    expect(schema).toMatchObject({ $id: reportForm });
    expect(validate({ ...JSON.parse(toJson(clean)), extra: 1 })).toBe(false);
  });

  it("holds bytes as text or base64", () => {
    const { results } = JSON.parse(toJson(sample));
    expect(results[1].failure.exchanges[0].request.body).toEqual({ text: '{"@":"user.list"}' });
    expect(results[1].failure.exchanges[0].answer.body).toEqual({ base64: "//4A" });
    expect(results[1].failure.exchanges[1].request.raw.text).toMatch(/^GET/);
  });
});

describe("the JUnit report", () => {
  it.each(Object.entries(reports))("is well-formed: %s", (_name, report) => {
    expect(elements(toJUnit(report))).toContain("testsuite");
  });

  it("has a case for each check, and for each entry of a wrong baseline", () => {
    const xml = toJUnit(sample);
    expect(elements(xml).filter((name) => name === "testcase")).toHaveLength(12);
    expect(xml).toContain('tests="12" failures="4" errors="1" skipped="6"');
    expect(xml).toContain(
      '<testcase classname="user.create" name="user.create/one" time="0.013">\n<skipped message="not selected: writes"/>',
    );
    expect(xml).toContain('<testcase classname="lonely"');
  });

  it("is red when the run never started", () => {
    expect(toJUnit(unreachable)).toContain('errors="1"');
  });

  it("can hold a failure of which nothing is known", () => {
    const results = sample.results.map((result) => ({ ...result, failure: null }));
    expect(toJUnit({ ...sample, results })).toContain('<failure message="failed"');
  });
});

describe("the HTML report", () => {
  it.each(Object.entries(reports))("is well-formed and loads nothing: %s", (_name, report) => {
    const html = toHtml(report);
    expect(elements(html, ["meta"])).not.toContain("script");
    expect(html).not.toMatch(/ (src|href|on\w+)=|url\(|@import/);
  });
});

describe("the badge", () => {
  it.each(Object.entries(reports))("is well-formed and says the verdict: %s", (_name, report) => {
    expect(elements(badgeSvg(report))).toContain("text");
    expect(badgeSvg(report)).toContain(`<title>conformance 3.0.3: ${report.verdict}</title>`);
  });
});

describe("the Markdown report", () => {
  it("shows the badge beside it", () => {
    expect(toMarkdown(clean, "report.svg")).toContain("![conformance: conformant](<report.svg>)");
    expect(toMarkdown(clean)).not.toContain("![");
  });

  it("keeps a target's text inside its fence", () => {
    const markdown = toMarkdown(sample);
    expect(markdown).toMatch(/\n````text\nexpected {2}status 422\ngot {7}a<b>/);
    expect(markdown).toContain("It \\<must\\> \\& shall");
  });
});

describe("the console report", () => {
  it("ends with the verdict and lets no control character through", () => {
    const text = renderConsole(sample, { color: false });
    expect(text).toMatch(/\nnot conformant: 1 failed, 1 incomplete, 1 known to fail, 1 passed, 5 not selected\n$/);
    expect(text).toContain("\\u{1b}[31m");
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(renderConsole(unreachable, { color: false })).toMatch(/\nunreachable: no checks\n$/);
  });

  it("groups what did not run, and names a few", () => {
    const text = renderConsole(sample, { color: false });
    expect(text).toContain("4 not selected: writes\n");
    expect(text).toContain("1 known: issue 7 (user.list/known)\n");
    expect(text).toContain("1 not selected (lonely)\n");
  });

  it("shortens long bodies", () => {
    expect(renderConsole(sample, { color: false })).toMatch(/… \d+ characters more/);
  });

  it("colours only when asked to", () => {
    expect(renderConsole(clean, { color: true })).toContain("\x1b[32m");
    expect(renderConsole(clean, { color: false })).not.toContain("\x1b");
  });

  it("has a line for each check as it ends", () => {
    const lines = sample.results.slice(0, 3).map((result) => renderProgress(result, { color: false }));
    expect(lines).toEqual([
      "ok   sysinfo/answers 13 ms",
      "FAIL user.list/limit-max#too-large 13 ms",
      "know user.list/known 13 ms (issue 7)",
    ]);
  });
});
