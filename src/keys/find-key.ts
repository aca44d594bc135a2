import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { challenge } from "../protocol/credentials.ts";
import { Problem } from "../protocol/problem.ts";
import type { KeyRecord, Keys } from "../storage/keys.ts";
import { hashKey, isKeyShaped } from "./key.ts";

interface KeyFinderOptions {
  readonly keys: Pick<Keys, "findByHash">;
  readonly clock: Clock;
  /** How long and how many keys are remembered: a revocation holds by then (D19). */
  readonly cacheMs: number;
  readonly cacheEntries: number;
  /** Milliseconds of a clock that nobody sets. */
  readonly elapsed?: { now(): number };
}

/** The record of a key that may be used. Throws `credentials-invalid`, and `storage-unavailable` when it must be looked up and cannot. */
export type FindKey = (key: string) => Promise<KeyRecord>;

export function createKeyFinder(options: KeyFinderOptions): FindKey {
  const { keys, clock, cacheMs, cacheEntries, elapsed = performance } = options;
  // A lifetime of 0 would mean for ever: then nothing is remembered.
  const known = new LRUCache<string, KeyRecord>({ max: cacheEntries, ttl: cacheMs, ttlResolution: 0, perf: elapsed });

  async function find(hash: string): Promise<KeyRecord | null> {
    const remembered = known.get(hash);
    if (remembered) return remembered;
    // From before the question: an answer is as old as its question.
    const start = elapsed.now();
    const record = await keys.findByHash(hash);
    if (record && cacheMs > 0) known.set(hash, record, { start });
    return record;
  }

  return async (key) => {
    // Malformed, unknown, revoked and expired look alike; the first costs no look-up.
    const record = isKeyShaped(key) ? await find(hashKey(key)) : null;
    if (record && !record.revokedAt && record.expiresAt > clock.now()) return record;
    throw new Problem("credentials-invalid", { headers: challenge });
  };
}
