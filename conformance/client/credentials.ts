import { contract } from "../contract.ts";
import type { Secret } from "./redact/redact.ts";

export interface Credential {
  readonly key: string;
  readonly platform: string;
}

/** The credentials of a run against one target. */
export interface Credentials {
  readonly full: Credential;
  /** The credentials that some checks need, by the names of `special`. */
  readonly special: Readonly<Record<string, Credential>>;
}

/** The names of all credentials except the default one; the name of a scope means a key with only that scope. */
export const special: readonly string[] = ["noScopes", ...contract.scopes, "otherPlatform", "expired", "revoked"];

/** How reports show a key: `API_KEY`, `NO_SCOPES_KEY`, `USERS_READ_KEY`. */
const shown = (name: string): string =>
  name === "full" ? "API_KEY" : `${name.replace(/[A-Z]/g, "_$&").replace(/\W/g, "_").toUpperCase()}_KEY`;

/** Every key of the run, to be redacted in every report. */
export function secretsOf({ full, special }: Credentials): Secret[] {
  return Object.entries({ full, ...special }).map(([name, { key }]) => ({
    name: shown(name),
    value: key,
  }));
}
