import { describe, expect, it } from "vitest";
import { defects } from "../broken/defects.ts";
import { startBroken } from "../broken/server.ts";
import { run } from "../run.ts";
import { parseTarget } from "../target.ts";
import { quick, seededService } from "./judge.test-kit.ts";

/** What the preflight meets first, and the requirement that has to be named all the same. */
const met = [
  ["wholesale/closes", "sysinfo/json"],
  ["wholesale/garbage", "sysinfo/json"],
  ["http/length-long", "http/content-length"],
  ["answers/byte-order-mark", "answers/object"],
  ["sysinfo/needs-a-key", "sysinfo/public"],
  ["sysinfo/other-version", "sysinfo/version"],
  ["dispatch/not-served-user.list", "dispatch/every-operation"],
  ["credentials/not-required", "credentials/missing"],
] as const;

describe("a failed preflight", () => {
  const service = seededService();

  it.each(met)("of %s names %s", async (id, requirement) => {
    const defect = defects.find((one) => one.id === id);
    if (!defect) throw new Error(`no broken server ${id}`);
    const { url, credentials } = service();
    const server = await startBroken(defect, url, 0, { credentials: credentials.full, seed: 1 });
    try {
      const report = await run({
        target: parseTarget(server.url),
        credentials,
        checks: quick,
        exclusions: [],
        selection: {
          origin: "all",
          level: "MAY",
          only: [],
          skip: [],
          effects: ["read", "write", "hostile"],
          slow: false,
          credentials: [],
          pair: false,
        },
        seed: 1,
        concurrency: 8,
        timeoutMs: 5_000,
        deadlineMs: 120_000,
      });
      expect(report).toMatchObject({ verdict: "preflight failed", exitCode: 3 });
      const failed = report.results.filter(({ outcome }) => outcome === "failed");
      expect(failed.map((result) => result.requirement.id)).toContain(requirement);
    } finally {
      await server.close();
    }
  });
});
