import { beforeEach, expect, it } from "vitest";
import { form } from "../../test/atpoint.ts";
import { migrated } from "../../test/databases.ts";
import { challengeOf } from "../request/credentials.ts";
import { unavailable } from "../storage/errors.ts";
import type { Storage } from "../storage/storage.ts";
import { createKeyFinder, type FindKey } from "./find-key.ts";

const later = (milliseconds: number) =>
  new Date(Date.parse("2026-01-01T00:00:00.000Z") + milliseconds);

let storage: Storage;
/** Milliseconds since the start, and how far the time of day was set back. */
let [elapsed, setBack] = [0, 0];
let lookUps: number;
let findKey: FindKey;
let used: string[];

beforeEach(async () => {
  storage = await migrated();
  [elapsed, setBack, lookUps, used] = [0, 0, 0, []];
  findKey = createKeyFinder({
    keys: {
      form,
      findByHash(hash) {
        lookUps++;
        return storage.keys.findByHash(hash);
      },
    },
    clock: { now: () => later(elapsed - setBack) },
    challenge: challengeOf("atpoint"),
    elapsed: { now: () => elapsed },
    cacheMs: 3000,
    cacheEntries: 2,
    onUse: (id) => used.push(id),
  });
});

async function newKey(changed: { revokedAt?: Date; platforms?: string[]; hash?: string } = {}) {
  const { key, hash } = form.issue();
  const kept = {
    name: "test",
    scopes: ["users:read"],
    platforms: ["web"],
    createdAt: later(0),
    revokedAt: null,
  };
  const { id } = await storage.keys.insert({ ...kept, expiresAt: later(10_000), hash, ...changed });
  return { id, key };
}

const [accepted, rejected] = ["accepted", "credentials-invalid"];
const outcome = (key: string): Promise<string> =>
  findKey(key)
    .then(() => accepted)
    .catch(({ code }) => code);

/** The result of a call with this key so many milliseconds after the start, and how many look-ups there were until then. */
async function expectAt(
  milliseconds: number,
  key: string,
  expected: string,
  times: number,
): Promise<void> {
  elapsed = milliseconds;
  expect([await outcome(key), lookUps]).toEqual([expected, times]);
}

it("rejects malformed, unknown, revoked and expired keys exactly alike, the malformed without a look-up", async () => {
  const { key: revoked } = await newKey({ revokedAt: later(0) });
  const { key: expired } = await newKey();
  elapsed = 10_000;
  const facts = (key: string) =>
    findKey(key).catch(({ code, status, message, headers }) => ({
      code,
      status,
      message,
      headers,
    }));
  const malformed = await facts("atp_junk");
  expect(lookUps).toBe(0);
  expect(malformed).toMatchObject({
    code: rejected,
    headers: { "WWW-Authenticate": 'ApiKey realm="atpoint"' },
  });
  for (const key of [form.issue().key, revoked, expired])
    expect(await facts(key)).toEqual(malformed);
  expect(lookUps).toBe(3);
  expect(used).toEqual([]);
});

it("remembers the record of a key for the time given: a revocation holds after it, and the key no longer than it is valid", async () => {
  const { id, key } = await newKey({ platforms: ["web", "ios"] });
  const other = (await newKey()).key;
  expect(await findKey(key)).toMatchObject({
    id,
    name: "test",
    scopes: ["users:read"],
    platforms: ["web", "ios"],
  });
  expect(used).toEqual([id]);
  await expectAt(0, key, accepted, 1);
  await storage.keys.revoke(id, later(0));
  await expectAt(1499, key, accepted, 1);
  await expectAt(2999, key, accepted, 2);
  await expectAt(3001, key, rejected, 2);
  await expectAt(9999, other, accepted, 3);
  await expectAt(10_000, other, rejected, 3);
});

it("forgets a key in time though the time of day is set back", async () => {
  const { key } = await newKey();
  await expectAt(0, key, accepted, 1);
  setBack = 3_600_000;
  await expectAt(3001, key, accepted, 2);
});

it("forgets the oldest key when it remembers too many", async () => {
  const [{ key: oldest }, { key: second }, { key: third }] = [
    await newKey(),
    await newKey(),
    await newKey(),
  ];
  for (const [times, key] of [oldest, second, third].entries())
    await expectAt(0, key, accepted, times + 1);
  for (const key of [second, third]) await expectAt(0, key, accepted, 3);
  await expectAt(0, oldest, accepted, 4);
});

it("looks an unknown key up once, until its time is over", async () => {
  const { key, hash } = form.issue();
  for (let call = 0; call < 3; call++) await expectAt(0, key, rejected, 1);
  await newKey({ hash });
  await expectAt(3000, key, accepted, 2);
});

it("forgets no key for all that are unknown, and remembers no more of those", async () => {
  const { key } = await newKey();
  await outcome(key);
  const [oldest, ...junk] = [form.issue().key, form.issue().key, form.issue().key];
  for (const one of [oldest, ...junk, ...junk]) await outcome(one);
  await expectAt(0, key, accepted, 4);
  await expectAt(0, oldest, rejected, 5);
});

it("looks up once for all callers at the same time, and half-way again for one of them, while none waits", async () => {
  const { id, key } = await newKey();
  expect(await Promise.all([outcome(key), outcome(key), outcome(key)])).toEqual(
    Array(3).fill(accepted),
  );
  expect(lookUps).toBe(1);
  await storage.keys.revoke(id, later(0));
  await Promise.all([expectAt(1500, key, accepted, 2), expectAt(1500, key, accepted, 2)]);
  await expectAt(3000, key, rejected, 2);
});

it("accepts a remembered key while the storage is unavailable, and looks up again when it is back", async () => {
  const { key } = await newKey();
  await outcome(key);
  const { findByHash } = storage.keys;
  storage.keys.findByHash = () => Promise.reject(unavailable(new Error("unavailable")));
  await expectAt(1500, key, accepted, 2);
  await expectAt(3000, key, "storage-unavailable", 3);
  storage.keys.findByHash = findByHash;
  await expectAt(3000, key, accepted, 4);
});
