import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { elements } from "../proof/kits/markup.test-kit.ts";
import { escapeMessage, escapeProperty, toAnnotations } from "./annotations.ts";
import { toHtml } from "./html.ts";
import { reportForm, toJson } from "./json.ts";
import { toJUnit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { clean, exchange, finding, reportOf, sample, unreachable } from "./sample.test-kit.ts";
import { toSarif } from "./sarif.ts";

const reports = { sample, clean, unreachable };
describe("the JSON report", () => {
  const schema = JSON.parse(readFileSync(new URL("report.schema.json", import.meta.url), "utf8"));
  const validate = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema);

  it.each(Object.entries(reports))("keeps its schema, and is what it was made from: %s", (_name, report) => {
    expect([validate(JSON.parse(toJson(report))), validate.errors]).toEqual([true, null]);
    expect(JSON.parse(toJson(report))).toEqual(report);
  });

  it("has the schema's id, and the schema rejects what it does not name", () => {
    expect(schema).toMatchObject({ $id: reportForm });
    expect(validate({ ...clean, extra: 1 })).toBe(false);
    expect(validate({ ...clean, verdict: "fine" })).toBe(false);
  });
});

describe("the JUnit report", () => {
  it.each(Object.entries(reports))("is well-formed, with a case for each requirement: %s", (_name, report) => {
    const all = elements(toJUnit(report)).filter((name) => name === "testcase");
    expect(all).toHaveLength(report.requirements.length + report.faults.length);
  });

  it("names the target in each class, and counts", () => {
    const xml = toJUnit(sample);
    const { failed, incomplete, passed, "not selected": skipped } = sample.counts;
    expect(xml).toContain(
      `tests="${failed + incomplete + passed + skipped + 1}" failures="${failed}" errors="${incomplete + 1}" skipped="${skipped}"`,
    );
    expect(xml).toContain('<testcase classname="127.0.0.1:1/base user.list" name="user.list/invalid-cursor"/>');
    expect(xml).toMatch(/<failure message="expected status 422; got a&lt;b&gt;[^"]*" type="MUST">/);
    const names = (url: string) =>
      [...toJUnit({ ...sample, target: { url, version: null } }).matchAll(/<testcase ([^>]*)/g)].map(
        ([, name]) => name,
      );
    const other = new Set(names("https://127.0.0.1:1/base"));
    expect([other.size, names("http://127.0.0.1/base").some((name) => other.has(name))]).toEqual([other.size, false]);
    expect(toJUnit(unreachable)).toContain('errors="1"');
  });
});

describe("the HTML report", () => {
  it.each(Object.entries(reports))("is well-formed and loads nothing: %s", (_name, report) => {
    expect(elements(toHtml(report), ["meta"]).filter((name) => name === "script")).toHaveLength(1);
    expect(toHtml(report)).not.toMatch(/ (src|href|on\w+)="(?!#)|url\(|@import/);
  });
});

describe("the Markdown report", () => {
  it("keeps a target's text inside its fence, and makes no heading, link or markup of it", () => {
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
});

describe("annotations", () => {
  it.each([
    ["100% a:b,c", "100%25 a:b,c", "100%25 a%3Ab%2Cc"],
    ["%0A::error::\r\n", "%250A::error::%0D%0A", "%250A%3A%3Aerror%3A%3A%0D%0A"],
  ])("carry %j", (text, message, property) => {
    expect([escapeMessage(text), escapeProperty(text)]).toEqual([message, property]);
  });

  it("are one line for the result, each cause and each fault, whatever the target sends", () => {
    const lines = toAnnotations(sample).trimEnd().split("\n");
    expect(lines.filter((line) => !/^::error title=[^:,\n]+::./.test(line))).toEqual([]);
    expect(lines).toHaveLength(1 + sample.causes.length + sample.faults.length);
    expect(toAnnotations(clean)).toBe(`::notice title=conformant (partial)::${clean.summary}\n`);
  });
});

describe("SARIF", () => {
  it("has a result for each cause, by requirement, at the place of that, or of the contract", () => {
    const located = sample.requirements.map((one) =>
      one.id === "user.list/limit-range"
        ? { ...one, level: "SHOULD" as const, location: { file: "a b/u.tsp", line: 7 } }
        : { ...one, location: null },
    );
    const { runs } = JSON.parse(toSarif({ ...sample, requirements: located }));
    const [{ results, tool }] = runs;
    expect(results).toHaveLength(sample.causes.length);
    const of = (id: string) => results.find(({ ruleId }: { ruleId: string }) => ruleId === id);
    const physicalLocation = {
      ...{ artifactLocation: { uri: "a%20b/u.tsp", uriBaseId: "SPECIFICATION" }, region: { startLine: 7 } },
    };
    expect(of("user.list/limit-range")).toMatchObject({ level: "warning", locations: [{ physicalLocation }] });
    expect(of("credentials/invalid")).toMatchObject({
      ...{ level: "error", partialFingerprints: { "requirement/v1": "credentials/invalid", "case/v1": "a script" } },
      locations: [{ physicalLocation: { artifactLocation: { uri: "contract.json" } } }],
    });
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(JSON.parse(toSarif(unreachable)).runs[0]).toMatchObject({ results: [], invocations: [{ exitCode: 3 }] });
  });
});
