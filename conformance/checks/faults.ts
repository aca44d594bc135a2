import type { ProblemCode } from "../../../generated/operations.ts";
import type { Step } from "../../../generated/order.ts";
import { asText, type Known, nameOf, withoutParts } from "../../client/operation.ts";
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

/** One thing wrong with a request, and the code that it is refused with. */
export interface Fault {
  /** What of the request it changes: two faults of one thing cannot be sent together. */
  readonly of: string;
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
  const { auth, method } = operation;
  const members = Object.entries({ "@": nameOf(operation, input), ...withoutParts(operation, input) });
  const credentials = auth
    ? ([
        [KEY, caller.key],
        [PLATFORM, caller.platform],
      ] as const)
    : [];
  return {
    ...{ method, path: "/api/", search: "", inner: "", tail: "" },
    query: [
      ...(method === "GET" ? members.map(([name, value]) => [name, asText(value)] as const) : []),
      ...(place === "query" ? credentials : []),
    ],
    headers: [...(place === "headers" ? credentials : []), ...(method === "POST" ? [JSON_BODY] : [])],
    body: method === "POST" ? { "@": nameOf(operation) } : null,
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
/** In place of the credential that stands there. */
const withCredential = (draft: Draft, name: string, value: string | null): Draft | null => {
  if (value === null) return null;
  const inQuery = draft.query.some(([each]) => each === name);
  const bare = without(draft, name);
  return inQuery ? { ...bare, query: [...bare.query, [name, value]] } : plus(bare, [name, value]);
};
const isPost = (draft: Draft) => draft.method === "POST";
const fault = (of: string, code: ProblemCode, add: Fault["add"]): Fault => ({ of, code, add });
/** The same of a POST alone. */
const ofPost = (of: string, code: ProblemCode, add: (draft: Draft) => Draft): Fault =>
  fault(of, code, (draft) => (isPost(draft) ? add(draft) : null));
/** The same where credentials are judged: public operations judge none. */
const ofGuarded = (of: string, code: ProblemCode, add: (draft: Draft, caller: Caller) => Draft | null): Fault =>
  fault(of, code, (draft, { auth }, caller) => (auth ? add(draft, caller) : null));

const FILLERS = Array.from({ length: 101 }, (_, n) => [`X-Filler-${n}`, "x"] as const);
/** No JSON, not UTF-8, a member that no parser should take, a level too many. */
const INNER = [",", ',"a":"\xff"', ',"__proto__":{}', `,"a":${"[".repeat(16)}${"]".repeat(16)}`];

/** By which fault a request fails a step, and how that is refused; another thing for each of several. */
export const faults: Readonly<Record<Step, readonly Fault[]>> = {
  readHead: [fault("fields", "headers-too-large", (draft) => plus(draft, ...FILLERS))],
  findPath: [fault("path", "path-not-found", (draft) => ({ ...draft, path: "/no-such-path" }))],
  allowMethod: [fault("method", "method-not-allowed", (draft) => ({ ...draft, method: "PUT" }))],
  readQuery: [fault("search", "malformed-query", (draft) => ({ ...draft, search: "%zz" }))],
  readHeaders: [KEY, PLATFORM].map((name) =>
    fault(name, "parameter-repeated", (draft) => plus(without(draft, name), [name, "one"], [name, "another"])),
  ),
  judgeMediaType: Object.entries({ "Content-Type": "text/plain", "Content-Encoding": "gzip" }).map(([name, value]) =>
    ofPost(name, "unsupported-media-type", (draft) => plus(without(draft, name), [name, value])),
  ),
  readBody: [fault("size", "content-too-large", (draft) => ({ ...draft, tail: `${draft.tail}${" ".repeat(65_537)}` }))],
  parseBody: INNER.map((inner) => ofPost("text", "malformed-json", (draft) => ({ ...draft, inner }))),
  nameOperation: [fault("name", "operation-missing", (draft) => named(draft, null))],
  findOperation: [fault("name", "operation-not-found", (draft) => named(draft, "no.such.operation"))],
  judgeMethod: ["GET", "HEAD"].map((method) =>
    fault("method", "method-not-allowed", (draft, operation) => {
      const name = nameOf(operation);
      if (isPost(draft)) return { ...draft, method, query: [["@", name]], body: null };
      if (method === "HEAD") return null;
      return plus({ ...draft, method: "POST", query: [], body: { "@": name } }, JSON_BODY);
    }),
  ),
  readCredentials: [KEY, PLATFORM].map((name) =>
    ofGuarded(name, "credential-conflict", (draft) => {
      const inQuery = draft.query.some(([each]) => each === name);
      return inQuery ? plus(draft, [name, "another"]) : { ...draft, query: [...draft.query, [name, "another"]] };
    }),
  ),
  requireCredentials: [KEY, PLATFORM].map((name) =>
    ofGuarded(name, "credentials-missing", (draft) => without(draft, name)),
  ),
  authenticate: (["unknown", "expired", "revoked"] as const).map((kind) =>
    ofGuarded(KEY, "credentials-invalid", (draft, caller) =>
      withCredential(draft, KEY, kind === "unknown" ? "not-a-key" : caller[kind]),
    ),
  ),
  judgeScope: [ofGuarded(KEY, "scope-missing", (draft, { scopeless }) => withCredential(draft, KEY, scopeless))],
  judgePlatform: [
    ofGuarded(PLATFORM, "platform-not-allowed", (draft) => withCredential(draft, PLATFORM, "no-such-platform")),
  ],
  // Takes many requests, and whose calls they are: see checks/limits.ts.
  limitRate: [],
  negotiate: [fault("accept", "not-acceptable", (draft) => plus(draft, ["Accept", "image/png"]))],
  judgeInput: [
    // A command is without its input already.
    fault("input", "invalid-input", (draft) =>
      isPost(draft) ? draft : { ...draft, query: [...draft.query, ["no-such-parameter", "1"]] },
    ),
    // Values of no type that is asked for: a server may judge them apart from names.
    fault("input", "invalid-input", (draft, { input }) => {
      const wrong = Object.keys(input).map((name) => [name, [{}]] as const);
      if (draft.body)
        return { ...draft, body: { ...draft.body, data: { ...Object.fromEntries(wrong), "no-such": 1 } } };
      const integers = Object.keys(input).filter((name) => input[name]?.type === "integer");
      const query = [...draft.query, ...integers.map((name) => [name, "none"] as const)];
      return integers.length === 0 ? null : { ...draft, query };
    }),
  ],
  // Only ever behind another: what a handler refuses depends on what is there.
  handle: [
    fault("record", "invalid-cursor", (draft, { input }) =>
      "cursor" in input ? { ...draft, query: [...draft.query, ["cursor", "none-of-yours"]] } : null,
    ),
  ],
};

function named(draft: Draft, name: string | null): Draft {
  if (draft.body) return { ...draft, body: name === null ? {} : { "@": name } };
  const rest = draft.query.filter(([key]) => key !== "@");
  return { ...draft, query: name === null ? rest : [["@", name], ...rest] };
}
