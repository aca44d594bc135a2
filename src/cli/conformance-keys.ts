import { type Scope, scopes } from "../../generated/operations.ts";
import type { Config } from "../config.ts";
import { createKey, dayMs } from "../keys/create-key.ts";
import type { Keys } from "../storage/keys.ts";

interface Credential {
  readonly key: string;
  readonly platform: string;
}

/** The credentials that the conformance suite sends, one pair for each case; under the name of a scope, a key that has only this scope. */
export type ConformanceCredentials = Readonly<
  Record<"full" | "noScopes" | Scope | "otherPlatform" | "expired" | "revoked", Credential>
>;

/** Creates the keys of the conformance suite, valid for 30 days with the default platform. */
export async function createConformanceKeys(
  keys: Keys,
  { platforms }: Pick<Config, "platforms">,
  now: Date,
): Promise<ConformanceCredentials> {
  const [platform, ...otherPlatforms] = platforms;
  const create = async (name: string, changed: Partial<Parameters<typeof createKey>[1]> = {}) => {
    const full = { name: `conformance ${name}`, scopes, platforms, createdAt: now, lifetimeMs: 30 * dayMs };
    const { key } = await createKey(keys, { ...full, ...changed });
    return { key, platform };
  };
  const ofScopes: [Scope, Credential][] = [];
  for (const scope of scopes) ofScopes.push([scope, await create(scope, { scopes: [scope] })]);
  return {
    full: await create("full"),
    noScopes: await create("noScopes", { scopes: [] }),
    // The loop sets one for each scope.
    ...(Object.fromEntries(ofScopes) as Record<Scope, Credential>),
    otherPlatform: await create("otherPlatform", { platforms: otherPlatforms }),
    expired: await create("expired", { lifetimeMs: 0 }),
    revoked: await create("revoked", { revokedAt: now }),
  };
}
