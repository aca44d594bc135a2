// What only a separate process shows of the command: signals, pipes, and work that is no longer
// awaited.

import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { launch, launchProgram } from "../proof/kits/process.test-kit.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";
import { calling, emailsIn, script, scripted, watched } from "../run/run.test-kit.ts";
import { command, file, reported } from "./command.test-kit.ts";

/** A module that runs this once the command listens for signals. */
const whenListening = (what: string) =>
  `data:text/javascript,${encodeURIComponent(
    `process.on("newListener",async(name)=>{if(name==="SIGTERM"){${what}}})`,
  )}`;

describe("the command", () => {
  it("ends with 4 when the suite itself fails, wherever that is", async () => {
    const preload = whenListening('setImmediate(()=>{throw new Error("late")})');
    const { code, stderr } = await launch(["--url", await serveSocket(() => {})], { preload })
      .ended;
    expect([code, stderr]).toEqual([4, expect.stringContaining("fault of the suite: late\n")]);
  });

  it("does not end for work of a run that has ended, which nobody awaits", async () => {
    const { href } = new URL("../http/rate-limiter.ts", import.meta.url);
    const preload = whenListening(`throw new (await import("${href}")).RunAborted("a")`);
    const words = ["--url", await serveSocket(() => {}), "--timeout", "50"];
    const { code, stdout } = await launch(words, { preload }).ended;
    expect([code, stdout]).toEqual([3, expect.stringContaining("no response within 0.05 s")]);
  });

  it("writes all behind a pipe", async () => {
    const { code, stdout } = await launch(["--list"], { env: {} }).ended;
    expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, contract.requirements.length]);
  });

  // Ctrl-C reaches every process of the terminal's process group: npm's script and its child
  // processes.
  it("says through npm as well that it was interrupted, when the report is there", async () => {
    const url = await serveSocket(() => process.kill(-(child.pid as number), "SIGINT"));
    const words = ["run", "-s", "conformance", "--", "--url", url];
    const { child, ended } = launchProgram("npm", words, { env: { API_KEY: KEY }, detached: true });
    const { code, stdout } = await ended;
    expect([code, stdout]).toEqual([5, expect.stringContaining("the run was interrupted")]);
  });
});

it.each([
  ["conformance/cli/bin.ts", "--list"],
  ["src/cli.ts", "--help"],
])("%s %s ends well when nobody reads", async (...words) => {
  // A shell pipe to a program that has exited.
  const line = '{ "$0" --import tsx "$@"; echo "ended with $?" >&2; } | :';
  const { stderr } = await launchProgram("sh", ["-c", line, process.execPath, ...words]).ended;
  expect(stderr).toBe("ended with 0\n");
});

it("a finding is repeated by its requests, and by a command", async () => {
  /** Finds a fault in what creates a record; the request before it is right. */
  const creating = script(
    "user.create/listed",
    async (run) => {
      const [before, created] = [await calling(run), await calling(run, "user.create")];
      const exchanges = [before ?? expect.fail(), created ?? expect.fail()];
      return { aspect: "state", expected: "to be undone", actual: "201", exchanges, at: 1 };
    },
    { effect: "write" },
  );
  const { url, arrived } = await watched();
  const keptOptions = "--allow-write --allow-hostile --slow --strict --timeout 20000";
  const runOptions = ["--seed", "5", "--max-failures", "9", "--header", "X-It: it's"];
  const words = ["--url", url, "--case", creating.id, ...keptOptions.split(" "), ...runOptions];
  const { stdout, report } = await reported(words, { suite: scripted(creating) });
  const finding = report.findings.find(({ script }) => script === creating.id);
  const { again = "", alone, at, operation } = finding ?? {};
  expect([at, operation]).toEqual([1, "user.create"]);
  expect(alone).toContain(`${keptOptions} --header "X-It: $HEADER_X_IT"`);
  expect(alone).toMatch(
    /^npx atpoint-conformance --url http:\S+ .* --only user\.create\/listed --seed 5$/,
  );
  expect(alone).not.toMatch(/--json|--max-failures/);
  expect(again).not.toContain(KEY);
  expect(stdout).toContain(
    "\n  before    export HEADER_X_IT=…; export API_KEY=…\n  again     RUN=",
  );
  const sent = emailsIn(...arrived);
  const env = { API_KEY: KEY, HEADER_X_IT: "it's" };
  for (const _time of [1, 2]) await launchProgram("sh", ["-c", again], { env }).ended;
  const all = emailsIn(...arrived);
  expect([all.length, new Set(all).size]).toEqual([sent.length + 2, sent.length + 2]);
});

it("a case may have blanks in its id; a default report is in the cache", async () => {
  const url = await deploy({ status: "Down" });
  const cache = path.dirname(file("x"));
  const to = path.join(cache, "atpoint-conformance", "report.html");
  const run = (env: NodeJS.ProcessEnv, ...words: string[]) =>
    command(["--url", url, "--case", "sysinfo plain", ...words], { env: { API_KEY: KEY, ...env } });
  const { stdout } = await run({ XDG_CACHE_HOME: cache }, "--quiet");
  expect(stdout).toMatch(/^not conformant: .*\n$/);
  expect(existsSync(to)).toBe(false);
  for (const env of [{ XDG_CACHE_HOME: cache }, { XDG_CACHE_HOME: cache, HOME: "/" }]) {
    const { code, stdout } = await run(env);
    expect(code).toBe(1);
    expect(stdout).toContain(`\nEvery exchange of each finding: ${to}\n`);
    expect(stdout).toContain("FAIL status is wrong in the response of sysinfo");
    expect(stdout).toMatch(/^ {2}alone .* --case 'sysinfo plain'$/m);
  }
  const modes = [path.dirname(to), to].map((name) => statSync(name).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  expect(readFileSync(to, "utf8")).toContain("</html>");
  for (const env of [{}, { XDG_CACHE_HOME: "/dev/null" }])
    expect((await run(env)).stdout).not.toContain("Every exchange");
});
