import { type Scope, scopes } from "../../generated/operations.ts";
import type { Secret } from "./redact/redact.ts";

/** Credentials that a check needs beside the key and platform that every run has; under the name of a scope, a key that has no other. */
export type CredentialName = "noScopes" | Scope | "otherPlatform" | "expired" | "revoked";

export interface Credential {
  readonly key: string;
  readonly platform: string;
}

/** The credentials of a run against one target. */
export interface Credentials {
  readonly full: Credential;
  readonly special: { readonly [Name in CredentialName]?: Credential };
}

/** Every credential but the one that each run has. */
export const special: readonly CredentialName[] = ["noScopes", ...scopes, "otherPlatform", "expired", "revoked"];

/** How reports show a key: `API_KEY`, `NO_SCOPES_KEY`, `USERS_READ_KEY`. */
const shown = (name: string): string =>
  name === "full" ? "API_KEY" : `${name.replace(/[A-Z]/g, "_$&").replace(/\W/g, "_").toUpperCase()}_KEY`;

/** Every key of the run, to be kept out of every report. */
export function secretsOf({ full, special }: Credentials): Secret[] {
  return Object.entries({ full, ...special }).map(([name, { key }]) => ({
    name: shown(name),
    value: key,
  }));
}
