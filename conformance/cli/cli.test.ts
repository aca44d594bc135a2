// The command in this process. What needs a process of its own is tested in command.test.ts.
import { readdirSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { BOUND_MS } from "../../src/test/patience.ts";
import { check, checkAll, checkPair } from "../checks/check.ts";
import { expectSuccess, fail } from "../client/expect.ts";
import packageJson from "../package.json" with { type: "json" };
import { checks } from "../suite.ts";
import { command, file } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";
import { elements, jsonReport } from "../test/markup.test-kit.ts";
import { serveSocket } from "../test/server.test-kit.ts";

const status = check("sysinfo/status", {}, async (api) => {
  const { status: label } = Object(expectSuccess(await api.call("sysinfo"), "sysinfo"));
  if (label !== "Operational") fail("state", "Operational", label);
});
const create = check("user.create/created", { effect: "write" }, async (api) => {
  await api.createUser();
});
const hostile = check("http/malformed-request", { effect: "hostile" }, async (api) => {
  await api.raw(api.rawRequest({ target: api.path("/api/?@=sysinfo") }));
  await api.alive();
});
const slow = check("http/headers-timeout", { slow: true }, async (api) => api.alive());
const revoked = check("credentials/revoked", { needs: ["revoked"] }, async (api) => {
  await api.call("user.list", { credentials: "revoked" });
});
const failing = check("sysinfo/method", {}, async (api) => {
  const reply = await api.call("user.list");
  fail("body", "something else", `${reply.status} with ${api.key}`);
});
const suite = (...checks: (typeof status)[]) => ({ checks, exclusions: [] });
const good = suite(status, create, hostile, slow, revoked);
/** The requirements that the smallest deployment meets. */
const KEPT = ["sysinfo/status", "sysinfo/version"].flatMap((id) => ["--only", id]);

describe("exit codes", () => {
  it("is 0 when all that is selected passes, and says what did not run", async () => {
    const { code, stdout, stderr } = await command(["--url", await deploy(), "--seed", "7"], { suite: good });
    expect(code).toBe(0);
    expect(stdout).toContain("conformant (partial)");
    expect(stdout).toMatch(/Created 2 users.*conformance\+[0-9a-f]+-/);
    expect(stderr).toContain("seed 7");
    expect(stderr).toMatch(/creating conformance\+[0-9a-f]+-1@example\.com/);
  });

  it("is 1 when a MUST is not kept; --strict makes SHOULD count", async () => {
    const { code, stdout } = await command(["--url", await deploy(), "--seed", "7"], { suite: suite(status, failing) });
    expect(code).toBe(1);
    expect(stdout).toContain("sysinfo/method");
    expect(stdout).toContain("atpoint-conformance --url http://127.0.0.1:");
    expect(stdout).toContain("--only sysinfo/method");
    expect(stdout).toContain('"$API_KEY"');
    expect(stdout).not.toContain(KEY);
  });

  it.each([
    [["--only", "nothing/*"], "no check matches nothing/*; see --list\n"],
    [["--only", "sysinfo/sttus"], "sysinfo/sttus (did you mean sysinfo/status?)"],
    [["--skip", "nothing"], "no check matches nothing"],
    [["--level", "WISH"], "--level"],
    [["--concurrency", "0"], "an integer from 1 to 64"],
    [["--unknown"], "unknown option"],
    [["--url", "http://b", "--url", "http://c"], "one deployment, or two"],
    [["--url", "http://b", "--watch", "1s"], "one --url"],
    [["--exceptions", "e.json"], "no second"],
    [["--credentials", "a", "--credentials", "b"], "one file for each"],
    [["--known-failures", "/nowhere"], "--known-failures /nowhere"],
    [["--credentials", "/nowhere"], "cannot be read"],
    [["--only", "credentials/revoked"], "needs the credential revoked"],
    [["--explain", "no/such"], "no such check, requirement or clause"],
    [["--explain", "http/connect#none"], "no such check, requirement or clause"],
    [["--landing", "/home"], "only with --origin given"],
    [["--email", "qa-{id}@example.net"], "only with --origin given"],
    [["--refused", "/error"], "only with --origin given"],
    [["--metrics", "1"], "only with --watch"],
    [["--watch", "soon"], "60s"],
    ...["--json", "--junit", "--html", "--markdown"].map((flag) => [[flag, "/nowhere/report"], "/nowhere/report"]),
  ] as [string[], string][])("is 2 for %j, and nothing is sent", async (words, message) => {
    const { code, stdout, stderr } = await command(["--url", "http://127.0.0.1:1", ...words], { suite: good });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });

  it("is 2 without a URL, without a key, and for an address that is none", async () => {
    expect((await command([], { suite: good })).stderr).toContain("--url is missing");
    expect((await command(["--url", "http://a"], { suite: good, env: {} })).stderr).toContain("no key for http://a");
    for (const url of ["nonsense", "ftp://a", "http://user:secret@a", "http://a/?x=1"]) {
      expect((await command(["--url", url], { suite: good })).code).toBe(2);
    }
  });

  it("is 3 when nobody is there, and says so once, or nobody answers in time", async () => {
    const { code, stdout } = await command(["--url", "http://127.0.0.1:1"], { suite: good });
    expect(code).toBe(3);
    expect(stdout).toContain("unreachable");
    expect(stdout).toMatch(/^unreachable: expected that the target is reachable: [^\n]*\n$/);
    const silent = await command(["--url", await serveSocket(() => {}), "--timeout", "50"], { suite: good });
    expect(silent).toMatchObject({ code: 3, stdout: expect.stringContaining("no answer within 50 ms") });
  });

  it.each([
    ["a check itself fails", new TypeError("a mistake of ours"), "TypeError: a mistake of ours"],
    ["it throws something that is no Error", "a word", "a word"],
  ])("is 4 when %s, and names it", async (_, thrown, said) => {
    const broken = check("sysinfo/time", {}, () => Promise.reject(thrown));
    const { code, stdout } = await command(["--url", await deploy()], { suite: suite(status, broken) });
    expect([code, stdout]).toEqual([4, expect.stringContaining(`the check sysinfo/time itself failed: ${said}`)]);
  });

  it("is 4 for a requirement that there is not", async () => {
    const lost = { ...status, requirement: "no/such" as "sysinfo/status" };
    const { code, stderr } = await command(["--url", await deploy()], { suite: suite(lost) });
    expect([code, stderr]).toEqual([4, "fault of the harness: sysinfo/status: no such requirement\n"]);
  });

  it("is 4 when a report cannot be written in the end; the others are whole", async () => {
    const junit = file("report.xml");
    const html = path.join(path.dirname(junit), "report.html");
    const reports = ["--json", "/dev/full", "--junit", junit, "--html", html];
    const { code, stdout, stderr } = await command(["--url", await deploy(), ...reports], { suite: good });
    expect([code, stdout]).toEqual([4, expect.stringContaining("conformant (partial)")]);
    expect(stderr).toMatch(/^not written: \/dev\/full: ENOSPC/m);
    for (const name of [junit, html]) expect(readFileSync(name, "utf8")).toContain("sysinfo/status");
  });

  it("is 5 when the run is interrupted, or its deadline passes, and the report is written", async () => {
    const interrupt = new AbortController();
    const stuck = check("http/parallel", {}, async (api) => {
      interrupt.abort();
      await api.alive();
    });
    const json = file("report.json");
    const url = await deploy();
    const { code } = await command(["--url", url, "--json", json], { suite: suite(stuck), signal: interrupt.signal });
    expect(code).toBe(5);
    expect(jsonReport(json)).toMatchObject({ verdict: "incomplete", exitCode: 5 });
    const early = await command(["--url", url], { suite: suite(status), signal: AbortSignal.abort() });
    expect(early).toMatchObject({ code: 5, stdout: expect.stringContaining("the run was interrupted") });
    const silent = ["--url", await serveSocket(() => {}), "--deadline", "1"];
    const late = await command(silent, { suite: good });
    expect(late).toMatchObject({ code: 5, stdout: expect.stringContaining("the deadline of 1 s has passed") });
  });

  it("is 5 with --complete when something is not selected", async () => {
    const url = await deploy();
    expect((await command(["--url", url, "--complete"], { suite: good })).code).toBe(5);
    expect((await command(["--url", url, "--complete"], { suite: suite(status, create) })).code).toBe(0);
  });
});

describe("the suite's own checks", () => {
  it("pass a target that is right, and every report is written; say where one is not", async () => {
    const json = file("report.json");
    const folder = path.dirname(json);
    const inFolder = (name: string) => path.join(folder, name);
    const files = ["junit", "markdown", "html"].flatMap((kind) => [`--${kind}`, inFolder(`report.${kind}`)]);
    const limits = ["--strict", "--seed", "7", "--timeout", `${BOUND_MS}`, "--deadline", "3600", "--concurrency", "1"];
    const url = await deploy();
    const { code, stdout } = await command(["--url", url, ...KEPT, ...limits, "--json", json, ...files]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^conformant \(partial\): \d+ passed, /)]);
    const report = jsonReport(json);
    expect(report).toMatchObject({ exitCode: 0, target: { url }, run: { seed: 7 } });
    expect(report.run.command).toContain(limits.join(" "));
    expect(report.results).toHaveLength(checks.length);
    const read = (name: string) => readFileSync(inFolder(name), "utf8");
    const junit = elements(read("report.junit"));
    expect(junit.filter((name) => name === "testcase")).toHaveLength(checks.length);
    const html = read("report.html");
    expect(elements(html, ["meta"])).toContain("script");
    expect(html).not.toMatch(/ (src|href|on\w+)="(?!#)|url\(|@import/);
    expect(read("report.markdown")).toContain("# Conformance report");
    expect(readdirSync(folder)).toHaveLength(4);
    const down = await command(["--url", await deploy({ status: "Down" }), ...KEPT]);
    expect(down).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("FAIL `status` is wrong in the response of sysinfo"),
    });
  });
});

describe("flags", () => {
  it("--help and --version end with 0", async () => {
    expect((await command(["--help"])).stdout).toContain("Exit codes: 0 conformant");
    expect(await command(["--version"])).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` });
  });

  it("--concurrency says how many checks run at the same time", async () => {
    let [running, most] = [0, 0];
    const ids = ["sysinfo/status", "sysinfo/time", "sysinfo/method"] as const;
    const counting = ids.map((id) =>
      check(id, {}, async (api) => {
        running += 1;
        most = Math.max(most, running);
        await api.alive();
        running -= 1;
      }),
    );
    for (const width of [1, 2]) {
      most = 0;
      await command(["--url", await deploy(), "--concurrency", `${width}`], { suite: suite(...counting) });
      expect(most).toBe(width);
    }
  });

  it("--list and --explain need no target", async () => {
    const { code, stdout } = await command(["--list"], { suite: good });
    expect([code, stdout]).toEqual([0, expect.stringContaining("http/headers-timeout  MUST  decided  read  slow")]);
    const pair = checkPair("deployments/same", (api) => api.call("sysinfo"));
    const all = checkAll("credentials/never-shown", () => {});
    const whole = { checks: [slow, revoked, pair, all], exclusions: [] };
    for (const [id, said] of [
      ["credentials/revoked", "A key that was revoked is rejected"],
      ["credentials/revoked", "needs revoked"],
      ["http/headers-timeout", "asks the target; read; slow"],
      ["deployments/same", "compares two deployments"],
      ["credentials/never-shown", "checks every exchange"],
      ["user.list/json", "operation user.list"],
      ["D26", "user.list/limit-range: `limit` is an integer from 1 to 200"],
    ] as const)
      expect((await command(["--explain", id], { suite: whole })).stdout).toContain(said);
    const excluded = { checks: [], exclusions: [{ requirement: "http/connect", reason: "for a test" }] } as const;
    const explained = await command(["--explain", "http/connect"], { suite: excluded });
    expect(explained.stdout).toContain("not checked: for a test");
  });

  it("colours a terminal, unless told not to", async () => {
    const url = await deploy();
    const colours = async (env: NodeJS.ProcessEnv) =>
      (await command(["--url", url], { suite: suite(status), env: { API_KEY: KEY, ...env }, isTTY: true })).stdout;
    expect(await colours({})).toContain("\x1b[32m");
    expect(await colours({ NO_COLOR: "1" })).not.toContain("\x1b");
  });

  it.each([{ API_KEY: "a\nb" }, { API_KEY: " key" }, { API_KEY: "key", PLATFORM: "\u00e9" }])(
    "refuses what no header field can carry: %j",
    async (env) => {
      const { code, stderr } = await command(["--url", "http://a"], { suite: good, env });
      expect([code, stderr]).toEqual([2, "API_KEY and PLATFORM must be printable ASCII, without blanks around\n"]);
    },
  );

  it("--dry-run sends nothing; off loopback only reads run, unless allowed", async () => {
    const words = ["--url", "https://one.invalid", "--dry-run"];
    const plan = await command(words, { suite: good, env: {} });
    expect(plan.code).toBe(0);
    for (const line of [
      "run   sysinfo/status (read)",
      "leave user.create/created: needs --allow-write",
      "leave http/malformed-request: needs --allow-hostile",
      "leave http/headers-timeout: waits for a time-out: needs --slow",
      "leave credentials/revoked: needs the credential revoked",
    ])
      expect(plan.stdout).toContain(line);
    const all = ["--allow-write", "--allow-hostile", "--slow"];
    const { stdout } = await command([...words, ...all], { suite: good, env: {} });
    expect(stdout).toContain("4 checks would run, 1 would not");
  });

  it("what is allowed on loopback is all that runs there, when something is allowed", async () => {
    const words = ["--url", "http://127.0.0.1:1", "--dry-run", "--slow"];
    expect((await command(words, { suite: good })).stdout).not.toContain("--allow-");
    const { stdout } = await command([...words, "--allow-write"], { suite: good });
    expect(stdout).toContain("leave http/malformed-request: needs --allow-hostile");
    expect(stdout).not.toContain("needs --allow-write");
  });

  it("--origin, --level and --only choose", async () => {
    const given = check("sysinfo/json", {}, async (api) => api.alive());
    const chosen = suite(status, given);
    const url = await deploy();
    for (const [words, said] of [
      [["--origin", "given"], "leave sysinfo/status: outside --origin given"],
      [["--only", "sysinfo/j*"], "leave sysinfo/status: outside --only"],
      [["--level", "MUST"], "2 checks would run"],
    ] as const)
      expect((await command(["--url", url, "--dry-run", ...words], { suite: chosen })).stdout).toContain(said);
    expect((await command(["--url", url, "--origin", "given"], { suite: chosen })).code).toBe(0);
  });

  it("--slow and --credentials bring in what needs them", async () => {
    const credentials = file("credentials.json", {
      full: { key: KEY, platform: "web" },
      revoked: { key: "a-revoked-key" },
    });
    const words = ["--url", await deploy(), "--slow", "--credentials", credentials];
    const { code, stdout } = await command(words, { suite: good, env: {} });
    expect(stdout).toContain("5 passed");
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("partial")]);
  });

  it.each([["[]"], ["{"], ['{"unknown":{}}'], ['{"full":{"key":""}}'], ['{"full":"key"}']])(
    "refuses the credentials file %s without quoting it",
    async (content) => {
      const { code, stderr } = await command(["--url", "http://a", "--credentials", file("c.json", content)], {
        suite: good,
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining("--credentials")]);
    },
  );
});

/** An address of this machine that is not a loopback address. */
const [own] = Object.values(networkInterfaces()).flatMap((all = []) =>
  all.flatMap(({ address, family, internal }) => (family === "IPv4" && !internal ? [address] : [])),
);

it.skipIf(own === undefined)("off loopback a run only reads, and paces itself", async () => {
  const json = file("report.json");
  const words = ["--url", await deploy({ host: own ?? "" }), "--json", json];
  const { code, stdout } = await command(words, { suite: suite(status, create) });
  expect([code, stdout]).toEqual([0, expect.stringContaining("conformant (read only)")]);
  const { results, run, created } = jsonReport(json);
  const { reason } = results.find(({ check: id }: { check: string }) => id === create.id);
  expect([reason, created]).toEqual([expect.stringMatching(/^needs --allow-write/), []]);
  // 200 ms between the starts of two requests; timers may fire a few milliseconds early.
  expect(run.durationMs).toBeGreaterThan((run.requests - 1) * 190);
});
