// The command in this process. What needs a process of its own is tested in command.test.ts.
import { readdirSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BOUND_MS } from "../../src/test/patience.ts";
import { contract } from "../contract.ts";
import type { Difference, Finding } from "../exchange.ts";
import packageJson from "../package.json" with { type: "json" };
import { packaged } from "../packaged.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { elements } from "../proof/kits/markup.test-kit.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { plainExchange } from "../run/exchange.ts";
import type { Run, Script, Suite } from "../run/state.ts";
import { brief, command, file } from "./command.test-kit.ts";

/** A script of a requirement. */
const script = (
  requirement: string,
  run: (run: Run) => Promise<Difference | null>,
  more: Partial<Script> = {},
): Script => ({
  ...{ id: `own ${requirement}`, requirements: [requirement], effect: "read", ...more },
  async *run(one): AsyncGenerator<Finding> {
    const found = await run(one);
    const place = { exchanges: [], at: -1, case: null } as const;
    if (found) yield { requirement, source: "script", ...found, ...place };
  },
});
const right = async () => null;
const wrong = async () => ({
  ...{ aspect: "body", expected: "one thing", actual: `another, with ${service.credentials.full.key}` },
});

/** Scripts alone, with the cases that show what there is. */
const suite = (...scripts: readonly Script[]): Suite => ({ ...packaged, covering: [], scripts });
/** That script, and nothing else. */
const ONLY = ["--case", "own sysinfo/method"];
const passing = suite(script("sysinfo/method", right));

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** One key, and nothing else. */
const keyAlone = () => ({ API_KEY: service.credentials.full.key });
const at = (...words: readonly string[]) => ["--url", service.url, ...words];

const readJson = (name: string) => JSON.parse(readFileSync(name, "utf8"));

describe("a key alone", () => {
  it("is enough for a verdict, which says what it takes to check the rest", async () => {
    const json = file("report.json");
    const { code, stdout, stderr } = await command(at("--seed", "7", "--json", json), {
      suite: brief,
      env: keyAlone(),
    });
    const [first = ""] = stdout.split("\n");
    expect([code, first]).toEqual([0, expect.stringMatching(/^conformant \(partial\): [\d,]+ of [\d,]+ cases; /)]);
    for (const kind of ["expired", "otherPlatform", "revoked", "noScopes"]) expect(first).toContain(kind);
    expect(first).toMatch(/; to check the rest: keys \(.*\); seed 7$/);
    expect(stdout).not.toMatch(/FAIL|INCOMPLETE|no request to send/);
    expect(readJson(json).counts).toMatchObject({ failed: 0, incomplete: 0 });
    expect(stderr).toMatch(/: seed 7, .*; what it creates has [0-9a-f]{16} in it\n/);
  });

  it("is not with --complete", async () => {
    const { code, stdout } = await command(at("--complete"), { suite: passing, env: keyAlone() });
    expect([code, stdout]).toEqual([5, expect.stringMatching(/^incomplete: /)]);
  });
});

describe("exit codes", () => {
  it("is 0 when all that is selected passes", async () => {
    const { code, stdout } = await command(at(...ONLY), { suite: passing, env: keyAlone() });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^conformant \(partial\): .*requirements: 1 passed, /)]);
  });

  it("is 1 when a MUST is not met, and 0 for a SHOULD, unless --strict", async () => {
    const failing = suite(script("sysinfo/method", wrong));
    const { code, stdout } = await command(at(...ONLY, "--seed", "7"), { suite: failing, env: keyAlone() });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^not conformant: .*: 1 failed/)]);
    expect(stdout).toContain("sysinfo/method");
    expect(stdout).toMatch(/^ {2}alone {5}atpoint-conformance --url http:.* --only sysinfo\/method --seed 7$/m);
    expect(stdout).toContain("another, with $API_KEY");
    const should = suite(script("http/body-crumbs", wrong, { requirements: ["http/body-crumbs", "sysinfo/time"] }));
    const run = (...words: string[]) =>
      command(at("--case", "own http/body-crumbs", ...words), { suite: should, env: keyAlone() });
    expect((await run()).stdout).toMatch(/^conformant \(partial\): .*: 1 failed/);
    expect(await run("--strict")).toMatchObject({ code: 1, stdout: expect.stringMatching(/^not conformant/) });
  });

  it.each([
    [["--only", "nothing/*"], "no requirement matches nothing/*; see --list\n"],
    [["--only", "sysinfo/sttus"], "sysinfo/sttus (did you mean sysinfo/status?)"],
    [["--skip", "nothing"], "no requirement matches nothing"],
    [["--level", "WISH"], "--level"],
    [["--concurrency", "0"], "an integer from 1 to 64"],
    [["--unknown"], "unknown option"],
    [["--watch", "60s"], "unknown option"],
    [["--url", "http://b", "--url", "http://c"], "one deployment, or two"],
    [["--exceptions", "e.json"], "no second"],
    [["--credentials", "a", "--credentials", "b"], "one file for each"],
    [["--known-failures", "/nowhere"], "--known-failures /nowhere"],
    [["--credentials", "/nowhere"], "cannot be read"],
    [["--explain", "no/such"], "no such requirement or clause"],
    ...["--json", "--junit", "--html", "--markdown", "--sarif"].map((flag) => [
      [flag, "/nowhere/report"],
      `${flag} /nowhere/report`,
    ]),
  ] as [string[], string][])("is 2 for %j, and nothing is sent", async (words, message) => {
    const { code, stdout, stderr } = await command(["--url", "http://127.0.0.1:1", ...words]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });

  it("is 2 for a case that there is not", async () => {
    const { code, stdout, stderr } = await command(at("--case", "user.list no such row"), { env: keyAlone() });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining('"user.list no such row"')]);
  });

  it("is 2 without a URL, without a key, and for an address that is none", async () => {
    expect((await command([])).stderr).toContain("--url is missing");
    expect((await command(["--url", "http://a"], { env: {} })).stderr).toContain("no key for http://a");
    for (const url of ["nonsense", "ftp://a", "http://user:secret@a", "http://a/?x=1"])
      expect((await command(["--url", url])).code).toBe(2);
  });

  it("is 3 when nobody is there, or nobody answers in time, and says so once", async () => {
    const { code, stdout } = await command(["--url", "http://127.0.0.1:1"]);
    expect([code, stdout]).toEqual([
      3,
      expect.stringMatching(/^unreachable: expected that the target is reachable: [^\n]*\n$/),
    ]);
    const silent = await command(["--url", await serveSocket(() => {}), "--timeout", "50"]);
    expect(silent).toMatchObject({ code: 3, stdout: expect.stringContaining("no response within 0.05 s") });
  });

  it.each([
    ["a script itself fails", new TypeError("a mistake of ours"), "own sysinfo/method: a mistake of ours"],
    ["it throws something that is no Error", "a word", "own sysinfo/method: a word"],
  ])("is 4 when %s, and names it", async (_, thrown, said) => {
    const broken = suite(script("sysinfo/method", () => Promise.reject(thrown)));
    const { code, stdout } = await command(at(...ONLY), { suite: broken, env: keyAlone() });
    expect([code, stdout]).toEqual([4, expect.stringContaining(said)]);
  });

  it("is 4 when a report cannot be written in the end; the others are whole", async () => {
    const junit = file("report.xml");
    const html = path.join(path.dirname(junit), "report.html");
    const words = at(...ONLY, "--json", "/dev/full", "--junit", junit, "--html", html);
    const { code, stdout, stderr } = await command(words, { suite: passing, env: keyAlone() });
    expect([code, stdout]).toEqual([4, expect.stringContaining("conformant (partial)")]);
    expect(stderr).toMatch(/^not written: --json \/dev\/full: ENOSPC/m);
    for (const name of [junit, html]) expect(readFileSync(name, "utf8")).toContain("sysinfo/status");
  });

  it("is 5 when the run is interrupted, or its deadline passes, and the report is written", async () => {
    const interrupt = new AbortController();
    const stuck = script("sysinfo/method", async (run) => {
      interrupt.abort();
      const [operation] = Object.values(run.suite.oracle.contract.operations);
      if (operation) await plainExchange(run, operation, operation.example);
      return null;
    });
    const json = file("report.json");
    const words = at(...ONLY, "--json", json);
    const { code } = await command(words, { suite: suite(stuck), env: keyAlone(), signal: interrupt.signal });
    expect(code).toBe(5);
    expect(readJson(json)).toMatchObject({ verdict: "incomplete", exitCode: 5, stopped: "the run was interrupted" });
    const early = await command(at(), { suite: passing, env: keyAlone(), signal: AbortSignal.abort() });
    expect(early).toMatchObject({ code: 5, stdout: expect.stringContaining("the run was interrupted") });
    const late = await command(["--url", await serveSocket(() => {}), "--deadline", "1"]);
    expect(late).toMatchObject({ code: 5, stdout: expect.stringContaining("the deadline of 1 s has passed") });
  });
});

it("every report of a right target is written, well-formed and loads nothing; says where one is not", async () => {
  const json = file("report.json");
  const folder = path.dirname(json);
  const inFolder = (name: string) => path.join(folder, name);
  const files = ["junit", "markdown", "html", "sarif"].flatMap((kind) => [`--${kind}`, inFolder(`report.${kind}`)]);
  const limits = ["--strict", "--seed", "7", "--timeout", `${BOUND_MS}`, "--deadline", "3600", "--concurrency", "1"];
  const words = at(...ONLY, ...limits, "--json", json, ...files);
  const { code, stdout } = await command(words, { suite: passing, env: keyAlone() });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^conformant \(partial\): /)]);
  const report = readJson(json);
  expect(report).toMatchObject({ exitCode: 0, target: { url: service.url }, run: { seed: 7 } });
  expect(report.run.command).toContain(limits.join(" "));
  expect(report.requirements).toHaveLength(contract.requirements.length);
  const read = (name: string) => readFileSync(inFolder(name), "utf8");
  const junit = elements(read("report.junit"));
  expect(junit.filter((name) => name === "testcase")).toHaveLength(contract.requirements.length);
  const html = read("report.html");
  expect(elements(html, ["meta"])).toContain("html");
  expect(html).not.toMatch(/ (src|href|on\w+)="(?!#)|url\(|@import/);
  expect(read("report.markdown")).toContain("# Conformance report");
  expect(readdirSync(folder)).toHaveLength(5);
  const down = await command(["--url", await deploy({ status: "Down" }), "--case", "sysinfo plain"]);
  expect(down).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("FAIL status is wrong in the response of sysinfo"),
  });
});

describe("options", () => {
  it("--help and --version end with 0; no option has a default that says nothing", async () => {
    const { stdout } = await command(["--help"]);
    expect(stdout).toContain("Exit codes: 0 conformant");
    expect(stdout).not.toMatch(/default: \[\]|so long apart|Judges/);
    expect(await command(["--version"])).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` });
  });

  it("--concurrency says how many are played at the same time", async () => {
    let [running, most] = [0, 0];
    const ids = ["sysinfo/status", "sysinfo/time", "sysinfo/method"] as const;
    const counting = ids.map((id) =>
      script(id, async (run) => {
        running += 1;
        most = Math.max(most, running);
        const [operation] = Object.values(run.suite.oracle.contract.operations);
        if (operation) await plainExchange(run, operation, operation.example);
        running -= 1;
        return null;
      }),
    );
    for (const width of [1, 2]) {
      most = 0;
      const words = at("--concurrency", `${width}`);
      await command(words, { suite: suite(...counting), env: keyAlone() });
      expect(most).toBe(width);
    }
  });

  it("--list and --explain need no target", async () => {
    const { code, stdout } = await command(["--list"], { env: {} });
    expect([code, stdout]).toEqual([0, expect.stringContaining("http/headers-timeout  MUST  decided  D13\n")]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(contract.requirements.length);
    for (const [id, said] of [
      ["credentials/revoked", "A key that was revoked is rejected"],
      ["http/headers-timeout", "hostile, slow"],
      ["credentials/never-shown", "checked of every response that it is about"],
      ["user.list/json", "operation user.list"],
      ["D26", "user.list/limit-range: `limit` is an integer from 1 to 200"],
    ] as const)
      expect((await command(["--explain", id], { env: {} })).stdout).toContain(said);
  });

  it("colours a terminal, unless told not to", async () => {
    const coloured = async (env: NodeJS.ProcessEnv) =>
      (await command(at(...ONLY), { suite: passing, env: { ...keyAlone(), ...env }, isTTY: true })).stdout;
    expect(await coloured({})).toContain("\x1b[32m");
    expect(await coloured({ NO_COLOR: "1" })).not.toContain("\x1b");
  });

  it.each([{ API_KEY: "a\nb" }, { API_KEY: " key" }, { API_KEY: "key", PLATFORM: "\u00e9" }])(
    "rejects what no header field can carry: %j",
    async (env) => {
      const { code, stderr } = await command(["--url", "http://a"], { env });
      expect([code, stderr]).toEqual([2, "API_KEY and PLATFORM must be printable ASCII, without blanks around\n"]);
    },
  );

  it("--dry-run sends nothing, and says what is left out", async () => {
    const words = ["--url", "https://one.invalid", "--dry-run", "--only", "sysinfo/s*"];
    const plan = await command(words, { env: {} });
    expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining("check sysinfo/status") });
    expect(plan.stdout).toContain("leave sysinfo/time: outside --only");
  });

  it("what is allowed on loopback is all that is done there, when something is allowed", async () => {
    const missing = async (...words: string[]) =>
      (await command(at(...ONLY, ...words), { suite: passing, env: keyAlone() })).stdout.split("\n", 1)[0];
    expect(await missing()).not.toContain("--allow-");
    expect(await missing("--allow-write")).toMatch(/to check the rest: --allow-hostile/);
  });

  it("--level, --only and --skip choose", async () => {
    const reasons = async (...words: string[]) => {
      const json = file("report.json");
      await command(at(...words, "--json", json), { suite: passing, env: keyAlone() });
      return new Map<string, string>(
        readJson(json).requirements.map((one: { id: string; reason: string }) => [one.id, one.reason]),
      );
    };
    expect((await reasons("--only", "sysinfo/m*")).get("sysinfo/status")).toBe("outside --only");
    expect((await reasons("--skip", "sysinfo/s*")).get("sysinfo/status")).toBe("skipped by --skip");
    expect((await reasons("--level", "MUST")).get("http/body-crumbs")).toBe("outside --level MUST");
  });

  it("--slow and --credentials bring in what needs them", async () => {
    const needing = suite(
      script("http/headers-timeout", right, { slow: true }),
      script("credentials/revoked", right, { needs: ["revoked"] }),
    );
    const outcomes = async (words: readonly string[], env: NodeJS.ProcessEnv = keyAlone()) => {
      const json = file("report.json");
      await command(at("--json", json, ...words), { suite: needing, env });
      const all: { id: string; outcome: string; reason: string | null }[] = readJson(json).requirements;
      const of = (id: string) => all.find((one) => one.id === id);
      return [of("http/headers-timeout"), of("credentials/revoked")].map((one) => one?.reason ?? one?.outcome);
    };
    expect(await outcomes([])).toEqual(["waits for a time-out: needs --slow", "needs another key: revoked"]);
    const { full, special } = service.credentials;
    const credentials = file("credentials.json", { full, revoked: special.revoked });
    expect(await outcomes(["--slow", "--credentials", credentials], {})).toEqual(["passed", "passed"]);
  });

  it.each([["[]"], ["{"], ['{"unknown":{}}'], ['{"full":{"key":""}}'], ['{"full":"key"}']])(
    "rejects the credentials file %s without quoting it",
    async (content) => {
      const { code, stderr } = await command(["--url", "http://a", "--credentials", file("c.json", content)]);
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
  const created = script("user.create/created", right, { effect: "write" });
  const words = ["--url", await deploy({ host: own ?? "" }), "--json", json, "--case", created.id];
  await command(words, { suite: suite(created) });
  const { requirements, run, created: records, limit } = readJson(json);
  const { reason } = requirements.find(({ id }: { id: string }) => id === "user.create/created");
  expect([reason, records, limit]).toEqual([expect.stringMatching(/^needs --allow-write/), [], "read only"]);
  // 200 ms between the starts of two requests; timers may fire a few milliseconds early.
  expect(run.durationMs).toBeGreaterThan((run.requests.all - 1) * 190);
});
