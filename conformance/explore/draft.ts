import { nameOf, withoutParts } from "../client/operation.ts";
import type { Operation } from "../oracle/contract.ts";
import { CREDENTIALS } from "../oracle/reading.ts";
import type { Request } from "../oracle/world.ts";

/** A request before it is written: twists change its parts in sequence. */

type Pair = readonly [name: string, value: string];

export interface Draft {
  readonly operation: Operation;
  method: string;
  path: string;
  version: "1.0" | "1.1";
  name: string;
  /** Parameters as they are written in the target; null: no `?`. */
  query: string[] | null;
  headers: Pair[];
  /** Members of the body next to `data`, and those of `data`; each value is JSON text. `data` null: none. */
  members: Pair[];
  data: Pair[] | null;
  hasBody: boolean;
  /** Applied to the body's bytes (one character per byte), and to the whole request, after all else is written. */
  readonly bodies: ((bytes: string) => string)[];
  readonly wholes: ((request: Request) => Request)[];
  /** Whether it is sent with an address in use. */
  taken: boolean;
}

/** One variation of a request. */
export type Twist = (draft: Draft) => void;

const AT = "@";
const escaped = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd")).replaceAll("'", "%27");
export const pairOf = (name: string, value: string): string => `${name === AT ? AT : escaped(name)}=${escaped(value)}`;
/** The name of a parameter as it is written, decoded if possible. */
export const nameIn = (pair: string): string => pair.replace(/=.*$/s, "").replaceAll("%40", AT);
export const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

const asText = (value: unknown) => (Array.isArray(value) ? value.join(",") : String(value));

/** The plain call of an operation, with credentials in headers if it needs them. */
export function draftOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  host: string,
  credentials: readonly [key: string, platform: string],
): Draft {
  const isCommand = operation.method === "POST";
  const name = nameOf(operation, input);
  const own = Object.entries(withoutParts(operation, input));
  const fields = CREDENTIALS.map((field, index): Pair => [field, credentials[index] ?? ""]);
  return {
    operation,
    name,
    method: operation.method,
    path: "/api/",
    version: "1.1",
    query: isCommand ? null : [pairOf(AT, name), ...own.map(([member, value]) => pairOf(member, asText(value)))],
    headers: [
      ["Host", host],
      ...(operation.auth ? fields : []),
      ...(isCommand ? ([["Content-Type", "application/json"]] as const) : []),
    ],
    members: [[AT, JSON.stringify(name)]],
    data: own.map(([member, value]) => [member, JSON.stringify(value)]),
    hasBody: isCommand,
    ...{ bodies: [], wholes: [], taken: false },
  };
}

const object = (members: readonly Pair[]) =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;

/** The request, with `shared` addresses replaced by `own` ones before any length is computed. */
export function written(draft: Draft, addresses: readonly (readonly [shared: string, own: string])[]): Request {
  const placed = (text: string) =>
    addresses.reduce(
      (all, [shared, own]) => all.replaceAll(escaped(shared), escaped(own)).replaceAll(shared, own),
      text,
    );
  const { data, members, query, path, headers, method, version } = draft;
  const body = object([...members, ...(data ? [["data", object(data)] as const] : [])]);
  const wire: Request = {
    method,
    target: placed(path + (query === null ? "" : `?${query.join("&")}`)),
    fields: headers,
    body: draft.hasBody ? draft.bodies.reduce((bytes, change) => change(bytes), utf8(placed(body))) : "",
    version,
  };
  return draft.wholes.reduce((request, change) => change(request), wire);
}
