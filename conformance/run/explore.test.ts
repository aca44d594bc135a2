// Requests of several rows at once, drawn by the seed, and what is left of them where they find something.
import { afterAll, beforeAll, expect, it } from "vitest";
import { hooksOf } from "../proof/broken/index.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { runAt } from "./run.test-kit.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** What is found first about a requirement, behind a defect of the service. */
async function foundBehind(id: string, requirement: string, explore: number) {
  const { credentials } = service;
  const proxy = await startProxy(hooksOf(id), service);
  const { results } = await runAt(proxy.url, { credentials, explore });
  await proxy.close();
  return results.findings.find((one) => one.requirement === requirement);
}

/** The requests that arrive first: what comes later depends on the responses. */
async function arrived(seed: number) {
  const requests: string[] = [];
  const enough = new AbortController();
  const url = await deploy({
    before: ({ method, url, body }) => {
      // The port is another each time.
      requests.push(`${method} ${url.replace(/:\d+/, "")} ${body}`);
      if (requests.length === 600) enough.abort();
      return null;
    },
  });
  await runAt(url, { runId: "0123456789abcdef", concurrency: 1, explore: 400, signal: enough.signal, seed });
  return requests.slice(0, 600);
}

it("sends the same requests for the same seed, and others for another", async () => {
  const [one, same, other] = [await arrived(1), await arrived(1), await arrived(2)];
  expect(one).toHaveLength(600);
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});

it("finds nothing in the right service, and creates records of this run alone", async () => {
  const { credentials, url } = service;
  const { results, created, outcomes } = await runAt(url, { credentials, seed: 3, explore: 400 });
  expect([results.findings, results.faults]).toEqual([[], []]);
  expect(results.planned).toBeGreaterThan(360);
  expect(outcomes.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(50);
  const own = /^[^@]*conformance\+[0-9a-f]{16}-\d[^@]*@(?:a|(?:.+\.)?example\.com)$/;
  expect(created.filter((one) => !own.test(one))).toEqual([]);
});

it("shows the smallest request that finds a defect: one row is enough", async () => {
  const id = "user.list takes an invalid cursor for the end";
  const found = await foundBehind(id, "user.list/invalid-cursor", 400);
  expect(found?.case?.rows.map(({ part }) => part)).toEqual(["input cursor"]);
  expect(found?.exchanges.map(({ request }) => request)).toEqual([expect.objectContaining({ method: "GET" })]);
  // `--case` sends it again.
  expect(found?.case?.id).toMatch(/^user\.list cursor /);
});

it("shows the shortest sequence that finds a defect: a key, and other data under it", async () => {
  const found = await foundBehind("user.create replays whatever the data is", "user.create/key-reused", 1000);
  expect(found?.script).toBe("explore");
  expect(found?.exchanges).toHaveLength(2);
});
