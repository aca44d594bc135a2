import type { KeyRecord, Keys } from "../storage/keys.ts";
import type { Storage } from "../storage/storage.ts";

export const dayMs = 86_400_000;
/** D19. */
export const defaultLifetimeMs = 365 * dayMs;
/** How long before its end a key is reported as expiring soon. */
export const expiringDays = 14;

interface NewKey extends Pick<KeyRecord, "name" | "scopes" | "platforms" | "createdAt"> {
  /** From `createdAt`; zero or less creates a key that has expired. */
  readonly lifetimeMs: number;
  readonly revokedAt?: Date | null;
}

/** Issues a key, whose text is nowhere else, and stores its record. */
export async function createKey(keys: Keys, wanted: NewKey) {
  const { name, scopes, platforms, createdAt, lifetimeMs, revokedAt = null } = wanted;
  const { key, hash } = keys.form.issue();
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
  return {
    key,
    record: await keys.insert({ name, hash, scopes, platforms, createdAt, expiresAt, revokedAt }),
  };
}

interface Rotation {
  readonly now: Date;
  /** How long the old key stays valid, unless it expires earlier. */
  readonly overlapMs: number;
  /** Lifetime of the new key from now; null gives it the term that the old one was issued for. */
  readonly lifetimeMs: number | null;
}

/**
 * A new key with the name, scopes and platforms of another, which expires after the overlap (D19).
 * Null when that one is no longer valid.
 */
export const rotateKey = (
  keys: Storage["keys"],
  id: string,
  { now, overlapMs, lifetimeMs }: Rotation,
) =>
  keys.exclusively(async (locked) => {
    const old = (await locked.list()).find((key) => key.id === id);
    if (!old || old.revokedAt || old.expiresAt <= now) return null;
    const oldExpiresAt = new Date(Math.min(old.expiresAt.getTime(), now.getTime() + overlapMs));
    await locked.expire(id, oldExpiresAt);
    const term = old.expiresAt.getTime() - old.createdAt.getTime();
    const created = await createKey(locked, {
      ...old,
      createdAt: now,
      lifetimeMs: lifetimeMs ?? term,
    });
    return { ...created, oldExpiresAt };
  });

export type KeyState = "valid" | "expiring" | "expired" | "revoked";

export function keyState({ expiresAt, revokedAt }: KeyRecord, now: Date): KeyState {
  if (revokedAt) return "revoked";
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return "expired";
  return leftMs <= expiringDays * dayMs ? "expiring" : "valid";
}

/**
 * Keys that expire soon without a successor: a valid key of the same name, scopes and platforms.
 */
export function unreplaced(keys: readonly KeyRecord[], now: Date): KeyRecord[] {
  const use = ({ name, scopes, platforms }: KeyRecord) => JSON.stringify([name, scopes, platforms]);
  const validKeys = new Set(keys.filter((key) => keyState(key, now) === "valid").map(use));
  return keys.filter((key) => keyState(key, now) === "expiring" && !validKeys.has(use(key)));
}
