// The example `invoices` served by Python's standard library: the suite is not of Node.js alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { everything } from "../conformance/run/options.ts";
import { BOUND_MS } from "../src/test/patience.ts";
import { plainCases } from "./example-checks.ts";
import { packAll, writeExample } from "./new-service.ts";
import { installLinked, run, runSuite, suiteOf } from "./written-service.ts";

const hasPython = await run("python3", ["--version"]).then(
  () => true,
  () => false,
);
const unless = hasPython ? "" : " (skipped: this machine has no python3)";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "atpoint-python-"));
});
afterAll(() => rm(home, { recursive: true }));

it.runIf(hasPython)(`is conformant at --profile operations${unless}`, async () => {
  await run("npm", ["run", "-s", "build"]);
  const folder = join(home, "invoices");
  const packed = await packAll(join(home, "packages"));
  await installLinked(home);
  await writeExample(folder, "invoices", packed);
  await run("npm", ["run", "generate"], { cwd: folder });
  const credentials = join(home, "credentials.json");
  const server = spawn("python3", ["server.py", "generated/contract.json", credentials], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  const [url] = await once(createInterface(server.stdout), "line");
  const suite = await suiteOf(folder);
  const coveringCases = plainCases(suite.oracle.contract);
  const selection = { ...everything, profile: "operations" } as const;
  // With every case it is complete, in a minute: `--exhaustive --complete`, before a release.
  const drawn = { randomCaseCount: 5_000, selection };
  const options = { ...drawn, timeoutMs: BOUND_MS, deadlineMs: BOUND_MS };
  const { results, verdict } = await runSuite(
    { url, credentials },
    { ...suite, coveringCases },
    options,
  );
  expect(results.findings).toEqual([]);
  expect(verdict).toMatch(/^conformant \((operations|partial)/);
});
