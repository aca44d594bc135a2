import { beforeEach, describe, expect, it } from "vitest";
import { form } from "../../test/atpoint.ts";
import { migrated } from "../../test/databases.ts";
import { unavailable } from "../storage/errors.ts";
import type { Storage } from "../storage/storage.ts";
import { createKeyFinder, type FindKey } from "./find-key.ts";

const start = new Date("2026-01-01T00:00:00.000Z").getTime();
const later = (milliseconds: number) => new Date(start + milliseconds);

describe("the key of a request", () => {
  let storage: Storage;
  let time: Date;
  let elapsed: number;
  let lookUps: number;
  let findKey: FindKey;
  let used: string[];

  const at = (milliseconds: number) => {
    time = later(milliseconds);
    elapsed = 1 + milliseconds;
  };

  beforeEach(async () => {
    storage = await migrated();
    at(0);
    lookUps = 0;
    used = [];
    findKey = createKeyFinder({
      keys: {
        form,
        findByHash(hash) {
          lookUps++;
          return storage.keys.findByHash(hash);
        },
      },
      clock: { now: () => time },
      elapsed: { now: () => elapsed },
      cacheMs: 3000,
      cacheEntries: 2,
      onUse: (id) => used.push(id),
    });
  });

  async function newKey(changed: { revokedAt?: Date; platforms?: string[]; hash?: string } = {}) {
    const { key, hash } = form.issue();
    const kept = { name: "test", scopes: ["users:read"], platforms: ["web"], createdAt: later(0), revokedAt: null };
    const { id } = await storage.keys.insert({ ...kept, expiresAt: later(10_000), hash, ...changed });
    return { id, key };
  }
  const outcome = (key: string) =>
    findKey(key).then(
      () => "accepted",
      ({ code, status, message, headers }) => ({ code, status, message, headers }),
    );
  const rejected = expect.objectContaining({ code: "credentials-invalid" });

  it("is one that is there", async () => {
    const { id, key } = await newKey({ platforms: ["web", "ios"] });
    expect(await findKey(key)).toMatchObject({ id, name: "test", scopes: ["users:read"], platforms: ["web", "ios"] });
    expect(used).toEqual([id]);
  });

  it("rejects malformed, unknown, revoked and expired keys exactly alike, the malformed without a look-up", async () => {
    const { key: revoked } = await newKey({ revokedAt: later(0) });
    const { key: expired } = await newKey();
    at(10_000);
    const malformed = await outcome("atp_junk");
    expect(lookUps).toBe(0);
    expect(malformed).toMatchObject({
      code: "credentials-invalid",
      headers: { "WWW-Authenticate": 'ApiKey realm="atpoint"' },
    });
    for (const key of [form.issue().key, revoked, expired]) expect(await outcome(key)).toEqual(malformed);
    expect(lookUps).toBe(3);
    expect(used).toEqual([]);
  });

  it("remembers a key for the time given, so that a revocation holds after it", async () => {
    const { id, key } = await newKey();
    expect(await outcome(key)).toBe("accepted");
    await storage.keys.revoke(id, time);
    at(1499);
    expect(await outcome(key)).toBe("accepted");
    expect(lookUps).toBe(1);
    at(2999);
    expect(await outcome(key)).toBe("accepted");
    at(3001);
    expect(await outcome(key)).toEqual(rejected);
  });

  it("checks the expiry of a remembered key", async () => {
    const { key } = await newKey();
    at(9999);
    expect(await outcome(key)).toBe("accepted");
    at(10_000);
    expect(await outcome(key)).toEqual(rejected);
    expect(lookUps).toBe(1);
  });

  it("forgets a key in time though the time of day is set back", async () => {
    const { key } = await newKey();
    await outcome(key);
    time = later(-3_600_000);
    elapsed += 3001;
    await outcome(key);
    expect(lookUps).toBe(2);
  });

  it("forgets the oldest key when it remembers too many", async () => {
    const all = await Promise.all([newKey(), newKey(), newKey()]);
    for (const { key } of all) await outcome(key);
    expect(lookUps).toBe(3);
    for (const { key } of all.slice(1)) await outcome(key);
    expect(lookUps).toBe(3);
    await outcome(all[0]?.key ?? "");
    expect(lookUps).toBe(4);
  });

  it("looks an unknown key up once, until its time is over", async () => {
    const { key, hash } = form.issue();
    for (let call = 0; call < 3; call++) expect(await outcome(key)).toEqual(rejected);
    expect(lookUps).toBe(1);
    await newKey({ hash });
    at(3000);
    expect(await outcome(key)).toBe("accepted");
  });

  it("forgets no key for all that are unknown, and remembers no more of those", async () => {
    const { key } = await newKey();
    await outcome(key);
    const junk = Array.from({ length: 3 }, () => form.issue().key);
    for (const one of [...junk, ...junk.slice(1)]) await outcome(one);
    expect(lookUps).toBe(4);
    expect(await outcome(key)).toBe("accepted");
    expect(lookUps).toBe(4);
    await outcome(junk[0] ?? "");
    expect(lookUps).toBe(5);
  });

  it("looks up once for all callers at the same time", async () => {
    const { key } = await newKey();
    expect(await Promise.all([outcome(key), outcome(key), outcome(key)])).toEqual(Array(3).fill("accepted"));
    expect(lookUps).toBe(1);
  });

  it("looks up again half-way, for one of the callers, and none of them waits", async () => {
    const { id, key } = await newKey();
    await outcome(key);
    await storage.keys.revoke(id, time);
    at(1500);
    expect(await Promise.all([outcome(key), outcome(key)])).toEqual(["accepted", "accepted"]);
    expect(lookUps).toBe(2);
    at(3000);
    expect(await outcome(key)).toEqual(rejected);
    expect(lookUps).toBe(2);
  });

  it("accepts a remembered key while the storage is unavailable, and looks up again when it is back", async () => {
    const { key } = await newKey();
    await outcome(key);
    const { findByHash } = storage.keys;
    storage.keys.findByHash = () => Promise.reject(unavailable(new Error("unavailable")));
    at(1500);
    expect(await outcome(key)).toBe("accepted");
    at(3000);
    expect(await outcome(key)).toMatchObject({ code: "storage-unavailable" });
    storage.keys.findByHash = findByHash;
    expect(await outcome(key)).toBe("accepted");
  });
});
