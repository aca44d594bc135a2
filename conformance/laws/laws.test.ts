// Laws of any contract: what the changed responses of proof.test.ts do not show.

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Contract, Operation, Schema } from "../oracle/contract.ts";
import { createOracle } from "../oracle/predict.ts";
import { readContract } from "../oracle/read-contract.ts";
import type { Request } from "../oracle/world.ts";
import { packaged } from "../packaged.ts";
import { compare } from "./compare.ts";
import { differing, excerpt } from "./difference.ts";
import { exchanged, get, type Sent, worldOf } from "./exchange.test-kit.ts";
import { lawsOf } from "./index.ts";

/** Another service: its realm, its prefix of keys, and one query whose response has this schema. */
function serviceWith(schema: Schema): Contract {
  const { sysinfo } = packaged.oracle.contract.operations;
  const responses = [{ status: 200, mediaType: "application/json", schema }];
  const operation = { ...sysinfo, id: "thing", name: "thing", responses } as Operation; // The contract has it.
  return readContract({
    ...packaged.oracle.contract,
    keys: { realm: "other", prefix: "oth_" },
    operations: { thing: operation },
  });
}
const contract = serviceWith({ type: "object", properties: {}, required: [] });
const THING = get("/api/?@=thing");
const JSON_FIELDS = [
  ["Content-Type", "application/json; charset=utf-8"],
  ["X-Operation", "thing"],
] as const;

/** What one law finds in a response, as `aspect: actual`; null where it finds nothing. */
function found(id: string, request: Request, sent: Sent, of = contract): string | null {
  const law = lawsOf(of).find((one) => one.id === id) ?? expect.fail(id);
  const exchange = exchanged(worldOf(createOracle(of)), request, sent);
  const difference = law.applies(exchange) ? law.check(exchange, new Map()) : null;
  return difference && `${difference.aspect}: ${difference.actual}`;
}

describe("the values of a success", () => {
  const time = { type: "string", format: "date-time" } as const;
  const schema: Schema = {
    type: "object",
    properties: {
      maybe: { anyOf: [{ type: "string" }, { type: "null" }] },
      times: { type: "array", items: time },
      by: { type: "object", additionalProperties: { anyOf: [time, { type: "null" }] } },
      text: { anyOf: [time, { type: "string", maxLength: 3 }] },
    },
  };
  const right = "2026-01-31T12:00:00Z";

  // Null only where the schema says so; times in UTC, in lists and records too.
  it.each([
    ["answers/absent-not-null", { maybe: null, by: { a: null } }, null],
    ["answers/absent-not-null", { text: null }, "body:/text: null"],
    ["answers/absent-not-null", { times: [null] }, "body:/times/0: null"],
    ["answers/times", { times: [right], by: { a: right, b: null }, text: "abc" }, null],
    ["answers/times", { times: [right, "2026-02-30T12:00:00Z"] }, "body:/times/1"],
    ["answers/times", { by: { a: "2026-01-31T12:00:00+00:00" } }, "body:/by/a"],
  ])("%s of %j: %s", (id, json, expected) => {
    expect(found(id, THING, { fields: JSON_FIELDS, json }, serviceWith(schema))).toEqual(
      expected && expect.stringContaining(expected),
    );
  });
});

describe("an answer whose schema has keywords that the suite does not read", () => {
  // As a contract file has them: the type of a schema has only those that are read.
  const schema: Schema = JSON.parse(
    JSON.stringify({
      type: "object",
      properties: {
        few: { type: "integer", exclusiveMaximum: 3 },
        tags: { type: "array", uniqueItems: true, items: { type: "string" } },
        both: { allOf: [{ $ref: "#/schemas/Uuid" }] },
        address: { type: "string", format: "ipv4" },
        one: {
          oneOf: [
            { type: "integer", multipleOf: 2 },
            { type: "integer", multipleOf: 3 },
          ],
        },
        more: { type: "object", patternProperties: { "^x-": { type: ["string", "null"] } } },
      },
    }),
  );
  const of = (json: object) =>
    lawsOf(serviceWith(schema)).flatMap(({ id }) => {
      const text = found(id, THING, { fields: JSON_FIELDS, json }, serviceWith(schema));
      return text !== null && /^answers|schema$/.test(id) ? [`${id} ${text}`] : [];
    });

  it.each([
    [{ few: 7 }],
    [{ tags: ["a", "a"] }],
    [{ both: null }],
    [{ address: "x" }],
    [{ one: 6 }],
    [{ more: { "x-a": null } }],
  ])("is undecided: %j", (json) => {
    expect(of(json)).toEqual([]);
  });

  it.each([
    [{ few: "7" }, "body:/few: #/few type"],
    [{ tags: [1] }, "body:/tags/0: #/tags/0 type"],
    [{ one: "6" }, "body:/one: #/one choice"],
    [{ "a/b": 1 }, "body:/a~1b: # has a/b, which is not documented"],
  ])("is still wrong by what is read: %j", (json, text) => {
    expect(of(json)).toEqual([`answers/schema ${text}`]);
  });
});

describe("keys", () => {
  const key = "oth_0123456789abcdef0123456789abcdef";
  const sent = (name: string): Request => ({ ...THING, fields: [...THING.fields, [name, key]] });
  const says = (text: string): Sent => ({ fields: JSON_FIELDS, json: { text } });

  it("are in no response, in any spelling", () => {
    const law = "credentials/never-shown";
    for (const text of [key, encodeURIComponent(key), Buffer.from(`x${key}`).toString("base64")])
      expect(found(law, sent("X-API-KEY"), says(text))).toBe("body: it is in the body");
    expect(found(law, sent("X-API-KEY"), says("key"))).toBeNull();
    expect(found(law, sent("Cookie"), says(key))).toBe("body: it is in the body");
  });

  it("are no request ids", () => {
    const answered = (id: string) => ({
      ...says(""),
      fields: [...JSON_FIELDS, ["X-Request-Id", id] as const],
    });
    expect(found("http/request-id", sent("X-Request-Id"), answered("new"))).toBeNull();
    expect(found("http/request-id", sent("X-Request-Id"), answered(key))).toContain(
      "header:x-request-id",
    );
  });

  it("are asked for with the realm of the contract", () => {
    const of = (realm: string) => {
      const fields = [["WWW-Authenticate", `ApiKey realm="${realm}"`]] as const;
      return found("credentials/challenge", THING, { status: 401, fields });
    };
    expect([of("other"), of("atpoint")]).toEqual([
      null,
      'header:www-authenticate: ApiKey realm="atpoint"',
    ]);
  });
});

describe("a rejection", () => {
  it.each([
    [
      "no.such.name",
      "no.such.name?",
      'body: "{\\"code\\":\\"operation-not-found\\",\\"detail\\":\\"no.such.name?\\"}"',
    ],
    ["thing", "thing", null],
    // A name may be near to a word of the contract.
    ["operation-not-foun", "operation-not-found", null],
  ])("does not repeat the unknown name %s as %s", (name, detail, expected) => {
    const sent = { status: 404, json: { code: "operation-not-found", detail } };
    expect(found("dispatch/no-echo", get(`/api/?@=${name}`), sent)).toBe(expected);
  });

  it("is searched for what its content says, not its bytes", () => {
    // A header of gzip has four bytes for a time (RFC 1952, 2.3), which nobody checks.
    const compressed = (detail: string, time: string): Sent => {
      const body = gzipSync(JSON.stringify({ detail }));
      body.write(time, 4, 4, "latin1");
      return { status: 400, fields: [["Content-Encoding", "gzip"]], body };
    };
    const law = "errors/nothing-leaks";
    expect(found(law, THING, compressed("A parameter is missing.", ".koa"))).toBeNull();
    expect(found(law, THING, compressed("koa: no body", "\0\0\0\0"))).toBe(
      'body: "koa" (status 400)',
    );
  });
});

it("an excerpt shows the place where texts differ, and no part of a word", () => {
  const key = "oth_0123456789abcdef0123456789abcdef";
  const text = `${"a ".repeat(90)}${key} ${"b ".repeat(90)}`;
  for (let at = 0; at < text.length; at += 7) {
    const shown = excerpt(text, at);
    expect(shown.includes("oth_") || shown.includes("abcdef")).toBe(shown.includes(key));
  }
  expect(excerpt("x".repeat(300))).toBe("300 characters");
  expect(excerpt("a b")).toBe('"a b"');
  // Two words of which nothing is shown are told apart.
  const [one, other] = ["a", "b"].map((end) => `"${"x".repeat(300)}${end}"`);
  const { expected, actual } = differing("body", one ?? "", other ?? "");
  expect(actual).toBe(`others from character 302 on: ${expected}`);
});

it("has only laws of requirements that the contract has", () => {
  const without = {
    ...contract,
    requirements: contract.requirements.filter(({ id }) => id !== "http/nosniff"),
  };
  const known = new Set(without.requirements.map(({ id }) => id));
  expect(lawsOf(without).every(({ id }) => known.has(id))).toBe(true);
  expect(lawsOf(contract).length - lawsOf(without).length).toBe(1);
});

const world = worldOf(packaged.oracle);
const problem = (status: number, code: string, more: object = {}): Sent => ({
  status,
  json: { code, ...more },
});

/** The difference of a response to a request, as text; null if it is as predicted. */
function compared(request: Request, sent: Sent): string | null {
  const difference = compare(exchanged(world, request, sent), packaged.oracle.contract);
  return (
    difference && `${difference.aspect}: expected ${difference.expected}; got ${difference.actual}`
  );
}

const NOTHING = get("/api/?@=nothing");
const SYSINFO = get("/api/?@=sysinfo");
const named = ["X-Operation", "sysinfo"] as const;
const fields = [["Content-Type", "application/json"], named] as const;
const json = {
  ...{
    status: "Operational",
    version: "3.0.3",
    server: "Atpoint",
    runtime: "Node.js 20",
    clientAddress: "192.0.2.7",
  },
  ...{ requestMethod: "GET", time: "2026-01-31T12:00:00.000Z" },
};
const LONG = get(`/${"x".repeat(8192)}`);
const redirect = (location: string, more: Sent["fields"] = []): Sent => ({
  ...{ status: 308, fields: [["Location", location], ...more] },
});
const allowing = (methods: string): Sent => ({
  ...problem(405, "method-not-allowed"),
  fields: [["Allow", methods]],
});

const html: Sent = { fields: [["Content-Type", "text/html"], named], json };
const status = (actual: string) => `status: expected 404 operation-not-found; got ${actual}`;
const code = (actual: string) => `body:/code: expected 404 operation-not-found; got ${actual}`;
const operation = (due: string, actual: string) =>
  `header:x-operation: expected X-Operation: ${due}; got ${actual}`;
const location = (actual: string) => `header:location: expected Location: api/?x=1; got ${actual}`;
const documented = (place: string, actual: string) =>
  `body:/${place}: expected an answer of sysinfo as documented; got ${actual}`;

it.each<[string | null, Request, Sent]>([
  [null, SYSINFO, { fields, json }],
  [null, NOTHING, problem(404, "operation-not-found")],
  // The code of a response to HEAD is not to be seen.
  [null, get("/api/?@=nothing", "HEAD"), { status: 404 }],
  [null, get("/", "PUT"), allowing("HEAD,GET, OPTIONS")],
  // The contract allows both.
  [null, LONG, problem(431, "headers-too-large")],
  [null, LONG, problem(414, "uri-too-long")],
  [null, get("/api?"), redirect("/api/")],
  [null, get("/api?x=1"), redirect("/one/api/?x=1")],
  [status("200 application/json"), NOTHING, { fields, json }],
  [status("400 operation-not-found"), NOTHING, problem(400, "operation-not-found")],
  [code("404 path-not-found"), NOTHING, problem(404, "path-not-found")],
  [code('404 "{}"'), NOTHING, { status: 404, json: {} }],
  [operation("sysinfo", "none"), SYSINFO, { fields: fields.slice(0, 1), json }],
  [
    operation("none", "sysinfo"),
    NOTHING,
    { ...problem(404, "operation-not-found"), fields: [named] },
  ],
  ["header:content-type: expected application/json; got text/html", SYSINFO, html],
  [
    "header:allow: expected Allow: GET, HEAD, OPTIONS; got Allow: GET",
    get("/", "PUT"),
    allowing("GET"),
  ],
  [location("/api/"), get("/api?x=1"), redirect("/api/")],
  [location("//a/api/?x=1"), get("/api?x=1"), redirect("//a/api/?x=1")],
  // It is compared with the form that differs least.
  [operation("none", "sysinfo"), get("/api?"), redirect("/api/", [named])],
  ["header:location: expected Location: api/?; got /other/", get("/api?"), redirect("/other/")],
  ['body: expected one JSON text as the body; got "<p>"', SYSINFO, { fields, body: "<p>" }],
  [documented("time", "#/time type"), SYSINFO, { fields, json: { ...json, time: 1 } }],
  [
    documented("extra", "# has extra, which is not documented"),
    SYSINFO,
    { fields, json: { ...json, extra: 1 } },
  ],
])("a response differs as %s (%#)", (message, request, sent) => {
  expect(compared(request, sent)).toBe(message);
});

describe("the places of faults", () => {
  const fields = [["X-Operation", "user.list"]] as const;
  const located = (...errors: readonly object[]) => ({
    ...problem(422, "invalid-input", { errors }),
    fields,
  });
  const faults = (...places: readonly string[]) =>
    located(
      ...places.map((place) => (place.startsWith("#") ? { pointer: place } : { parameter: place })),
    );
  const credentials = [["X-API-KEY", "k"] as const, ["X-PLATFORM", "web"] as const];
  const request = get("/api/?@=user.list&limit=0&offset=1");
  const wrong = { ...request, fields: [...request.fields, ...credentials] };

  const TWENTY = Array.from({ length: 20 }, (_, n) => ({ parameter: "limit", detail: `${n}` }));
  const SWAPPED = located({ parameter: "#" }, { pointer: "limit" });

  it.each<[string | null, string, Sent]>([
    [null, "they have no order", faults("#", "limit")],
    [null, "of more than 20 some may be missing", located(...TWENTY)],
    ["faults at limit", "one is missing", faults("limit")],
    [
      `faults at ${Array(20).fill("limit").join(", ")}`,
      "one is listed again",
      faults(...Array<string>(20).fill("limit")),
    ],
    ["faults at #, cursor, limit", "there is another one", faults("limit", "#", "cursor")],
    ["faults at none", "there are none", { ...problem(422, "invalid-input"), fields }],
    ["faults at the parameter #, the pointer limit", "they are pointers in a body alone", SWAPPED],
  ])("differ by %s where %s", (actual, _, sent) => {
    expect(compared(wrong, sent)?.split("; got ")[1] ?? null).toBe(actual);
  });
});
