// Requests of several rows at once, drawn by the seed, and what is left of them where they find something.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hooksOf } from "../proof/broken/index.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { runAt } from "./run.test-kit.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

/** A run through the service with a defect; without one, against itself. */
async function explore(count: number, seed: number, id?: string) {
  const { credentials } = service;
  const proxy = id && (await startProxy(hooksOf(id), service.url, 0, { credentials: credentials.full }));
  const report = await runAt(proxy ? proxy.url : service.url, { credentials, seed, explore: count });
  if (proxy) await proxy.close();
  return report;
}

/** What arrives first: what comes later depends on the responses. */
async function arrived(seed: number, count: number): Promise<readonly string[]> {
  const requests: string[] = [];
  const enough = new AbortController();
  const url = await deploy({
    before: ({ method, url, body }) => {
      requests.push(`${method} ${url} ${body}`);
      if (requests.length >= count) enough.abort();
      return null;
    },
  });
  const options = { runId: "0123456789abcdef", concurrency: 1, explore: 400, signal: enough.signal };
  await runAt(url, { ...options, seed });
  return requests.slice(0, count);
}

describe("exploration", () => {
  it("sends the same requests for the same seed, and others for another", async () => {
    const [one, same, other] = [await arrived(1, 600), await arrived(1, 600), await arrived(2, 600)];
    expect(one).toHaveLength(600);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it("finds nothing in the right service, and creates records of this run alone", async () => {
    const { results, created, planned, outcomes } = await explore(600, 3);
    expect([results.findings, results.faults]).toEqual([[], []]);
    expect(planned).toBeGreaterThan(540);
    expect(outcomes.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(50);
    expect(
      created.filter((one) => !/^[^@]*conformance\+[0-9a-f]{16}-\d[^@]*@(?:a|(?:.+\.)?example\.com)$/.test(one)),
    ).toEqual([]);
  });

  it("shows the smallest request that finds a defect: one row is enough", async () => {
    const { results } = await explore(400, 1, "user.list takes an invalid cursor for the end");
    const [finding] = results.findings.filter(({ requirement }) => requirement === "user.list/invalid-cursor");
    expect(finding?.case?.rows.map(({ part }) => part)).toEqual(["input cursor"]);
    expect(finding?.exchanges.map(({ request }) => request)).toEqual([expect.objectContaining({ method: "GET" })]);
    // `--case` sends it again.
    expect(finding?.case?.id).toMatch(/^user\.list cursor /);
  });

  it("shows the shortest sequence that finds a defect: a key, and other data under it", async () => {
    const { results } = await explore(1000, 1, "user.create replays whatever the data is");
    const [finding] = results.findings.filter(({ requirement }) => requirement === "user.create/key-reused");
    expect(finding?.script).toBe("explore");
    expect(finding?.exchanges).toHaveLength(2);
  });
});
