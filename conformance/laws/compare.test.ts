import { describe, expect, it } from "vitest";
import type { Request } from "../oracle/world.ts";
import { packaged } from "../packaged.ts";
import { compare } from "./compare.ts";
import { exchanged, get, type Sent, worldOf } from "./exchange.test-kit.ts";

const world = worldOf(packaged.oracle);
const problem = (status: number, code: string, more: object = {}): Sent => ({ status, json: { code, ...more } });

/** The difference of a response to a request, as text; null if it is as predicted. */
function found(request: Request, sent: Sent): string | null {
  const difference = compare(exchanged(world, request, sent), packaged.oracle.contract);
  return difference && `${difference.aspect}: expected ${difference.expected}; got ${difference.actual}`;
}

const NOTHING = get("/api/?@=nothing");
const SYSINFO = get("/api/?@=sysinfo");
const named = ["X-Operation", "sysinfo"] as const;
const fields = [["Content-Type", "application/json"], named] as const;
const json = {
  ...{ status: "Operational", version: "3.0.3", server: "Atpoint", runtime: "Node.js 20", clientAddress: "192.0.2.7" },
  ...{ requestMethod: "GET", time: "2026-01-31T12:00:00.000Z" },
};
const LONG = get(`/${"x".repeat(8192)}`);
const redirect = (location: string, more: Sent["fields"] = []): Sent => ({
  ...{ status: 308, fields: [["Location", location], ...more] },
});
const allowing = (methods: string): Sent => ({ ...problem(405, "method-not-allowed"), fields: [["Allow", methods]] });

const html: Sent = { fields: [["Content-Type", "text/html"], named], json };
const status = (actual: string) => `status: expected 404 operation-not-found; got ${actual}`;
const code = (actual: string) => `body:/code: expected 404 operation-not-found; got ${actual}`;
const operation = (due: string, actual: string) => `header:x-operation: expected X-Operation: ${due}; got ${actual}`;
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
  [operation("none", "sysinfo"), NOTHING, { ...problem(404, "operation-not-found"), fields: [named] }],
  ["header:content-type: expected application/json; got text/html", SYSINFO, html],
  ["header:allow: expected Allow: GET, HEAD, OPTIONS; got Allow: GET", get("/", "PUT"), allowing("GET")],
  [location("/api/"), get("/api?x=1"), redirect("/api/")],
  [location("//a/api/?x=1"), get("/api?x=1"), redirect("//a/api/?x=1")],
  // It is compared with the form that differs least.
  [operation("none", "sysinfo"), get("/api?"), redirect("/api/", [named])],
  ["header:location: expected Location: api/?; got /other/", get("/api?"), redirect("/other/")],
  ['body: expected one JSON text as the body; got "<p>"', SYSINFO, { fields, body: "<p>" }],
  [documented("time", "#/time type"), SYSINFO, { fields, json: { ...json, time: 1 } }],
  [documented("extra", "# has extra, which is not documented"), SYSINFO, { fields, json: { ...json, extra: 1 } }],
])("a response differs as %s (%#)", (message, request, sent) => {
  expect(found(request, sent)).toBe(message);
});

describe("the places of faults", () => {
  const fields = [["X-Operation", "user.list"]] as const;
  const located = (...errors: readonly object[]) => ({ ...problem(422, "invalid-input", { errors }), fields });
  const faults = (...places: readonly string[]) =>
    located(...places.map((place) => (place.startsWith("#") ? { pointer: place } : { parameter: place })));
  const credentials = [["X-API-KEY", "k"] as const, ["X-PLATFORM", "web"] as const];
  const request = get("/api/?@=user.list&limit=0&offset=1");
  const wrong = { ...request, fields: [...request.fields, ...credentials] };

  const SWAPPED = located({ parameter: "#" }, { pointer: "limit" });

  it.each<[string | null, string, Sent]>([
    [null, "they have no order", faults("#", "limit")],
    [null, "of more than 20 some may be missing", faults(...Array<string>(20).fill("limit"))],
    ["faults at limit", "one is missing", faults("limit")],
    ["faults at #, cursor, limit", "there is another one", faults("limit", "#", "cursor")],
    ["faults at none", "there are none", { ...problem(422, "invalid-input"), fields }],
    ["faults at the parameter #, the pointer limit", "they are pointers in a body alone", SWAPPED],
  ])("differ by %s where %s", (actual, _, sent) => {
    expect(found(wrong, sent)?.split("; got ")[1] ?? null).toBe(actual);
  });
});
