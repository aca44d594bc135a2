import { describe, expect, it } from "vitest";
import { startBroken, transparent } from "../broken/server.ts";
import { failures, judge, quick, seededService } from "./judge.test-kit.ts";

describe("the right service", () => {
  const service = seededService();

  it("passes every check", { timeout: 600_000 }, async () => {
    const good = service();
    expect(failures(await judge(good.url, good, quick))).toEqual([]);
  });

  it("passes every check through a proxy without a defect", { timeout: 600_000 }, async () => {
    const good = service();
    const server = await startBroken(transparent, good.url);
    try {
      expect(failures(await judge(server.url, good, quick))).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
