import type { Gateway } from "../http/gateway.ts";
import type { Credentials } from "../run/options.ts";

export interface Secret {
  /** The secret is replaced with `$NAME`. */
  readonly name: string;
  readonly value: string;
}

/** How reports show a key: `API_KEY`, `NO_SCOPES_KEY`, `USERS_READ_KEY`. */
const shownKey = (kind: string): string =>
  kind === "full" ? "API_KEY" : `${kind.replace(/[A-Z]/g, "_$&").replace(/\W/g, "_").toUpperCase()}_KEY`;

/** How reports show the value of a field that a gateway wants. */
export const headerSecret = (name: string): string => `HEADER_${name.replace(/\W/g, "_").toUpperCase()}`;

/** What no report shows: every key of a run, and the values of the fields that a gateway wants. */
export const secretsOf = ({ full, special }: Credentials, { fields }: Gateway): readonly Secret[] =>
  [
    ...Object.entries({ full, ...special }).map(([kind, { key }]) => ({ name: shownKey(kind), value: key })),
    ...fields.map(([name, value]) => ({ name: headerSecret(name), value })),
  ].filter(({ value }) => value !== "");
