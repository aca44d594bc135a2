import { scopes } from "../../generated/operations.ts";
import type { Config } from "../config.ts";
import { createKey, dayMs } from "../credentials/create-key.ts";
import type { Keys } from "../storage/keys.ts";

/** What the conformance suite sends, one pair for each case. */
export type ConformanceCredentials = Readonly<
  Record<
    "full" | "noScopes" | "oneScope" | "otherPlatform" | "expired" | "revoked",
    { readonly key: string; readonly platform: string }
  >
>;

/** Creates the six keys of the conformance suite, for 30 days, all to be used with the default platform. */
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
  return {
    full: await create("full"),
    noScopes: await create("noScopes", { scopes: [] }),
    // The first of the contract's: the suite knows which.
    oneScope: await create("oneScope", { scopes: scopes.slice(0, 1) }),
    otherPlatform: await create("otherPlatform", { platforms: otherPlatforms }),
    expired: await create("expired", { lifetimeMs: 0 }),
    revoked: await create("revoked", { revokedAt: now }),
  };
}
