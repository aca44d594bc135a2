import type { KeyRecord, Keys } from "../storage/keys.ts";
import { createKey } from "./create-key.ts";

interface Rotation {
  readonly now: Date;
  /** How long the old key stays valid, if it does not expire before. */
  readonly overlapMs: number;
  /** Of the new key, from now. */
  readonly lifetimeMs: number;
}

/** A new key with the name, scopes and platforms of another one, which expires after the overlap (D19). Null when that one cannot be used any more. */
export function rotateKey(
  keys: Keys,
  id: string,
  { now, overlapMs, lifetimeMs }: Rotation,
): Promise<{ readonly key: string; readonly record: KeyRecord; readonly oldExpiresAt: Date } | null> {
  return keys.exclusively(async (own) => {
    const old = (await own.list()).find((key) => key.id === id);
    if (!old || old.revokedAt || old.expiresAt <= now) return null;
    const { name, scopes, platforms } = old;
    const oldExpiresAt = new Date(Math.min(old.expiresAt.getTime(), now.getTime() + overlapMs));
    await own.expire(id, oldExpiresAt);
    return { ...(await createKey(own, { name, scopes, platforms, createdAt: now, lifetimeMs })), oldExpiresAt };
  });
}
