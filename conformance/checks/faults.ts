import type { Api, LiteralRequest } from "../client/api.ts";
import { asText, type Callable, every, guarded, nameOf, withoutParts } from "../client/operation.ts";
import type { Reply } from "../client/reply.ts";
import { wordOf } from "../client/word.ts";
import { contract } from "../contract.ts";

/** Faults of a request, by the step that rejects it: the only catalogue of rejected requests. */

const JSON_BODY = ["Content-Type", "application/json"] as const;
const KEY = "X-API-KEY";
const PLATFORM = "X-PLATFORM";

/** A valid call of an operation, or one with faults. A command has no `data`, so that it creates nothing. */
export interface Draft {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Appended to the query unchanged. */
  readonly search: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Inserted in the body unchanged, before and after its last brace: one byte for each character. */
  readonly inner: string;
  readonly tail: string;
}

/** The caller's credentials, and a word that is no valid key, platform or name: no server can have a special case for it. */
export interface Caller {
  readonly word: string;
  readonly key: string;
  readonly platform: string;
  /** A key without scopes, an expired one and a revoked one; null if the run has none. */
  readonly scopeless: string | null;
  readonly expired: string | null;
  readonly revoked: string | null;
}

/** One fault of a request, and the code of its rejection. */
export interface Fault {
  /** The part of the request that it changes: two faults of the same part cannot be combined. */
  readonly of: string;
  readonly code: string;
  /** Returns null if such a request cannot have this fault. */
  readonly add: (draft: Draft, operation: Callable, caller: Caller) => Draft | null;
}

export type Place = "headers" | "query";

type Input = Readonly<Record<string, unknown>>;

/** `input`: the required input of a GET; `place`: where the credentials are sent; `data`: the valid data of a command. */
export function draftOf(operation: Callable, caller: Caller, input: Input, place: Place, data?: Input): Draft {
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
    body: method === "POST" ? { "@": nameOf(operation), ...(data && { data }) } : null,
  };
}

/** The request for the HTTP client. To send it on a socket, prefix its target with the path of the base address. */
export function written({ method, path, query, search, headers, body, inner, tail }: Draft): LiteralRequest {
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const all = [...pairs, search].filter((text) => text !== "").join("&");
  const json = body === null ? "" : Buffer.from(JSON.stringify(body)).toString("latin1");
  const text = `${json.replace(/}$/, () => `${inner}}`)}${tail}`;
  return {
    method,
    target: `${path}${all === "" ? "" : `?${all}`}`,
    headers,
    ...(text === "" ? {} : { body: Buffer.from(text, "latin1") }),
  };
}

/** Without the header field or query parameter of this name. */
const without = (draft: Draft, name: string): Draft => ({
  ...draft,
  headers: draft.headers.filter(([each]) => each !== name),
  query: draft.query.filter(([each]) => each !== name),
});
const plus = (draft: Draft, ...fields: Draft["headers"]): Draft => ({
  ...draft,
  headers: [...draft.headers, ...fields],
});
/** Replaces a credential, where it is sent. */
const withCredential = (draft: Draft, name: string, value: string | null): Draft | null => {
  if (value === null) return null;
  const inQuery = draft.query.some(([each]) => each === name);
  const bare = without(draft, name);
  return inQuery ? { ...bare, query: [...bare.query, [name, value]] } : plus(bare, [name, value]);
};
const isPost = (draft: Draft) => draft.method === "POST";
const fault = (of: string, code: string, add: Fault["add"]): Fault => ({ of, code, add });
/** A fault that only a POST can have. */
const ofPost = (of: string, code: string, add: (draft: Draft, caller: Caller) => Draft): Fault =>
  fault(of, code, (draft, _, caller) => (isPost(draft) ? add(draft, caller) : null));
/** A fault that only calls with credentials can have: public operations do not check them. */
const ofGuarded = (of: string, code: string, add: (draft: Draft, caller: Caller) => Draft | null): Fault =>
  fault(of, code, (draft, { auth }, caller) => (auth ? add(draft, caller) : null));

const FILLERS = Array.from({ length: 101 }, (_, n) => [`X-Filler-${n}`, "x"] as const);
/** Invalid JSON, invalid UTF-8, a member that every parser should reject, one level too many; `~` marks the word. */
const INNER = [",~", ',"~":"\xff"', ',"__proto__":{"~":1}', `,"~":${"[".repeat(16)}${"]".repeat(16)}`];

/** The faults that each step rejects, with the code. If a step has several, they change different values. */
export const faults: Readonly<Record<string, readonly Fault[]>> = {
  readHead: [fault("fields", "headers-too-large", (draft) => plus(draft, ...FILLERS))],
  findPath: [fault("path", "path-not-found", (draft, _, { word }) => ({ ...draft, path: `/${word}` }))],
  allowMethod: [fault("method", "method-not-allowed", (draft) => ({ ...draft, method: "PUT" }))],
  readQuery: [
    fault("search", "malformed-query", (draft, _, { word }) => ({ ...draft, search: `%zz${word}` })),
    fault("search", "parameter-repeated", (draft, _, { word }) => ({ ...draft, search: `${word}=1&${word}=1` })),
  ],
  readHeaders: [KEY, PLATFORM].map((name) =>
    fault(name, "parameter-repeated", (draft, _, { word }) =>
      plus(without(draft, name), [name, word], [name, `${word}-2`]),
    ),
  ),
  checkMediaType: Object.entries({ "Content-Type": "text/", "Content-Encoding": "" }).map(([name, before]) =>
    ofPost(name, "unsupported-media-type", (draft, { word }) => plus(without(draft, name), [name, before + word])),
  ),
  readBody: [fault("size", "content-too-large", (draft) => ({ ...draft, tail: `${draft.tail}${" ".repeat(65_537)}` }))],
  parseBody: INNER.map((inner) =>
    ofPost("text", "malformed-json", (draft, { word }) => ({ ...draft, inner: inner.replace("~", word) })),
  ),
  nameOperation: [
    fault("name", "operation-missing", (draft) => named(draft, null)),
    ofPost("name", "operation-ambiguous", (draft, { word }) => ({ ...draft, query: [...draft.query, ["@", word]] })),
  ],
  findOperation: [fault("name", "operation-not-found", (draft, _, { word }) => named(draft, `no.${word}`))],
  checkMethod: ["GET", "HEAD"].map((method) =>
    fault("method", "method-not-allowed", (draft, operation) => {
      const name = nameOf(operation);
      if (isPost(draft)) return { ...draft, method, query: [["@", name]], body: null };
      if (method === "HEAD") return null;
      return plus({ ...draft, method: "POST", query: [], body: { "@": name } }, JSON_BODY);
    }),
  ),
  readCredentials: [KEY, PLATFORM].map((name) =>
    ofGuarded(name, "credential-conflict", (draft, { word }) => {
      const inQuery = draft.query.some(([each]) => each === name);
      return inQuery ? plus(draft, [name, word]) : { ...draft, query: [...draft.query, [name, word]] };
    }),
  ),
  requireCredentials: [KEY, PLATFORM].map((name) =>
    ofGuarded(name, "credentials-missing", (draft) => without(draft, name)),
  ),
  authenticate: (["unknown", "expired", "revoked"] as const).map((kind) =>
    ofGuarded(KEY, "credentials-invalid", (draft, caller) =>
      withCredential(draft, KEY, kind === "unknown" ? caller.word : caller[kind]),
    ),
  ),
  checkScope: [ofGuarded(KEY, "scope-missing", (draft, { scopeless }) => withCredential(draft, KEY, scopeless))],
  checkPlatform: [
    ofGuarded(PLATFORM, "platform-not-allowed", (draft, { word }) => withCredential(draft, PLATFORM, word)),
  ],
  // Needs many requests of one caller: see credentials/limits.ts.
  limitRate: [],
  negotiate: [fault("accept", "not-acceptable", (draft, _, { word }) => plus(draft, ["Accept", `image/${word}`]))],
  validateInput: [
    fault("input", "invalid-input", (draft, _, { word }) =>
      draft.body ? { ...draft, body: { "@": draft.body["@"] } } : { ...draft, query: [...draft.query, [word, "1"]] },
    ),
    // Values of wrong types: a server may check types and names separately.
    fault("input", "invalid-input", (draft, { input, exampleFrom }, { word }) => {
      // Leaves out members that identify a record: a lax deployment might find an existing record by them.
      const wrong = Object.keys(input).flatMap((name) => (name in exampleFrom ? [] : [[name, [{}]] as const]));
      if (draft.body) return { ...draft, body: { ...draft.body, data: { ...Object.fromEntries(wrong), [word]: 1 } } };
      const integers = Object.keys(input).filter((name) => input[name]?.type === "integer");
      const query = [...draft.query, ...integers.map((name) => [name, word] as const)];
      return integers.length === 0 ? null : { ...draft, query };
    }),
  ],
  handle: [
    fault("record", "invalid-cursor", (draft, { input }, { word }) =>
      "cursor" in input ? { ...draft, query: [...draft.query, ["cursor", word]] } : null,
    ),
    fault("name", "document-not-found", (draft, { id, problems }, { word }) =>
      problems.includes("document-not-found") ? named(draft, `${id}.${word}`) : null,
    ),
  ],
};

function named(draft: Draft, name: string | null): Draft {
  const { "@": _, ...others } = draft.body ?? {};
  if (draft.body) return { ...draft, body: { ...(name !== null && { "@": name }), ...others } };
  const rest = draft.query.filter(([key]) => key !== "@");
  return { ...draft, query: name === null ? rest : [["@", name], ...rest] };
}

/** Steps whose faults no client should send: sent only where hostile requests are allowed. */
export const hostile: readonly string[] = ["readHead", "readBody"];

/** A fault, with an operation that can have it. */
export interface Faulty extends Fault {
  readonly step: string;
  readonly operation: Callable;
}

export const anybody: Caller = { word: "w", key: "k", platform: "p", scopeless: null, expired: null, revoked: null };

/** The faults of an operation that need no special key, in the order of checks. */
export const faultsOf = (
  operation: Callable,
  steps: readonly string[] = contract.steps.map(({ step }) => step),
): readonly Faulty[] =>
  steps.flatMap((step) =>
    (faults[step] ?? []).flatMap((one) =>
      one.add(draftOf(operation, anybody, {}, "headers"), operation, anybody) ? [{ ...one, step, operation }] : [],
    ),
  );

/** The first of each kind. */
const oneEach = (all: readonly Faulty[], kindOf: (one: Faulty) => string): readonly Faulty[] => {
  const kinds = all.map(kindOf);
  return all.filter((_, at) => kinds.indexOf(kinds[at] ?? "") === at);
};

/** One request for each step, code and method, each with a single fault; none of them can create anything. */
export const refusals: readonly Faulty[] = contract.steps
  .filter(({ step }) => !hostile.includes(step))
  .flatMap(({ step }) =>
    oneEach(
      [...guarded, ...every].flatMap((operation) => faultsOf(operation, [step])),
      ({ code, operation: { method } }) => `${code} ${method}`,
    ),
  );

export function callerOf(api: Api, word = wordOf(api)): Caller {
  const { key, platform } = api;
  const { special } = api.credentials;
  const [scopeless = null, expired = null, revoked = null] = [special.noScopes, special.expired, special.revoked].map(
    (one) => one?.key ?? null,
  );
  return { word, key, platform, scopeless, expired, revoked };
}

/** The request with its fault. `data`: the data of a command, which would succeed without the fault. */
export function faulty(api: Api, { operation, add }: Faulty, data?: Input, word?: string): Draft {
  const caller = callerOf(api, word);
  const draft = draftOf(operation, caller, api.required(operation.id), "headers", data);
  return add(draft, operation, caller) ?? draft;
}

/** Sends the request with additional fields, and with an `Accept-Language` that no deployment has texts for. */
export const sendFaulty = (api: Api, fault: Faulty, fields: Draft["headers"] = [], word?: string): Promise<Reply> =>
  api.request(
    written(plus(faulty(api, fault, undefined, word), ["Accept-Language", "fr-CH, fr;q=0.9, de;q=0.8"], ...fields)),
  );
