// What a run must never do, seen from outside: show a key, leave records that no report lists, harm the target.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packaged } from "../packaged.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { launch } from "../proof/kits/process.test-kit.ts";
import type { Arrived } from "../proof/kits/server.test-kit.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { plainExchange } from "../run/exchange.ts";
import type { Script } from "../run/state.ts";
import { brief, command, file } from "./command.test-kit.ts";
import { proxied } from "./proxy.test-kit.ts";

const emailsIn = (text: string) => [...new Set(text.match(/conformance\+[0-9a-f]{16}-[\w.-]*@[\w.-]+/g))];
const KINDS = ["json", "junit", "markdown", "html", "sarif"];

/** Names of files for every report, and the options for them. */
function reports() {
  const json = file("report.json");
  const files = KINDS.map((kind) => path.join(path.dirname(json), `report.${kind}`));
  return { json, files, words: files.flatMap((name) => [`--${path.extname(name).slice(1)}`, name]) };
}

const only = (...patterns: readonly string[]) => patterns.flatMap((pattern) => ["--only", pattern]);

describe("a key", () => {
  const key = "Zq7+vX/2mK=9tR4wY8pL1&c";
  const base64 = Buffer.from(key).toString("base64");
  const spellings = [key, encodeURIComponent(key), base64, base64.replaceAll("+", "-").replaceAll("/", "_")];
  /** Runs of twelve characters in every spelling, and beginnings of eight, ignoring case: the key must not be recoverable. */
  const traces = [
    ...spellings.flatMap((text) => Array.from({ length: text.length - 11 }, (_, at) => text.slice(at, at + 12))),
    key.slice(0, 8),
  ].map((text) => text.toLowerCase());

  it("is in no output of a target that echoes it; each line to copy sends the same bytes all the same", async () => {
    const arrived: Arrived[] = [];
    const url = await deploy({
      accepts: (given) => given === key,
      before: (request) => {
        arrived.push(request);
        return null;
      },
      // Long enough for an excerpt to end within the key.
      status: `${"x".repeat(170)}${key}`,
      headers: { "X-Echo": `${key} ${encodeURIComponent(key)}`, "X-Base64": base64, "X-Part": key.slice(0, -1) },
    });
    const { json, files, words } = reports();
    const { code, stdout, stderr } = await command(["--verbose", "--url", url, ...words], {
      suite: brief,
      env: { API_KEY: key },
    });
    expect(code).toBe(1);
    for (const text of [stdout, stderr, ...files.map((name) => readFileSync(name, "utf8"))])
      expect(traces.filter((trace) => text.toLowerCase().includes(trace))).toEqual([]);
    expect(stdout).toMatch(/^ {2}check {5}credentials\/never-shown;/m);

    const { findings } = JSON.parse(readFileSync(json, "utf8"));
    const lines: string[] = findings.map(({ again }: { again: string }) => again);
    const again = [...new Set(lines)].filter((line) => /^(?:curl|printf) /.test(line) && line.includes("$API_KEY"));
    expect(again.length).toBeGreaterThan(2);
    const form = ({ method, url: target, rawHeaders, body }: Arrived) =>
      JSON.stringify([method, target, [...rawHeaders].sort(), body.toString()]);
    const before = new Set(arrived.map(form));
    for (const line of again.slice(0, 12)) {
      arrived.length = 0;
      await promisify(execFile)("sh", ["-c", line], { env: { PATH: process.env.PATH, API_KEY: key } });
      expect(arrived.map((request) => before.has(form(request)) || line)).toEqual([true]);
    }
  });
});

it("a short key of somebody else's is nowhere where a key stands, and the report can be read", async () => {
  const url = await deploy({
    accepts: (given) => given === "test",
    headers: { "X-Echo": "test", "X-Latest": "latest" },
  });
  const { files, words } = reports();
  const { stdout, stderr } = await command(["--verbose", "--url", url, ...words], {
    suite: brief,
    env: { API_KEY: "test" },
  });
  const outputs = [stdout, stderr, ...files.map((name) => readFileSync(name, "utf8"))];
  expect(outputs.join().match(/(x-api-key|x-echo)[^a-z$]{1,12}test/gi)).toBeNull();
  expect(stdout).toContain(`X-API-KEY: '"$API_KEY"`);
  expect(stdout).toContain("latest");
});

describe("a run against the service", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const readJson = (name: string) => JSON.parse(readFileSync(name, "utf8"));

  it("creates so many records at most, names itself before the first, and lists them all", async () => {
    const greedy: Script = {
      ...{ id: "greedy", requirements: ["user.create/as-sent"], effect: "write" },
      async *run(run) {
        const create = run.suite.oracle.contract.operations["user.create"] ?? expect.fail();
        for (let n = 0; n < 2 * run.mostCreated; n += 1) await plainExchange(run, create, run.inputs.fresh(create));
        yield* [];
      },
    };
    const seen: string[] = [];
    const url = await proxied(service.url, {
      request: (request) => {
        seen.push(...emailsIn(request.body.toString()));
        return request;
      },
    });
    const { json, words } = reports();
    const all = ["--verbose", "--url", url, "--credentials", service.credentialsFile, ...words];
    const { code, stdout, stderr } = await command([...all, ...only("user.create/as-sent")], {
      suite: { ...packaged, covering: [], scripts: [greedy] },
    });
    const { created, run } = readJson(json);
    expect([code, seen.length]).toEqual([0, 120]);
    expect(created).toEqual(seen);
    expect(emailsIn(stdout)).toEqual(seen);
    expect(seen.filter((one) => !one.includes(run.id))).toEqual([]);
    expect(stderr).toContain(`what it creates has ${run.id} in it`);
  });

  it("harms nobody where it may only read, and says what it left out", async () => {
    const codes: string[] = [];
    const url = await proxied(service.url, {
      answer: (answer) => {
        codes.push(/"code":"([^"]+)"/.exec(answer.body.toString())?.[1] ?? "");
        return answer;
      },
    });
    const { json, words } = reports();
    const all = ["--url", url, "--credentials", service.credentialsFile, "--read-only", ...words];
    const { code, stdout } = await command(all, { env: {} });
    const { verdict, created, requirements, clauses } = readJson(json);
    expect([code, verdict, created], stdout).toEqual([0, "conformant (read only)", []]);
    expect(stdout).not.toContain("FAIL");
    const harmful = /^(malformed-|content-too-large|uri-too-long|headers-too-large|expectation-failed|request-timeout)/;
    expect(codes.filter((one) => harmful.test(one))).toEqual([]);
    expect(codes.filter((one) => one === "credentials-invalid").length).toBeLessThan(6);
    const reasons = new Set(requirements.map(({ reason }: { reason: string | null }) => reason));
    for (const what of ["something oversized", "something malformed", "a key that is refused"])
      expect(reasons).toContain(`needs --allow-hostile: it sends ${what}`);
    const clause = (id: string) => clauses.find((one: { clause: string }) => one.clause === id);
    expect(clause("D14")).toMatchObject({ requirements: 0, untried: expect.stringContaining("only by harming it") });
    expect(clause("G6")).toMatchObject({ requirements: 1, passed: 1, failed: 0, untried: null });
  });

  /** Sends the signal when the target receives the nth request with the value of a record. */
  async function ended(signal: NodeJS.Signals, nth: number, ...words: string[]) {
    const seen: string[] = [];
    let end = () => {};
    const url = await proxied(service.url, {
      request: (request) => {
        const emails = emailsIn(request.body.toString());
        seen.push(...emails);
        if (emails.length > 0 && seen.length >= nth) end();
        return request;
      },
    });
    const { child, ended } = launch(["--url", url, "--credentials", service.credentialsFile, "--seed", "1", ...words]);
    end = () => {
      end = () => {};
      child.kill(signal);
    };
    return { ...(await ended), seen };
  }

  async function expectAlive(): Promise<void> {
    expect((await fetch(`${service.url}/api/?@=sysinfo`)).status).toBe(200);
  }

  it("ended by SIGKILL has named all that it wrote", async () => {
    const { code, stderr, seen } = await ended("SIGKILL", 3);
    expect(code).toBeNull();
    expect(seen.length).toBeGreaterThanOrEqual(3);
    const [, run = ""] = /what it creates has ([0-9a-f]{16}) in it\n/.exec(stderr) ?? [];
    expect(seen.filter((email) => run === "" || !email.startsWith(`conformance+${run}-`))).toEqual([]);
    await expectAlive();
  });

  // SIGINT: command.test.ts.
  it("ended by SIGTERM is incomplete and writes its reports", async () => {
    const { json, files, words } = reports();
    const { code, stdout, stderr } = await ended("SIGTERM", 2, ...words);
    expect([code, stdout]).toEqual([5, expect.stringContaining("the run was interrupted")]);
    const report = readJson(json);
    expect(report).toMatchObject({ verdict: "incomplete", exitCode: 5, stopped: "the run was interrupted" });
    expect(files.filter((name) => !existsSync(name))).toEqual([]);
    expect(stderr).toContain(report.run.id);
    await expectAlive();
  });
});
