// The real command line, in a process of its own. What needs no process is in cli.test.ts.
import { readdirSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checks } from "../checks/index.ts";
import { startProxy } from "../mutants/proxy/server.ts";
import { file } from "../test/command.test-kit.ts";
import { deploy } from "../test/deployment.test-kit.ts";
import { elements, validateReport } from "../test/markup.test-kit.ts";
import { launch } from "../test/process.test-kit.ts";
import { serveSocket } from "../test/server.test-kit.ts";

const read = (name: string) => readFileSync(name, "utf8");
const only = (...patterns: string[]) => patterns.flatMap((pattern) => ["--only", pattern]);
/** What the smallest deployment keeps. */
const KEPT = only("sysinfo/json", "sysinfo/status", "sysinfo/version");

/** A report of the published form. */
function jsonReport(name: string) {
  const report = JSON.parse(read(name));
  validateReport(report);
  expect(validateReport.errors ?? []).toEqual([]);
  return report;
}

describe("exit codes", () => {
  it("0: the target is right; every report is written", async () => {
    let [inFlight, most] = [0, 0];
    const counting = await startProxy(
      {
        request: (request) => {
          inFlight += 1;
          most = Math.max(most, inFlight);
          return request;
        },
        answer: (answer) => {
          inFlight -= 1;
          return answer;
        },
      },
      await deploy(),
    );
    onTestFinished(counting.close);
    const json = file("report.json");
    const folder = path.dirname(json);
    const { code, stdout, stderr } = await launch([
      ...["--url", counting.url, ...KEPT, "--skip", "sysinfo/json*", "--origin", "all", "--level", "MUST", "--strict"],
      ...["--seed", "7", "--timeout", "4000", "--deadline", "60", "--concurrency", "1", "--json", json],
      ...["junit", "md", "html"].flatMap((kind) => [
        `--${kind === "md" ? "markdown" : kind}`,
        path.join(folder, `report.${kind}`),
      ]),
    ]).ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^conformant \(partial\): \d+ passed, /)]);
    expect(stderr).toContain(`${counting.url}: seed 7\n`);
    expect(most).toBe(1);
    const report = jsonReport(json);
    expect(report).toMatchObject({ exitCode: 0, target: { url: counting.url }, run: { seed: 7 } });
    expect(report.run.command).toContain("--strict --seed 7 --timeout 4000 --deadline 60 --concurrency 1");
    expect(report.results).toHaveLength(checks.length);
    const junit = elements(read(path.join(folder, "report.junit")));
    expect(junit.filter((name) => name === "testcase")).toHaveLength(checks.length);
    const html = read(path.join(folder, "report.html"));
    expect(elements(html, ["meta"])).toContain("script");
    expect(html).not.toMatch(/ (src|href|on\w+)="(?!#)|url\(|@import/);
    expect(read(path.join(folder, "report.md"))).toContain("(<report.md.svg>)");
    expect(elements(read(path.join(folder, "report.md.svg")))).toContain("text");
    expect(readdirSync(folder)).toHaveLength(5);
  });

  it("1: a second deployment differs, and both lists have entries that are wrong", async () => {
    const until = "2999-12-31";
    const known = file("known.json", [
      { id: "sysinfo/json", reason: "passes by now", until },
      { id: "sysinfo/version", reason: "long ago", until: "2020-01-01" },
      { id: "no/such", reason: "a mistake", until },
    ]);
    const exceptions = file("exceptions.json", [
      { pointer: "header/x-extra", reason: "a proxy" },
      { pointer: "deployments/same#sysinfo-call header/x-never", reason: "gone by now" },
    ]);
    const json = file("report.json");
    const markdown = file("report.md");
    const { code, stdout } = await launch([
      ...["--url", await deploy(), "--url", await deploy({ headers: { "X-Extra": "1" } })],
      ...[...KEPT, ...only("deployments/same#sysinfo-call"), "--known-failures", known, "--exceptions", exceptions],
      ...["--json", json, "--markdown", markdown],
    ]).ended;
    expect(code).toBe(1);
    expect(stdout).toContain("sysinfo/json passes now");
    expect(stdout).toContain("sysinfo/version is past its date");
    expect(stdout).toContain("no/such names no check");
    expect(stdout).toContain("deployments/same#sysinfo-call header/x-never is an exception that nothing needs");
    expect(stdout).not.toContain("header/x-extra is");
    const second = jsonReport(json.replace(".json", ".2.json"));
    expect(jsonReport(json).baseline).toHaveLength(3);
    expect(second.baseline).toContainEqual({ id: "deployments/same#sysinfo-call header/x-never", problem: "unused" });
    expect(second).toMatchObject({ verdict: "not conformant", counts: { failed: 0 } });
    expect(read(markdown.replace(".md", ".2.md"))).toContain("(<report.2.md.svg>)");
  });

  it("2: wrong use", async () => {
    const { code, stdout, stderr } = await launch(["--url", "http://127.0.0.1:1", "--only", "nothing/*"]).ended;
    expect([code, stdout, stderr]).toEqual([2, "", "no check matches nothing/*; see --list\n"]);
  });

  it("3: nobody answers in time", async () => {
    const url = await serveSocket(() => {});
    const { code, stdout } = await launch(["--url", url, "--timeout", "50"]).ended;
    expect([code, stdout]).toEqual([3, expect.stringContaining("no answer within 50 ms")]);
  });

  it("4: the suite itself fails, wherever that is", async () => {
    // Throws when the command has begun to listen for signals.
    const late = 'process.on("newListener",(name)=>{if(name==="SIGTERM")setImmediate(()=>{throw new Error("late")})})';
    const url = await serveSocket(() => {});
    const preload = `data:text/javascript,${encodeURIComponent(late)}`;
    const { code, stderr } = await launch(["--url", url], { preload }).ended;
    expect([code, stderr]).toEqual([4, expect.stringContaining("fault of the harness: late\n")]);
  });

  it("does not end for a request that a check no longer waits for", async () => {
    const { href } = new URL("../client/expectation.ts", import.meta.url);
    const late = `process.on("newListener",async(name)=>{if(name==="SIGTERM")throw new (await import("${href}")).Expectation("a","b")})`;
    const url = await serveSocket(() => {});
    const preload = `data:text/javascript,${encodeURIComponent(late)}`;
    const { code, stdout } = await launch(["--url", url, "--timeout", "50"], { preload }).ended;
    expect([code, stdout]).toEqual([3, expect.stringContaining("no answer within 50 ms")]);
  });

  it("5: the deadline passes", async () => {
    const url = await serveSocket(() => {});
    const { code, stdout, stderr } = await launch(["--url", url, "--deadline", "1", "--complete"]).ended;
    expect(stderr).not.toContain("fault of the harness");
    expect([code, stdout]).toEqual([5, expect.stringContaining("the deadline of 1 s has passed")]);
  });
});

describe("what is written", () => {
  it("explains a requirement without a target: --explain", async () => {
    const { code, stdout } = await launch(["--explain", "user.list/limit-range"]).ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("`limit` is an integer from 1 to 200")]);
  });

  it("demands every check: --complete", async () => {
    const { code, stdout } = await launch(["--url", await deploy(), ...KEPT, "--complete"]).ended;
    expect([code, stdout]).toEqual([5, expect.stringContaining("incomplete: ")]);
  });

  it("is whole behind a pipe: --list", async () => {
    const { code, stdout } = await launch(["--list"], { env: {} }).ended;
    expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, checks.length]);
  });

  it("is what an environment without a key can have: --dry-run and its reasons", async () => {
    const words = ["--url", "https://one.invalid", "--dry-run", "--allow-write", "--allow-hostile", "--slow"];
    const { code, stdout } = await launch(words, { env: {} }).ended;
    expect(code).toBe(0);
    expect(stdout).toContain("(write)\n");
    expect(stdout).toContain("(hostile)\n");
    expect(stdout).not.toContain("needs --allow-");
    expect(stdout).not.toContain("needs --slow");
    expect(stdout).toMatch(/leave credentials\/revoked\S*: needs the credential revoked/);
  });
});

/** An address of this machine that is no loopback address. */
const [own] = Object.values(networkInterfaces()).flatMap((all = []) =>
  all.flatMap(({ address, family, internal }) => (family === "IPv4" && !internal ? [address] : [])),
);

describe.skipIf(own === undefined)("off loopback", () => {
  it("only reads, and paces itself", async () => {
    const json = file("report.json");
    const url = await deploy({ host: own ?? "" });
    const { code, stdout } = await launch(["--url", url, ...KEPT, ...only("user.create/created*"), "--json", json])
      .ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("conformant (read only)")]);
    const { results, run, created } = jsonReport(json);
    const left = results.filter(({ reason }: { reason: string | null }) => reason?.startsWith("needs --allow-write"));
    expect(left).not.toEqual([]);
    expect(created).toEqual([]);
    // 200 ms between the starts of two requests; timers may be early by a few.
    expect(run.durationMs).toBeGreaterThan((run.requests - 1) * 190);
  });
});
