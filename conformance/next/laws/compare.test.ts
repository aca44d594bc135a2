import { describe, expect, it } from "vitest";
import { ours } from "../../lists/ours.ts";
import type { Request } from "../../oracle/world.ts";
import { compare } from "./compare.ts";
import { exchanged, get, type Sent, worldOf } from "./exchange.test-kit.ts";

const world = worldOf(ours);
const listing = (query: string): Request => ({
  ...get(`/api/?@=user.list&${query}`),
  fields: [...get("").fields, ["X-API-KEY", "k"], ["X-PLATFORM", "web"]],
});

const json = ["Content-Type", "application/json"] as const;
const problem = (status: number, code: string, more: object = {}): Sent => ({ status, json: { code, ...more } });

/** The difference of a response to a request, as text; null if it is as predicted. */
function found(request: Request, sent: Sent): string | null {
  const difference = compare(exchanged(world, request, sent), ours.contract);
  return difference && `${difference.aspect}: expected ${difference.expected}; got ${difference.actual}`;
}

const SYSINFO = get("/api/?@=sysinfo");
const named = ["X-Operation", "sysinfo"] as const;
const body = {
  ...{ status: "Operational", version: "3.0.3", server: "Atpoint", runtime: "Node.js 20", clientAddress: "192.0.2.7" },
  ...{ requestMethod: "GET", time: "2026-01-31T12:00:00.000Z" },
};

describe("a response that is predicted", () => {
  it.each<[string, Request, Sent]>([
    ["a success", SYSINFO, { fields: [json, named], json: body }],
    ["a problem", get("/api/?@=nothing"), problem(404, "operation-not-found")],
    ["one to HEAD, whose code is not to be seen", get("/api/?@=nothing", "HEAD"), { status: 404 }],
    [
      "a list of methods in another order",
      get("/", "PUT"),
      { ...problem(405, "method-not-allowed"), fields: [["Allow", "HEAD,GET, OPTIONS"]] },
    ],
    ["one of two that the contract allows", get(`/${"x".repeat(8192)}`), problem(431, "headers-too-large")],
    ["the other one of them", get(`/${"x".repeat(8192)}`), problem(414, "uri-too-long")],
    ["a redirect that drops an empty query", get("/api?"), { status: 308, fields: [["Location", "/api/"]] }],
    ["a redirect below a path prefix", get("/api?x=1"), { status: 308, fields: [["Location", "/one/api/?x=1"]] }],
  ])("has no difference: %s", (_, request, sent) => {
    expect(found(request, sent)).toBeNull();
  });
});

describe("a response that is not predicted", () => {
  it.each<[string, string, Request, Sent]>([
    [
      "status: expected 404 operation-not-found; got 200 application/json",
      "its status",
      get("/api/?@=nothing"),
      { fields: [json, named] },
    ],
    [
      "status: expected 404 operation-not-found; got 400 operation-not-found",
      "the status of a right code",
      get("/api/?@=nothing"),
      problem(400, "operation-not-found"),
    ],
    [
      "body:/code: expected 404 operation-not-found; got 404 path-not-found",
      "its code",
      get("/api/?@=nothing"),
      problem(404, "path-not-found"),
    ],
    [
      'body:/code: expected 404 operation-not-found; got 404 "{}"',
      "a code that is missing",
      get("/api/?@=nothing"),
      { status: 404, json: {} },
    ],
    [
      "header:x-operation: expected X-Operation: sysinfo; got none",
      "an operation that it does not name",
      SYSINFO,
      { fields: [json], json: body },
    ],
    [
      "header:x-operation: expected X-Operation: none; got sysinfo",
      "one that it must not name",
      get("/api/?@=nothing"),
      { ...problem(404, "operation-not-found"), fields: [named] },
    ],
    [
      "header:content-type: expected application/json; got text/html",
      "its media type",
      SYSINFO,
      { fields: [["Content-Type", "text/html"], named], json: body },
    ],
    [
      "header:allow: expected Allow: GET, HEAD, OPTIONS; got Allow: GET",
      "a method that is missing",
      get("/", "PUT"),
      { ...problem(405, "method-not-allowed"), fields: [["Allow", "GET"]] },
    ],
    [
      "header:location: expected Location: api/?x=1; got /api/",
      "a query that is lost",
      get("/api?x=1"),
      { status: 308, fields: [["Location", "/api/"]] },
    ],
    [
      "header:location: expected Location: api/?x=1; got //one.invalid/api/?x=1",
      "a redirect to another host",
      get("/api?x=1"),
      { status: 308, fields: [["Location", "//one.invalid/api/?x=1"]] },
    ],
    [
      'body: expected one JSON text as the body; got "<p>"',
      "a body that is no JSON",
      SYSINFO,
      { fields: [json, named], body: "<p>" },
    ],
    [
      "body:/time: expected an answer of sysinfo as documented; got #/time type",
      "a member of another type",
      SYSINFO,
      { fields: [json, named], json: { ...body, time: 1 } },
    ],
    [
      "body:/extra: expected an answer of sysinfo as documented; got # has extra, which is not documented",
      "a member that is not documented",
      SYSINFO,
      { fields: [json, named], json: { ...body, extra: 1 } },
    ],
  ])("differs by %s: %s", (message, _, request, sent) => {
    expect(found(request, sent)).toBe(message);
  });

  it("is compared with the form that differs least", () => {
    const redirect = (location: string, more: Sent["fields"] = []) =>
      found(get("/api?"), { status: 308, fields: [["Location", location], ...more] });
    expect(redirect("/api/", [named])).toContain("header:x-operation");
    expect(redirect("/other/")).toContain("Location: api/?");
  });
});

describe("the places of faults", () => {
  const fields = [["X-Operation", "user.list"]] as const;
  const located = (...errors: readonly object[]) => ({ ...problem(422, "invalid-input", { errors }), fields });
  const faults = (...places: readonly string[]) =>
    located(...places.map((place) => (place.startsWith("#") ? { pointer: place } : { parameter: place })));
  const wrong = listing("limit=0&offset=1");

  it("have no order", () => {
    expect(found(wrong, faults("limit", "#"))).toBeNull();
    expect(found(wrong, faults("#", "limit"))).toBeNull();
  });

  it("are all there, and no others", () => {
    expect(found(wrong, faults("limit"))).toContain("expected faults at #, limit; got faults at limit");
    expect(found(wrong, faults("limit", "#", "cursor"))).toContain("got faults at #, cursor, limit");
    expect(found(wrong, { ...problem(422, "invalid-input"), fields })).toContain("got faults at none");
  });

  it("are pointers in a body, and names of parameters elsewhere", () => {
    const swapped = located({ parameter: "#" }, { pointer: "limit" });
    expect(found(wrong, swapped)).toContain("got faults at the parameter #, the pointer limit");
  });

  it("are 20 at most: of more, some may be missing", () => {
    expect(found(wrong, faults(...Array<string>(20).fill("limit")))).toBeNull();
  });
});
