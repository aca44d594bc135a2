// The examples on the other database, with every case and more, with all their defects, and on each
// release line of Node.js: `npm run implementations`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunOptions } from "../../conformance/run/options.ts";
import { databasesUnderTest, fresh } from "../../src/test/databases.ts";
import { BOUND_MS } from "../../src/test/patience.ts";
import { allExamples, failedWith, installExamples } from "../example-checks.ts";
import { servedFrom } from "../new-service.test-kit.ts";
import { run, runSuite, suiteOf } from "../written-service.ts";

const root = resolve(import.meta.dirname, "../..");
const examples = await allExamples();
const RUNS: Readonly<Record<string, Partial<RunOptions>>> = {
  "in a default run": {},
  "with every case": { isExhaustive: true },
  "in 2,000 requests that are explored": { explore: 2_000 },
};
const RELEASES = ["20", "22", "24"];

let home: string;
beforeAll(async () => {
  await run("npm", ["run", "-s", "build"], { cwd: root });
  home = await mkdtemp(join(tmpdir(), "atpoint-examples-"));
  await installExamples(home);
});
afterAll(() => rm(home, { recursive: true }));

describe.each(examples)("the example $name", ({ name, defects }) => {
  const check = async (
    settings: NodeJS.ProcessEnv,
    options: Partial<RunOptions>,
    node?: string,
  ) => {
    const folder = join(home, name);
    const served = await servedFrom(folder, settings, node);
    const timeouts = { timeoutMs: BOUND_MS, deadlineMs: 2 * BOUND_MS };
    const report = await runSuite(served, await suiteOf(folder), { ...timeouts, ...options });
    expect(report.results.findings).toEqual([]);
    expect(report.verdict).toMatch(/^conformant/);
  };

  describe.each(databasesUnderTest())("on $name", (kind) => {
    it.each(Object.entries(RUNS))("is conformant %s", async (_, options) => {
      const { url } = await fresh(kind);
      await check({ DATABASE_URL: url }, options);
    });
  });

  it.each(RELEASES)("is conformant on Node.js %s", async (release) => {
    const { stdout } = await run("npx", ["--yes", `node@${release}`, "-p", "process.execPath"]);
    await check({}, { isSmoke: true }, stdout.trim());
  });

  it.each(defects)("is found out where $what", async (defect) => {
    const [first] = await failedWith(join(home, name), defect);
    expect(first).toBe(defect.requirement);
  });
});
