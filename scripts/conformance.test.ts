// The conformance suite against the service in this process, on every database under test: what an operator would run.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MAX_USERS } from "../conformance/client/users.ts";
import type { JsonReport } from "../conformance/report/json.ts";
import { command, file } from "../conformance/test/command.test-kit.ts";
import { wholeSuite } from "../conformance/test/whole-suite.test-kit.ts";
import { run } from "../src/test/command.ts";
import { databasesUnderTest } from "../src/test/databases.ts";
import { BOUND_MS } from "../src/test/patience.ts";
import { start } from "../src/test/running-service.ts";

const databases = databasesUnderTest();

/** A deployment on a new database, as arguments of the suite. */
async function deployed(kind = databases[0], env: NodeJS.ProcessEnv = { RATE_LIMITS: "off" }): Promise<string[]> {
  const { service, database } = await start({ LOG_LEVEL: "silent", ...env }, kind);
  const credentials = file("credentials.json");
  const created = await run({ DATABASE_URL: database.url }, "keys", "conformance", "--out", credentials);
  expect(created.code).toBe(0);
  return ["--url", service.url, "--credentials", credentials];
}

const suite = (...words: string[]) => command([...words, "--timeout", `${BOUND_MS}`], { suite: wholeSuite, env: {} });

const LIMITED = { RATE_LIMITS: "on", RATE_LIMIT_REFUSED: "50" };

describe.each(databases)("the service on $name", (database) => {
  it.each([
    ["all of it, without limits", [], { RATE_LIMITS: "off" }, "conformant", 100_000],
    ["a first look", ["--smoke"], { RATE_LIMITS: "off" }, "conformant (smoke)", 600],
    ["its limits, which reject", ["--only", "limits/*"], LIMITED, "conformant (partial)", 1000],
  ] as const)("is conformant: %s", async (_, choice, env, expected, mostRequests) => {
    const report = file("report.json");
    const { code } = await suite(...(await deployed(database, env)), "--json", report, ...choice);
    const { verdict, results, created, run }: JsonReport = JSON.parse(readFileSync(report, "utf8"));
    const expectedReason = /second --url|--slow|outside --only|outside --smoke/;
    const left = results.filter(({ outcome, reason }) => outcome !== "passed" && !expectedReason.test(reason ?? ""));
    expect(left).toEqual([]);
    expect([verdict, code]).toEqual([expected, 0]);
    expect(run.requests).toBeLessThan(mostRequests);
    expect(created.length).toBeLessThanOrEqual(MAX_USERS);
  });
});

it("finds no difference between two deployments, one on each database if there are two", async () => {
  const both = [...(await deployed()), ...(await deployed(databases.at(-1)))];
  const { code, stdout, stderr } = await suite(...both, "--only", "deployments/*", "--verbose");
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("FAIL")]);
  expect(stderr).toContain("ok   deployments/same#sysinfo");
});
