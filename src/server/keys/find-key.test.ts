import { beforeEach, expect, it } from "vitest";
import { form } from "../../test/atpoint.ts";
import { migrated } from "../../test/databases.ts";
import { challengeOf } from "../request/credentials.ts";
import { StorageUnavailable } from "../storage/errors.ts";
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
    // A time of 0 is no time for the cache.
    elapsed: { now: () => 1 + elapsed },
    cacheEntries: 2,
    onUse: (id) => used.push(id),
  });
});

async function newKey(changed: { revokedAt?: Date; platforms?: string[]; hash?: string } = {}) {
  const { key, hash } = form.issue();
  const record = {
    name: "test",
    scopes: ["users:read"],
    platforms: ["web"],
    createdAt: later(0),
    revokedAt: null,
  };
  const { id } = await storage.keys.insert({
    ...record,
    expiresAt: later(10_000),
    hash,
    ...changed,
  });
  return { id, key };
}

const [accepted, rejected] = ["accepted", "credentials-invalid"];
const outcome = (key: string): Promise<string> =>
  findKey(key)
    .then(() => accepted)
    .catch(({ code, name }) => code ?? name);

/**
 * The result of a call with this key so many milliseconds after the start, and how many look-ups
 * there were until then.
 */
async function expectAt(
  milliseconds: number,
  key: string,
  expected: string,
  times: number,
): Promise<void> {
  elapsed = milliseconds;
  expect([await outcome(key), lookUps]).toEqual([expected, times]);
}

it("caches a record for three seconds, and accepts a key no longer than it is valid", async () => {
  const { id, key } = await newKey({ platforms: ["web", "ios"] });
  const otherKey = (await newKey()).key;
  expect(await findKey(key)).toMatchObject({
    id,
    scopes: ["users:read"],
    platforms: ["web", "ios"],
  });
  expect(used).toEqual([id]);
  await expectAt(0, key, accepted, 1);
  await storage.keys.revoke(id, later(0));
  await expectAt(1499, key, accepted, 1);
  await expectAt(2999, key, accepted, 2);
  await expectAt(3001, key, rejected, 2);
  await expectAt(9999, otherKey, accepted, 3);
  await expectAt(10_000, otherKey, rejected, 3);
});

it("forgets a key in time though the time of day is set back", async () => {
  const { key } = await newKey();
  await expectAt(0, key, accepted, 1);
  setBack = 3_600_000;
  await expectAt(3001, key, accepted, 2);
});

it("forgets the oldest key when it remembers too many", async () => {
  const { key: oldest } = await newKey();
  await outcome(oldest);
  const recentKeys = [(await newKey()).key, (await newKey()).key];
  for (const key of [...recentKeys, ...recentKeys]) await outcome(key);
  expect(lookUps).toBe(3);
  await expectAt(0, oldest, accepted, 4);
});

it("looks a malformed key up never, and an unknown one once, until its time is over", async () => {
  await expectAt(0, "atp_junk", rejected, 0);
  const { key, hash } = form.issue();
  for (let call = 0; call < 3; call++) await expectAt(0, key, rejected, 1);
  await newKey({ hash });
  await expectAt(3000, key, accepted, 2);
});

it("forgets no key for all that are unknown, and remembers no more of those", async () => {
  const { key } = await newKey();
  await outcome(key);
  const [oldest, ...junk] = [form.issue().key, form.issue().key, form.issue().key];
  for (const unknownKey of [oldest, ...junk, ...junk]) await outcome(unknownKey);
  await expectAt(0, key, accepted, 4);
  await expectAt(0, oldest, rejected, 5);
});

it("looks up once for all callers, and again at half-time while none waits", async () => {
  const { id, key } = await newKey();
  expect(await Promise.all([outcome(key), outcome(key), outcome(key)])).toEqual(
    Array(3).fill(accepted),
  );
  expect(lookUps).toBe(1);
  await storage.keys.revoke(id, later(0));
  await Promise.all([expectAt(1501, key, accepted, 2), expectAt(1501, key, accepted, 2)]);
  await expectAt(3000, key, rejected, 2);
});

it("accepts a cached key while the storage is unavailable", async () => {
  const { key } = await newKey();
  await outcome(key);
  const { findByHash } = storage.keys;
  storage.keys.findByHash = () => Promise.reject(new StorageUnavailable(new Error("unavailable")));
  await expectAt(1501, key, accepted, 2);
  await expectAt(3000, key, "StorageUnavailable", 3);
  storage.keys.findByHash = findByHash;
  await expectAt(3000, key, accepted, 4);
});
