import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { elements } from "../proof/kits/markup.test-kit.ts";
import { escapeMessage, escapeProperty, toAnnotations } from "./annotations.ts";
import { toConsole } from "./console.ts";
import { toHtml } from "./html.ts";
import { reportForm, toJson } from "./json.ts";
import { toJUnit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { clean, contract, exchange, finding, RUN_ID, reportOf, sample, unreachable } from "./sample.test-kit.ts";
import { toSarif } from "./sarif.ts";

const onConsole = (report: typeof sample) => toConsole(report, { color: false, detail: "verbose", whole: null });
const sinks = { toAnnotations, toHtml, toJUnit, toJson, toMarkdown, toSarif, onConsole };

describe.each(Object.entries(sinks))("%s", (name, sink) => {
  it("has no character that a terminal obeys, or that is not seen", () => {
    for (const report of [sample, clean, unreachable]) expect(sink(report)).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
  });

  it("begins with what the verdict is about; has the run, each finding, why nothing ran, and what is out of date", () => {
    const text = sink(sample).replaceAll("\\", "");
    const beginning = text.replace(/<\/?span[^>]*>|\*\*/g, "").slice(0, 9000);
    for (const words of ["not conformant", "79 of 80 cases", "seed 42", "keys (noScopes"])
      expect(beginning).toContain(words);
    const run = ["http://127.0.0.1:1/base", "3.0.3", contract.hash, "atpoint-conformance 9.8.7", RUN_ID, "MUST"];
    const rest = ["it sends something oversized", "the deadline of 60 s has passed"];
    const isForPeople = !/Annotations|Sarif|Json/.test(name);
    for (const words of ["status 422", ...(isForPeople ? [...run, ...rest] : [])]) expect(text).toContain(words);
    expect(sink(unreachable)).toContain("ECONNREFUSED");
    const stale = sink({ ...sample, baseline: ["user.list/old is stale"] });
    expect(stale.includes("user.list/old is stale")).toBe(sink !== toSarif);
  });

  it("has a body of 8,000 levels as text", () => {
    const text = `{"items":${"[".repeat(8000)}${"]".repeat(8000)}}`;
    const found = { aspect: "body:/items", expected: text, actual: text.replace("items", "item") };
    expect(sink(reportOf([finding("a", { ...found, exchanges: [exchange({ text })] })]))).toContain("[[[[");
  });
});

it.each(Object.entries({ sample, clean, unreachable }))("JSON keeps its schema: %s", (_name, report) => {
  const schema = JSON.parse(readFileSync(new URL("report.schema.json", import.meta.url), "utf8"));
  const validate = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema);
  const read = JSON.parse(toJson(report));
  expect(schema).toMatchObject({ $id: reportForm });
  expect(read).toEqual(report);
  expect([validate(read), validate.errors]).toEqual([true, null]);
  expect([{ extra: 1 }, { verdict: "fine" }].map((wrong) => validate({ ...read, ...wrong }))).toEqual([false, false]);
});

it("JUnit is well-formed, names the target in each class, and counts", () => {
  const xml = toJUnit(sample);
  const { requirements, faults, counts } = sample;
  const { failed, incomplete, "not selected": skipped } = counts;
  const cases = requirements.length + faults.length;
  expect(elements(xml).filter((name) => name === "testcase")).toHaveLength(cases);
  expect(xml).toContain(`tests="${cases}" failures="${failed}" errors="${incomplete + 1}" skipped="${skipped}"`);
  expect(xml).toContain('<testcase classname="127.0.0.1:1/base user.list" name="user.list/invalid-cursor"/>');
  expect(xml).toMatch(/<failure message="expected status 422; got a&lt;b&gt;[^"]*" type="MUST">/);
  const casesAt = (url: string) =>
    toJUnit({ ...clean, target: { url, version: null } }).match(/<testcase [^>]*/g) ?? [];
  const all = ["https://127.0.0.1:1/base", "http://127.0.0.1/base", "http://127.0.0.1/"].flatMap(casesAt);
  expect(new Set(all).size).toBe(3 * clean.requirements.length);
  expect(toJUnit(unreachable)).toContain('errors="1"');
});

it("HTML is well-formed, and loads nothing", () => {
  expect(elements(toHtml(sample), ["meta"]).filter((name) => name === "script")).toHaveLength(1);
  expect(toHtml(sample)).not.toMatch(/ (src|href|on\w+)="(?!#)|url\(|@import/);
});

it("Markdown keeps a target's text inside its fence, and makes no heading, link or markup of it", () => {
  const markdown = toMarkdown(sample);
  expect(markdown).toMatch(/\n````text\nexpected {2}status 422\ngot {7}a<b>/);
  const prose = markdown.replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, "");
  expect(prose.match(/^#.*/gm)).toHaveLength(prose.match(/^#{1,3} [\w" ]/gm)?.length ?? 0);
  expect(prose.replace(/<\/?(?:details|summary)>/g, "")).not.toMatch(/(?<!\\)[<[]|(?<!\\):\/\//);
  const evil = exchange({ status: 404, headers: [["Content-Type", `x](http://evil) # ${"y".repeat(99)}`]] });
  expect(toMarkdown(reportOf([finding("a", { exchanges: [evil] })]))).toContain(
    '\n### 404 "x\\](http\\://evil) \\# yyyyyyyyyyyyyyyyyyyyyy…", no problem document (1 requirement, 1 finding)\n',
  );
});

it.each([
  ["100% a:b,c", "100%25 a:b,c", "100%25 a%3Ab%2Cc"],
  ["%0A::error::\r\n", "%250A::error::%0D%0A", "%250A%3A%3Aerror%3A%3A%0D%0A"],
])("annotations escape %j", (text, message, property) => {
  expect([escapeMessage(text), escapeProperty(text)]).toEqual([message, property]);
});

it("annotations are one line for the result, each cause and each fault, whatever the target sends", () => {
  const lines = toAnnotations(sample).trimEnd().split("\n");
  expect(lines.filter((line) => !/^::error title=[^:,\n]+::./.test(line))).toEqual([]);
  expect(lines).toHaveLength(1 + sample.causes.length + sample.faults.length);
  expect(toAnnotations(clean)).toBe(`::notice title=conformant (partial)::${clean.summary}\n`);
});

it("SARIF has a result for each cause, by requirement, at the place of that, or of the contract", () => {
  const location = { file: "a b/u.tsp", line: 7 };
  const requirements = sample.requirements.map((one) => ({
    ...one,
    ...(one.id === "user.list/limit-range" ? { level: "SHOULD" as const, location } : { location: null }),
  }));
  const [{ results, tool }] = JSON.parse(toSarif({ ...sample, requirements })).runs;
  expect(results).toHaveLength(sample.causes.length);
  const of = (id: string) => results.find(({ ruleId }: { ruleId: string }) => ruleId === id);
  const artifactLocation = { uri: "a%20b/u.tsp", uriBaseId: "SPECIFICATION" };
  expect(of("user.list/limit-range")).toMatchObject({
    level: "warning",
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: 7 } } }],
  });
  expect(of("credentials/invalid")).toMatchObject({
    ...{ level: "error", partialFingerprints: { "requirement/v1": "credentials/invalid", "case/v1": "a script" } },
    locations: [{ physicalLocation: { artifactLocation: { uri: "contract.json" } } }],
  });
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  expect(JSON.parse(toSarif(unreachable)).runs[0]).toMatchObject({ results: [], invocations: [{ exitCode: 3 }] });
});
