import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { hashKey } from "../key-form.ts";
import { Problem } from "../problem.ts";
import type { KeyRecord, Keys } from "../storage/keys.ts";

/**
 * D19 (revocation within 5 s): the milliseconds for which a result of the database counts, so that
 * a key in use costs one query in this time. A key in use is looked up again at half-time.
 */
const KEY_CACHE_MS = 3000;

interface KeyFinderOptions {
  readonly keys: Pick<Keys, "findByHash" | "form">;
  readonly clock: Clock;
  /** Headers of a rejection. */
  readonly challenge: Readonly<Record<string, string>>;
  readonly cacheEntries: number;
  /** Called with the id of each accepted key; must cost nothing. */
  readonly onUse?: (id: string) => void;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed?: { now(): number };
}

/**
 * The record of a valid key. Throws `credentials-invalid`, and `StorageUnavailable` when a look-up
 * is needed and fails.
 */
export type FindKey = (key: string) => Promise<KeyRecord>;

/** What the storage returned for a key, and when the look-up began: a result is as old as that. */
interface CachedLookup {
  readonly startedAt: number;
  readonly record: KeyRecord;
}

export function createKeyFinder({
  keys,
  clock,
  challenge,
  cacheEntries,
  onUse = () => {},
  elapsed = performance,
}: KeyFinderOptions): FindKey {
  const isCurrent = (startedAt: number) => elapsed.now() - startedAt < KEY_CACHE_MS;
  // Unknown keys, with the start of their look-ups: separate, so that they evict no known one.
  const unknown = new LRUCache<string, number>({ max: cacheEntries });
  const lookups = new LRUCache<string, CachedLookup>({
    max: cacheEntries,
    // A stale entry is returned while one look-up replaces it, so no caller waits for that.
    ttl: KEY_CACHE_MS / 2,
    allowStale: true,
    perf: elapsed,
    ttlResolution: 0,
    // A failed look-up leaves the entry, and one whose entry was dropped still has a result.
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    fetchMethod: async (hash) => {
      const startedAt = elapsed.now();
      const record = await keys.findByHash(hash);
      if (record) return { startedAt, record };
      unknown.set(hash, startedAt);
      return undefined;
    },
  });

  async function find(hash: string): Promise<KeyRecord | null> {
    if (isCurrent(unknown.get(hash) ?? Number.NEGATIVE_INFINITY)) return null;
    const cached = await lookups.fetch(hash);
    if (!cached) return null;
    if (isCurrent(cached.startedAt)) return cached.record;
    const current = await lookups.fetch(hash, { allowStale: false });
    return current?.record ?? null;
  }

  return async (key) => {
    // Malformed, unknown, revoked and expired keys look the same to the caller; a malformed one
    // costs no look-up.
    const record = keys.form.isWellFormed(key) ? await find(hashKey(key)) : null;
    if (record && !record.revokedAt && record.expiresAt > clock.now()) {
      onUse(record.id);
      return record;
    }
    throw new Problem("credentials-invalid", { headers: challenge });
  };
}
