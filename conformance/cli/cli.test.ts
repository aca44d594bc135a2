import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { check, checkAll, checkPair } from "../checks/check.ts";
import { expectSuccess, fail } from "../client/expect.ts";
import { command, file } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";

const status = check("sysinfo/status", {}, async (api) => {
  const { status: label } = expectSuccess(await api.call("sysinfo"), "sysinfo");
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
const broken = check("sysinfo/time", {}, async () => {
  throw new TypeError("a mistake of ours");
});
const failing = check("sysinfo/method", {}, async (api) => {
  const reply = await api.call("user.list");
  fail("body", "something else", `${reply.status} with ${api.key}`);
});
const suite = (...checks: (typeof status)[]) => ({ checks, exclusions: [] });
const good = suite(status, create, hostile, slow, revoked);

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
    [["--only", "nothing/*"], "no check matches nothing/*"],
    [["--skip", "nothing"], "no check matches nothing"],
    [["--level", "WISH"], "--level"],
    [["--concurrency", "0"], "an integer from 1 to 64"],
    [["--unknown"], "unknown option"],
    [["--url", "http://b", "--url", "http://c"], "one deployment, or two"],
    [["--credentials", "a", "--credentials", "b"], "one file for each"],
    [["--known-failures", "/nowhere"], "--known-failures /nowhere"],
    [["--credentials", "/nowhere"], "cannot be read"],
    [["--only", "credentials/revoked"], "needs the credential revoked"],
  ])("is 2 for %j", async (words, message) => {
    const { code, stderr } = await command(["--url", "http://a", ...words], { suite: good });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it("is 2 without a URL, without a key, and for an address that is none", async () => {
    expect((await command([], { suite: good })).stderr).toContain("--url is missing");
    expect((await command(["--url", "http://a"], { suite: good, env: {} })).stderr).toContain("no key for http://a");
    for (const url of ["nonsense", "ftp://a", "http://user:secret@a", "http://a/?x=1"]) {
      expect((await command(["--url", url], { suite: good })).code).toBe(2);
    }
  });

  it("is 3 when nobody is there, and says so once", async () => {
    const { code, stdout } = await command(["--url", "http://127.0.0.1:1"], { suite: good });
    expect(code).toBe(3);
    expect(stdout).toContain("unreachable");
    expect(stdout.match(/preflight, the target is reachable/g)).toHaveLength(1);
  });

  it("is 4 when a check itself fails, and names it", async () => {
    const { code, stdout } = await command(["--url", await deploy()], { suite: suite(status, broken) });
    expect(stdout).toContain("the check sysinfo/time itself failed: TypeError: a mistake of ours");
    expect(code).toBe(4);
  });

  it("is 4 when a check throws something that is no Error", async () => {
    const odd = check("sysinfo/time", {}, () => Promise.reject("a word"));
    expect(await command(["--url", await deploy()], { suite: suite(odd) })).toMatchObject({
      code: 4,
      stdout: expect.stringContaining("itself failed: a word"),
    });
  });

  it("is 4 for a requirement that there is not", async () => {
    const lost = { ...status, requirement: "no/such" as "sysinfo/status" };
    const { code, stderr } = await command(["--url", await deploy()], { suite: suite(lost) });
    expect([code, stderr]).toEqual([4, "fault of the harness: sysinfo/status: no such requirement\n"]);
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
    expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({ verdict: "incomplete", exitCode: 5 });
    const early = await command(["--url", url], { suite: suite(status), signal: AbortSignal.abort() });
    expect(early.stdout).toContain("the run was interrupted");
    expect(early.code).toBe(5);
  });

  it("is 5 for what was judged before it was interrupted, and --resume judges the rest", async () => {
    const interrupt = new AbortController();
    const ran: string[] = [];
    const write = check("user.create/created", { effect: "write" }, async (api) => {
      await api.createUser();
      ran.push("write");
    });
    const stuck = check("http/parallel", { last: true }, async (api) => {
      ran.push("stuck");
      if (ran.length < 3) interrupt.abort();
      await api.alive();
    });
    const all = checkAll("http/nosniff", () => {});
    const [url, json] = [await deploy(), file("report.json")];
    const of = suite(write, failing, stuck as typeof status, all as unknown as typeof status);
    const words = ["--url", url, "--json", json];
    expect((await command(words, { suite: of, signal: interrupt.signal })).code).toBe(1);
    const first = JSON.parse(readFileSync(json, "utf8"));
    expect(first).toMatchObject({
      counts: { passed: 1, failed: 1, incomplete: 2 },
      created: [expect.any(String), expect.any(String)],
    });
    expect((await command([...words, "--resume", json], { suite: of })).code).toBe(1);
    expect(ran).toEqual(["write", "stuck", "stuck"]);
    const { counts, created, results, run } = JSON.parse(readFileSync(json, "utf8"));
    expect(counts).toMatchObject({ passed: 3, failed: 1, incomplete: 0 });
    expect(created).toEqual(first.created);
    expect(run.requests).toBeGreaterThan(first.run.requests);
    const failure = ({ check: id }: { check: string }) => id === "sysinfo/method";
    expect(results.find(failure)).toEqual(first.results.find(failure));
    for (const [content, why] of [
      ["{", "JSON"],
      [{}, "is no JSON report of this suite"],
      [{ ...first, suite: { version: "0" } }, "is of another version"],
      [{ ...first, target: { url: "http://b" } }, "is of http://b"],
    ] as const)
      expect(await command(["--url", url, "--resume", file("r.json", content)], { suite: of })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(why),
      });
    expect((await command(["--url", url, ...words, "--resume", json])).stderr).toContain("one deployment at a time");
  });

  it("is 5 with --complete when something is not selected", async () => {
    const url = await deploy();
    expect((await command(["--url", url, "--complete"], { suite: good })).code).toBe(5);
    expect((await command(["--url", url, "--complete"], { suite: suite(status, create) })).code).toBe(0);
  });
});

describe("the suite's own checks", () => {
  it("pass a target that is right, and say where one is not", async () => {
    const words = ["--only", "sysinfo/json", "--only", "sysinfo/status", "--only", "sysinfo/version", "--url"];
    expect((await command([...words, await deploy()])).code).toBe(0);
    const { code, stdout } = await command([...words, await deploy({ status: "Down" })]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("FAIL sysinfo: body:/status")]);
  });
});

describe("flags", () => {
  it("--help and --version end with 0", async () => {
    expect((await command(["--help"])).stdout).toContain("Exit codes: 0 conformant");
    expect(await command(["--version"])).toMatchObject({ code: 0, stdout: "3.0.3\n" });
  });

  it("--list and --explain need no target", async () => {
    const { code, stdout } = await command(["--list"], { suite: good });
    expect([code, stdout]).toEqual([0, expect.stringContaining("http/headers-timeout  MUST  decided  read  slow")]);
    const explained = await command(["--explain", "credentials/revoked"], { suite: good });
    expect(explained.stdout).toContain("A key that was revoked is refused");
    expect(explained.stdout).toContain("needs revoked");
    const excluded = { checks: [], exclusions: [{ requirement: "http/connect", reason: "for a test" }] };
    expect((await command(["--explain", "http/connect"], { suite: excluded })).stdout).toContain(
      "not checked: for a test",
    );
    expect((await command(["--explain", "no/such"], { suite: good })).code).toBe(2);
    expect((await command(["--explain", "http/connect#none"], { suite: good })).code).toBe(2);
  });

  it("--explain tells what a check does", async () => {
    const pair = checkPair("deployments/same", (api) => api.call("sysinfo"));
    const all = checkAll("credentials/never-shown", () => {});
    const whole = { checks: [slow, pair, all], exclusions: [] };
    const of = async (id: string) => (await command(["--explain", id], { suite: whole })).stdout;
    expect(await of("http/headers-timeout")).toContain("asks the target; read; slow");
    expect(await of("deployments/same")).toContain("compares two deployments");
    expect(await of("credentials/never-shown")).toContain("judges every exchange");
    expect(await of("user.list/json")).toContain("operation user.list");
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
    const plan = await command(["--url", "https://one.invalid", "--dry-run"], { suite: good, env: {} });
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain("run   sysinfo/status (read)");
    expect(plan.stdout).toContain("leave user.create/created: needs --allow-write");
    expect(plan.stdout).toContain("leave http/malformed-request: needs --allow-hostile");
    expect(plan.stdout).toContain("leave http/headers-timeout: waits for a time-out: needs --slow");
    const all = ["--allow-write", "--allow-hostile", "--slow", "--skip", "credentials/*"];
    const { stdout } = await command(["--url", "https://one.invalid", "--dry-run", ...all], { suite: good });
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
    const leave = async (...words: string[]) =>
      (await command(["--url", url, "--dry-run", ...words], { suite: chosen })).stdout;
    expect(await leave("--origin", "given")).toContain("leave sysinfo/status: outside --origin given");
    expect(await leave("--only", "sysinfo/j*")).toContain("leave sysinfo/status: outside --only");
    expect(await leave("--level", "MUST")).toContain("2 checks would run");
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

  it("--json, --junit, --markdown and --html write the report, without keys", async () => {
    const files = ["json", "junit", "markdown", "html"].map((kind) => [`--${kind}`, file(`report.${kind}`)] as const);
    await command(["--url", await deploy(), ...files.flat()], { suite: suite(status, failing) });
    for (const [, name] of files) {
      const text = readFileSync(name, "utf8");
      expect(text).toContain("sysinfo/method");
      expect(text).not.toContain(KEY);
    }
  });
});
