import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import { KEY } from "../proof/kits/deployment.test-kit.ts";
import { kindsOf } from "../requests/credentials.ts";
import { toAnnotations } from "./annotations.ts";
import { toConsole } from "./console.ts";
import { toHtml } from "./html.ts";
import { toJson } from "./json.ts";
import { toJUnit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { clean, exchange, finding, options, RUN_ID, reportOf, sample, suite, unreachable } from "./sample.test-kit.ts";
import { toSarif } from "./sarif.ts";

const look = { color: false, detail: "verbose", whole: null } as const;
const sinks = {
  ...{ toAnnotations, toHtml, toJUnit, toJson, toMarkdown, toSarif },
  toConsole: (report: typeof sample) => toConsole(report, look),
};
const bodyOf = (text: string | Buffer, headers: readonly (readonly [string, string])[] = []) =>
  reportOf([finding("sysinfo/json", { exchanges: [exchange({ text, headers })] })]).findings[0]?.exchanges[0]?.response
    ?.body;

describe("what a report has of an exchange", () => {
  it("is text if it is UTF-8, otherwise base64", () => {
    expect(bodyOf("\u00e9")).toEqual({ text: "\u00e9" });
    expect(bodyOf(Buffer.from([0xff, 0xfe]))).toEqual({ base64: "//4=" });
  });

  it("is without content coding, of which nothing else is kept but text", () => {
    const headers = [["Content-Encoding", "gzip"]] as const;
    expect(bodyOf(gzipSync(`a ${KEY}`), headers)).toEqual({ text: "a $API_KEY" });
    expect(bodyOf(gzipSync(`a ${KEY}`).subarray(0, 30), headers)).toEqual({ text: "", omitted: 30 });
    expect(bodyOf("not coded", headers)).toEqual({ text: "not coded" });
    const bomb = bodyOf(gzipSync(Buffer.alloc(4_000_000, "x")), headers);
    expect(bomb).toMatchObject({ text: "x".repeat(65_536), omitted: 4_000_000 - 65_536 });
  });

  it("is whole for the first finding of a requirement, and the beginning for others, cut between characters", () => {
    const text = "\u00e9".repeat(5000);
    const [first, other] = reportOf(
      [1, 2].map(() => finding("sysinfo/json", { exchanges: [exchange({ text })] })),
    ).findings;
    expect(first?.exchanges[0]?.response?.body).toEqual({ text });
    expect(other?.exchanges[0]?.response?.body).toEqual({ text: "\u00e9".repeat(512), omitted: 10_000 - 1024 });
  });
});

describe("a key", () => {
  const places = [
    ["a target", exchange({ target: `/api/?X-API-KEY=${KEY}` })],
    ["a target that ends in it", exchange({ target: `/api/?${"x".repeat(280)}&k=${KEY.slice(0, 15)}` })],
    ["a field", exchange({ headers: [["X-Echo", `${KEY.slice(0, 12)} ${encodeURIComponent(KEY)}`]] })],
    ["a body at the end of what is kept", exchange({ text: "x".repeat(65_530) + KEY })],
    ["a body in base64", exchange({ text: Buffer.from(KEY).toString("base64") })],
    ["a coded body", exchange({ text: gzipSync(KEY), headers: [["Content-Encoding", "gzip"]] })],
    ["a code", exchange({ status: 500, headers: [["Content-Type", KEY]], text: `{"code":"${KEY}"}` })],
  ] as const;
  it.each(Object.entries(sinks))("and the beginnings of it are in no report: %s", (_name, sink) => {
    for (const [place, one] of places)
      for (const aspect of ["status", "header:x-echo", `body:/${KEY}`]) {
        const found = { aspect, expected: `not ${KEY}`, actual: KEY.slice(0, 9), exchanges: [one, one], at: 1 };
        const about = { command: `x ${KEY}`, remarks: [KEY] };
        const text = sink(reportOf([finding("sysinfo/json", found)], { created: [KEY] }, about));
        const base64 = Buffer.from(KEY).toString("base64");
        for (const value of [KEY, base64])
          for (let length = value === KEY ? 8 : 16; length <= value.length; length += 1)
            expect([place, aspect, text.includes(value.slice(0, length))]).toEqual([place, aspect, false]);
      }
  });
});

describe("a report", () => {
  const texts = (report: typeof sample) => Object.values(sinks).map((sink) => sink(report));

  it.each(Object.entries(sinks))("has no character that a terminal obeys, or that is not seen: %s", (_name, sink) => {
    for (const report of [sample, clean, unreachable]) expect(sink(report)).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
  });

  it.each(Object.entries(sinks))("begins with one line, and tells why nothing ran: %s", (_name, sink) => {
    const plain = (text: string) => text.replaceAll("\\", "").replace(/<\/?span[^>]*>|\*\*/g, "");
    const names = ["not conformant", "79 of 80 cases", "seed 42", "keys (noScopes"];
    for (const name of names) expect(plain(sink(sample)).slice(0, 9000).includes(name) || name).toBe(true);
    expect(sink(unreachable)).toContain("ECONNREFUSED");
    expect(sink(clean)).not.toContain("ECONNREFUSED");
  });

  it("names target, version, hash, suite, run, levels and what did not run", () => {
    const words = ["http://127.0.0.1:1/base", "3.0.3", contract.hash, "atpoint-conformance 9.8.7", RUN_ID, "MUST"];
    for (const [name, sink] of Object.entries(sinks).filter(([name]) => !/Annotations|Sarif|Json/.test(name)))
      for (const word of [...words, "it sends something oversized", "the deadline of 60 s has passed"])
        expect([name, word, sink(sample).replaceAll("\\", "").includes(word)]).toEqual([name, word, true]);
    expect(texts(sample).filter((text) => text.includes("status 422"))).toHaveLength(texts(sample).length);
  });

  it("says what limits the verdict most, and what it takes to check the rest", () => {
    const reading = reportOf([], {}, { options: { ...options, mayWrite: false, mayHarm: false } });
    expect([sample.limit, reading.limit, reading.missing.options]).toEqual([
      ...["partial", "read only"],
      ["--allow-write", "--allow-hostile"],
    ]);
    expect(sample.missing).toEqual({ options: ["--allow-hostile"], keys: [...kindsOf(suite.oracle.contract)] });
    expect(sample.summary).toMatch(
      /^not conformant: 79 of 80 cases; \d+ requirements: 3 failed, \d+ incomplete, 1 passed, \d+ not selected; partial; to check the rest: --allow-hostile, keys \(noScopes, .*\); seed 42$/,
    );
    expect(unreachable.summary).toMatch(/^unreachable: expected that .* ECONNREFUSED; seed 42$/);
  });

  it("is one line where nothing ran, and no longer than that, whatever the target calls its version", () => {
    const nothing = { verdict: "preflight failed", exitCode: 3, version: "v".repeat(5000) } as const;
    const { summary, target } = reportOf([], { ...nothing, fault: `got ${"1\n".repeat(5000)}` });
    expect(summary).toMatch(/^preflight failed: got 1 1 .{1000,2100}; seed 42$/);
    expect(target.version).toMatch(/^v{1000}\n… 4000 characters more$/);
  });

  it("has the place of each requirement in the specification, and none that the contract does not have", () => {
    const { requirements } = reportOf([]);
    const places = requirements.map(({ id, location }) => {
      const { file = "", line = 0 } = location ?? {};
      const text = readFileSync(new URL(`../../spec/${file}`, import.meta.url), "utf8").split("\n")[line - 1];
      // Who may call an operation follows from it.
      return [id, text?.includes(id) || (/\/(?:public|credentials|placements)$/.test(id) && text?.trim() !== "")];
    });
    expect(places.filter(([, isThere]) => !isThere)).toEqual([]);
    const [first] = contract.requirements;
    if (!first) throw new Error("the contract has requirements");
    const { location, ...older } = first;
    expect(location).toBeDefined();
    const rest = { outcome: "passed", reason: null, planned: 1, sent: 1, findings: 0, unexpected: 0 } as const;
    expect(reportOf([], { outcomes: [{ requirement: older, ...rest }] }).requirements[0]?.location).toBeNull();
  });
});

it("a known failure is no cause, and counted apart; entries that are out of date are in every report", () => {
  const found = finding("sysinfo/json", { known: "issue 7" });
  const { requirements } = reportOf([found]);
  expect(requirements.find(({ id }) => id === "sysinfo/json")?.outcome).toBe("failed");
  const [requirement] = contract.requirements.filter(({ id }) => id === "sysinfo/json");
  if (!requirement) throw new Error("the contract has it");
  const result = {
    requirement,
    outcome: "failed",
    reason: null,
    planned: 1,
    sent: 1,
    findings: 1,
    unexpected: 0,
  } as const;
  const report = { ...reportOf([found], { outcomes: [result] }), baseline: ["user.list/old is stale"] };
  expect(report).toMatchObject({ causes: [], counts: { failed: 0, known: 1 } });
  expect(report.requirements).toMatchObject([{ outcome: "known", reason: "issue 7" }]);
  expect(report.summary).toContain("1 requirement: 1 known to fail;");
  const skipped = '<skipped message="known: issue 7"/>';
  expect([toJUnit(report).includes(skipped), toMarkdown(report).includes("1 known: issue 7")]).toEqual([true, true]);
  for (const sink of Object.values(sinks).filter((one) => one !== toSarif))
    expect(sink(report)).toContain("user.list/old is stale");
});

it("a body of 8,000 levels is text, in every report", () => {
  const text = `{"items":${"[".repeat(8000)}${"]".repeat(8000)}}`;
  const found = {
    aspect: "body:/items",
    expected: text,
    actual: text.replace("items", "item"),
    exchanges: [exchange({ text })],
  };
  for (const sink of Object.values(sinks)) expect(sink(reportOf([finding("a", found)]))).toContain("[[[[");
});

it("has all that led to the first finding of a requirement, and the last of it for others", () => {
  const exchanges = Array.from({ length: 81 }, (_, at) => exchange({ target: `/api/?n=${at}` }));
  const one = finding("user.list/walk", { exchanges, at: 80 });
  const [first, second] = reportOf([one, one]).findings;
  expect([first?.exchanges.length, first?.at, second?.exchanges.length, second?.at]).toEqual([81, 80, 5, 4]);
  expect(second?.exchanges[second.at]?.request.target).toBe("/api/?n=80");
  expect(second?.again.match(/n=/g)).toHaveLength(81);
});

describe("the lines that repeat a finding", () => {
  const lines = (found: Parameters<typeof finding>[1]) => {
    const [one] = reportOf([finding("sysinfo/json", found)]).findings;
    return [one?.again, one?.alone];
  };

  it("send all requests up to the one that it is about, with a new run's id and the key of the caller", () => {
    const one = exchange({ target: `/api/?a=${RUN_ID}`, fields: [["X-API-KEY", KEY]] });
    const [again = "", alone] = lines({ exchanges: [exchange({ method: "HEAD" }), one, exchange()], at: 1 });
    expect(again).toMatch(/^RUN=\$\(od .*\); curl .* --head .*; curl .*'X-API-KEY: '"\$API_KEY".*\/api\/\?a='"\$RUN"$/);
    expect(again.match(/curl /g)).toHaveLength(2);
    expect(alone).toBe("atpoint-conformance --only sysinfo/json --seed 42");
  });

  it("write the bytes of a connection where these are more or less than a request", () => {
    const written = `GET / HTTP/1.1\r\nX-API-KEY: ${KEY}\r\n\r\n\u00ff`;
    const [again = ""] = lines({ exchanges: [exchange(), exchange()], at: 1, written });
    expect(again).toMatch(
      /^printf 'GET \/ HTTP\/1\.1\\r\\nX-API-KEY: %s\\r\\n\\r\\n\\377' "\$API_KEY" \| nc 127\.0\.0\.1 1$/,
    );
    const report = reportOf([finding("sysinfo/json", { written: written.slice(0, -1) })]);
    for (const sink of [sinks.toConsole, toMarkdown, toJUnit])
      expect(sink(report)).toContain("(on a connection of its own)\n");
    expect(sinks.toConsole(report)).toContain("  request   GET / HTTP/1.1\n            X-API-KEY: $API_KEY\n");
  });

  it("name a case, and are empty if nothing was sent", () => {
    const operation = Object.values(contract.operations)[0];
    if (!operation) throw new Error("the contract has operations");
    const one = { id: "sysinfo plain", operation, rows: [], request: exchange().request, of: null };
    expect(lines({ case: one })[1]).toBe("atpoint-conformance --case sysinfo plain");
    expect(lines({ exchanges: [], at: -1 })[0]).toBe("");
  });
});
