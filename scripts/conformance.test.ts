// The conformance suite against the service in this process, on every database under test: what an operator would run.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../conformance/cli/cli.ts";
import { runCli } from "../src/cli/run-cli.ts";
import { readConfig } from "../src/config.ts";
import { startService } from "../src/service.ts";
import { databasesUnderTest } from "../src/test/databases.ts";

const nowhere = { write: () => true };

describe.each(databasesUnderTest())("the service on $name", (database) => {
  it.each([
    ["all of it, without limits", [], { RATE_LIMITS: "off" }],
    ["its limits, which refuse", ["--only", "limits/*"], { RATE_LIMITS: "on", RATE_LIMIT_REFUSED: "50" }],
  ])("is conformant: %s", { timeout: 600_000 }, async (_, choice, more) => {
    const { url: DATABASE_URL, drop } = await database.fresh();
    const folder = await mkdtemp(join(tmpdir(), "atpoint-conformance-"));
    const env = {
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
      const words = ["--url", service.url, "--credentials", credentials, "--json", report, ...choice];
      const code = await main(words, { stdout: nowhere, stderr: nowhere, env: {} });
      const { verdict, results, created } = JSON.parse(await readFile(report, "utf8"));
      const left = results.filter(
        ({ outcome, reason }: { outcome: string; reason: string | null }) =>
          outcome !== "passed" && !/second --url|--slow|outside --only/.test(reason ?? ""),
      );
      expect(left).toEqual([]);
      expect([verdict, code]).toEqual([choice.length > 0 ? "conformant (partial)" : "conformant", 0]);
      expect(created.length).toBeLessThanOrEqual(80);
    } finally {
      await service.close();
      await drop();
      await rm(folder, { recursive: true });
    }
  });
});
