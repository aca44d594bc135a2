// What a run must never do, seen from outside: show a key, leave users that no report lists, harm the target.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { check } from "../checks/check.ts";
import { memberIn } from "../client/reply.ts";
import { MAX_USERS } from "../client/users.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { command, file } from "../test/command.test-kit.ts";
import { deploy } from "../test/deployment.test-kit.ts";
import { launch } from "../test/process.test-kit.ts";
import type { Arrived } from "../test/server.test-kit.ts";
import { type RunningService, startService } from "../test/service.test-kit.ts";

const emailsIn = (text: string) => [...new Set(text.match(/conformance\+[0-9a-f]+-\d+@example\.com/g))];

describe("a key", () => {
  const key = "Zq7+vX/2mK=9tR4wY8pL1&c";
  const base64 = Buffer.from(key).toString("base64");
  /** Every run of eight characters in every spelling, ignoring case: the key must not be recoverable. */
  const traces = [key, encodeURIComponent(key), base64, base64.replaceAll("+", "-").replaceAll("/", "_")].flatMap(
    (text) => Array.from({ length: text.length - 11 }, (_, at) => text.slice(at, at + 12).toLowerCase()),
  );

  it("is in no output of a target that echoes it; each curl line sends the same bytes all the same", async () => {
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
    const json = file("report.json");
    const folder = path.dirname(json);
    const kinds = ["junit", "markdown", "html"].flatMap((kind) => [`--${kind}`, path.join(folder, `report.${kind}`)]);
    const checks = [
      "sysinfo/status",
      "user.list/limit*",
      "user.list/invalid-cursor*",
      "user.list/credentials",
      "test.health/*",
      "credentials/never-shown#every-answer",
      "credentials/invalid*",
      "credentials/conflict*",
      "credentials/platform*",
    ];
    const words = ["--verbose", "--url", url, "--json", json, ...kinds];
    words.push(...checks.flatMap((pattern) => ["--only", pattern]));
    const { code, stdout, stderr } = await command(words, { env: { API_KEY: key } });
    expect(code).toBe(1);
    const files = ["json", "junit", "markdown", "html"].map((kind) =>
      readFileSync(path.join(folder, `report.${kind}`)),
    );
    for (const text of [stdout, stderr, ...files].map((output) => output.toString().toLowerCase())) {
      expect(traces.filter((trace) => text.includes(trace))).toEqual([]);
    }
    expect(stdout).toContain("FAIL credentials/never-shown#every-answer");

    const { results } = JSON.parse(readFileSync(json, "utf8"));
    const lines: string[] = results.flatMap(({ failure }: { failure: { curl: string } | null }) => failure?.curl ?? []);
    const again = lines.filter((line) => /^(?:curl|printf) /.test(line) && line.includes("$API_KEY")).slice(0, 12);
    expect(again.length).toBeGreaterThan(2);
    const form = ({ method, url: target, rawHeaders, body }: Arrived) =>
      JSON.stringify([method, target, [...rawHeaders].sort(), body.toString()]);
    const before = new Set(arrived.map(form));
    for (const line of again) {
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
  const json = file("report.json");
  const files = ["json", "junit", "markdown", "html"].map((kind) => json.replace("json", kind));
  const words = files.flatMap((name) => [`--${path.extname(name).slice(1)}`, name]);
  const only = ["sysinfo/public", "user.list/limit*", "credentials/invalid*"].flatMap((id) => ["--only", id]);
  const { stdout, stderr } = await command(["--verbose", "--url", url, ...words, ...only], {
    env: { API_KEY: "test" },
  });
  const outputs = [stdout, stderr, ...files.map((name) => readFileSync(name, "utf8"))];
  expect(outputs.join().match(/(x-api-key|x-echo)[^a-z$]{1,12}test/gi)).toBeNull();
  expect(stdout).toContain(`X-API-KEY: '"$API_KEY"`);
  expect(stdout).toContain("latest");
});

describe("users", () => {
  it(`are at most ${MAX_USERS} a run, each told of before it is sent, and the report lists them all`, async () => {
    const greedy = check("user.create/as-sent", { effect: "write" }, async (api) => {
      for (let n = 0; n < 2 * MAX_USERS; n += 1) await api.createUser();
    });
    const seen: string[] = [];
    const url = await deploy({
      before: ({ body }) => {
        seen.push(...emailsIn(body.toString()));
        return null;
      },
    });
    const { code, stdout, stderr } = await command(["--verbose", "--url", url], {
      suite: { checks: [greedy], exclusions: [] },
    });
    expect([code, seen.length]).toEqual([5, MAX_USERS]);
    expect(emailsIn(stderr)).toEqual(seen);
    expect(emailsIn(stdout)).toEqual(seen);
  });
});

describe("a run against the service", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it("harms nobody where it may only read, and tells what it left out", async () => {
    const refusals: string[] = [];
    const proxy = await startProxy(
      {
        answer: (answer) => {
          refusals.push(memberIn(answer.body, "code") ?? "");
          return answer;
        },
      },
      service.url,
    );
    onTestFinished(proxy.close);
    const json = file("report.json");
    const words = ["--url", proxy.url, "--credentials", service.credentialsFile, "--read-only", "--json", json];
    const { code, stdout } = await command(words, { env: {} });
    const { verdict, created, results, clauses } = JSON.parse(readFileSync(json, "utf8"));
    // An empty list leaves checks open that run on a list with users.
    expect([code, verdict, created], stdout).toEqual([5, "incomplete", []]);
    expect(stdout).not.toContain("FAIL");
    const harmful = /^(malformed-|content-too-large|uri-too-long|headers-too-large|expectation-failed|request-timeout)/;
    expect(refusals.filter((refusal) => harmful.test(refusal))).toEqual([]);
    expect(refusals.filter((refusal) => refusal === "credentials-invalid").length).toBeLessThan(6);
    const reasons = new Set(results.map(({ reason }: { reason: string | null }) => reason));
    for (const what of ["something oversized", "something malformed", "a key that is refused"])
      expect(reasons).toContain(`needs --allow-hostile: it sends ${what}`);
    const judged = (id: string) => clauses.find(({ clause }: { clause: string }) => clause === id);
    expect(judged("D14")).toMatchObject({
      requirements: 0,
      judged: 0,
      untried: expect.stringContaining("only by harming it"),
    });
    expect(judged("G6")).toMatchObject({ requirements: 1, judged: 1, passed: 1, failed: 0, untried: null });
  });

  /** Runs all checks that create users, and sends the signal when the target receives the nth of their requests. */
  async function ended(signal: NodeJS.Signals, nth: number, ...words: string[]) {
    const seen: string[] = [];
    let end = () => {};
    const proxy = await startProxy(
      {
        request: (request) => {
          const emails = emailsIn(request.body.toString());
          seen.push(...emails);
          if (emails.length > 0 && seen.length >= nth) end();
          return request;
        },
      },
      service.url,
    );
    onTestFinished(proxy.close);
    const { child, ended } = launch([
      ...["--url", proxy.url, "--credentials", service.credentialsFile, "--seed", "1"],
      ...["--only", "user.create/*", ...words],
    ]);
    end = () => {
      end = () => {};
      child.kill(signal);
    };
    return { ...(await ended), seen };
  }

  async function expectAlive(): Promise<void> {
    expect((await fetch(`${service.url}/api/?@=sysinfo`)).status).toBe(200);
  }

  it("ended by SIGKILL has told of all that it wrote", async () => {
    const { code, stderr, seen } = await ended("SIGKILL", 3);
    expect(code).toBeNull();
    expect(seen.length).toBeGreaterThanOrEqual(3);
    const [named = "", ...more] = emailsIn(stderr);
    const run = named.slice(0, named.lastIndexOf("-") + 1);
    expect([run, more]).toEqual([expect.stringMatching(/^conformance\+[0-9a-f]{16}-$/), []]);
    expect(seen.filter((email) => !email.startsWith(run))).toEqual([]);
    await expectAlive();
  });

  // SIGINT: command.test.ts.
  it("ended by SIGTERM is incomplete and writes its reports", async () => {
    const json = file("report.json");
    const html = json.replace(".json", ".html");
    const { code, stdout, stderr } = await ended("SIGTERM", 2, "--json", json, "--html", html);
    expect([code, stdout]).toEqual([5, expect.stringContaining("the run was interrupted")]);
    const report = JSON.parse(readFileSync(json, "utf8"));
    expect(report).toMatchObject({ verdict: "incomplete", exitCode: 5 });
    expect(existsSync(html)).toBe(true);
    expect(emailsIn(stderr)).toEqual([expect.stringContaining(`+${report.run.id}-`)]);
    await expectAlive();
  });
});
