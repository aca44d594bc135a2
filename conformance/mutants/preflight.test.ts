import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checks } from "../checks/index.ts";
import { special } from "../client/credentials.ts";
import { parseTarget } from "../client/wire/target.ts";
import { run } from "../engine/run.ts";
import { type RunningService, startService } from "../test/service.test-kit.ts";
import { mutants } from "./index.ts";
import { startProxy } from "./proxy/server.ts";

/** What the preflight meets first, and the requirement that has to be named all the same. */
const met = [
  ["the server closes", "sysinfo/json"],
  ["the server speaks no HTTP", "sysinfo/json"],
  ["sysinfo 200 puts a byte order mark before", "answers/object"],
  ["sysinfo needs credentials", "sysinfo/public"],
  ["sysinfo 200 changes /version", "sysinfo/version"],
  ["user.list is not served", "dispatch/every-operation"],
  ["lets everybody in", "credentials/missing"],
] as const;

describe("a failed preflight", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it.each(met)("where %s, names %s", async (id, requirement) => {
    const { credentials } = service;
    const hooks = mutants.find((mutant) => mutant.id === id)?.hooks;
    if (!hooks) throw new Error(`no mutant ${id}`);
    const proxy = await startProxy(hooks, service.url, 0, { credentials: credentials.full });
    try {
      const report = await run({
        target: parseTarget(proxy.url),
        credentials,
        checks: checks.filter(({ slow }) => !slow),
        exclusions: [],
        selection: {
          origin: "all",
          level: "MAY",
          only: [],
          skip: [],
          effects: ["read", "write", "hostile"],
          slow: false,
          credentials: special,
          pair: false,
        },
        seed: 1,
        concurrency: 8,
        timeoutMs: 5_000,
        deadlineMs: 600_000,
      });
      expect(report).toMatchObject({ verdict: "preflight failed", exitCode: 3 });
      const failed = report.results.filter(({ outcome }) => outcome === "failed");
      expect(failed.map((result) => result.requirement.id)).toContain(requirement);
    } finally {
      await proxy.close();
    }
  });
});
