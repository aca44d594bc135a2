import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { challenge } from "../protocol/credentials.ts";
import { Problem } from "../protocol/problem.ts";
import type { KeyRecord, Keys } from "../storage/keys.ts";
import { hashKey, isKeyShaped } from "./key.ts";

interface KeyFinderOptions {
  readonly keys: Pick<Keys, "findByHash">;
  readonly clock: Clock;
  /** How long and how many keys are remembered, and how many that are none: a revocation holds by then (D19). */
  readonly cacheMs: number;
  readonly cacheEntries: number;
  /** Told the id of each key that is let in; must cost nothing. */
  readonly onUse?: (id: string) => void;
  /** Milliseconds of a clock that nobody sets. */
  readonly elapsed?: { now(): number };
}

/** The record of a key that may be used. Throws `credentials-invalid`, and `storage-unavailable` when it must be looked up and cannot. */
export type FindKey = (key: string) => Promise<KeyRecord>;

/** What the storage has said of a key, and when it was asked. */
interface Found {
  readonly at: number;
  readonly record: KeyRecord | null;
}

/** The part of its time after which a key that is used is looked up again. */
const refreshedAt = 0.5;

export function createKeyFinder(options: KeyFinderOptions): FindKey {
  const { keys, clock, cacheMs, cacheEntries, onUse = () => {}, elapsed = performance } = options;
  // Apart, so that junk makes nobody's key forgotten.
  const known = new LRUCache<string, Found>({ max: cacheEntries });
  const unknown = new LRUCache<string, Found>({ max: cacheEntries });
  const underWay = new Map<string, { readonly at: number; readonly answer: Promise<KeyRecord | null> }>();

  function ask(hash: string): Promise<KeyRecord | null> {
    // From before the question: an answer is as old as its question.
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
      // Early, by one request, and without waiting: or at the end all that use the key would wait at once.
      if (found.record && !asked && age(found) >= cacheMs * refreshedAt) ask(hash).catch(() => {});
      return found.record;
    }
    return asked && age(asked) < cacheMs ? asked.answer : ask(hash);
  }

  return async (key) => {
    // Malformed, unknown, revoked and expired look alike; the first costs no look-up.
    const record = isKeyShaped(key) ? await find(hashKey(key)) : null;
    if (record && !record.revokedAt && record.expiresAt > clock.now()) {
      onUse(record.id);
      return record;
    }
    throw new Problem("credentials-invalid", { headers: challenge });
  };
}
