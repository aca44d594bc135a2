import { closestMatch } from "leven";

/** Parameters of a PostgreSQL URL that the driver reads. */
const READ: readonly string[] = [
  "host",
  "port",
  "user",
  "password",
  "options",
  "application_name",
  "fallback_application_name",
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "query_timeout",
  "ssl",
  "sslmode",
  "sslcert",
  "sslkey",
  "sslrootcert",
  "sslnegotiation",
  "uselibpqcompat",
];

/** Parameters with a choice of values: the driver takes any other value for something else. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ssl: ["true", "1", "0", "no-verify"],
  sslmode: ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"],
  sslnegotiation: ["postgres", "direct"],
  uselibpqcompat: ["true", "false"],
};

/**
 * Those of libpq that the driver ignores, and that choose neither schema nor host nor encryption.
 */
const WITHOUT_EFFECT = new RegExp(
  "^(connect_timeout|keepalives(_\\w+)?|tcp_user_timeout|client_encoding|passfile|" +
    "channel_binding|require_auth|requirepeer|gssencmode|gssdelegation|gsslib|krbsrvname|" +
    "sslcompression|sslsni|sslkeylogfile|target_session_attrs|load_balance_hosts|" +
    "scram_\\w+_key|(min|max)_protocol_version)$",
);

const schema = "write options=-csearch_path%3DNAME";
const database = "write the database as the path: postgres://HOST/DATABASE";
const service = "write host, port, user and database";

/**
 * What is meant by parameters that are not read: those of libpq that choose schema, host or
 * encryption, and those of other drivers.
 */
const MEANT: Readonly<Record<string, string>> = {
  schema,
  currentschema: schema,
  search_path: schema,
  searchpath: schema,
  hostaddr: "write host",
  dbname: database,
  database,
  username: "write user",
  service,
  servicefile: service,
  requiressl: "write sslmode=verify-full",
  tls: "write sslmode=verify-full",
  sslca: "write sslrootcert",
  sslcrl: "revoked certificates are not looked for",
  sslcrldir: "revoked certificates are not looked for",
  sslpassword: "use a key without a password",
  sslcertmode: "write sslcert and sslkey, or neither",
  ssl_min_protocol_version: "set NODE_OPTIONS=--tls-min-v1.3",
  ssl_max_protocol_version: "set NODE_OPTIONS=--tls-max-v1.2",
};

/** What is probably wrong where a part of a password is read as something else. */
export const ENCODE_PASSWORD = "in a password, @ : / ? # % have to be percent-encoded, an @ as %40";

/** The parameters of a URL, as the driver reads them. */
const parametersOf = (url: string): [name: string, value: string][] => [
  ...new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(url)?.[1]),
];

const isWithoutEffect = ([name, value]: readonly [string, string]): boolean =>
  // Encryption by GSSAPI that is required would be none at all.
  WITHOUT_EFFECT.test(name) && !(name === "gssencmode" && value === "require");

/** Names of parameters that a URL of a database has to no effect. */
export const parametersWithoutEffect = (url: string): string[] =>
  url.startsWith("sqlite:")
    ? []
    : parametersOf(url).flatMap((one) => (isWithoutEffect(one) ? [one[0]] : []));

/**
 * What is wrong with the parameters of a URL of a database, each once, without repeating a value.
 */
export function parameterFaults(url: string): string[] {
  if (url.startsWith("sqlite:"))
    return /\?\w+=/.test(url)
      ? ["has parameters, and sqlite:PATH takes none: all of it is the path of the file"]
      : [];
  // An "@" is of a password that is not percent-encoded.
  const isPassword = url.includes("@", url.indexOf("?"));
  return parametersOf(url).flatMap(([name, value], index, all) => {
    if (READ.includes(name) && all.findIndex(([earlier]) => earlier === name) < index)
      return [`has ${name} twice`];
    const { [name]: values } = VALUES;
    if (values && !values.includes(value))
      return [`has ${name} with another value than ${values.join(", ")}`];
    if (READ.includes(name) || isWithoutEffect([name, value])) return [];
    if (name === "gssencmode")
      return ["has gssencmode=require, and encrypts by TLS alone: write sslmode=verify-full"];
    const closest = closestMatch(name.toLowerCase(), [...READ, ...Object.keys(MEANT)], {
      maxDistance: 3,
    });
    const meant = isPassword
      ? ENCODE_PASSWORD
      : closest === undefined
        ? `known are ${READ.join(", ")}`
        : (MEANT[closest] ?? `did you mean ${closest}?`);
    return [
      `has ${isPassword || !/^\w+$/.test(name) ? "a parameter" : name}, which is not read: ` +
        `${meant}`,
    ];
  });
}
