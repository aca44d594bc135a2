import type { ProblemCode } from "../../../generated/operations.ts";
import type { Step } from "../../../generated/order.ts";
import { type Known, nameOf } from "../../client/operation.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";

const JSON_BODY = ["Content-Type", "application/json"] as const;
const KEY = "X-API-KEY";
const PLATFORM = "X-PLATFORM";

/** A right call of an operation, or one with faults; a command is without its `data`, so that nothing is ever created. */
export interface Draft {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Stands behind the query as it is. */
  readonly search: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Stands in the body, before its last brace, and behind it, as it is: a character a byte. */
  readonly inner: string;
  readonly tail: string;
}

/** Who calls. */
export interface Caller {
  readonly key: string;
  readonly platform: string;
  /** Keys without scopes, expired and revoked; null when there is none. */
  readonly scopeless: string | null;
  readonly expired: string | null;
  readonly revoked: string | null;
}

/** One thing wrong with a request, which a step refuses. */
export interface Fault {
  /** What of the request it changes: two faults of one thing cannot be sent together. */
  readonly of: string;
  readonly status: number;
  readonly code: ProblemCode;
  /** Null where such a request cannot have it. */
  readonly add: (draft: Draft, operation: Known, caller: Caller) => Draft | null;
}

export type Place = "headers" | "query";

/** `input`: what a GET requires; `place`: where the credentials stand. */
export function draftOf(
  operation: Known,
  caller: Caller,
  input: Readonly<Record<string, unknown>>,
  place: Place,
): Draft {
  const { auth, method, parts } = operation;
  const name = nameOf(operation);
  const members = Object.entries(input).filter(([member]) => !parts.includes(member));
  const credentials = [[KEY, caller.key] as const, [PLATFORM, caller.platform] as const];
  return {
    method,
    path: "/api/",
    query: [
      ...(method === "GET"
        ? [["@", name] as const, ...members.map(([key, value]) => [key, String(value)] as const)]
        : []),
      ...(auth && place === "query" ? credentials : []),
    ],
    search: "",
    headers: [...(auth && place === "headers" ? credentials : []), ...(method === "POST" ? [JSON_BODY] : [])],
    body: method === "POST" ? { "@": name } : null,
    inner: "",
    tail: "",
  };
}

/** `path` is one of the endpoint's host, without the prefix of the target. */
export function written({ method, path, query, search, headers, body, inner, tail }: Draft): RawRequest {
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const all = [...pairs, search].filter((text) => text !== "").join("&");
  const text = `${body === null ? "" : JSON.stringify(body).replace(/}$/, `${inner}}`)}${tail}`;
  return {
    method,
    target: `${path}${all === "" ? "" : `?${all}`}`,
    headers,
    ...(text === "" ? {} : { body: Buffer.from(text, "latin1") }),
  };
}

/** Without a field or a parameter of the name. */
const without = (draft: Draft, name: string): Draft => ({
  ...draft,
  headers: draft.headers.filter(([each]) => each !== name),
  query: draft.query.filter(([each]) => each !== name),
});
const plus = (draft: Draft, ...fields: Draft["headers"]): Draft => ({
  ...draft,
  headers: [...draft.headers, ...fields],
});
const withHeader = (draft: Draft, name: string, value: string): Draft => plus(without(draft, name), [name, value]);
/** In place of the credential that stands there. */
const withCredential = (draft: Draft, name: string, value: string | null): Draft | null => {
  if (value === null) return null;
  const inQuery = draft.query.some(([each]) => each === name);
  const bare = without(draft, name);
  return inQuery ? { ...bare, query: [...bare.query, [name, value]] } : plus(bare, [name, value]);
};
const isPost = (draft: Draft) => draft.method === "POST";
/** Public operations judge no credentials. */
const ifGuarded =
  (add: (draft: Draft, caller: Caller) => Draft | null): Fault["add"] =>
  (draft, { auth }, caller) =>
    auth ? add(draft, caller) : null;

/** By which fault a request fails a step, and how that is refused; another thing for each of several. */
export const faults: Readonly<Record<Step, readonly Fault[]>> = {
  readHead: [
    {
      of: "fields",
      status: 431,
      code: "headers-too-large",
      add: (draft) => plus(draft, ...Array.from({ length: 101 }, (_, n) => [`X-Filler-${n}`, "x"] as const)),
    },
  ],
  findPath: [
    { of: "path", status: 404, code: "path-not-found", add: (draft) => ({ ...draft, path: "/no-such-path" }) },
  ],
  allowMethod: [
    { of: "method", status: 405, code: "method-not-allowed", add: (draft) => ({ ...draft, method: "PUT" }) },
  ],
  readQuery: [{ of: "search", status: 400, code: "malformed-query", add: (draft) => ({ ...draft, search: "%zz" }) }],
  readHeaders: [KEY, PLATFORM].map((name) => ({
    of: name,
    status: 400,
    code: "parameter-repeated" as const,
    add: (draft: Draft) => plus(without(draft, name), [name, "one"], [name, "another"]),
  })),
  judgeMediaType: [
    ["Content-Type", "text/plain"],
    ["Content-Encoding", "gzip"],
  ].map(([name = "", value = ""]) => ({
    of: name,
    status: 415,
    code: "unsupported-media-type",
    add: (draft) => (isPost(draft) ? withHeader(draft, name, value) : null),
  })),
  readBody: [
    {
      of: "size",
      status: 413,
      code: "content-too-large",
      add: (draft) => ({ ...draft, tail: `${draft.tail}${" ".repeat(65_537)}` }),
    },
  ],
  // No JSON, not UTF-8, a member that no parser should take, a level too many.
  parseBody: [",", ',"a":"\xff"', ',"__proto__":{}', `,"a":${"[".repeat(16)}${"]".repeat(16)}`].map((inner) => ({
    of: "text",
    status: 400,
    code: "malformed-json",
    add: (draft) => (isPost(draft) ? { ...draft, inner } : null),
  })),
  nameOperation: [{ of: "name", status: 400, code: "operation-missing", add: (draft) => named(draft, null) }],
  findOperation: [
    { of: "name", status: 404, code: "operation-not-found", add: (draft) => named(draft, "no.such.operation") },
  ],
  judgeMethod: ["GET", "HEAD"].map((method) => ({
    of: "method",
    status: 405,
    code: "method-not-allowed",
    add: (draft, operation) => {
      const name = nameOf(operation);
      if (isPost(draft)) return { ...draft, method, query: [["@", name]], body: null };
      if (method === "HEAD") return null;
      return plus({ ...draft, method: "POST", query: [], body: { "@": name } }, JSON_BODY);
    },
  })),
  readCredentials: [KEY, PLATFORM].map((name) => ({
    of: name,
    status: 400,
    code: "credential-conflict" as const,
    add: ifGuarded((draft) => {
      const inQuery = draft.query.some(([each]) => each === name);
      return inQuery ? plus(draft, [name, "another"]) : { ...draft, query: [...draft.query, [name, "another"]] };
    }),
  })),
  requireCredentials: [KEY, PLATFORM].map((name) => ({
    of: name,
    status: 401,
    code: "credentials-missing" as const,
    add: ifGuarded((draft) => without(draft, name)),
  })),
  authenticate: (["unknown", "expired", "revoked"] as const).map((kind) => ({
    of: KEY,
    status: 401,
    code: "credentials-invalid",
    add: ifGuarded((draft, caller) => withCredential(draft, KEY, kind === "unknown" ? "not-a-key" : caller[kind])),
  })),
  judgeScope: [
    {
      of: KEY,
      status: 403,
      code: "scope-missing",
      add: ifGuarded((draft, { scopeless }) => withCredential(draft, KEY, scopeless)),
    },
  ],
  judgePlatform: [
    {
      of: PLATFORM,
      status: 403,
      code: "platform-not-allowed",
      add: ifGuarded((draft) => withCredential(draft, PLATFORM, "no-such-platform")),
    },
  ],
  negotiate: [
    { of: "accept", status: 406, code: "not-acceptable", add: (draft) => plus(draft, ["Accept", "image/png"]) },
  ],
  judgeInput: [
    {
      of: "input",
      status: 422,
      code: "invalid-input",
      // A command is without its input already.
      add: (draft) => (isPost(draft) ? draft : { ...draft, query: [...draft.query, ["no-such-parameter", "1"]] }),
    },
  ],
  // Only ever behind another: what a handler refuses depends on what is there.
  handle: [
    {
      of: "record",
      status: 400,
      code: "invalid-cursor",
      add: (draft, { input }) =>
        "cursor" in input ? { ...draft, query: [...draft.query, ["cursor", "none-of-yours"]] } : null,
    },
  ],
};

function named(draft: Draft, name: string | null): Draft {
  if (draft.body) return { ...draft, body: name === null ? {} : { "@": name } };
  const rest = draft.query.filter(([key]) => key !== "@");
  return { ...draft, query: name === null ? rest : [["@", name], ...rest] };
}
