import { Problem } from "../problem.ts";
import { valuesOf } from "./head.ts";

/** The credentials of a request; null is not sent, or empty. */
interface Credentials {
  readonly key: string | null;
  readonly platform: string | null;
}

/**
 * Throws `parameter-repeated` when a credential header was sent twice (D2); Node would join the
 * values silently.
 */
export function rejectRepeatedCredentials(rawHeaders: readonly string[]): void {
  if (["x-api-key", "x-platform"].some((name) => valuesOf(rawHeaders, name).length > 1))
    throw new Problem("parameter-repeated");
}

/**
 * Reads both credentials from the raw headers (name, value, name, value …) and the decoded query,
 * with all four placements of G4. Throws `credential-conflict` when a header and the query differ
 * (D18).
 */
export function readCredentials(
  rawHeaders: readonly string[],
  query: ReadonlyMap<string, string>,
): Credentials {
  const read = (name: "X-API-KEY" | "X-PLATFORM"): string | null => {
    const [header] = valuesOf(rawHeaders, name.toLowerCase());
    const parameter = query.get(name);
    if (header && parameter && header !== parameter)
      throw new Problem("credential-conflict", {
        detail: `${name} differs between the header and the query.`,
      });
    return header || parameter || null;
  };
  return { key: read("X-API-KEY"), platform: read("X-PLATFORM") };
}

/** The caller: the record of the key, never its text. */
export interface Caller {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly platforms: readonly string[];
}

/** Sent with every 401 (RFC 9110 11.6.1). */
export const challengeOf = (realm: string) => ({ "WWW-Authenticate": `ApiKey realm="${realm}"` });

/**
 * Both credentials. Throws `credentials-missing`, which names the missing ones, with a challenge.
 */
export function requireBoth(
  { key, platform }: Credentials,
  headers: ReturnType<typeof challengeOf>,
) {
  if (key !== null && platform !== null) return { key, platform };
  const [aKey, aPlatform] = ["the API key (X-API-KEY)", "the platform (X-PLATFORM)"];
  const missing = key !== null ? aPlatform : platform !== null ? aKey : `${aKey} and ${aPlatform}`;
  throw new Problem("credentials-missing", { detail: `Missing: ${missing}.`, headers });
}
