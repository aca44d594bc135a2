import type { KeyRecord, Keys } from "../storage/keys.ts";
import { createKey } from "./create-key.ts";

interface Rotation {
  readonly now: Date;
  /** How long the old key stays valid, unless it expires earlier. */
  readonly overlapMs: number;
  /** Lifetime of the new key from now; null gives it the term that the old one was issued for. */
  readonly lifetimeMs: number | null;
}

/** A new key with the name, scopes and platforms of another, which expires after the overlap (D19). Null when that one is no longer valid. */
export function rotateKey(
  keys: Keys,
  id: string,
  rotation: Rotation,
): Promise<{ readonly key: string; readonly record: KeyRecord; readonly oldExpiresAt: Date } | null> {
  const { now, overlapMs } = rotation;
  return keys.exclusively(async (own) => {
    const old = (await own.list()).find((key) => key.id === id);
    if (!old || old.revokedAt || old.expiresAt <= now) return null;
    const { name, scopes, platforms } = old;
    const lifetimeMs = rotation.lifetimeMs ?? old.expiresAt.getTime() - old.createdAt.getTime();
    const oldExpiresAt = new Date(Math.min(old.expiresAt.getTime(), now.getTime() + overlapMs));
    await own.expire(id, oldExpiresAt);
    return { ...(await createKey(own, { name, scopes, platforms, createdAt: now, lifetimeMs })), oldExpiresAt };
  });
}
