// The conformance suite against the service in this process, on every database under test: what an operator would run.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../conformance/cli/cli.ts";
import { MAX_USERS } from "../conformance/client/users.ts";
import { wholeSuite } from "../conformance/test/whole-suite.test-kit.ts";
import { readConfig, runCli, startService } from "../src/test/atpoint.ts";
import { databasesUnderTest } from "../src/test/databases.ts";
import { BOUND_MS, patience } from "../src/test/patience.ts";

const nowhere = { write: () => true };

describe.each(databasesUnderTest())("the service on $name", (database) => {
  it.each([
    ["all of it, without limits", [], { RATE_LIMITS: "off" }, "conformant", 100_000],
    ["a first look", ["--smoke"], { RATE_LIMITS: "off" }, "conformant (smoke)", 600],
    [
      ...["its limits, which reject", ["--only", "limits/*"], { RATE_LIMITS: "on", RATE_LIMIT_REFUSED: "50" }],
      ...["conformant (partial)", 1000],
    ],
  ] as const)("is conformant: %s", async (_, choice, more, expected, mostRequests) => {
    const { url: DATABASE_URL, drop } = await database.fresh();
    const folder = await mkdtemp(join(tmpdir(), "atpoint-conformance-"));
    const env = {
      ...patience,
      DATABASE_URL,
      PORT: "0",
      CHECK_ANSWERS: "throw",
      LOG_LEVEL: "silent",
      DEPLOYMENT_URLS: "https://api.example.com",
      ...more,
    };
    const service = await startService(readConfig(env));
    try {
      const credentials = join(folder, "credentials.json");
      const report = join(folder, "report.json");
      expect(
        await runCli(["keys", "conformance", "--out", credentials], { env, stdout: nowhere, stderr: nowhere }),
      ).toBe(0);
      const words = [
        "--url",
        service.url,
        "--credentials",
        credentials,
        "--timeout",
        `${BOUND_MS}`,
        "--json",
        report,
        ...choice,
      ];
      const code = await main(words, { stdout: nowhere, stderr: nowhere, env: {} }, wholeSuite);
      const { verdict, results, created, run } = JSON.parse(await readFile(report, "utf8"));
      const left = results.filter(
        ({ outcome, reason }: { outcome: string; reason: string | null }) =>
          outcome !== "passed" && !/second --url|--slow|outside --only|outside --smoke/.test(reason ?? ""),
      );
      expect(left).toEqual([]);
      expect([verdict, code]).toEqual([expected, 0]);
      expect(run.requests).toBeLessThan(mostRequests);
      expect(created.length).toBeLessThanOrEqual(MAX_USERS);
    } finally {
      await service.close();
      await drop();
      await rm(folder, { recursive: true });
    }
  });
});
