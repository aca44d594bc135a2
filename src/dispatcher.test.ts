import { expect, it } from "vitest";
import { operations } from "../generated/operations.ts";
import { order, type Step } from "../generated/order.ts";
import { validators } from "../generated/validators.ts";
import { readConfig } from "./config.ts";
import { createDispatcher } from "./dispatcher.ts";
import { noRateLimits } from "./limits/rate-limits.ts";
import { isRefusalOf, Problem } from "./protocol/problem.ts";
import type { KeyRecord } from "./storage/keys.ts";
import { requestOf } from "./test/dispatch.ts";

const later = new Date(Date.now() + 60_000);
const record: KeyRecord = {
  ...{ id: "k-1", name: "test", hash: "", scopes: ["users:read"], platforms: ["web"] },
  ...{ createdAt: new Date(), expiresAt: later, revokedAt: null, lastUsedAt: null },
};
const right = {
  method: "GET",
  name: "user.list",
  query: [] as string[],
  fields: ["X-API-KEY", "a"],
  platform: "web",
  type: "application/json",
  body: null as string | null,
  accept: "*/*",
  comes: true,
  known: true,
  scopes: ["users:read"],
  calls: true,
  works: true,
};
type Asked = typeof right;

/** What each step refuses of a request; the fault of an earlier step may cover that of a later one. */
const faults: Partial<Record<Step, (asked: Asked) => Partial<Asked>>> = {
  readQuery: ({ query }) => ({ query: [...query, "%zz"] }),
  readHeaders: ({ fields }) => ({ fields: [...fields, "X-PLATFORM", "web", "X-PLATFORM", "web"] }),
  judgeMediaType: () => ({ method: "POST", type: "text/plain" }),
  readBody: () => ({ comes: false }),
  parseBody: () => ({ method: "POST", body: "{" }),
  nameOperation: () => ({ name: "" }),
  findOperation: () => ({ name: "nothing" }),
  judgeMethod: () => ({ method: "POST" }),
  readCredentials: ({ query }) => ({ query: [...query, "X-API-KEY=b"] }),
  requireCredentials: () => ({ platform: "" }),
  authenticate: () => ({ known: false }),
  judgeScope: () => ({ scopes: [] }),
  judgePlatform: () => ({ platform: "tv" }),
  limitRate: () => ({ calls: false }),
  negotiate: () => ({ accept: "image/png" }),
  judgeInput: ({ query }) => ({ query: [...query, "limit=0"] }),
  handle: () => ({ works: false }),
};

async function outcomeOf({
  method,
  name,
  query,
  fields,
  platform,
  type,
  body,
  accept,
  comes,
  known,
  scopes,
  calls,
  works,
}: Asked) {
  const contract = {
    operations: { "user.list": operations["user.list"] },
    validators,
    handlers: {
      "user.list": () => {
        if (!works) throw new Problem("invalid-cursor");
        return { items: [] };
      },
    },
  };
  const findKey = async () => {
    if (!known) throw new Problem("credentials-invalid");
    return { ...record, scopes };
  };
  const config = readConfig({ CHECK_ANSWERS: "throw" });
  const rateLimits = {
    ...noRateLimits,
    count: () => {
      if (!calls) throw new Problem("rate-limited");
      return { counted: {} };
    },
  };
  const onUndocumented = () => {};
  const dispatch = createDispatcher(contract, { services: {}, findKey, rateLimits, config, onUndocumented });
  const request = requestOf({
    method,
    search: [...query, ...(method === "GET" ? [`@=${name}`] : [])].join("&"),
    headers: { "content-type": type, accept },
    rawHeaders: ["Content-Type", type, ...fields, "X-PLATFORM", platform],
  });
  const readBody = async () => {
    if (!comes) throw new Problem("content-too-large");
    return Buffer.from(body ?? JSON.stringify({ "@": name }));
  };
  return dispatch({ ...request, readBody });
}

it("answers a request without a fault", async () => {
  expect(await outcomeOf(right)).toMatchObject({
    reply: { status: 200 },
    step: "handle",
    operation: "user.list",
    keyId: "k-1",
  });
});

const steps = order.map(({ step }) => step).slice(3);

it.each(steps)(
  "refuses at %s, with a code of that step, whatever fault of a later step there is beside",
  async (step) => {
    const fault = faults[step];
    if (!fault) return expect.unreachable(`no fault for ${step}`);
    for (const other of [null, ...steps.slice(steps.indexOf(step) + 1)]) {
      const worse = { ...right, ...(other && faults[other]?.(right)) };
      const { reply, step: at } = await outcomeOf({ ...worse, ...fault(worse) });
      expect({ at, other }).toEqual({ at: step, other });
      if (!(reply instanceof Problem)) return expect.unreachable("the request has a fault");
      expect(isRefusalOf(step, reply.code) && reply.code !== "internal-error", reply.code).toBe(true);
    }
  },
);
