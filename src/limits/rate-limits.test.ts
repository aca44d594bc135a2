import supertest from "supertest";
import { describe, expect, it } from "vitest";
import { issueKey } from "../keys/key.ts";
import { keyIn } from "../test/databases.ts";
import { start } from "../test/running-service.ts";

const limits = {
  RATE_LIMITS: "on",
  RATE_LIMIT_KEY: "3",
  RATE_LIMIT_COMMANDS: "2",
  RATE_LIMIT_ADDRESS: "2",
  RATE_LIMIT_REFUSED: "1",
};

/** Statuses and headers of calls, one after another, of one service. */
function calling(url: string, key: string) {
  const headers = { "X-API-KEY": key, "X-PLATFORM": "web" };
  const facts = ({
    status,
    headers: { ratelimit, "ratelimit-policy": policy, "retry-after": wait },
  }: supertest.Response) => ({
    ...{ status, policy, wait },
    limit: ratelimit?.replaceAll(/t=\d+/g, "t=…"),
  });
  return {
    list: async (more: object = {}) =>
      facts(
        await supertest(url)
          .get("/api/?@=user.list")
          .set({ ...headers, ...more }),
      ),
    create: async () => facts(await supertest(url).post("/api/").set(headers).send({ "@": "user.create" })),
    sysinfo: async (more: object = {}) =>
      facts(
        await supertest(url)
          .get("/api/?@=sysinfo")
          .set({ ...more }),
      ),
  };
}

describe("a call is counted", () => {
  it("by its key, a command a second time, and refused with 429 when there are none left", async () => {
    const { service, key } = await start(limits);
    const { list, create } = calling(service.url, key);
    const policy = '"key";q=3;w=60, "commands";q=2;w=60';
    expect(await create()).toEqual({
      status: 422,
      policy,
      limit: '"key";r=2;t=…, "commands";r=1;t=…',
      wait: undefined,
    });
    await create();
    const wait = expect.stringMatching(/^[1-9]\d?$/);
    expect(await create()).toEqual({ status: 429, policy, limit: '"key";r=0;t=…, "commands";r=0;t=…', wait });
    expect(await list()).toEqual({ status: 429, policy: '"key";q=3;w=60', limit: '"key";r=0;t=…', wait });
    expect((await calling(service.url, await keyIn(service.storage.keys, "users:read")).list()).status).toBe(200);
  });

  it("by its address on a public operation, of IPv6 by the first 64 bits", async () => {
    const { service, key } = await start({ ...limits, TRUST_PROXY_HOPS: "1" });
    const { sysinfo } = calling(service.url, key);
    const from = (address: string) => sysinfo({ "X-Forwarded-For": address });
    expect(await from("2001:db8::1")).toMatchObject({
      status: 200,
      policy: '"address";q=2;w=60',
      limit: '"address";r=1;t=…',
    });
    expect((await from("2001:db8::2:0:0:1")).status).toBe(200);
    expect((await from("2001:db8::3")).status).toBe(429);
    expect((await from("2001:db8:0:1::1")).status).toBe(200);
  });

  it("by its IPv4 address, however a proxy writes that", async () => {
    const { service, key } = await start({ ...limits, TRUST_PROXY_HOPS: "1", RATE_LIMIT_ADDRESS: "3" });
    const { sysinfo } = calling(service.url, key);
    const from = async (address: string) => (await sysinfo({ "X-Forwarded-For": address })).status;
    expect(await from("203.0.113.9")).toBe(200);
    expect(await from("::ffff:cb00:7109")).toBe(200);
    expect(await from("0:0:0:0:0:ffff:203.0.113.9")).toBe(200);
    expect(await from("203.0.113.9:443")).toBe(429);
    expect(await from("::ffff:cb00:710a")).toBe(200);
  });

  it("by its address where its credentials are refused, and no valid key is refused for that", async () => {
    const { service, key } = await start(limits);
    const { list } = calling(service.url, key);
    const refused = { policy: '"refused";q=1;w=60', limit: '"refused";r=0;t=…' };
    expect(await list({ "X-API-KEY": "" })).toMatchObject({ status: 401, ...refused });
    for (const junk of ["junk", issueKey().key])
      expect(await list({ "X-API-KEY": junk })).toMatchObject({ status: 429, ...refused });
    expect((await list()).status).toBe(200);
  });

  it("not at all where limits are off", async () => {
    const { service, key } = await start({ ...limits, RATE_LIMITS: "off" });
    for (let call = 0; call < 4; call++) expect(await calling(service.url, key).list()).toEqual({ status: 200 });
  });
});
