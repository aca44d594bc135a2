import { Problem } from "../problem.ts";

/** What a request says of its sender; null is not sent, or empty. */
export interface Credentials {
  readonly key: string | null;
  readonly platform: string | null;
}

/**
 * Reads both credentials from the raw headers (name, value, name, value …) and the decoded query, with all four placements of G4.
 * Throws `credential-conflict` when a header and the query differ (D18). Repeated ones are judged elsewhere (D2).
 */
export function readCredentials(rawHeaders: readonly string[], query: ReadonlyMap<string, string>): Credentials {
  const read = (name: "X-API-KEY" | "X-PLATFORM"): string | null => {
    const header = headerValue(rawHeaders, name.toLowerCase());
    const parameter = query.get(name);
    if (header && parameter && header !== parameter)
      throw new Problem("credential-conflict", { detail: `${name} differs between the header and the query.` });
    return header || parameter || null;
  };
  return { key: read("X-API-KEY"), platform: read("X-PLATFORM") };
}

function headerValue(rawHeaders: readonly string[], lowerCaseName: string): string | undefined {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === lowerCaseName);
  return at < 0 ? undefined : rawHeaders[at + 1];
}
