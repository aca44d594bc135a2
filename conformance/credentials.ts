import { readFileSync } from "node:fs";
import type { Secret } from "./redact.ts";

/** Credentials that a check needs beside the key and platform that every run has. */
export type CredentialName = "noScopes" | "oneScope" | "otherPlatform" | "expired" | "revoked";

export interface Credential {
  readonly key: string;
  readonly platform: string;
}

/** The credentials of a run against one target. */
export interface Credentials {
  readonly full: Credential;
  readonly special: { readonly [Name in CredentialName]?: Credential };
}

/** G4 names `web` as a valid platform. */
const DEFAULT_PLATFORM = "web";

/** Who may stand in a credentials file, and how reports show the key. */
const names = {
  full: "API_KEY",
  noScopes: "NO_SCOPES_KEY",
  oneScope: "ONE_SCOPE_KEY",
  otherPlatform: "OTHER_PLATFORM_KEY",
  expired: "EXPIRED_KEY",
  revoked: "REVOKED_KEY",
} as const;
type Name = keyof typeof names;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a header field can carry, blanks around it aside, which HTTP takes off. */
const isValue = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);

const isName = (name: string): name is Name => Object.hasOwn(names, name);

function parseFile(file: string): Map<Name, Credential> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // Never the parser's own words: they quote the file, and the file holds keys.
    const why = error instanceof SyntaxError ? "not JSON" : "cannot be read";
    throw new Error(`--credentials ${file}: ${why}`);
  }
  if (!isObject(json)) throw new Error(`--credentials ${file}: must be a JSON object`);
  const found = new Map<Name, Credential>();
  for (const [name, value] of Object.entries(json)) {
    if (!isName(name))
      throw new Error(`--credentials ${file}: unknown member ${name}; known: ${Object.keys(names).join(", ")}`);
    const { key, platform = DEFAULT_PLATFORM } = isObject(value) ? value : {};
    if (!isValue(key) || !isValue(platform)) {
      throw new Error(`--credentials ${file}: ${name} must be {"key": "…", "platform": "…"}, in printable ASCII`);
    }
    found.set(name, { key, platform });
  }
  return found;
}

/**
 * From a `--credentials` file if there is one, else from API_KEY and PLATFORM. Null when neither holds a key.
 * Throws an Error with words for the user when the file is not right.
 */
export function readCredentials(file: string | undefined, env: NodeJS.ProcessEnv): Credentials | null {
  const found = file === undefined ? new Map<Name, Credential>() : parseFile(file);
  const { full: fromFile, ...special } = Object.fromEntries(found);
  const fromEnv = env.API_KEY ? { key: env.API_KEY, platform: env.PLATFORM || DEFAULT_PLATFORM } : null;
  const full = fromFile ?? fromEnv;
  if (full && !(isValue(full.key) && isValue(full.platform)))
    throw new Error("API_KEY and PLATFORM must be printable ASCII, without blanks around");
  return full && { full, special };
}

/** Every key of the run, to be kept out of every report. */
export function secretsOf({ full, special }: Credentials): Secret[] {
  return Object.entries({ full, ...special }).map(([name, { key }]) => ({
    name: isName(name) ? names[name] : name,
    value: key,
  }));
}
