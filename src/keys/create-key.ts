import type { KeyRecord, Keys } from "../storage/keys.ts";
import { issueKey } from "./key.ts";

export const dayMs = 86_400_000;
/** D19. */
export const defaultLifetimeMs = 365 * dayMs;

interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly platforms: readonly string[];
  readonly createdAt: Date;
  /** From `createdAt`; zero or less creates a key that has expired. */
  readonly lifetimeMs: number;
  readonly revokedAt?: Date;
}

/** Issues a key and stores its record. The text of the key is in the return value and nowhere else. */
export async function createKey(
  keys: Keys,
  wanted: NewKey,
): Promise<{ readonly key: string; readonly record: KeyRecord }> {
  const { name, scopes, platforms, createdAt, lifetimeMs, revokedAt = null } = wanted;
  const { key, hash } = issueKey();
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
  const record = await keys.insert({ name, hash, scopes, platforms, createdAt, expiresAt, revokedAt });
  return { key, record };
}
