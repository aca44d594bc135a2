import { callerOf, faults as catalogue, draftOf, faultsOf, written } from "../../checks/faults.ts";
import { credentialFields, JSON_TYPE } from "../../checks/probe.ts";
import type { LiteralRequest } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { nameOf, queryOf, simplest } from "../../client/operation.ts";
import { wireOfLiteral } from "../../client/send.ts";
import { wordOf } from "../../client/word.ts";
import { FILES } from "../../models/model.ts";
import { mediaTypesOf, type Operation } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/world.ts";
import { type Asking, type Case, type List, withCredentialsInQuery } from "../list.ts";
import { INHERITED, NEARLY_AT, NEARLY_MEMBERS, nearly, notCut, PREFIXES, partsOf, RESOURCE, UNKNOWN } from "./names.ts";

/** One path, the operation at `@` (G1 to G3, D1 to D5): requests only. */

const escaped = (text: string) => encodeURIComponent(text).replaceAll("'", "%27");
const percent = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");
const twice = (name: string, one: string, other = one) => `${name}=${one}&${name}=${other}`;

/** Where a request has valid credentials. */
type Placed = "good" | "query" | "none";

/** Helpers to build the requests of one run. */
function requestsOf({ api, call, input }: Asking, operations: readonly Operation[]) {
  const queries = operations.filter(({ method }) => method === "GET");
  const request = (
    method: string,
    rawQuery: string,
    where: Placed,
    content: Pick<LiteralRequest, "headers" | "body">,
  ) => {
    const headers = [...(where === "none" ? [] : credentialFields(api)), ...(content.headers ?? [])];
    const target = `/api/${rawQuery === "" ? "" : `?${rawQuery}`}`;
    const literal = wireOfLiteral(api, { ...content, method, target, headers });
    return where === "query" ? withCredentialsInQuery(literal) : literal;
  };
  return {
    ...{ call, input, queries },
    commands: operations.filter(({ method }) => method === "POST"),
    /** The name of a query without credentials. */
    first: queries.find(({ auth, pattern }) => !auth && pattern === null)?.name ?? simplest.name,
    /** A query as written. */
    query: (rawQuery: string, credentials: Placed = "none", method = "GET"): Request =>
      request(method, rawQuery, credentials, {}),
    /** A JSON body, unchanged. */
    body: (body: unknown, rawQuery = "", credentials: Placed = "good", method = "POST"): Request =>
      request(method, rawQuery, credentials, {
        headers: [JSON_TYPE],
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}
type Requests = ReturnType<typeof requestsOf>;

/** Alternates, so that each kind of request is sent without credentials, with them, and with them in the query. */
const turn = (at: number): Placed => (["none", "good", "query"] as const)[at % 3] ?? "none";

/** Names are compared exactly. */
function* names({ queries, commands, query, body, input, call }: Requests): Generator<Case> {
  const of = "dispatch/case-sensitive";
  for (const [nth, operation] of queries.entries()) {
    const name = nameOf(operation);
    const all = operation.pattern === null ? nearly(name) : [...nearly(name), ...partsOf(operation)];
    for (const [at, one] of all.entries()) yield [of, query(`@=${escaped(one)}`, turn(at + nth))];
    // One of the operations with a fixed name is enough: HEAD is handled for all of them in one place.
    const heads = nth === 0 || operation.pattern !== null ? all : all.slice(0, 12);
    for (const one of heads) yield [of, query(`@=${escaped(one)}`, "none", "HEAD")];
    const cased = all.filter((one) => one.toLowerCase() === name.toLowerCase());
    for (const one of operation.pattern === null ? [] : [...all.slice(0, 12), ...cased])
      yield [of, query(`@=${escaped(one)}`, "query")];
    for (const one of all.slice(0, 12)) yield [of, body({ "@": one })];
  }
  for (const operation of commands) {
    const data = input(operation);
    for (const one of nearly(nameOf(operation))) yield [of, body({ "@": one, data })];
    for (const one of nearly(nameOf(operation)).slice(0, 12)) yield [of, query(`@=${escaped(one)}`)];
  }
  for (const operation of queries) {
    const [name = "", ...members] = queryOf(operation, input(operation)).slice("@=".length).split("&");
    const rest = members.map((member) => `&${member.replace(/^[^=]*/, percent)}`).join("");
    for (const rawQuery of [`@=${percent(name)}${rest}`, `%40=${percent(name).toUpperCase()}${rest}`])
      yield ["dispatch/percent-encoded", call(operation, { rawQuery })];
    for (const method of ["GET", "HEAD"]) yield ["dispatch/percent-encoded", call(operation, { at: "%40", method })];
  }
  for (const operation of commands)
    for (const method of ["GET", "HEAD"])
      yield ["dispatch/percent-encoded", query(`%40=${nameOf(operation)}`, "good", method)];
}

function* unknown({ query, body }: Requests, word: string): Generator<Case> {
  for (const [of, all] of [
    ["dispatch/unknown", UNKNOWN],
    ["dispatch/prototype-names", INHERITED],
  ] as const)
    for (const [at, name] of all.entries()) {
      yield [of, query(`@=${escaped(name)}`.slice(0, 8_100), turn(at))];
      yield [of, body({ "@": name, data: { name: "Ada Lovelace" } }, "", turn(at + 1))];
      if (name.length < 100) yield [of, query(`@=${escaped(name)}`, turn(at), "HEAD")];
    }
  yield ["dispatch/unknown", body({ "@": "x".repeat(60_000) })];
  for (const [at, value] of notCut(simplest.name).entries()) yield ["dispatch/unknown", query(`@=${value}`, turn(at))];
  const token = `${word}echo`;
  const echoes = [
    ...[token, `${RESOURCE}.${token}`, `${simplest.name}-${token}`, `<b>${token}</b>`, `\r\nX: ${token}`],
    ...[`${token}\u0000`, `${token}${"a".repeat(5_000)}`, ...PREFIXES.map((prefix) => `${prefix}-${token}`)],
  ];
  for (const name of echoes)
    for (const accept of ["application/json", "text/html"])
      for (const request of [
        query(`@=${escaped(name)}`),
        query(`@=${escaped(name)}`, "none", "HEAD"),
        body({ "@": name }),
      ])
        yield ["dispatch/no-echo", { ...request, fields: [...request.fields, ["Accept", accept]] }];
}

/** Values of `@` in a body that are not a name, though one could be converted to one. */
const noStrings = (name: string): readonly unknown[] => [
  ...["", null, 0, 1, true, false, [], {}, [name], [[name]]],
  ...[{ name }, { toString: name }, { "@": name }],
];

/** A request names its operation exactly once. */
function* naming({ commands, first, query, body, input }: Requests, word: string): Generator<Case> {
  const without = ["", "@", "@=", "%40", "%40=", `=${first}`, "limit=1", "&", "x", first];
  for (const [at, one] of [...without, ...NEARLY_AT.map((name) => `${name}=${first}`)].entries()) {
    yield ["dispatch/missing", query(one, turn(at))];
    yield ["dispatch/missing", query(one, turn(at + 1), "HEAD")];
  }
  for (const operation of commands) {
    const name = nameOf(operation);
    const data = input(operation);
    const missing = "dispatch/missing-in-body";
    for (const value of noStrings(name)) yield [missing, body({ "@": value, data })];
    for (const member of NEARLY_MEMBERS) yield [missing, body({ [member]: name, data })];
    for (const at of ["@", "%40"])
      for (const one of [{}, { "@": "" }, { "@": null }, { "@": [name] }, { op: name }])
        yield [missing, body({ ...one, data }, `${at}=${escaped(name)}`)];
    for (const other of [first, `no.${word}`]) yield [missing, body({ data }, `@=${other}`)];
    const bare = body({ data });
    yield [missing, { ...bare, fields: [...bare.fields, ["X-Operation", name], ["SOAPAction", name]] }];
    const ambiguous = [
      ...[`@=${name}`, `%40=${name}`, `@=${first}`, `%40=${first}`, `@=no.${word}`],
      ...["@=constructor", "@=", "@", "%40="],
    ];
    for (const credentials of ["good", "none"] as const)
      for (const one of ambiguous) yield ["dispatch/ambiguous", body({ "@": name, data }, one, credentials)];
    for (const one of [`@=${name}`, `@=${first}`])
      yield ["dispatch/ambiguous", body({ "@": "no.such.operation", data }, one)];
    const one = { "@": name, data };
    const lists = [
      [one],
      [one, one],
      [[one]],
      [one, { "@": first }],
      [],
      [{}],
      [{ "@": first }],
      [first],
      [null],
      [[]],
    ];
    for (const credentials of ["good", "none"] as const)
      for (const list of lists) yield ["dispatch/no-batch", body(list, "", credentials)];
  }
}

/** Texts that cannot be decoded, and texts that can. */
const MALFORMED = [
  ...["%zz", "%", "%4", "%4g", "%g4", "%%40", "%u0040", "a%", "a%2", "%-1", "%+1", "%0x"],
  ...["%ff", "%c3%28", "%80", "%c3", "%c0%af", "%e2%82", "%ed%a0%80", "%f4%90%80%80", "%f0%28%8c%bc", "%fe%ff", "a%c3"],
];
const READABLE = ["%C3%A9", "%e2%82%ac", "%F0%9F%98%80", "%00", "%25", "%2525", "%EF%BB%BF"];

function* decoding({ queries, commands, first, query, body, call }: Requests, key: string): Generator<Case> {
  const of = "dispatch/malformed-query";
  for (const [at, bad] of MALFORMED.entries()) {
    const places = [`@=${first}&x=${bad}`, `${bad}=1&@=${first}`, `@=${bad}`, `x=${bad}`, `@=no.such.operation&${bad}`];
    const named = [...queries, ...commands].flatMap((one) => [
      `@=${nameOf(one)}&x=${bad}`,
      `@=${nameOf(one)}&X-API-KEY=${bad}`,
    ]);
    for (const one of at % 11 < 2 ? [...places, ...named] : places) yield [of, query(one, turn(at))];
    yield [of, query(`@=${first}&x=${bad}`, "none", "HEAD")];
    for (const command of at % 11 < 2 ? commands : [])
      for (const one of [bad, `x=${bad}`, `X-API-KEY=${bad}`, `@=${bad}`])
        yield [of, body({ "@": nameOf(command) }, one)];
  }
  for (const value of READABLE) for (const one of [`@=${first}&x=${value}`, `@=${value}`]) yield [of, query(one)];
  const blanks = ["a+b=1&a%20b=1", "+a=1&%20a=1", "a++=1&a%20+=1", "a+b=1&a%2Bb=1"].map(
    (pairs) => `@=${first}&${pairs}`,
  );
  for (const one of [...blanks, ...["user+list", `+${first}`, `${first}+`, "+"].map((name) => `@=${name}`)])
    yield ["dispatch/plus-is-space", query(one)];
  for (const operation of queries.filter(({ auth }) => auth))
    for (const blank of ["+", "%20", "%2B"]) {
      const rawQuery = `${queryOf(operation, {})}&X-PLATFORM=no${blank}such`;
      const credentials = { key: { header: key }, platform: { header: "no such" } };
      for (const method of ["GET", "HEAD"])
        yield ["dispatch/plus-is-space", call(operation, { rawQuery, credentials, method })];
    }
}

/** More than a thousand parameters, where some parsers stop. */
const MANY = Array.from({ length: 1_100 }, (_, index) => index.toString(36)).join("&");

function* repeated(
  { queries, commands, query, body, call }: Requests,
  fields: readonly (readonly [string, string])[],
): Generator<Case> {
  const [first = simplest.name, second = first] = queries
    .filter(({ pattern }) => pattern === null)
    .map(({ name }) => name);
  const of = "dispatch/repeated";
  const all = [
    ...[twice("@", first), twice("@", first, second), twice("%40", first), `@=${first}&%40=${first}`, `@=${first}&@=`],
    ...[`%40=${second}&@=${first}`, `@&@=${first}`, `@=${first}&@`, `@=${first}&x=1&@=${first}`],
    "@=constructor&@=__proto__",
    ...[`@=${first}&@=${first}&@=${first}`, twice("@", "no.such.operation"), twice("limit", "1"), "@=no.such&x=1&x=1"],
    ...[`@=${first}&${MANY}&@=${first}`, `@=${first}&${MANY}&0`, `${MANY}&@=${first}&@=${first}`],
    ..."x=1&x=1 x=1&x=2 x&x %C3%A9=1&%c3%a9=2 constructor=1&constructor=1 =1&=2 __proto__=1&__proto__=1"
      .split(" ")
      .map((one) => `@=${first}&${one}`),
    ...queries.flatMap((one) =>
      Object.keys(one.input).flatMap((name) => {
        const spelled = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
        return [twice(name, "1"), twice(name, "1", "2"), `${name}=1&${spelled}=1`, `${name}&${name}=1`].map(
          (pair) => `@=${nameOf(one)}&${pair}`,
        );
      }),
    ),
    ...commands.map((one) => `@=${nameOf(one)}&${twice("x", "1")}`),
  ];
  for (const [at, one] of all.entries()) yield [of, query(one, turn(at))];
  for (const one of all.slice(0, 14)) yield [of, query(one, "none", "HEAD")];
  const others = [(value: string) => value, () => "another", () => ""];
  const credentials = fields.flatMap(([name, value], at) => {
    const [other = ["", ""]] = fields.filter((_, index) => index !== at);
    return others.map(
      (second) => `${twice(name, escaped(value), escaped(second(value)))}&${other[0]}=${escaped(other[1])}`,
    );
  });
  for (const operation of queries) for (const one of credentials) yield [of, query(`@=${nameOf(operation)}&${one}`)];
  for (const operation of commands)
    for (const one of [...credentials, twice("x", "1"), twice("@", "a")])
      yield [of, body({ "@": nameOf(operation) }, one)];
  for (const [name, value] of fields)
    for (const second of [
      [name, value],
      [name.toLowerCase(), value],
      [name.toLowerCase(), "another"],
      [name, ""],
    ] as const)
      for (const request of [
        ...["", "@=", "@=no.such.operation"].map((one) => query(one, "good")),
        ...[...queries, ...commands].map((one) => call(one, { credentials: "good" })),
        ...queries.map((one) => call(one, { credentials: "good", method: "HEAD" })),
      ])
        yield ["dispatch/repeated-credential", { ...request, fields: [...request.fields, second] }];
}

const OVERRIDES = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X-Original-Method"];
const overriding = (method: string) => Object.fromEntries(OVERRIDES.map((name) => [name, method]));
/** The set of HTTP methods is open; a server may know the token or not (D4, D13). */
const RARE = ["get", "post", "Get", "LINK", "PURGE", "SEARCH", "QUERY", "MKCOL", "PROPFIND", "FOO", "GETS"];
const OTHERS = ["PUT", "PATCH", "DELETE", "TRACE"];

function* methods({ queries, commands, query, body, call, input }: Requests): Generator<Case> {
  const all = [...queries, ...commands];
  const of = "dispatch/wrong-method";
  for (const operation of queries)
    for (const credentials of ["good", "none"] as const) {
      const name = nameOf(operation);
      const names = operation.pattern === null ? [name] : [name, name.replace(/[^.]*$/, "no-such")];
      for (const one of names) yield [of, body({ "@": one, data: input(operation) }, "", credentials)];
      const member = { "@": nameOf(operation), _method: "GET" };
      for (const options of [
        { headers: overriding("GET") },
        { query: [["_method", "GET"]] as const },
        { body: member },
      ])
        yield ["dispatch/no-method-override", call(operation, { method: "POST", credentials, ...options })];
    }
  for (const operation of commands) {
    const [name, data] = [nameOf(operation), input(operation)];
    const asQuery = Object.entries(data).map(([member, value]) => [member, String(value)] as const);
    const nested = asQuery.map(([member, value]) => [`data[${member}]`, value] as const);
    const shapes: readonly CallOptions[] = [
      ...[{}, { query: asQuery }, { query: asQuery, credentials: "none" as const }, { headers: overriding("POST") }],
      ...[{ query: [["data", JSON.stringify(data)], ...nested] as const }, { query: [["_method", "POST"]] as const }],
    ];
    for (const method of ["GET", "HEAD"])
      for (const options of shapes) {
        const request = call(operation, { rawQuery: `@=${name}`, input: {}, ...options, method });
        const more = (options.query ?? []).map(([key, value]) => `&${escaped(key)}=${escaped(value)}`).join("");
        yield ["dispatch/get-changes-nothing", { ...request, target: `${request.target}${more}` }];
        yield [of, query(`@=${name}`, turn(shapes.indexOf(options)), method)];
      }
    yield ["dispatch/get-changes-nothing", body({ "@": name, data }, `@=${name}`, "good", "GET")];
    for (const method of OTHERS.slice(0, 3)) {
      yield ["dispatch/unknown-method", body({ "@": name, data }, "", "good", method)];
      yield ["dispatch/unknown-method", query(`@=${name}`, "good", method)];
    }
  }
  for (const operation of all)
    for (const other of ["GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD", "nonsense"])
      yield ["dispatch/no-method-override", call(operation, { headers: overriding(other) })];
  const right = `@=${simplest.name}`;
  const wrong = [
    "",
    "@=",
    "@=no.such.operation",
    "@=constructor",
    `${right}&${right}`,
    `${right}&x=%zz`,
    `${right}&x=1`,
  ];
  for (const method of OTHERS)
    for (const [at, one] of [...all.map((operation) => `@=${nameOf(operation)}`), ...wrong].entries())
      yield ["dispatch/unknown-method", query(one, turn(at), method)];
  for (const method of RARE) yield ["dispatch/unknown-method", query(`@=${simplest.name}`, "good", method)];
}

const FORM = "application/x-www-form-urlencoded";

/** A body on GET is ignored. */
function* bodies(
  { queries, commands, body, input, call }: Requests,
  paths: readonly string[],
  asking: Asking,
): Generator<Case> {
  const of = "dispatch/body-on-get";
  for (const operation of queries) {
    const other = queries.find(({ id, parts }) => id !== operation.id && parts.length === 0);
    const named = [
      ...[{ "@": "no.such.operation" }, { "@": other?.name, limit: "none", unknown: true }, [], "{", "\u0000\u00ff"],
      ...commands.map((command) => ({ "@": nameOf(command), data: input(command) })),
    ];
    const [command = operation] = commands;
    const form = `@=${nameOf(command)}`;
    const typed = ["text/plain", FORM, "nonsense"].map((type) => ({
      body: `${form}&limit=none`,
      headers: { "Content-Type": type },
    }));
    for (const options of [
      ...named.map((one) => ({ body: one })),
      ...typed,
      { body: "no gzip", headers: { "Content-Encoding": "gzip" } },
      { body: form, headers: { "Content-Type": null } },
    ])
      yield [of, call(operation, options)];
    for (const type of ["application/json", "text/plain"])
      yield [of, call(operation, { headers: { "Content-Type": type } })];
    yield [of, call(operation, { method: "HEAD", body: { "@": other?.name } })];
  }
  for (const one of [{ "@": simplest.name }, `@=${simplest.name}`]) yield [of, body(one, "", "none", "GET")];
  for (const command of commands) yield [of, body({ "@": queries[0]?.name }, `@=${nameOf(command)}`, "good", "GET")];
  for (const target of paths)
    for (const type of ["application/json", FORM])
      yield [of, wireOfLiteral(asking.api, { method: "GET", target, headers: [["Content-Type", type]], body: "{" })];
}

const PREFLIGHT = [
  ["Origin", "https://page.example"],
  ["Access-Control-Request-Method", "POST"],
  ["Access-Control-Request-Headers", "x-api-key, x-platform, content-type"],
] as const;

/** OPTIONS, and the methods of the paths next to the endpoint. */
function* paths({ queries, commands, query, body }: Requests, asking: Asking): Generator<Case> {
  const { api } = asking;
  const all = [...queries, ...commands];
  const of = "dispatch/other-paths-methods";
  const literal = (
    method: string,
    target: string,
    text?: string,
    headers: readonly (readonly [string, string])[] = [],
  ) =>
    wireOfLiteral(api, {
      method,
      target,
      headers: text === undefined ? headers : [...headers, JSON_TYPE],
      ...(text !== undefined && { body: text }),
    });
  for (const target of ["/", `/?@=${all.at(-1)?.name}`, ...FILES]) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      yield [of, literal(method, target, method === "POST" ? "{}" : "{")];
    yield [of, literal("TRACE", target, undefined, [["X-Echo", `zq${api.runId}`]])];
    for (const method of ["GET", "HEAD", "OPTIONS"]) yield [of, literal(method, target)];
    yield [of, literal("OPTIONS", target, undefined, PREFLIGHT)];
  }
  for (const method of [...OTHERS, "OPTIONS"]) yield [of, literal(method, `/api?@=${simplest.name}`)];
  const options = "dispatch/options";
  const named = [
    ...[...all.map((one) => nameOf(one)), "constructor", ...PREFIXES].map((name) => `@=${name}`),
    ...["", "@=", "limit=1", `@=${simplest.name}&%40=${simplest.name}`, "x=%zz"],
  ];
  for (const [at, one] of named.entries()) {
    yield [options, query(one, turn(at), "OPTIONS")];
    yield [options, { ...query(one, "none", "OPTIONS"), fields: [["Host", api.host], ...PREFLIGHT] }];
  }
  for (const operation of all)
    for (const { add, of: place } of faultsOf(operation).filter(
      ({ of: what, step }) => what !== "path" && what !== "method" && step !== "readHead",
    )) {
      const caller = callerOf(api);
      const draft = add(draftOf(operation, caller, asking.input(operation), "headers"), operation, caller);
      if (draft && place !== "fields") yield [options, { ...wireOfLiteral(api, written(draft)), method: "OPTIONS" }];
    }
  yield [options, body("x".repeat(66_000), "", "none", "OPTIONS")];
  yield [options, body("{", "", "none", "OPTIONS")];
}

const steps = Object.keys(catalogue);
const ofCredentials = steps.slice(steps.indexOf("readCredentials"), steps.indexOf("negotiate"));

/** The most specific requirement about the order of two steps. */
function orderOf(step: string, later: string): string {
  if (step === "negotiate") return "dispatch/order-accept-before-input";
  if (step === "checkMethod" && ofCredentials.includes(later)) return "dispatch/order-method-first";
  if (!ofCredentials.includes(step)) return "dispatch/order";
  return ofCredentials.includes(later) ? "credentials/order" : "dispatch/order-credentials-first";
}

/** Every two faults of different steps that one request can have, and each fault alone. */
function* order(asking: Asking, operations: readonly Operation[]): Generator<Case> {
  const { api } = asking;
  const caller = callerOf(api);
  const samples = ["GET", "POST"].map((method) => operations.find((one) => one.auth && one.method === method));
  for (const operation of operations) {
    const start0 = draftOf(operation, caller, {}, "headers");
    const all = Object.entries(catalogue).flatMap(([step, some]) =>
      some.flatMap((one) => (one.add(start0, operation, caller) ? [{ ...one, step }] : [])),
    );
    const input = Object.fromEntries(
      Object.entries(asking.input(operation)).filter(
        ([name]) => operation.parts.includes(name) || operation.input[name]?.required,
      ),
    );
    for (const one of all) {
      const early = steps.indexOf(one.step) <= steps.indexOf("findOperation");
      if (early && !samples.includes(operation)) continue;
      for (const place of ofCredentials.includes(one.step) ? (["headers", "query"] as const) : (["headers"] as const)) {
        const start = draftOf(operation, caller, input, place);
        const alone = one.add(start, operation, caller);
        if (alone) yield ["dispatch/x-operation", wireOfLiteral(api, written(alone))];
        for (const other of all.filter(
          (later) => steps.indexOf(later.step) > steps.indexOf(one.step) && later.of !== one.of,
        )) {
          // The fault that changes the method comes first: it changes what the other is added to.
          const [first, second] = other.of === "method" ? [other, one] : [one, other];
          const half = first.add(start, operation, caller);
          const both = half && second.add(half, operation, caller);
          if (both) yield [orderOf(one.step, other.step), wireOfLiteral(api, written(both))];
        }
      }
    }
  }
}

export const dispatch: List = function* (asking) {
  const { operations } = asking;
  const words = requestsOf(asking, operations);
  yield* names(words);
  yield* unknown(words, wordOf(asking.api));
  yield* naming(words, wordOf(asking.api));
  yield* decoding(words, asking.api.key);
  yield* repeated(words, credentialFields(asking.api));
  yield* methods(words);
  yield* bodies(words, ["/", ...FILES], asking);
  yield* paths(words, asking);
  yield* order(asking, operations);
  for (const operation of operations) {
    for (const method of ["GET", "HEAD", "POST"]) yield ["dispatch/x-operation", asking.call(operation, { method })];
    for (const accept of mediaTypesOf(operation)) yield ["dispatch/x-operation", asking.call(operation, { accept })];
  }
};
