// A prediction depends on the deployment and its request, not on what other clients sent before.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ExchangeLaw } from "../exchange.ts";
import { packaged } from "../packaged.ts";
import type { RunningService } from "../proof/kits/service.test-kit.ts";
import { runAt, seededService } from "../proof/service.ts";

let service: RunningService;
beforeAll(async () => {
  service = await seededService();
});
afterAll(() => service.stop());

/** By each request without data, the responses that a run has predicted. */
async function predictedBy(seed: number): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const predicted = new Map<string, Set<string>>();
  const recorder: ExchangeLaw = {
    id: "recorder",
    applies: ({ request, prediction }) => {
      // The data of a command has a number that follows from the order.
      if (request.method === "POST" || JSON.stringify(request).includes(`${RUN}-`)) return false;
      if (!prediction) return false;
      const { status, code, by, or, orStatus } = prediction;
      const key = JSON.stringify([request.method, request.target, request.fields]);
      const all = predicted.get(key) ?? new Set();
      predicted.set(key, all.add(JSON.stringify({ status, code, by, or, orStatus })));
      return false;
    },
    check: () => null,
  };
  const coveringCases = (packaged.coveringCases ?? []).filter((_, at) => at % 3 === 0);
  // No scenarios: they know cursors and tags from their own requests.
  const suite = { ...packaged, coveringCases, laws: [recorder], scripts: [] };
  await runAt(service.url, service.credentials, { seed, randomCaseCount: 0, runId: RUN }, suite);
  return predicted;
}
const RUN = "0123456789abcdef";

it("is the same whatever the order", async () => {
  const [first, second] = [await predictedBy(1), await predictedBy(2)];
  expect(first.size).toBeGreaterThan(500);
  expect([...second].filter(([key]) => !first.has(key))).toEqual([]);
  expect(first).toEqual(second);
});
