// Laws of any contract: what the changed responses of proof.test.ts do not show.

import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { Contract, Operation, Schema } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import { createOracle } from "../oracle/predict.ts";
import { readContract } from "../oracle/read-contract.ts";
import { packaged } from "../packaged.ts";
import { compare } from "./compare.ts";
import { excerpt, firstDifference } from "./difference.ts";
import { exchanged, get, type Sent, worldOf } from "./exchange.test-kit.ts";
import { lawsOf } from "./index.ts";

/** Another service: its realm, its prefix of keys, and one query whose response has this schema. */
function serviceWith(schema: Schema): Contract {
  const { sysinfo } = packaged.oracle.contract.operations;
  const responses = [{ status: 200, mediaType: "application/json", schema }];
  // The contract has it.
  const operation = { ...sysinfo, id: "thing", name: "thing", responses } as Operation;
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
function checkLaw(id: string, request: Request, sent: Sent, of = contract): string | null {
  const law = lawsOf(of).find((one) => one.id === id) ?? expect.fail(id);
  const exchange = exchanged(worldOf(createOracle(of)), request, sent);
  const difference = law.applies(exchange) ? law.check(exchange, new Map()) : null;
  return difference && `${difference.aspect}: ${difference.actual}`;
}

const asJson = (json: object): Sent => ({ fields: JSON_FIELDS, json });
const time = { type: "string", format: "date-time" } as const;
/** As a contract file has it: the type of a schema has only the keywords that are read. */
const schema: Schema = JSON.parse(
  JSON.stringify({
    type: "object",
    properties: {
      maybe: { anyOf: [{ type: "string" }, { type: "null" }] },
      times: { type: "array", items: time },
      by: { type: "object", additionalProperties: { anyOf: [time, { type: "null" }] } },
      text: { anyOf: [time, { type: "string", maxLength: 3 }] },
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
      free: {},
      more: { type: "object", patternProperties: { "^x-": { type: ["string", "null"] } } },
    },
  }),
);
const right = "2026-01-31T12:00:00Z";

it.each<[object, string?]>([
  // Null only where the schema says so; times in UTC, in lists and records too.
  [{ maybe: null, by: { a: null } }],
  [{ text: null }, "answers/absent-not-null body:/text: null"],
  [{ times: [null] }, "answers/absent-not-null body:/times/0: null"],
  [{ times: [right], by: { a: right, b: null }, text: "abc" }],
  [{ free: { a: null, b: [null, { c: null }] } }],
  [{ times: [right, "2026-02-30T12:00:00Z"] }, "answers/times body:/times/1"],
  [{ by: { a: "2026-01-31T12:00:00+00:00" } }, "answers/times body:/by/a"],
  // What keywords assert that are not read is undecided; it is still wrong by those that are.
  [{ few: 7, tags: ["a", "a"], both: null, address: "x", one: 6, more: { "x-a": null } }],
  [{ few: "7" }, "answers/schema body:/few: #/few type"],
  [{ tags: [1] }, "answers/schema body:/tags/0: #/tags/0 type"],
  [{ one: "6" }, "answers/schema body:/one: #/one choice"],
  [{ "a/b": 1 }, "answers/schema body:/a~1b: # has a/b, which is not documented"],
])("a success with %j is wrong by %s", (json, expected) => {
  const service = serviceWith(schema);
  const all = lawsOf(service).flatMap(({ id }) => {
    const text = /^answers/.test(id) ? checkLaw(id, THING, asJson(json), service) : null;
    return text === null ? [] : [`${id} ${text}`];
  });
  expect(all.join("\n")).toContain(expected ?? "");
  expect(all.length > 0).toBe(expected !== undefined);
});

const key = "oth_0123456789abcdef0123456789abcdef";
const challenge = (realm: string): Sent => ({
  status: 401,
  fields: [["WWW-Authenticate", `ApiKey realm="${realm}"`]],
});
const unknown = (detail: string): Sent => ({
  status: 404,
  json: { code: "operation-not-found", detail },
});
const ALMOST = get("/api/?@=thing.as");
const ECHO = unknown("No thing.as; did you mean thing?");
const identified = (id: string): Sent => ({
  ...asJson({}),
  fields: [...JSON_FIELDS, ["X-Request-Id", id]],
});
/** A header of gzip has four bytes for a time (RFC 1952, 2.3), which nobody checks. */
function compressed(detail: string, time: string): Sent {
  const body = gzipSync(JSON.stringify({ detail }));
  body.write(time, 4, 4, "latin1");
  return { status: 400, fields: [["Content-Encoding", "gzip"]], body };
}
const IN_BODY = "body: it is in the body";
const withKey = (name: string): Request => ({ ...THING, fields: [...THING.fields, [name, key]] });
const [KEYED, OWN_ID] = [withKey("X-API-KEY"), withKey("X-Request-Id")];

it.each<[string, string | null, Request, Sent]>([
  ["credentials/never-shown", IN_BODY, KEYED, asJson({ key })],
  ["credentials/never-shown", IN_BODY, KEYED, asJson({ key: btoa(`x${key}`) })],
  ["credentials/never-shown", IN_BODY, withKey("Cookie"), asJson({ key })],
  ["credentials/never-shown", null, KEYED, asJson({ key: "key" })],
  ["http/request-id", null, OWN_ID, identified("new")],
  ["http/request-id", `header:x-request-id: "${key}"`, OWN_ID, identified(key)],
  ["credentials/challenge", null, THING, challenge("other")],
  [
    "credentials/challenge",
    'header:www-authenticate: ApiKey realm="atpoint"',
    THING,
    challenge("atpoint"),
  ],
  ["dispatch/no-echo", null, THING, unknown("thing")],
  // The nearest known name may be named, the unknown one may not.
  ["dispatch/no-echo", null, ALMOST, unknown("Did you mean thing?")],
  ["dispatch/no-echo", `body: ${excerpt(JSON.stringify(ECHO.json))}`, ALMOST, ECHO],
  // In a text, marks follow a name.
  ["dispatch/no-echo", null, get("/api/?@=...thing?"), unknown("Perhaps ...thing?")],
  // A name may be near to a word of the contract.
  ["dispatch/no-echo", null, get("/api/?@=operation-not-foun"), unknown("operation-not-found")],
  ["errors/nothing-leaks", null, THING, compressed("A parameter is missing.", ".koa")],
  [
    "errors/nothing-leaks",
    'body: "koa" (status 400)',
    THING,
    compressed("koa: no body", "\0\0\0\0"),
  ],
])("%s of another service finds %s (%#)", (id, expected, request, sent) => {
  expect(checkLaw(id, request, sent)).toBe(expected);
});

it("an excerpt shows the place where texts differ, and no part of a word", () => {
  const text = `${"a ".repeat(90)}${key} ${"b ".repeat(90)}`;
  for (let at = 0; at < text.length; at += 7) {
    const shown = excerpt(text, at);
    expect(shown.includes("oth_") || shown.includes("abcdef")).toBe(shown.includes(key));
  }
  expect(excerpt("x".repeat(300))).toBe("300 characters");
  expect(excerpt("a b")).toBe('"a b"');
  // Two words of which nothing is shown are told apart.
  const [expectedText, actualText] = ["a", "b"].map((end) => `"${"x".repeat(300)}${end}"`);
  const { expected, actual } = firstDifference("body", expectedText ?? "", actualText ?? "");
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

const model = worldOf(packaged.oracle);
const problem = (status: number, code: string, members: object = {}): Sent => ({
  status,
  json: { code, ...members },
});

/** The difference of a response to a request, as text; null if it is as predicted. */
function compared(request: Request, sent: Sent): string | null {
  const difference = compare(exchanged(model, request, sent), packaged.oracle.contract);
  return difference && `${difference.aspect}: ${difference.actual}`;
}

const LONG = get(`/${"x".repeat(8192)}`);
const [MOVED, ASKING] = [get("/api?"), get("/api?x=1")];
const redirect = (location: string, fields: Sent["fields"] = []): Sent => ({
  status: 308,
  fields: [["Location", location], ...fields],
});
const allowing: Sent = {
  ...problem(405, "method-not-allowed"),
  fields: [["Allow", "HEAD,GET, OPTIONS"]],
};

// That other differences are found, changed responses show.
it.each<[string | null, Request, Sent]>([
  // The code of a response to HEAD is not to be seen.
  [null, get("/api/?@=nothing", "HEAD"), { status: 404 }],
  [null, get("/", "PUT"), allowing],
  // The contract allows both.
  [null, LONG, problem(431, "headers-too-large")],
  [null, LONG, problem(414, "uri-too-long")],
  [null, MOVED, redirect("/api/")],
  [null, ASKING, redirect("/one/api/?x=1")],
  ["header:location: /api/", ASKING, redirect("/api/")],
  ["header:location: //a/api/?x=1", ASKING, redirect("//a/api/?x=1")],
  // It is compared with the form that differs least.
  ["header:x-operation: thing", MOVED, redirect("/api/", [["X-Operation", "thing"]])],
  ["header:location: /other/", MOVED, redirect("/other/")],
])("a response differs as %s (%#)", (message, request, sent) => {
  expect(compared(request, sent)).toBe(message);
});

const operation = [["X-Operation", "user.list"]] as const;
const located = (...errors: readonly object[]): Sent => ({
  ...problem(422, "invalid-input", { errors }),
  fields: operation,
});
const faults = (...places: readonly string[]) =>
  located(...places.map((one) => (one.startsWith("#") ? { pointer: one } : { parameter: one })));
const TWENTY = Array<string>(20).fill("limit");

it.each<[string | null, string, Sent]>([
  [null, "they have no order", faults("#", "limit")],
  [
    null,
    "of more than 20 some may be missing",
    located(...TWENTY.map((parameter, n) => ({ parameter, detail: `${n}` }))),
  ],
  [`faults at ${TWENTY.join(", ")}`, "one is listed again", faults(...TWENTY)],
  ["faults at #, cursor, limit", "there is another one", faults("limit", "#", "cursor")],
  [
    "faults at the parameter #, the pointer limit",
    "they are pointers in a body alone",
    located({ parameter: "#" }, { pointer: "limit" }),
  ],
])("the places of faults differ by %s where %s", (actual, _, sent) => {
  const request = get("/api/?@=user.list&limit=0&offset=1");
  const credentials = Object.entries({ "X-API-KEY": "k", "X-PLATFORM": "web" });
  const wrong = { ...request, fields: [...request.fields, ...credentials] };
  expect(compared(wrong, sent)).toBe(actual && `body:/errors: ${actual}`);
});
