import { describe, expect, it } from "vitest";
import { Expectation } from "../client/expectation.ts";
import { Reply } from "../client/reply.ts";
import type { Answer } from "../client/wire/exchange.ts";
import { Model } from "../models/model.ts";
import type { Request } from "../oracle/world.ts";
import { compare } from "./compare.ts";
import { ours } from "./ours.ts";

const model = new Model(ours, { full: { key: "k", platform: "web" }, special: {} });
const get = (target: string, method = "GET"): Request => ({ method, target, fields: [["Host", "h"]], body: "" });
const listing = (query: string): Request => ({
  ...get(`/api/?@=user.list&${query}`),
  fields: [...get("").fields, ["X-API-KEY", "k"], ["X-PLATFORM", "web"]],
});

type Sent = Partial<Answer> & { readonly json?: object };
const json = ["Content-Type", "application/json"] as const;
const problem = (status: number, code: string, more: object = {}): Sent => ({ status, json: { code, ...more } });

/** The finding for a response to a request, as `aspect: message`; null if it is as predicted. */
function found(request: Request, { json: members, ...sent }: Sent): string | null {
  const answer = { status: 200, reason: "", httpVersion: "1.1", headers: [], body: Buffer.alloc(0), ...sent };
  const body = members ? Buffer.from(JSON.stringify(members)) : answer.body;
  const { method, target, fields: headers } = request;
  const sentRequest = { method, url: `http://h${target}`, headers, body: Buffer.alloc(0), raw: null };
  const exchange = { request: sentRequest, answer: { ...answer, body }, error: null, durationMs: 0 };
  try {
    compare(new Reply(exchange, exchange.answer), ours.predict(request, model), ours.contract);
    return null;
  } catch (error) {
    if (error instanceof Expectation) return `${error.aspect} ${error.saidBy}: ${error.message}`;
    throw error;
  }
}

const SYSINFO = get("/api/?@=sysinfo");
const named = ["X-Operation", "sysinfo"] as const;

describe("a response that is predicted", () => {
  it.each<[string, Request, Sent]>([
    ["a success", SYSINFO, { headers: [json, named] }],
    ["a problem", get("/api/?@=nothing"), problem(404, "operation-not-found")],
    ["one to HEAD, whose code is not to be seen", get("/api/?@=nothing", "HEAD"), { status: 404 }],
    [
      "a list of methods in another order",
      get("/", "PUT"),
      { ...problem(405, "method-not-allowed"), headers: [["Allow", "HEAD,GET, OPTIONS"]] },
    ],
    ["one of two that the contract allows", get(`/${"x".repeat(8192)}`), problem(431, "headers-too-large")],
    ["the other one of them", get(`/${"x".repeat(8192)}`), problem(414, "uri-too-long")],
    ["a redirect that drops an empty query", get("/api?"), { status: 308, headers: [["Location", "/api/"]] }],
    ["a redirect below a path prefix", get("/api?x=1"), { status: 308, headers: [["Location", "/one/api/?x=1"]] }],
  ])("is not reported: %s", (_, request, sent) => {
    expect(found(request, sent)).toBeNull();
  });
});

describe("a response that is not predicted", () => {
  it.each<[string, string, Request, Sent]>([
    [
      "status null: expected 404 operation-not-found; got 200 application/json",
      "its status",
      get("/api/?@=nothing"),
      { headers: [json, named] },
    ],
    [
      "status errors/status: expected 404 operation-not-found; got 400 operation-not-found",
      "the status of a right code",
      get("/api/?@=nothing"),
      problem(400, "operation-not-found"),
    ],
    [
      "body:/code null: expected 404 operation-not-found; got 404 path-not-found",
      "its code",
      get("/api/?@=nothing"),
      problem(404, "path-not-found"),
    ],
    [
      'body:/code errors/members: expected 404 operation-not-found; got 404 "{}"',
      "a code that is missing",
      get("/api/?@=nothing"),
      { status: 404, json: {} },
    ],
    [
      "header:x-operation null: expected X-Operation: sysinfo; got none",
      "an operation that it does not name",
      SYSINFO,
      { headers: [json] },
    ],
    [
      "header:x-operation null: expected X-Operation: none; got sysinfo",
      "one that it must not name",
      get("/api/?@=nothing"),
      { ...problem(404, "operation-not-found"), headers: [named] },
    ],
    [
      "header:content-type null: expected application/json; got text/html",
      "its media type",
      SYSINFO,
      { headers: [["Content-Type", "text/html"], named] },
    ],
    [
      "header:allow null: expected Allow: GET, HEAD, OPTIONS; got Allow: GET",
      "a method that is missing",
      get("/", "PUT"),
      { ...problem(405, "method-not-allowed"), headers: [["Allow", "GET"]] },
    ],
    [
      "header:location null: expected Location: api/?x=1; got /api/",
      "a query that is lost",
      get("/api?x=1"),
      { status: 308, headers: [["Location", "/api/"]] },
    ],
    [
      "header:location null: expected Location: api/?x=1; got //one.invalid/api/?x=1",
      "a redirect to another host",
      get("/api?x=1"),
      { status: 308, headers: [["Location", "//one.invalid/api/?x=1"]] },
    ],
  ])("is reported as %s: by %s", (message, _, request, sent) => {
    expect(found(request, sent)).toBe(message);
  });
});

describe("the places of faults", () => {
  const headers = [["X-Operation", "user.list"]] as const;
  const located = (...errors: readonly object[]) => ({ ...problem(422, "invalid-input", { errors }), headers });
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
    expect(found(wrong, problem(422, "invalid-input"))).toContain("header:x-operation");
    expect(found(wrong, { ...problem(422, "invalid-input"), headers })).toContain("got faults at none");
  });

  it("are pointers in a body, and names of parameters elsewhere", () => {
    const swapped = located({ parameter: "#" }, { pointer: "limit" });
    expect(found(wrong, swapped)).toContain("got faults at the parameter #, the pointer limit");
  });

  it("are 20 at most: of more, some may be missing", () => {
    expect(found(wrong, faults(...Array<string>(20).fill("limit")))).toBeNull();
  });
});
