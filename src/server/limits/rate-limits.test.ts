import supertest from "supertest";
import { describe, expect, it } from "vitest";
import { form } from "../../test/atpoint.ts";
import { keyIn } from "../../test/databases.ts";
import { start } from "../../test/running-service.ts";
import { addressBlock } from "./rate-limits.ts";

const limits = {
  RATE_LIMITS: "on",
  RATE_LIMIT_KEY: "3",
  RATE_LIMIT_COMMANDS: "2",
  RATE_LIMIT_ADDRESS: "2",
  RATE_LIMIT_REFUSED: "1",
};

/** A service with these limits, and the statuses and headers of calls of it, one after another. */
async function calling(env: NodeJS.ProcessEnv = {}) {
  const { service, key } = await start({ ...limits, ...env });
  const api = supertest.agent(service.url).set({ "X-API-KEY": key, "X-PLATFORM": "web" });
  const facts = async (sent: supertest.Test) => {
    const { status, headers } = await sent;
    const { ratelimit, "ratelimit-policy": policy, "retry-after": wait } = headers;
    return { status, policy, wait, limit: ratelimit?.replaceAll(/t=\d+/g, "t=…") };
  };
  return {
    newKey: () => keyIn(service.storage.keys, "users:read"),
    list: (headers: Record<string, string> = {}) =>
      facts(api.get("/api/?@=user.list").set(headers)),
    create: () => facts(api.post("/api/").send({ "@": "user.create" })),
    sysinfo: (address: string) => facts(api.get("/api/?@=sysinfo").set("X-Forwarded-For", address)),
  };
}

describe("a call is counted", () => {
  it("by its key, a command a second time, and is rejected with 429 above that", async () => {
    const { list, create, newKey } = await calling();
    const policy = '"key";q=3;w=60, "commands";q=2;w=60';
    const limit = '"key";r=2;t=…, "commands";r=1;t=…';
    expect(await create()).toEqual({ status: 422, policy, limit, wait: undefined });
    await create();
    const wait = expect.stringMatching(/^[1-9]\d?$/);
    expect(await create()).toEqual({
      status: 429,
      policy,
      limit: '"key";r=0;t=…, "commands";r=0;t=…',
      wait,
    });
    expect(await list()).toEqual({
      status: 429,
      policy: '"key";q=3;w=60',
      limit: '"key";r=0;t=…',
      wait,
    });
    expect((await list({ "X-API-KEY": await newKey() })).status).toBe(200);
  });

  it("by its address on a public operation, of IPv6 by the first 64 bits", async () => {
    const { sysinfo } = await calling({ TRUST_PROXY_HOPS: "1" });
    const counted = { policy: '"address";q=2;w=60', limit: '"address";r=1;t=…' };
    expect(await sysinfo("2001:db8::1")).toMatchObject({ status: 200, ...counted });
    expect((await sysinfo("2001:db8::2:0:0:1")).status).toBe(200);
    expect((await sysinfo("2001:db8::3")).status).toBe(429);
    expect((await sysinfo("2001:db8:0:1::1")).status).toBe(200);
  });

  it("by its address where its credentials are rejected", async () => {
    const { list } = await calling();
    const limit = { policy: '"rejected";q=1;w=60', limit: '"rejected";r=0;t=…' };
    expect(await list({ "X-API-KEY": "" })).toMatchObject({ status: 401, ...limit });
    for (const junk of ["junk", form.issue().key])
      expect(await list({ "X-API-KEY": junk })).toMatchObject({ status: 429, ...limit });
    expect((await list()).status).toBe(200);
  });
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["1::5:6:7:192.0.2.7", "1:0:0:5::/64"],
])("counts %s as %s", (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
