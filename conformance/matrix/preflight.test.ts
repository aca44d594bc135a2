import { describe, expect, it } from "vitest";
import { defects } from "../broken/defects.ts";
import { startBroken } from "../broken/server.ts";
import { judge, quick, seededService } from "./judge.test-kit.ts";

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
    const good = service();
    const server = await startBroken(defect, good.url, 0, { credentials: good.credentials.full, seed: 1 });
    try {
      const report = await judge(server.url, good, quick, { preflight: true });
      expect(report).toMatchObject({ verdict: "preflight failed", exitCode: 3 });
      const failed = report.results.filter(({ outcome }) => outcome === "failed");
      expect(failed.map((result) => result.requirement.id)).toContain(requirement);
    } finally {
      await server.close();
    }
  });
});
