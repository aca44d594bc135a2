import { Problem } from "../problem.ts";
import { valuesOf } from "./head.ts";

/** The credentials of a request; null is not sent, or empty. */
export interface Credentials {
  readonly key: string | null;
  readonly platform: string | null;
}

/**
 * Reads both credentials from the raw headers (name, value, name, value …) and the decoded query, with all four placements of G4.
 * Throws `credential-conflict` when a header and the query differ (D18). Repeated ones are rejected elsewhere (D2).
 */
export function readCredentials(rawHeaders: readonly string[], query: ReadonlyMap<string, string>): Credentials {
  const read = (name: "X-API-KEY" | "X-PLATFORM"): string | null => {
    const [header] = valuesOf(rawHeaders, name.toLowerCase());
    const parameter = query.get(name);
    if (header && parameter && header !== parameter)
      throw new Problem("credential-conflict", { detail: `${name} differs between the header and the query.` });
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

/** Both credentials. Throws `credentials-missing`, which names the missing ones, with a challenge. */
export function requireBoth(
  { key, platform }: Credentials,
  headers: Readonly<Record<string, string>>,
): { readonly key: string; readonly platform: string } {
  if (key !== null && platform !== null) return { key, platform };
  const names = [key === null && "the API key (X-API-KEY)", platform === null && "the platform (X-PLATFORM)"];
  const detail = `Missing: ${names.filter((name) => name !== false).join(" and ")}.`;
  throw new Problem("credentials-missing", { detail, headers });
}
