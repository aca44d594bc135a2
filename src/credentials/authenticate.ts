import type { Clock } from "../clock.ts";
import { Problem } from "../problem.ts";
import type { Keys } from "../storage/keys.ts";
import type { Caller } from "./caller.ts";
import type { Credentials } from "./credentials.ts";
import { hashKey, isKeyShaped } from "./key.ts";
import { cachedKeys } from "./key-cache.ts";

const challenge = { "WWW-Authenticate": 'ApiKey realm="atpoint"' };

interface AuthenticatorOptions {
  readonly keys: Pick<Keys, "findByHash">;
  /** The platforms of this deployment (D17). */
  readonly platforms: readonly string[];
  readonly clock: Clock;
  /** How long and how many keys are remembered. */
  readonly cacheMs: number;
  readonly cacheEntries: number;
}

/**
 * Tells whose request it is and that it may use an operation of `scope` (null: any). In the contract's order: `credentials-missing`,
 * `credentials-invalid`, `scope-missing`, `platform-not-allowed`; and `storage-unavailable` for a key that must be looked up.
 */
export type Authenticate = (credentials: Credentials, scope: string | null) => Promise<Caller>;

export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { keys, platforms, clock, cacheMs, cacheEntries } = options;
  const find = cachedKeys(keys, { clock, maxAgeMs: cacheMs, maxEntries: cacheEntries });
  return async ({ key, platform }, scope) => {
    if (key === null || platform === null) throw missing(key, platform);
    // Malformed, unknown, revoked and expired look alike; the first costs no look-up.
    const record = isKeyShaped(key) ? await find(hashKey(key)) : null;
    if (!record || record.revokedAt || record.expiresAt <= clock.now())
      throw new Problem("credentials-invalid", { headers: challenge });
    if (scope !== null && !record.scopes.includes(scope)) throw new Problem("scope-missing");
    if (!platforms.includes(platform) || !record.platforms.includes(platform))
      throw new Problem("platform-not-allowed");
    return { keyId: record.id, name: record.name, scopes: record.scopes, platforms: record.platforms };
  };
}

function missing(key: string | null, platform: string | null): Problem {
  const names = [key === null && "the API key (X-API-KEY)", platform === null && "the platform (X-PLATFORM)"];
  const detail = `Missing: ${names.filter((name) => name !== false).join(" and ")}.`;
  return new Problem("credentials-missing", { detail, headers: challenge });
}
