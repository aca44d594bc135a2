import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { hashKey } from "../key-form.ts";
import { Problem } from "../problem.ts";
import type { KeyRecord, Keys } from "../storage/keys.ts";

interface KeyFinderOptions {
  readonly keys: Pick<Keys, "findByHash" | "form">;
  readonly clock: Clock;
  /** Headers of a rejection. */
  readonly challenge: Readonly<Record<string, string>>;
  /** Lifetime and size of the two caches (known and unknown keys); a revocation takes effect within this time (D19). */
  readonly cacheMs: number;
  readonly cacheEntries: number;
  /** Called with the id of each accepted key; must cost nothing. */
  readonly onUse?: (id: string) => void;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed?: { now(): number };
}

/** The record of a valid key. Throws `credentials-invalid`, and `storage-unavailable` when a look-up is needed and fails. */
export type FindKey = (key: string) => Promise<KeyRecord>;

/** What the storage returned for a key, and when the look-up began. */
interface Found {
  readonly at: number;
  readonly record: KeyRecord | null;
}

/** The part of its lifetime after which a key in use is looked up again. */
const refreshedAt = 0.5;

export function createKeyFinder(options: KeyFinderOptions): FindKey {
  const {
    keys,
    clock,
    challenge,
    cacheMs,
    cacheEntries,
    onUse = () => {},
    elapsed = performance,
  } = options;
  // Separate, so that unknown keys evict no known one.
  const known = new LRUCache<string, Found>({ max: cacheEntries });
  const unknown = new LRUCache<string, Found>({ max: cacheEntries });
  const underWay = new Map<
    string,
    { readonly at: number; readonly answer: Promise<KeyRecord | null> }
  >();

  function ask(hash: string): Promise<KeyRecord | null> {
    // The time before the look-up: a result is as old as its query.
    const at = elapsed.now();
    const answer = keys.findByHash(hash).then((record) => {
      (record ? known : unknown).set(hash, { at, record });
      (record ? unknown : known).delete(hash);
      return record;
    });
    const asked = { at, answer };
    const end = () => {
      if (underWay.get(hash) === asked) underWay.delete(hash);
    };
    underWay.set(hash, asked);
    answer.then(end, end);
    return answer;
  }

  async function find(hash: string): Promise<KeyRecord | null> {
    const found = known.get(hash) ?? unknown.get(hash);
    const asked = underWay.get(hash);
    const age = (of: { readonly at: number }) => elapsed.now() - of.at;
    if (found && age(found) < cacheMs) {
      // Early, by one request, and without waiting: otherwise all callers with the key would wait at once when it expires.
      if (found.record && !asked && age(found) >= cacheMs * refreshedAt) ask(hash).catch(() => {});
      return found.record;
    }
    return asked && age(asked) < cacheMs ? asked.answer : ask(hash);
  }

  return async (key) => {
    // Malformed, unknown, revoked and expired keys look the same to the caller; a malformed one costs no look-up.
    const record = keys.form.isKey(key) ? await find(hashKey(key)) : null;
    if (record && !record.revokedAt && record.expiresAt > clock.now()) {
      onUse(record.id);
      return record;
    }
    throw new Problem("credentials-invalid", { headers: challenge });
  };
}
