import { callerOf, draftOf, faultsOf, written } from "../../checks/faults.ts";
import type { CallCredentials, CallOptions, Placement } from "../../client/call.ts";
import { nameOf, queryOf, simplest } from "../../client/operation.ts";
import { wireOfLiteral } from "../../client/send.ts";
import { wordOf } from "../../client/word.ts";
import type { Operation } from "../../oracle/contract.ts";
import { type Asking, type Case, type List, withCredentialsInQuery } from "../list.ts";
import { junk, long, lookalikes, queryJunk, spelledOtherwise, surrounded, wrapped } from "./values.ts";

/** Authentication and authorization (G4, D16 to D20): requests only. */

const KEY = "X-API-KEY";
const PLATFORM = "X-PLATFORM";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const escaped = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");
const texts = (values: readonly (readonly [string, string])[]) => values.map(([, value]) => value);

/** Spellings of the same header name. */
const SPELLED = [
  (name: string) => name,
  (name: string) => name.toLowerCase(),
  (name: string) => name.replace(/[AEIOUX]/g, (letter) => letter.toLowerCase()),
  (name: string) => name.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
];

/** Parameter names that are different names. */
const misspelled = (name: string) => [
  ...SPELLED.slice(1).map((spell) => spell(name)),
  ...[`${name}[]`, `${name}[0]`, ` ${name}`, `${name} `, `${name}\0`, `${name}.`],
  ...[name.replaceAll("-", "_"), name.replaceAll("-", "")],
  ...(name === KEY ? ["api_key", "apikey", "key"] : ["platform"]),
];

type Fields = Readonly<Record<string, string>>;

/** Headers in which a key is ignored. */
const keyElsewhere = (key: string): readonly Fields[] => [
  ...["Bearer ", "ApiKey ", "Token ", `${KEY} `, ""].map((scheme) => ({ Authorization: scheme + key })),
  ...[`${key}:`, `api:${key}`].map((pair) => ({ Authorization: `Basic ${base64(pair)}` })),
  ...[`${KEY}=${key}`, `x-api-key=${key}; api_key=${key}; key=${key}`, `token=${key}`].map((Cookie) => ({ Cookie })),
  ...["X_API_KEY", "API-KEY", "ApiKey", "X-Auth-Token", "X-API-TOKEN", "X-Access-Token"].map((name) => ({
    [name]: key,
  })),
  { "Proxy-Authorization": `Bearer ${key}` },
  { "Sec-CH-UA-Platform": `"${key}"` },
];

/** Headers in which a platform is ignored. */
const platformElsewhere = (platform: string): readonly Fields[] => [
  { Cookie: `${PLATFORM}=${platform}; platform=${platform}` },
  ...["Platform", "X-Client-Platform", "X_PLATFORM", "User-Agent"].map((name) => ({ [name]: platform })),
  ...[`Bearer ${platform}`, platform, `Basic ${base64(`api:${platform}`)}`].map((Authorization) => ({ Authorization })),
  { "Proxy-Authorization": `Bearer ${platform}` },
  { "Sec-CH-UA-Platform": `"${platform}"` },
];

/** Headers that a server behind a proxy may trust as from an internal caller, or as a preflight. */
const FROM_WITHIN: readonly Fields[] = [
  { "X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "X-Forwarded-Host": "localhost" },
  { Forwarded: "for=127.0.0.1;host=localhost;proto=https", "X-Internal": "true", "X-Internal-Request": "1" },
  { "X-Remote-User": "admin", "X-Forwarded-User": "admin", "Remote-User": "admin" },
  { "X-Original-URL": `/api/?@=${simplest.name}`, "X-Rewrite-URL": `/api/?@=${simplest.name}` },
  { "User-Agent": "kube-probe/1.30", "If-None-Match": "*" },
  { "User-Agent": "ELB-HealthChecker/2.0", "If-Modified-Since": "Wed, 01 Jan 2025 00:00:00 GMT" },
  { Origin: "https://app.example", "Access-Control-Request-Method": "GET" },
  { "X-Requested-With": "XMLHttpRequest", "Sec-Fetch-Site": "same-origin", Range: "bytes=0-0" },
  { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
  { Referer: "http://127.0.0.1/" },
  { "Idempotency-Key": "conformance" },
];

/** One of the two credentials: its name, its valid value, and a call that places it while the other is valid. */
interface Kind {
  readonly name: string;
  readonly good: string;
  readonly elsewhere: readonly Fields[];
  readonly place: (placement: Placement) => CallCredentials;
}

const kindsOf = ({ api: { key, platform } }: Asking): readonly Kind[] => [
  {
    ...{ name: KEY, good: key, elsewhere: keyElsewhere(key) },
    place: (placement) => ({ key: placement, platform: { header: platform } }),
  },
  {
    ...{ name: PLATFORM, good: platform, elsewhere: platformElsewhere(platform) },
    place: (placement) => ({ key: { header: key }, platform: placement }),
  },
];

const nobody = ({ api }: Asking) => wordOf(api);
const optional = (header?: string, query?: string): Placement => ({
  ...(header !== undefined && { header }),
  ...(query !== undefined && { query }),
});

/** The query of a call with further parameters, each as written. */
const search = (asking: Asking, operation: Operation, ...more: string[]) => {
  const known = operation.method === "GET" ? [queryOf(operation, asking.input(operation))] : [];
  return [...known, ...more].join("&");
};

type Sending = (of: string, all: Iterable<CallOptions>) => Generator<Case>;

/** Each credential absent, empty, valid and unknown, in each of its places: all 256 combinations. */
function* combinations(asking: Asking, operation: Operation, each: Sending): Generator<Case> {
  const { api } = asking;
  const unknown = nobody(asking);
  const values = (good: string) => [undefined, "", good, unknown];
  const pairs = (good: string) => values(good).flatMap((one) => values(good).map((other) => [one, other] as const));
  for (const [a, b] of pairs(api.key))
    for (const [c, d] of pairs(api.platform)) {
      const credentials = { key: optional(a, b), platform: optional(c, d) };
      const of = combinationOf(operation, [a, b, c, d], unknown);
      yield* each(of, [{ credentials }]);
      if (operation.method === "GET" && ![a, b, c, d].includes("")) yield* each(of, [{ method: "HEAD", credentials }]);
    }
}

/** The requirement that a combination tests. */
function combinationOf({ id }: Operation, all: readonly (string | undefined)[], unknown: string): string {
  const [a, b, c, d] = all;
  if ((a && b && a !== b) || (c && d && c !== d)) return "credentials/conflict";
  if (all.includes("")) return "credentials/empty";
  if (a === unknown || b === unknown) return "credentials/invalid";
  if (c === unknown || d === unknown) return "credentials/platform";
  if ((a && b) || (c && d)) return "credentials/same-twice";
  return all.filter(Boolean).length < 2 ? "credentials/missing" : `${id}/placements`;
}

/** Unknown or nearly right values, in either place and together with the right one. */
function* values(asking: Asking, operation: Operation, each: Sending): Generator<Case> {
  const kinds = kindsOf(asking);
  for (const { name, good, place } of kinds) {
    const other = kinds.find((one) => one.name !== name);
    const wrong = [...texts([...lookalikes(good), ...wrapped(good), ...junk, long]), other?.good ?? ""];
    const inQuery = [...wrong, ...texts([...surrounded(good), ...queryJunk])];
    yield* each("credentials/whole", [
      ...wrong.map((header) => ({ credentials: place({ header }) })),
      ...inQuery.map((query) => ({ credentials: place({ query }) })),
    ]);
    const others = other ? [`${other.name}=${encodeURIComponent(other.good)}`] : [];
    yield* each(
      "credentials/whole",
      texts(spelledOtherwise(good)).map((text) => ({
        ...{ credentials: "none" as const, rawQuery: search(asking, operation, `${name}=${text}`, ...others) },
      })),
    );
    yield* each(
      "credentials/conflict",
      inQuery.map((query) => ({ credentials: place({ header: good, query }) })),
    );
  }
}

/** The valid values under other names and in other places. */
function* places(asking: Asking, operation: Operation, each: Sending): Generator<Case> {
  const { api } = asking;
  const unknown = nobody(asking);
  for (const { name, good, elsewhere, place } of kindsOf(asking)) {
    const none = place({});
    yield* each(
      "credentials/nowhere-else",
      elsewhere.map((headers) => ({ credentials: none, headers })),
    );
    const members = { [name]: good, [name.toLowerCase()]: good, apiKey: good, platform: good };
    const input = asking.input(operation);
    const body = { "@": nameOf(operation, input), ...members, data: { ...input, ...members } };
    const type = operation.method === "POST" ? "application/json" : "application/x-www-form-urlencoded";
    yield* each("credentials/nowhere-else", [
      { credentials: none, body: { ...body, headers: members, auth: members } },
      { credentials: none, body: new URLSearchParams(members).toString(), headers: { "Content-Type": type } },
    ]);
    yield* each(
      "credentials/query-case",
      misspelled(name).flatMap(
        (one) => [{ credentials: none, query: [[one, good]] }, { query: [[one, good]] }] as const,
      ),
    );
    yield* each(
      "credentials/header-case",
      SPELLED.flatMap((spell) => [
        { credentials: none, headers: { [spell(name)]: good } },
        { credentials: "none" as const, headers: { [spell(name)]: good } },
      ]),
    );
  }
  // An unknown key in another place does not affect the valid one, and a valid one there does not make an unknown key valid.
  yield* each(
    "credentials/nowhere-else",
    keyElsewhere(unknown).map((headers) => ({ headers })),
  );
  const wrong = { key: { header: unknown }, platform: { header: api.platform } };
  yield* each(
    "credentials/nowhere-else",
    keyElsewhere(api.key).map((headers) => ({ credentials: wrong, headers })),
  );
  const [key, platform] = [`${KEY}=${escaped(api.key)}`, `${PLATFORM}=${escaped(api.platform)}`];
  yield* each("credentials/same-twice", [{ rawQuery: search(asking, operation, key, platform) }]);
  const named = `X%2DAPI%2dKEY=${encodeURIComponent(api.key)}&%58-PLATFORM=${encodeURIComponent(api.platform)}`;
  yield* each("credentials/query-case", [{ credentials: "none", rawQuery: search(asking, operation, named) }]);
  yield* each(
    "credentials/empty",
    (["good", "none"] as const).map((credentials) => ({
      ...{ credentials, rawQuery: search(asking, operation, KEY, PLATFORM) },
    })),
  );
}

/** The operation, named so that a lax component in front of it may not recognize it. */
function* disguised(asking: Asking, operation: Operation, each: Sending): Generator<Case> {
  const { api, call } = asking;
  const none = { credentials: "none" } as const;
  yield* each(
    "credentials/missing",
    FROM_WITHIN.map((headers) => ({ ...none, headers })),
  );
  const input = asking.input(operation);
  const [name, data] = [JSON.stringify(nameOf(operation, input)), JSON.stringify(input)];
  const hex = operation.id.charCodeAt(0).toString(16);
  const own = search(asking, operation).replace(/^@=/, "");
  const platform = `${PLATFORM}=${encodeURIComponent(api.platform)}`;
  const queries = [
    ...[`%40=${own}`, `${platform}&@=${own}`, `x=1&@=${own}`, `&@=${own}`],
    ...[`@=%${hex}${own.slice(1)}`, `@=${own.replace(".", "%2E")}`, `@=${own}&%58-PLATFORM=${api.platform}`],
  ];
  const bodies = [
    ...[`{"data":${data},"@":${name}}`, `\r\n\t {"@":${name} , "data" :${data}}\n`],
    ...[`{"\\u0040":${name},"data":${data}}`, `{"@":"\\u00${hex}${name.slice(2)},"data":${data}}`],
    ...[
      `{"@":"${simplest.name}","@":${name},"data":${data}}`,
      `{"@":${name},"data":${data.replace("{", `{"@":"${simplest.name}",`)}}`,
    ],
  ];
  const spelled =
    operation.method === "GET" ? queries.map((rawQuery) => ({ rawQuery })) : bodies.map((body) => ({ body }));
  yield* each(
    "credentials/missing",
    spelled.map((one) => ({ ...none, ...one })),
  );
  const anonymous = call(operation, none);
  yield ["credentials/missing", { ...anonymous, target: new URL(api.url).origin + anonymous.target }];
  yield ["credentials/missing", { ...anonymous, version: "1.0" }];
}

/** Header fields that any request may have: none of them skips a step. */
const OPTIONAL: readonly Fields[] = [
  { "Idempotency-Key": "conformance" },
  { "If-None-Match": "*", Range: "bytes=0-0", Prefer: "return=minimal" },
];

/** Each rejection together with header fields that any request may have. */
function* besideOptional(asking: Asking, _: Operation, each: Sending): Generator<Case> {
  const { key, platform, credentials } = asking.api;
  const unknown = nobody(asking);
  const good = { key: { header: key }, platform: { header: platform } };
  const rejected: readonly (readonly [of: string, credentials: CallCredentials])[] = [
    ["credentials/missing", "none"],
    ["credentials/missing", { ...good, platform: {} }],
    ["credentials/conflict", { ...good, key: { header: key, query: unknown } }],
    ["credentials/invalid", { ...good, key: { header: unknown } }],
    ["credentials/platform", { ...good, platform: { header: unknown } }],
    ...Object.entries(credentials.special).map(([name, one]) => {
      const placed = { key: { header: one.key }, platform: { header: one.platform } };
      return [SPECIAL[name] ?? "credentials/scope", placed] as const;
    }),
  ];
  for (const [of, credentials] of rejected)
    yield* each(
      of,
      OPTIONAL.map((headers) => ({ credentials, headers })),
    );
}

const SPECIAL: Readonly<Record<string, string>> = {
  otherPlatform: "credentials/platform-of-key",
  expired: "credentials/expired",
  revoked: "credentials/revoked",
};

/** Every special key, in all four places. */
function* special({ api }: Asking, operation: Operation, each: Sending): Generator<Case> {
  for (const [name, { key, platform }] of Object.entries(api.credentials.special)) {
    const of = SPECIAL[name] ?? "credentials/scope";
    for (const placedKey of [{ header: key }, { query: key }])
      for (const placed of [{ header: platform }, { query: platform }]) {
        const credentials = { key: placedKey, platform: placed };
        yield* each(of, [{ credentials }]);
        if (operation.method === "GET") yield* each(of, [{ method: "HEAD", credentials }]);
      }
  }
}

/** Any credentials on operations that need none; nothing of them is returned. */
function* open(asking: Asking, operation: Operation): Generator<Case> {
  const { api, call } = asking;
  const unknown = nobody(asking);
  const all = ["", unknown, unknownKey(asking), long[1], ...texts([...junk, ...lookalikes(api.key).slice(0, 3)])];
  const usual: CallOptions[] = [
    ...[{ credentials: "none" as const }, { credentials: "good" as const }, { credentials: "query" as const }],
    { headers: { Authorization: `Bearer ${unknown}`, Cookie: `${KEY}=${unknown}` } },
  ];
  const wrong: CallOptions[] = all.flatMap((value) => [
    { credentials: { key: { header: value, query: value }, platform: { query: value } } },
    { credentials: { key: { header: value }, platform: { header: api.platform, query: value } } },
  ]);
  if (operation.auth) {
    for (const options of wrong.slice(0, 6)) yield ["credentials/never-shown", call(operation, options)];
    return;
  }
  for (const options of [...usual, ...wrong]) yield ["credentials/public", call(operation, options)];
  for (const options of [...usual, ...wrong.slice(0, 2)])
    yield ["credentials/public", call(operation, { ...options, method: "HEAD" })];
  // Similar names: parameters that the operation does not have.
  for (const { name, good } of kindsOf(asking))
    for (const one of misspelled(name)) yield ["credentials/query-case", call(operation, { query: [[one, good]] })];
}

/** A key that no deployment has, recognized wherever it is returned. */
const unknownKey = ({ api }: Asking) => `${api.key.slice(0, 4)}conformance${api.runId}zq7`;

/** Any fault of a request, in any step and on any path, with a key that no deployment has. */
function* secrets(asking: Asking): Generator<Case> {
  const { api, operations } = asking;
  const secret = unknownKey(asking);
  for (const operation of operations) {
    const caller = { ...callerOf(api), key: secret };
    const draft = draftOf(operation, caller, asking.input(operation), "headers", { [secret]: secret });
    for (const { add } of faultsOf(operation)) {
      const one = add(draft, operation, caller);
      if (one) yield ["credentials/never-shown", wireOfLiteral(api, written(one))];
    }
  }
  const query = `${KEY}=${secret}`;
  const paths = `/ /api /api/ /api/x /API/ //api/ /no-such-path /no-such-path/${secret} /robots.txt`.split(" ");
  const calls = [simplest.name, nobody(asking)].flatMap((name) =>
    ["", `&${query}`, "%ff"].map((more) => `/api/?@=${name}&${query}${more}`),
  );
  const headers = [
    [KEY, secret],
    [PLATFORM, secret],
  ] as const;
  for (const method of ["GET", "OPTIONS", "DELETE"])
    for (const target of [...paths.map((path) => `${path}?${query}`), ...calls])
      yield ["credentials/never-shown", wireOfLiteral(api, { method, target, headers })];
}

export const credentials: List = function* (asking) {
  const { operations } = asking;
  // For some variations one query is enough: credentials are read by the same code for all operations.
  const first = operations.find(({ auth, method }) => auth && method === "GET");
  for (const operation of operations.filter(({ auth }) => auth)) {
    const each: Sending = function* (of, all) {
      // Its own request id, which a law compares: rejected callers get theirs too.
      for (const options of all)
        yield [
          of,
          asking.call(operation, { ...options, headers: { "X-Request-Id": asking.api.runId, ...options.headers } }),
        ];
    };
    for (const part of [combinations, values, places, disguised, besideOptional, special])
      yield* part(asking, operation, each);
    const byHead: Sending = (of, all) =>
      each(
        of,
        [...all].map((options) => ({ method: "HEAD", ...options })),
      );
    if (operation !== first) continue;
    for (const part of [values, places]) yield* part(asking, operation, byHead);
    // With the other credential in the query.
    for (const [of, request] of places(asking, operation, each)) yield [of, withCredentialsInQuery(request)];
  }
  for (const operation of operations) yield* open(asking, operation);
  yield* secrets(asking);
};
