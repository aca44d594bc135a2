import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { KEY } from "../proof/kits/deployment.test-kit.ts";
import { elements } from "../proof/kits/markup.test-kit.ts";
import { kindsOf } from "../requests/credentials.ts";
import { escapeMessage, escapeProperty, toAnnotations } from "./annotations.ts";
import { toConsole } from "./console.ts";
import { toHtml } from "./html.ts";
import { reportForm, toJson } from "./json.ts";
import { toJUnit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import {
  clean,
  contract,
  exchange,
  finding,
  options,
  RUN_ID,
  reportOf,
  type Sent,
  sample,
  unreachable,
} from "./sample.test-kit.ts";
import { toSarif } from "./sarif.ts";

const gzip = [["Content-Encoding", "gzip"]] as const;
const bodyOf = (sent: Sent) =>
  reportOf([finding("sysinfo/json", { exchanges: [exchange(sent)] })]).findings[0]?.exchanges[0]
    ?.response?.body;

it.each<[name: string, sent: Sent, body: object]>([
  ["text if it is UTF-8", { text: "\u00e9" }, { text: "\u00e9" }],
  ["otherwise base64", { text: Buffer.from([0xff, 0xfe]) }, { base64: "//4=" }],
  ["without content coding", { text: gzipSync(`a ${KEY}`), headers: gzip }, { text: "a $API_KEY" }],
  [
    "nothing that is cut",
    { text: gzipSync("a").subarray(0, 20), headers: gzip },
    { text: "", omitted: 20 },
  ],
  ["text that is not coded after all", { text: "not coded", headers: gzip }, { text: "not coded" }],
  [
    "the beginning of what becomes megabytes",
    { text: gzipSync(Buffer.alloc(4_000_000, "x")), headers: gzip },
    { text: "x".repeat(65_536), omitted: 4_000_000 - 65_536 },
  ],
])("what a report has of a body is %s", (_name, sent, body) => expect(bodyOf(sent)).toEqual(body));

it("has the whole body and history for the first finding of a requirement, and the last of it for others", () => {
  const text = "\u00e9".repeat(5000);
  const exchanges = Array.from({ length: 81 }, (_, at) =>
    exchange({ target: `/api/?n=${at}`, text }),
  );
  const one = finding("user.list/walk", { exchanges, at: 80 });
  const [first, second] = reportOf([one, one]).findings;
  expect([first?.exchanges.length, first?.at, second?.exchanges.length, second?.at]).toEqual([
    81, 80, 5, 4,
  ]);
  expect(first?.exchanges[80]?.response?.body).toEqual({ text });
  const shown = second?.exchanges[4];
  expect(shown?.request.target).toBe("/api/?n=80");
  // Cut between two characters.
  expect(shown?.response?.body).toEqual({ text: "\u00e9".repeat(512), omitted: 10_000 - 1024 });
  expect(second?.again.match(/n=/g)).toHaveLength(81);
});

it.each<[place: string, sent: Sent]>([
  ["a target", { target: `/api/?X-API-KEY=${KEY}` }],
  ["a target that ends in it", { target: `/api/?${"x".repeat(280)}&k=${KEY.slice(0, 15)}` }],
  ["a field", { headers: [["X-Echo", `${KEY.slice(0, 12)} ${encodeURIComponent(KEY)}`]] }],
  ["a body at the end of what is kept", { text: "x".repeat(65_530) + KEY }],
  ["a body in base64", { text: Buffer.from(KEY).toString("base64") }],
  ["a coded body", { text: gzipSync(KEY), headers: gzip }],
  ["a code", { status: 500, headers: [["Content-Type", KEY]], text: `{"code":"${KEY}"}` }],
])("a key and the beginnings of it are in no report: of %s", (_place, sent) => {
  const exchanges = [exchange(sent), exchange(sent)];
  const found = { expected: `not ${KEY}`, actual: KEY.slice(0, 9), exchanges, at: 1 };
  const findings = ["status", "header:x-echo", `body:/${KEY}`].map((aspect) =>
    finding("a", { ...found, aspect }),
  );
  // All reports are written of this.
  const text = toJson(
    reportOf(findings, { created: [KEY] }, { command: `x ${KEY}`, remarks: [KEY] }),
  );
  expect(text).not.toContain(KEY.slice(0, 8));
  expect(text).not.toContain(Buffer.from(KEY).toString("base64").slice(0, 16));
});

describe("a report", () => {
  it("says what limits the verdict most, and what it takes to check the rest", () => {
    const reading = reportOf([], {}, { options: { ...options, mayWrite: false, mayHarm: false } });
    expect([sample.limit, reading.limit]).toEqual(["partial", "read only"]);
    expect(reading.missing.options).toEqual(["--allow-write", "--allow-hostile"]);
    expect(sample.missing).toEqual({ options: ["--allow-hostile"], keys: [...kindsOf(contract)] });
    expect(sample.summary).toMatch(
      /^not conformant: 79 of 80 cases; \d+ requirements: 3 failed, \d+ incomplete, 1 passed, \d+ not selected; partial; to check the rest: --allow-hostile, keys \(noScopes, .*\); seed 42$/,
    );
    expect(unreachable.summary).toMatch(/^unreachable: expected that .* ECONNREFUSED; seed 42$/);
  });

  it("is one line where nothing ran, and no longer than that, whatever the target calls its version", () => {
    const nothing = {
      verdict: "preflight failed",
      exitCode: 3,
      version: "v".repeat(5000),
    } as const;
    const { summary, target } = reportOf([], { ...nothing, fault: `got ${"1\n".repeat(5000)}` });
    expect(summary).toMatch(/^preflight failed: got 1 1 .{1000,2100}; seed 42$/);
    expect(target.version).toMatch(/^v{1000}\n… 4000 characters more$/);
  });

  it("has the place of each requirement in the specification", () => {
    for (const { id, location } of reportOf([]).requirements) {
      const { file = "", line = 0 } = location ?? {};
      const text =
        readFileSync(new URL(`../../spec/${file}`, import.meta.url), "utf8").split("\n")[
          line - 1
        ] ?? "";
      // Who may call an operation follows from it.
      const isFollowing = /\/(?:public|credentials|placements)$/.test(id) && text.trim() !== "";
      expect([id, text.includes(id) || isFollowing]).toEqual([id, true]);
    }
  });
});

it("counts a known failure apart, and it is no cause; of an older contract it has no place", () => {
  const [requirement] = contract.requirements.map(({ location, ...older }) => older);
  if (!requirement) throw new Error("the contract has requirements");
  const result = {
    outcome: "failed",
    reason: null,
    planned: 1,
    sent: 1,
    findings: 1,
    unexpected: 0,
  } as const;
  const found = finding(requirement.id, { known: "issue 7" });
  const report = reportOf([found], { outcomes: [{ requirement, ...result }] });
  expect(report).toMatchObject({ causes: [], counts: { failed: 0, known: 1 } });
  expect(report.requirements).toMatchObject([
    { outcome: "known", reason: "issue 7", location: null },
  ]);
  expect(report.summary).toContain("1 requirement: 1 known to fail;");
  expect(toJUnit(report)).toContain('<skipped message="known: issue 7"/>');
  expect(toMarkdown(report)).toContain("1 known: issue 7");
});

it("repeats the bytes of a connection where these are more or less than a request, and nothing where nothing was sent", () => {
  const written = `GET / HTTP/1.1\r\nX-API-KEY: ${KEY}\r\n\r\n\u00ff`;
  const found = [
    { exchanges: [exchange(), exchange()], at: 1, written },
    { exchanges: [], at: -1 },
  ];
  const [sent, unsent] = reportOf(found.map((one) => finding("sysinfo/json", one))).findings;
  expect(sent?.again).toMatch(
    /^printf 'GET \/ HTTP\/1\.1\\r\\nX-API-KEY: %s\\r\\n\\r\\n\\377' "\$API_KEY" \| nc 127\.0\.0\.1 1$/,
  );
  expect(unsent?.again).toBe("");
  const markdown = toMarkdown(
    reportOf([finding("sysinfo/json", { written: written.slice(0, -1) })]),
  );
  expect(markdown).toContain("(on a connection of its own)\nGET / HTTP/1.1\nX-API-KEY: $API_KEY\n");
});

const onConsole = (report: typeof sample) =>
  toConsole(report, { color: false, detail: "verbose", whole: null });
const sinks = { toAnnotations, toHtml, toJUnit, toJson, toMarkdown, toSarif, onConsole };

describe.each(Object.entries(sinks))("%s", (name, sink) => {
  it("has no character that a terminal obeys, or that is not seen", () => {
    for (const report of [sample, clean, unreachable])
      expect(sink(report)).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
  });

  it("begins with what the verdict is about; has the run, each finding, why nothing ran, and what is out of date", () => {
    const text = sink(sample).replaceAll("\\", "");
    const beginning = text.replace(/<\/?span[^>]*>|\*\*/g, "").slice(0, 9000);
    for (const words of ["not conformant", "79 of 80 cases", "seed 42", "keys (noScopes"])
      expect(beginning).toContain(words);
    const run = [
      "http://127.0.0.1:1/base",
      "3.0.3",
      contract.hash,
      "atpoint-conformance 9.8.7",
      RUN_ID,
      "MUST",
    ];
    const rest = ["it sends something oversized", "the deadline of 60 s has passed"];
    const isForPeople = !/Annotations|Sarif|Json/.test(name);
    for (const words of ["status 422", ...(isForPeople ? [...run, ...rest] : [])])
      expect(text).toContain(words);
    expect(sink(unreachable)).toContain("ECONNREFUSED");
    const stale = sink({ ...sample, baseline: ["user.list/old is stale"] });
    expect(stale.includes("user.list/old is stale")).toBe(sink !== toSarif);
  });

  it("has a body of 8,000 levels as text", () => {
    const text = `{"items":${"[".repeat(8000)}${"]".repeat(8000)}}`;
    const found = { aspect: "body:/items", expected: text, actual: text.replace("items", "item") };
    expect(sink(reportOf([finding("a", { ...found, exchanges: [exchange({ text })] })]))).toContain(
      "[[[[",
    );
  });
});

it.each(Object.entries({ sample, clean, unreachable }))(
  "JSON keeps its schema: %s",
  (_name, report) => {
    const schema = JSON.parse(readFileSync(new URL("report.schema.json", import.meta.url), "utf8"));
    const validate = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile(
      schema,
    );
    const read = JSON.parse(toJson(report));
    expect(schema).toMatchObject({ $id: reportForm });
    expect(read).toEqual(report);
    expect([validate(read), validate.errors]).toEqual([true, null]);
    expect(
      [{ extra: 1 }, { verdict: "fine" }].map((wrong) => validate({ ...read, ...wrong })),
    ).toEqual([false, false]);
  },
);

it("JUnit is well-formed, names the target in each class, and counts", () => {
  const xml = toJUnit(sample);
  const { requirements, faults, counts } = sample;
  const { failed, incomplete, "not selected": skipped } = counts;
  const cases = requirements.length + faults.length;
  expect(elements(xml).filter((name) => name === "testcase")).toHaveLength(cases);
  expect(xml).toContain(
    `tests="${cases}" failures="${failed}" errors="${incomplete + 1}" skipped="${skipped}"`,
  );
  expect(xml).toContain(
    '<testcase classname="127.0.0.1:1/base user.list" name="user.list/invalid-cursor"/>',
  );
  expect(xml).toMatch(/<failure message="expected status 422; got a&lt;b&gt;[^"]*" type="MUST">/);
  const casesAt = (url: string) =>
    toJUnit({ ...clean, target: { url, version: null } }).match(/<testcase [^>]*/g) ?? [];
  const all = ["https://127.0.0.1:1/base", "http://127.0.0.1/base", "http://127.0.0.1/"].flatMap(
    casesAt,
  );
  expect(new Set(all).size).toBe(3 * clean.requirements.length);
  expect(toJUnit(unreachable)).toContain('errors="1"');
});

it("HTML is well-formed, and loads nothing", () => {
  for (const page of [sample, clean].map(toHtml)) {
    expect(elements(page, ["meta"]).filter((name) => name === "script")).toHaveLength(1);
    expect(page).not.toMatch(/ (src|href|on\w+)="(?!#)|url\(|@import/);
  }
});

it("Markdown keeps a target's text inside its fence, and makes no heading, link or markup of it", () => {
  const markdown = toMarkdown(sample);
  expect(markdown).toMatch(/\n````text\nexpected {2}status 422\ngot {7}a<b>/);
  const prose = markdown.replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, "");
  expect(prose.match(/^#.*/gm)).toHaveLength(prose.match(/^#{1,3} [\w" ]/gm)?.length ?? 0);
  expect(prose.replace(/<\/?(?:details|summary)>/g, "")).not.toMatch(/(?<!\\)[<[]|(?<!\\):\/\//);
  const evil = exchange({
    status: 404,
    headers: [["Content-Type", `x](http://evil) # ${"y".repeat(99)}`]],
  });
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
    ...(one.id === "user.list/limit-range"
      ? { level: "SHOULD" as const, location }
      : { location: null }),
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
    ...{
      level: "error",
      partialFingerprints: { "requirement/v1": "credentials/invalid", "case/v1": "a script" },
    },
    locations: [{ physicalLocation: { artifactLocation: { uri: "contract.json" } } }],
  });
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  expect(JSON.parse(toSarif(unreachable)).runs[0]).toMatchObject({
    results: [],
    invocations: [{ exitCode: 3 }],
  });
});
