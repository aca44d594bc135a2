import type { Clock } from "../clock.ts";
import type { KeyRecord, Keys } from "../storage/keys.ts";

/** Finds keys by hash and remembers those found, at most `maxEntries` for at most `maxAgeMs`: a revocation holds by then (D19). */
export function cachedKeys(
  keys: Pick<Keys, "findByHash">,
  { clock, maxAgeMs, maxEntries }: { clock: Clock; maxAgeMs: number; maxEntries: number },
): (hash: string) => Promise<KeyRecord | null> {
  const found = new Map<string, { key: KeyRecord; askedAt: number }>();
  return async (hash) => {
    // From before the question: an answer is as old as its question. A clock that was set back ends an entry too.
    const askedAt = clock.now().getTime();
    const known = found.get(hash);
    if (known && askedAt >= known.askedAt && askedAt < known.askedAt + maxAgeMs) return known.key;
    found.delete(hash);
    const key = await keys.findByHash(hash);
    if (!key) return null;
    // A Map is in order of insertion, so the first one is the oldest.
    for (const oldest of found.keys()) {
      if (found.size < maxEntries) break;
      found.delete(oldest);
    }
    found.set(hash, { key, askedAt });
    return key;
  };
}
