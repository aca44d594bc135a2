import type { ProblemCode } from "../../generated/operations.ts";
import type { Api, LiteralRequest } from "../client/api.ts";
import { asText, type Callable, every, guarded, type Known, nameOf, withoutParts } from "../client/operation.ts";
import type { Reply } from "../client/reply.ts";
import { contract } from "../contract.ts";
import { nobodys } from "./probe.ts";

/** What can be wrong with a request, by the step that refuses it: the one catalogue of requests that are refused. */

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

/** Who calls, and the word that stands for whatever is nobody's: no server can have been written for it. */
export interface Caller {
  readonly word: string;
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
  readonly add: (draft: Draft, operation: Callable, caller: Caller) => Draft | null;
}

export type Place = "headers" | "query";

type Input = Readonly<Record<string, unknown>>;

/** `input`: what a GET requires; `place`: where the credentials stand; `data`: that of a command that would be carried out. */
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

/** As it is sent through the HTTP client; for a socket, its target wants the prefix of the base address. */
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
const ofPost = (of: string, code: ProblemCode, add: (draft: Draft, caller: Caller) => Draft): Fault =>
  fault(of, code, (draft, _, caller) => (isPost(draft) ? add(draft, caller) : null));
/** The same where credentials are judged: public operations judge none. */
const ofGuarded = (of: string, code: ProblemCode, add: (draft: Draft, caller: Caller) => Draft | null): Fault =>
  fault(of, code, (draft, { auth }, caller) => (auth ? add(draft, caller) : null));

const FILLERS = Array.from({ length: 101 }, (_, n) => [`X-Filler-${n}`, "x"] as const);
/** No JSON, not UTF-8, a member that no parser should take, a level too many; the word at `~`. */
const INNER = [",~", ',"~":"\xff"', ',"__proto__":{"~":1}', `,"~":${"[".repeat(16)}${"]".repeat(16)}`];

/** By which fault a request fails a step, and how that is refused; another thing for each of several. */
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
  judgeMediaType: Object.entries({ "Content-Type": "text/", "Content-Encoding": "" }).map(([name, before]) =>
    ofPost(name, "unsupported-media-type", (draft, { word }) => plus(without(draft, name), [name, before + word])),
  ),
  readBody: [fault("size", "content-too-large", (draft) => ({ ...draft, tail: `${draft.tail}${" ".repeat(65_537)}` }))],
  parseBody: INNER.map((inner) =>
    ofPost("text", "malformed-json", (draft, { word }) => ({ ...draft, inner: inner.replace("~", word) })),
  ),
  nameCallable: [
    fault("name", "operation-missing", (draft) => named(draft, null)),
    ofPost("name", "operation-ambiguous", (draft, { word }) => ({ ...draft, query: [...draft.query, ["@", word]] })),
  ],
  findCallable: [fault("name", "operation-not-found", (draft, _, { word }) => named(draft, `no.${word}`))],
  judgeMethod: ["GET", "HEAD"].map((method) =>
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
  judgeScope: [ofGuarded(KEY, "scope-missing", (draft, { scopeless }) => withCredential(draft, KEY, scopeless))],
  judgePlatform: [
    ofGuarded(PLATFORM, "platform-not-allowed", (draft, { word }) => withCredential(draft, PLATFORM, word)),
  ],
  // Takes many requests, and whose calls they are: see credentials/limits.ts.
  limitRate: [],
  negotiate: [fault("accept", "not-acceptable", (draft, _, { word }) => plus(draft, ["Accept", `image/${word}`]))],
  judgeInput: [
    fault("input", "invalid-input", (draft, _, { word }) =>
      draft.body ? { ...draft, body: { "@": draft.body["@"] } } : { ...draft, query: [...draft.query, [word, "1"]] },
    ),
    // Values of no type that is asked for: a server may judge them apart from names.
    fault("input", "invalid-input", (draft, { input, exampleFrom }, { word }) => {
      // What says which record stays away: a lax deployment might take it for somebody's.
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

/** What no client should send, and so is only sent where that is allowed. */
export const hostile: readonly string[] = ["readHead", "readBody"];

/** A fault that an operation can have. */
export interface Faulty<Of extends Callable = Known> extends Fault {
  readonly step: string;
  readonly operation: Of;
}

export const anybody: Caller = { word: "w", key: "k", platform: "p", scopeless: null, expired: null, revoked: null };

/** Those of an operation, in the order of judgement, that need no special key. */
export const faultsOf = <Of extends Callable>(
  operation: Of,
  steps: readonly string[] = contract.steps.map(({ step }) => step),
): readonly Faulty<Of>[] =>
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

/** One request for each step, code and method, each refused for one fault alone; nothing could be created by it. */
export const refusals: readonly Faulty[] = contract.steps
  .filter(({ step }) => !hostile.includes(step))
  .flatMap(({ step }) =>
    oneEach(
      [...guarded, ...every].flatMap((operation) => faultsOf(operation, [step])),
      ({ code, operation: { method } }) => `${code} ${method}`,
    ),
  );

/** One for each code. */
export const codes: readonly Faulty[] = oneEach(refusals, ({ code }) => code);

export function callerOf(api: Api, word = nobodys(api)): Caller {
  const { key, platform } = api;
  const { special } = api.credentials;
  const [scopeless = null, expired = null, revoked = null] = [special.noScopes, special.expired, special.revoked].map(
    (one) => one?.key ?? null,
  );
  return { word, key, platform, scopeless, expired, revoked };
}

/** The request with its fault. `data`: of a command that would be carried out but for it. */
export function faulty(api: Api, { operation, add }: Faulty, data?: Input, word?: string): Draft {
  const caller = callerOf(api, word);
  const draft = draftOf(operation, caller, api.required(operation.id), "headers", data);
  return add(draft, operation, caller) ?? draft;
}

/** Sends it, beside further fields; in a language of the caller's own, in which no code is told. */
export const sendFaulty = (api: Api, fault: Faulty, fields: Draft["headers"] = [], word?: string): Promise<Reply> =>
  api.request(
    written(plus(faulty(api, fault, undefined, word), ["Accept-Language", "fr-CH, fr;q=0.9, de;q=0.8"], ...fields)),
  );
