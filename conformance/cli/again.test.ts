// What is left of a finding: the lines that repeat it, and the report that nobody asked for.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { calling, script, scripted } from "../run/run.test-kit.ts";
import { command, file, reported } from "./command.test-kit.ts";
import { commandLine } from "./command-line.ts";

/** Finds a fault in what creates a record; the request before it is right. */
const creating = script(
  "user.create/listed",
  async (run) => {
    const [before, created] = [await calling(run), await calling(run, "user.create")];
    if (!before || !created) throw new Error("not carried out");
    return { aspect: "state", expected: "to be undone", actual: "201", exchanges: [before, created], at: 1 };
  },
  { effect: "write" },
);

it("a finding is repeated by its requests, each time with a new address, and by the command that has what the run had", async () => {
  const arrived: string[] = [];
  const url = await deploy({
    before: ({ body }) => {
      arrived.push(...(body.toString().match(/conformance\+[0-9a-f]{16}-\d+@example\.com/) ?? []));
      return null;
    },
  });
  const kept = ["--allow-write", "--allow-hostile", "--slow", "--strict", "--timeout", "20000"];
  const own = ["--seed", "5", "--max-failures", "9", "--header", "X-It: it's"];
  const words = ["--url", url, "--case", creating.id, ...kept, ...own];
  const { stdout, report } = await reported(words, { suite: scripted(creating) });
  expect(stdout).toContain(report.run.command);
  const { again = "", alone = "", ...found } = report.findings.find(({ script }) => script === creating.id) ?? {};
  expect(found).toMatchObject({ at: 1, operation: "user.create" });
  expect(alone).toContain(`${kept.join(" ")} --header "X-It: $HEADER_X_IT"`);
  expect(alone).toMatch(/^atpoint-conformance --url http:\S+ .* --only user\.create\/listed --seed 5$/);
  expect(alone).not.toMatch(/--json|--max-failures/);
  expect(again).not.toContain(KEY);
  const sent = arrived.length;
  const env = { PATH: process.env.PATH, API_KEY: KEY, HEADER_X_IT: "it's" };
  for (const _time of [1, 2]) await promisify(execFile)("sh", ["-c", again], { env });
  expect(arrived).toHaveLength(sent + 2);
  expect(new Set(arrived).size).toBe(sent + 2);
});

it.each([
  ["conformance", "tsx conformance/cli/bin.ts", "npm run -s conformance -- "],
  ["judge", "tsx conformance/cli/bin.ts --strict", "atpoint-conformance "],
  ["npx", "atpoint-conformance", "npx --no-install atpoint-conformance "],
])("the command begins as it was started: %s %s", (npm_lifecycle_event, npm_lifecycle_script, line) => {
  expect(commandLine(["--url"], { npm_lifecycle_event, npm_lifecycle_script })).toBe(`${line}--url`);
});

it("a case whose id has blanks is brought back; a report that nobody asked for is in the cache of its user", async () => {
  const url = await deploy({ status: "Down" });
  const cache = path.dirname(file("x"));
  const to = path.join(cache, "atpoint-conformance", "report.html");
  const run = (env: NodeJS.ProcessEnv, ...words: string[]) =>
    command(["--url", url, "--case", "sysinfo plain", ...words], { env: { API_KEY: KEY, ...env } });
  expect((await run({ XDG_CACHE_HOME: cache }, "--quiet")).stdout).toMatch(/^not conformant: .*\n$/);
  expect(existsSync(to)).toBe(false);
  for (const env of [{ XDG_CACHE_HOME: cache }, { XDG_CACHE_HOME: cache, HOME: "/" }]) {
    const { code, stdout } = await run(env);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`\nEvery exchange of each finding: ${to}\n`)]);
    expect(stdout).toContain("FAIL status is wrong in the response of sysinfo");
    expect(stdout).toMatch(/^ {2}alone .* --case 'sysinfo plain'$/m);
  }
  expect([statSync(path.dirname(to)).mode & 0o777, statSync(to).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readFileSync(to, "utf8")).toContain("</html>");
  for (const env of [{}, { XDG_CACHE_HOME: "/dev/null" }])
    expect((await run(env)).stdout).not.toContain("Every exchange");
});
