import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import data from "../../generated/contract.json" with { type: "json" };
import { elements, reportSchema as schema, validateReport as validate } from "../test/markup.test-kit.ts";
import { type Detail, renderConsole, renderResult } from "./console.ts";
import { escapeMarkup } from "./escape.ts";
import { toHtml } from "./html.ts";
import { reportForm, toJson } from "./json.ts";
import { toJUnit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { Progress } from "./progress.ts";
import { type CheckResult, coverage, type Outcome } from "./report.ts";
import { clean, empty, failure, result, sample, unanswered, unreachable } from "./sample.fixture.ts";

const { clauses, requirements } = data;

const reports = { sample, clean, unreachable };

const onConsole = (report: typeof sample, detail: Detail = "normal", color = false) =>
  renderConsole(report, { color, detail, whole: null });

const sinks = {
  json: toJson,
  junit: toJUnit,
  markdown: toMarkdown,
  html: toHtml,
  console: (report: typeof sample) => onConsole(report),
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

  it.each([
    ["a text", Buffer.from("\u00e9".repeat(100_000))],
    ["bytes that are no text", Buffer.alloc(200_000, 0xff)],
  ])("keeps the guilty body whole, and of another the beginning: %s", (_name, body) => {
    const long = { ...unanswered, request: { ...unanswered.request, body } };
    const results = [result("a", "failed", { failure: { ...failure, exchanges: [long, long], guilty: 0 } })];
    const json = toJson({ ...sample, results });
    const [guilty, other] = JSON.parse(json).results[0].failure.exchanges;
    expect(gunzipSync(Buffer.from(guilty.request.body.gzip, "base64")).equals(body)).toBe(true);
    expect(other.request.body.omitted).toBe(body.length - 1024);
    expect(json.length).toBeLessThan(toJson(clean).length + body.length / 2);
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
    expect(elements(html, ["meta"]).filter((name) => name === "script")).toHaveLength(1);
    expect(html).not.toMatch(/ (src|href|on\w+)="(?!#)|url\(|@import/);
  });
});

describe("the Markdown report", () => {
  it("keeps a target's text inside its fence", () => {
    const markdown = toMarkdown(sample);
    expect(markdown).toMatch(/\n````text\nexpected {2}status 422\ngot {7}a<b>/);
    expect(markdown).toContain("It \\<must\\> \\& shall");
  });
});

describe("the console report", () => {
  it("begins with the verdict, and says how the users go", () => {
    expect(onConsole(sample)).toMatch(
      /^not conformant: 1 failed, 1 incomplete, 1 known to fail, 1 passed, 5 not selected\nCreated 1 user, .*purge-conformance/s,
    );
    expect(onConsole(sample)).toMatch(/FAIL .* 1 check\n/);
    for (const detail of ["quiet", "normal", "verbose"] as const)
      expect(onConsole(unreachable, detail)).toBe("unreachable: no connection: ECONNREFUSED\n");
  });

  it("lets no control character through", () => {
    expect(onConsole(sample)).toContain("\\u{1b}[31m");
    for (const detail of ["normal", "verbose"] as const) expect(onConsole(sample, detail)).not.toMatch(/[^\P{C}\n]/u);
  });

  it("groups what did not run, and names a few", () => {
    const text = onConsole(sample);
    expect(text).toContain("4 not selected: writes\n");
    expect(text).toContain("1 known: issue 7 (user.list/known)\n");
    expect(text).toContain("1 not selected (lonely)\n");
  });

  it("shows the guilty exchange whole and of the others a line, when asked for everything", () => {
    const text = onConsole(sample, "verbose");
    expect(text).toContain("  1. POST http://127.0.0.1:1/api/: 200\n  | (on a socket, http://127.0.0.1:1/)\n");
    expect(text).toMatch(/… \d+ characters more/);
    expect(onConsole(sample)).not.toContain("on a socket");
  });

  it("shows where two long texts differ, and the part of the response that is wrong", () => {
    const long = "x".repeat(2000);
    const answer = { ...empty, headers: [["Allow", "GET"]] as const, body: Buffer.from('{"items":[{"id":1}]}') };
    const of = (aspect: string) => ({
      ...{ ...failure, aspect, expected: `${long}a`, actual: `${long}b` },
      ...{ exchanges: [{ ...unanswered, answer }], guilty: 0 },
    });
    const shown = (aspect: string) =>
      onConsole({ ...sample, results: [result("a", "failed", { failure: of(aspect) })] });
    expect(shown("body:/items/*/name")).toMatch(/expected {2}…x+a\n {2}got {7}…x+b\n {2}in {8}\/items\/0 \{"id":1\}\n/);
    expect(shown("header:allow")).toContain("  in        Allow: GET\n");
    expect(shown("header:vary")).toContain("  in        only Allow\n");
  });

  it("folds what could not be checked below its cause", () => {
    const open = result("late", "incomplete", { reason: "x", reportedBy: "a" });
    const report = { ...sample, results: [result("a", "failed", { failure }), open] };
    expect(onConsole(report)).toContain("  and so    1 check could not be completed: late\n");
    expect(toHtml(report)).toMatch(/<details><summary>Could not be checked for this cause \(1\).*#late/);
    expect(toMarkdown(report)).toContain("<summary>1 could not be checked for this cause</summary>");
  });

  it("names the file that has everything", () => {
    expect(renderConsole(sample, { color: false, detail: "normal", whole: "r.html" })).toContain("failure: r.html\n");
  });

  it("colours only when asked to", () => {
    expect(onConsole(clean, "normal", true)).toContain("\x1b[32m");
    expect(onConsole(clean)).not.toContain("\x1b");
  });

  it("has a line for each check as it ends, when asked for", () => {
    expect(sample.results.slice(0, 3).map((result) => renderResult(result, false))).toEqual([
      "ok   sysinfo/answers 13 ms",
      "FAIL user.list/limit-max#too-large 13 ms",
      "know user.list/known 13 ms (issue 7)",
    ]);
  });
});

describe("the clause table", () => {
  it.each(Object.entries(sinks))("is in the %s report", (_name, sink) => {
    const text = sink === sinks.console ? onConsole(sample, "verbose") : sink(sample);
    for (const { id, title } of clauses) {
      expect(text).toContain(id);
      expect(text.replaceAll("\\", "")).toContain(sink === toHtml || sink === toJUnit ? escapeMarkup(title) : title);
    }
  });

  it("counts requirements, each once, by what became of all its checks", () => {
    const [one, two] = requirements.filter(({ clause }) => clause === "D26");
    if (!one || !two) throw new Error("D26 has requirements");
    const of = (requirement: typeof one, outcome: Outcome) =>
      ({ ...clean.results[0], requirement, outcome }) as CheckResult;
    const results = [of(one, "passed"), of(one, "failed"), of(two, "passed"), of(two, "not selected")];
    const row = coverage(results).find(({ clause }) => clause === "D26");
    expect(row).toMatchObject({ judged: 2, passed: 1, failed: 1 });
  });
});

describe("progress", () => {
  const run = (tty: boolean) => {
    let now = 0;
    const progress = new Progress(20, tty, () => now);
    return sample.results
      .slice(0, 2)
      .concat(sample.results.slice(0, 2))
      .map((result) => {
        now += 1000;
        return progress.ended(result);
      });
  };
  it("is one line that is written over, on a terminal", () => {
    expect(run(true)[1]).toBe("\r\x1b[K2 of 20 checks, 1 failed, about 18 s left");
  });
  it("is a line now and then elsewhere", () => {
    expect(run(false)).toEqual([
      "",
      "2 of 20 checks, 1 failed, about 18 s left\n",
      "",
      "4 of 20 checks, 2 failed, about 16 s left\n",
    ]);
  });
});
