import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { openStorage, type Storage } from "../storage/storage.ts";
import { sqlite } from "../test/databases.ts";
import { type Authenticate, createAuthenticator } from "./authenticate.ts";
import { issueKey } from "./key.ts";

const start = new Date("2026-01-01T00:00:00.000Z").getTime();
const later = (milliseconds: number) => new Date(start + milliseconds);

describe("the authenticator", () => {
  let database: Awaited<ReturnType<typeof sqlite.fresh>>;
  let storage: Storage;
  let time: Date;
  let lookUps: number;
  let authenticate: Authenticate;

  beforeAll(async () => {
    database = await sqlite.fresh();
    storage = openStorage(readConfig({ DATABASE_URL: database.url }));
    await storage.migrate();
  });
  afterAll(async () => {
    await storage.close();
    await database.drop();
  });
  beforeEach(() => {
    time = later(0);
    lookUps = 0;
    authenticate = createAuthenticator({
      keys: {
        findByHash(hash) {
          lookUps++;
          return storage.keys.findByHash(hash);
        },
      },
      platforms: ["web", "ios"],
      clock: { now: () => time },
      cacheMs: 3000,
      cacheEntries: 2,
    });
  });

  async function newKey({
    revokedAt = null,
    platforms = ["web"],
  }: {
    revokedAt?: Date | null;
    platforms?: string[];
  } = {}) {
    const { key, hash } = issueKey();
    const kept = {
      name: "test",
      hash,
      scopes: ["users:read"],
      platforms,
      createdAt: later(0),
      expiresAt: later(10_000),
    };
    const { id } = await storage.keys.insert({ ...kept, revokedAt });
    return { id, key };
  }
  const refusal = (key: string | null, platform: string | null = "web", scope: string | null = null) =>
    authenticate({ key, platform }, scope).then(
      () => "accepted",
      ({ code, status, message, headers }) => ({ code, status, message, headers }),
    );

  it("tells the caller apart from the key", async () => {
    const { id, key } = await newKey({ platforms: ["web", "ios"] });
    expect(await authenticate({ key, platform: "ios" }, "users:read")).toEqual({
      keyId: id,
      name: "test",
      scopes: ["users:read"],
      platforms: ["web", "ios"],
    });
  });

  it("says which credential is missing", async () => {
    const headers = { "WWW-Authenticate": 'ApiKey realm="atpoint"' };
    const missing = (message: string) => ({ code: "credentials-missing", status: 401, headers, message });
    expect(await refusal(null, "web")).toEqual(missing("Missing: the API key (X-API-KEY)."));
    expect(await refusal("k", null)).toEqual(missing("Missing: the platform (X-PLATFORM)."));
    expect(await refusal(null, null)).toEqual(
      missing("Missing: the API key (X-API-KEY) and the platform (X-PLATFORM)."),
    );
  });

  it("refuses malformed, unknown, revoked and expired keys exactly alike, the malformed without a look-up", async () => {
    const { key: revoked } = await newKey({ revokedAt: later(0) });
    const { key: expired } = await newKey();
    time = later(10_000);
    const malformed = await refusal("atp_junk", "no-platform", "no:scope");
    expect(lookUps).toBe(0);
    expect(malformed).toMatchObject({
      code: "credentials-invalid",
      headers: { "WWW-Authenticate": 'ApiKey realm="atpoint"' },
    });
    for (const key of [issueKey().key, revoked, expired]) expect(await refusal(key)).toEqual(malformed);
    expect(lookUps).toBe(3);
  });

  it("judges the scope before the platform", async () => {
    const { key } = await newKey();
    expect(await refusal(key, "android", "users:write")).toMatchObject({ code: "scope-missing", status: 403 });
    expect(await refusal(key, "android", "users:read")).toMatchObject({ code: "platform-not-allowed", status: 403 });
    expect(await refusal(key, "ios", null)).toMatchObject({ code: "platform-not-allowed" });
    expect(await refusal(key, "Web", null)).toMatchObject({ code: "platform-not-allowed" });
  });

  it("refuses a platform that the deployment has given up, though the key names it", async () => {
    const { key } = await newKey({ platforms: ["tv"] });
    expect(await refusal(key, "tv")).toMatchObject({ code: "platform-not-allowed" });
  });

  it("remembers a key for the time given, so that a revocation holds after it", async () => {
    const { id, key } = await newKey();
    expect(await refusal(key)).toBe("accepted");
    await storage.keys.revoke(id, time);
    time = later(2999);
    expect(await refusal(key)).toBe("accepted");
    expect(lookUps).toBe(1);
    time = later(3000);
    expect(await refusal(key)).toMatchObject({ code: "credentials-invalid" });
  });

  it("judges the expiry of a remembered key", async () => {
    const { key } = await newKey();
    time = later(9999);
    expect(await refusal(key)).toBe("accepted");
    time = later(10_000);
    expect(await refusal(key)).toMatchObject({ code: "credentials-invalid" });
    expect(lookUps).toBe(1);
  });

  it("asks again when the clock was set back", async () => {
    const { key } = await newKey();
    await refusal(key);
    time = later(-1);
    await refusal(key);
    expect(lookUps).toBe(2);
  });

  it("forgets the oldest key when it remembers too many", async () => {
    const all = await Promise.all([newKey(), newKey(), newKey()]);
    for (const { key } of all) await refusal(key);
    expect(lookUps).toBe(3);
    for (const { key } of all.slice(1)) await refusal(key);
    expect(lookUps).toBe(3);
    await refusal(all[0]?.key ?? "");
    expect(lookUps).toBe(4);
  });

  it("does not remember that a key is unknown", async () => {
    const { key, hash } = issueKey();
    expect(await refusal(key)).toMatchObject({ code: "credentials-invalid" });
    const kept = {
      name: "late",
      hash,
      scopes: [],
      platforms: ["web"],
      createdAt: time,
      expiresAt: later(1),
      revokedAt: null,
    };
    await storage.keys.insert(kept);
    expect(await refusal(key)).toBe("accepted");
  });
});
