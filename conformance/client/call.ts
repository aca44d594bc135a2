import type { Credential, Credentials } from "./credentials.ts";
import { asText, findOperation, nameOf, withoutParts } from "./operation.ts";
import type { HttpRequest } from "./wire/http.ts";

/** Where a credential goes; both, one or neither. */
export interface Placement {
  readonly header?: string;
  readonly query?: string;
}

/**
 * `good`: the run's key and platform as headers; `query`: both in the query; `none`; one of the special credentials (as headers,
 * absent ones throw); or a placement for each. The default is `good`, `none` on a public operation.
 */
export type CallCredentials = string | { readonly key?: Placement; readonly platform?: Placement };

export interface CallOptions {
  /** Parts of the name (`docs.get`: `name`) and query members of a GET; the members of `data` of a POST. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly credentials?: CallCredentials;
  /**
   * Instead of the operation's own method. POST puts the operation into the body; GET, HEAD and OPTIONS put it into the query.
   */
  readonly method?: string;
  /** Added to the default ones or overriding them, by name in any case; null removes a default one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly accept?: string;
  /** Further query parameters, encoded here. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** The whole query, sent unchanged, without `?`: it replaces every other parameter. */
  readonly rawQuery?: string;
  /** Instead of `{"@", data}`: a string or bytes unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** How the query spells the name `@`. */
  readonly at?: "@" | "%40";
}

/** Methods that carry the operation in the query, whatever the operation's own method is. */
const QUERY_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

type Pairs = [name: string, value: string][];

const pair = (name: string, value: string | undefined): Pairs => (value === undefined ? [] : [[name, value]]);
// The apostrophe too: otherwise the HTTP client would escape it.
const escapeText = (text: string) => encodeURIComponent(text).replaceAll("'", "%27");
const encode = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => `${escapeText(name)}=${escapeText(value)}`);

/** Where the credentials go. */
function place(wanted: CallCredentials, credentials: Credentials): { headers: Pairs; query: Pairs } {
  const { key = {}, platform = {} } = placements(wanted, credentials);
  return {
    headers: [...pair("X-API-KEY", key.header), ...pair("X-PLATFORM", platform.header)],
    query: [...pair("X-API-KEY", key.query), ...pair("X-PLATFORM", platform.query)],
  };
}

function placements(
  wanted: CallCredentials,
  { full, special }: Credentials,
): { key?: Placement; platform?: Placement } {
  if (typeof wanted === "object") return wanted;
  if (wanted === "none") return {};
  if (wanted === "query") return { key: { query: full.key }, platform: { query: full.platform } };
  const credential: Credential | undefined = wanted === "good" ? full : special[wanted];
  if (!credential) throw new Error(`the check uses the credential ${wanted} without saying so in needs`);
  return { key: { header: credential.key }, platform: { header: credential.platform } };
}

function withHeaders(defaults: Pairs, wanted: Readonly<Record<string, string | null>>): Pairs {
  const named = new Set(Object.keys(wanted).map((name) => name.toLowerCase()));
  const kept = defaults.filter(([name]) => !named.has(name.toLowerCase()));
  return [
    ...kept,
    ...Object.entries(wanted).flatMap(([name, value]): Pairs => (value === null ? [] : [[name, value]])),
  ];
}

function toBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

/** The request that calls an operation, as HTTP; `prefix` is the path prefix of the target. */
export function buildCall(
  nameOrId: string,
  options: CallOptions,
  credentials: Credentials,
  prefix: string,
): HttpRequest {
  const operation = findOperation(nameOrId);
  const given = options.input ?? {};
  // A whole name is used unchanged, right or wrong.
  const name = operation?.id === nameOrId ? nameOf(operation, given) : nameOrId;
  const members = operation?.id === nameOrId ? withoutParts(operation, given) : given;
  const method = options.method ?? operation?.method ?? "GET";
  const inBody = method === "POST" || (operation?.method === "POST" && !QUERY_METHODS.has(method));
  const placed = place(options.credentials ?? (operation?.auth === false ? "none" : "good"), credentials);
  const input = Object.entries(members).map(([member, value]): [string, string] => [member, asText(value)]);
  const query = [
    ...(inBody ? [] : [`${options.at ?? "@"}=${escapeText(name)}`, ...encode(input)]),
    ...encode(placed.query),
    ...encode(options.query ?? []),
  ];
  const search = options.rawQuery ?? query.join("&");
  const body = options.body === undefined && inBody ? { "@": name, data: members } : options.body;
  const headers: Pairs = [
    ...placed.headers,
    ...pair("Content-Type", body === undefined ? undefined : "application/json"),
    ...pair("Accept", options.accept),
  ];
  return {
    method,
    path: `${prefix}/api/${search === "" ? "" : `?${search}`}`,
    headers: withHeaders(headers, options.headers ?? {}),
    body: body === undefined ? null : toBytes(body),
  };
}
