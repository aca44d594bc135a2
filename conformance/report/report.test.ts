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
  caseOf,
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

const gzip = [["Content-Encoding", "gzip"]] as const;
const megabytes = gzipSync(Buffer.alloc(4_000_000, "x"));

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
    { text: megabytes, headers: gzip },
    { text: "x".repeat(65_536), omitted: 4_000_000 - 65_536 },
  ],
])("what a report has of a body is %s", (_name, sent, body) => {
  const { findings } = reportOf([finding("sysinfo/json", { exchanges: [exchange(sent)] })]);
  expect(findings[0]?.exchanges[0]?.response?.body).toEqual(body);
});

it("has the whole body and history for the first finding of a requirement", () => {
  const text = "\u00e9".repeat(5000);
  const exchanges = Array.from({ length: 81 }, (_, at) =>
    exchange({ target: `/api/?n=${at}`, text }),
  );
  const longFinding = finding("user.list/walk", { exchanges, at: 80 });
  const [first, second] = reportOf([longFinding, longFinding]).findings;
  expect([first?.exchanges.length, second?.exchanges.length]).toEqual([81, 5]);
  const shown = (body: object) => ({ request: { target: "/api/?n=80" }, response: { body } });
  expect(first?.exchanges[first.at]).toMatchObject(shown({ text }));
  // Cut between two characters.
  const cut = { text: "\u00e9".repeat(512), omitted: 10_000 - 1024 };
  expect(second?.exchanges[second.at]).toMatchObject(shown(cut));
  expect(second?.again.match(/n=/g)).toHaveLength(81);
});

it("a key and the beginnings of it are in no report, wherever they were", () => {
  const sent: readonly Sent[] = [
    { target: `/api/?X-API-KEY=${KEY}` },
    { target: `/api/?${"x".repeat(280)}&k=${KEY.slice(0, 15)}` },
    { headers: [["X-Echo", `${KEY.slice(0, 12)} ${encodeURIComponent(KEY)}`]] },
    { text: "x".repeat(65_530) + KEY },
    { text: Buffer.from(KEY).toString("base64") },
    { text: gzipSync(KEY), headers: gzip },
    { status: 500, headers: [["Content-Type", KEY]], text: `{"code":"${KEY}"}` },
  ];
  const findings = sent.flatMap((sentWithKey, n) =>
    ["status", "header:x-echo", `body:/${KEY}`].map((aspect) => {
      const exchanges = [exchange(sentWithKey), exchange(sentWithKey)];
      const overrides = { expected: `not ${KEY}`, actual: KEY.slice(0, 9), exchanges, at: 1 };
      return finding(`a/${n}`, { ...overrides, aspect });
    }),
  );
  const about = { command: `x ${KEY}`, remarks: [KEY] };
  // All reports are written of this.
  const text = toJson(reportOf(findings, { created: [KEY] }, about));
  expect(text).not.toContain(KEY.slice(0, 8));
  expect(text).not.toContain(Buffer.from(KEY).toString("base64").slice(0, 16));
});

describe("a report", () => {
  it("says what limits the verdict most, and what it takes to check the rest", () => {
    const reading = reportOf(
      [],
      {},
      { options: { ...options, allowWrite: false, allowHostile: false } },
    );
    expect([sample.limit, reading.limit]).toEqual(["partial", "read only"]);
    expect(reading.missing.options).toEqual(["--allow-write", "--allow-hostile"]);
    expect(sample.missing).toEqual({ options: ["--allow-hostile"], keys: [...kindsOf(contract)] });
    expect(sample.summary).toMatch(
      /^not conformant: .*: 3 failed, .* to check the rest: --allow-hostile, keys \(.*; seed 42$/,
    );
  });

  it("is one short line where nothing ran, whatever the target calls its version", () => {
    const nothing = { verdict: "preflight failed", exitCode: 3 } as const;
    const fault = `got ${"1\n".repeat(5000)}`;
    const { summary, target } = reportOf([], { ...nothing, version: "v".repeat(5000), fault });
    expect(summary).toMatch(/^preflight failed: got 1 1 .{1000,2100}$/);
    expect(target.version).toMatch(/^v{1000}\n… 4000 characters more$/);
  });

  it("has the place of each requirement in the specification", () => {
    for (const { id, location } of reportOf([]).requirements) {
      const { file = "", line = 0 } = location ?? {};
      const lines = readFileSync(new URL(`../../spec/${file}`, import.meta.url), "utf8");
      const text = lines.split("\n")[line - 1] ?? "";
      // Who may call an operation follows from it.
      const isFollowing = /\/(?:public|credentials|placements)$/.test(id) && text.trim() !== "";
      expect([id, text.includes(id) || isFollowing]).toEqual([id, true]);
    }
  });
});

it("counts a known failure apart, and it is no cause; of an older contract it has no place", () => {
  const [{ location: _, ...requirement } = expect.fail()] = contract.requirements;
  const counts = { planned: 1, sent: 1, findings: 1, unexpected: 0 };
  const failed = { requirement, outcome: "failed", reason: "issue 7", ...counts } as const;
  const knownFailure = finding(requirement.id, { known: "issue 7" });
  const report = reportOf([knownFailure], { outcomes: [failed] });
  expect(report).toMatchObject({
    causes: [],
    counts: { failed: 0, known: 1 },
    requirements: [{ outcome: "known", reason: "issue 7", location: null }],
  });
  expect(toJUnit(report)).toContain('<skipped message="known to fail: issue 7"/>');
  for (const text of [report.summary, toMarkdown(report)]) expect(text).toMatch(/1 known/);
});

it.each([KEY.toUpperCase(), KEY.slice(0, -1), Buffer.from(KEY).toString("base64")])(
  "repeats a request with the key as %s by its case",
  (key) => {
    const exchanges = [exchange({ fields: [["X-API-KEY", key]] })];
    const keyFinding = finding("credentials/invalid", { exchanges, case: caseOf("sysinfo x") });
    const again = "atpoint-conformance --case sysinfo x";
    expect(reportOf([keyFinding]).findings).toMatchObject([{ again, alone: again }]);
  },
);

const onConsole = (report: typeof sample) =>
  toConsole(report, { color: false, detail: "verbose", whole: null });
const sinks = { toAnnotations, toHtml, toJUnit, toJson, toMarkdown, onConsole };

describe.each(Object.entries(sinks))("%s", (name, sink) => {
  it("has no character that a terminal obeys, or that is not seen", () => {
    for (const report of [sample, clean, unreachable])
      expect(sink(report)).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
  });

  it("has the verdict where it is seen, the run, each finding and what is out of date", () => {
    const text = sink({ ...sample, baseline: ["user.list/old is stale"] }).replaceAll("\\", "");
    const whole = text.replace(/<\/?span[^>]*>|\*\*/g, "");
    const seen = name === "onConsole" ? whole.slice(-1000) : whole.slice(0, 9000);
    for (const words of [/not conformant/, /79 of 80/, /seed +42/, /keys \(noScopes/])
      expect(seen).toMatch(words);
    const run = ["127.0.0.1:1/base", "3.0.3", contract.hash, "9.8.7", RUN_ID, "MUST"];
    const rest = ["it sends something oversized", "the deadline of 60 s has passed"];
    const isForPeople = !/Annotations|Json/.test(name);
    for (const words of ["status 422", "old is stale", ...(isForPeople ? [...run, ...rest] : [])])
      expect(text).toContain(words);
    expect(sink(unreachable)).toContain("ECONNREFUSED");
    if (name !== "toJson") expect(sink(unreachable)).not.toMatch(/seed/i);
  });
});

it.each(Object.entries({ sample, clean, unreachable }))(
  "JSON keeps its schema: %s",
  (_, report) => {
    const schema = JSON.parse(readFileSync(new URL("report.schema.json", import.meta.url), "utf8"));
    const ajv = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true });
    const validate = ajv.compile(schema);
    const read = JSON.parse(toJson(report));
    expect([schema.$id, read]).toEqual([reportForm, report]);
    expect([validate(read), validate.errors]).toEqual([true, null]);
    for (const wrong of [{ extra: 1 }, { verdict: "fine" }])
      expect(validate({ ...read, ...wrong })).toBe(false);
  },
);

it("JUnit is well-formed, and counts", () => {
  const xml = toJUnit(sample);
  const { requirements, faults, counts } = sample;
  const { failed, incomplete, "not selected": skipped } = counts;
  const cases = requirements.length + faults.length;
  expect(elements(xml).filter((name) => name === "testcase")).toHaveLength(cases);
  expect(xml).toContain(
    `tests="${cases}" failures="${failed}" errors="${incomplete + 1}" skipped="${skipped}"`,
  );
  expect(xml).toMatch(/<failure message="got a&lt;b&gt;[^"]*; expected status 422" type="MUST">/);
  expect(toJUnit(unreachable)).toContain('errors="1"');
});

it("HTML is well-formed, and loads nothing", () => {
  for (const page of [sample, clean].map(toHtml)) {
    expect(elements(page, ["meta"]).filter((name) => name === "script")).toHaveLength(1);
    expect(page).not.toMatch(/ (src|href|on\w+)="(?!#)|url\(|@import/);
  }
});

it("Markdown keeps a target's text inside its fence", () => {
  const markdown = toMarkdown(sample);
  expect(markdown).toMatch(/\n````text\ngot {7}a<b>/);
  const headers = [["Content-Type", `x](http://evil) # ${"y".repeat(99)}`]] as const;
  const evil = finding("a", { exchanges: [exchange({ status: 404, headers })] });
  for (const text of [markdown, toMarkdown(reportOf([evil]))]) {
    const prose = text.replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, "");
    expect(prose.match(/^#.*/gm)).toEqual(prose.match(/^#{1,3} [\w" ].*/gm));
    expect(prose.replace(/<\/?(?:details|summary)>/g, "")).not.toMatch(/(?<!\\)[<[]|(?<!\\):\/\//);
  }
});

it.each([
  ["100% a:b,c", "100%25 a:b,c", "100%25 a%3Ab%2Cc"],
  ["%0A::error::\r\n", "%250A::error::%0D%0A", "%250A%3A%3Aerror%3A%3A%0D%0A"],
])("annotations escape %j", (text, message, property) => {
  expect([escapeMessage(text), escapeProperty(text)]).toEqual([message, property]);
});

it("annotations are one line for the result, each cause and each fault", () => {
  const lines = toAnnotations(sample).trimEnd().split("\n");
  expect(lines.filter((line) => !/^::error title=[^:,\n]+::./.test(line))).toEqual([]);
  expect(lines).toHaveLength(1 + sample.causes.length + sample.faults.length);
  expect(toAnnotations(clean)).toBe(`::notice title=conformant (partial)::${clean.summary}\n`);
});
