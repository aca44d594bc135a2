import { describe, expect, it } from "vitest";
import { empty, unanswered } from "../report/sample.fixture.ts";
import * as expects from "./expect.ts";
import { Expectation } from "./expectation.ts";
import { excerpts, Reply } from "./reply.ts";

function reply(
  status: number,
  mediaType: string,
  body: unknown,
  { method = "GET", headers = [] as [string, string][] } = {},
) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const all: [string, string][] = [...(mediaType ? [["Content-Type", mediaType] as [string, string]] : []), ...headers];
  const exchange = { ...unanswered, request: { ...unanswered.request, method } };
  return new Reply(exchange, { ...empty, status, headers: all, body: bytes });
}

const sysinfo = {
  status: "Operational",
  version: "3.0.3",
  server: "Atpoint",
  runtime: "Node.js 20",
  clientAddress: "192.0.2.7",
  requestMethod: "GET",
  time: "2026-01-31T12:00:00.000Z",
};
const problem = { detail: "No operation has this name.", code: "operation-not-found" };
const JSON_TYPE = "application/json; charset=utf-8";
const PROBLEM_TYPE = "application/problem+json";
const refusal = (changes: object = {}, status = 404, mediaType = PROBLEM_TYPE) =>
  reply(status, mediaType, { ...problem, ...changes });

describe("Reply", () => {
  it("reads headers in any case, repeated ones too", () => {
    const headers = ["Vary:A", "vary:B"].map((field) => field.split(":") as [string, string]);
    const one = reply(200, "Text/HTML ; a=b", "", { headers });
    expect(one.headerValues("VARY")).toEqual(["A", "B"]);
    expect(one.header("vary")).toBe("A, B");
    expect(one.header("etag")).toBeUndefined();
    expect(one.mediaType).toBe("text/html");
    expect(one.headers).toHaveLength(3);
    expect(reply(200, "", "").mediaType).toBe("");
  });

  it.each([["\ufeff{}"], ["{}{}"], [""], ["{"], [Buffer.from([0x22, 0xff, 0x22])]])(
    "takes %j for no JSON text",
    (body) => {
      expect(() => reply(200, JSON_TYPE, body).json()).toThrow(Expectation);
    },
  );
});

it.each([
  ["the beginning of short texts", "a b", "a c", ['"a b"', '"a c"']],
  [
    "the place where long ones part",
    `${"x".repeat(500)}one`,
    `${"x".repeat(500)}two`,
    [/^…"x{60}one"$/, /^…"x{60}two"$/],
  ],
  ["what only one of them has", "x".repeat(300), "x".repeat(301), [/^…"x{60}"$/, /^…"x{61}"$/]],
  ["no more than there is room for", `a${"x".repeat(500)}`, `b${"x".repeat(500)}`, [/^"ax{199}"…$/, /^"bx{199}"…$/]],
])("excerpts of two texts show %s", (_, one, other, shown) => {
  expect(excerpts(one, other)).toEqual(
    shown.map((text) => (typeof text === "string" ? text : expect.stringMatching(text))),
  );
});

describe("expectSuccess", () => {
  it("takes an operation's own documented answer and returns it", () => {
    expect(expects.expectSuccess(reply(200, JSON_TYPE, sysinfo), "sysinfo")).toMatchObject({ version: "3.0.3" });
  });

  it.each([
    ["another status", reply(201, JSON_TYPE, sysinfo)],
    ["another media type", reply(200, "text/html", sysinfo)],
    ["an undocumented member", reply(200, JSON_TYPE, { ...sysinfo, host: "a" })],
    ["a missing member", reply(200, JSON_TYPE, { ...sysinfo, time: undefined })],
    ["another operation's body", reply(200, JSON_TYPE, { items: [] })],
    ["no JSON", reply(200, JSON_TYPE, "x".repeat(500))],
  ])("is not content with %s", (_, one) => {
    expect(() => expects.expectSuccess(one, "sysinfo")).toThrow(Expectation);
  });

  it("does not take a documented 503 for a success", () => {
    const body = { status: "fail", version: "3.0.3", checks: { storage: { status: "fail" } } };
    expect(() => expects.expectSuccess(reply(503, JSON_TYPE, body), "test.health")).toThrow("expected 200");
  });

  it("takes a text that is documented", () => {
    expect(expects.expectText(reply(200, "text/markdown; charset=utf-8", "# A"), "docs.get", "text/markdown")).toBe(
      "# A",
    );
    expect(() => expects.expectText(reply(200, "text/html", "A"), "docs.get", "text/markdown")).toThrow(Expectation);
    expect(() => expects.expectText(reply(200, "text/markdown", "A"), "sysinfo", "text/markdown")).toThrow(Expectation);
  });

  it("is a fault of the check to expect a body of HEAD", () => {
    const head = reply(200, JSON_TYPE, "", { method: "HEAD" });
    expect(() => expects.expectSuccess(head, "sysinfo")).toThrow("use expectStatus");
    expect(() => expects.expectProblem(head, 404, "path-not-found")).not.toThrow(Expectation);
  });
});

describe("expectProblem", () => {
  it("tells what a refusal says, and leaves the rest of it to others", () => {
    const said = refusal({ errors: [{ pointer: "#", detail: 1 }, null], stack: "x" }, 404, "text/plain");
    expect(expects.expectProblem(said, 404, "operation-not-found").errors).toEqual([
      { pointer: "#", detail: "" },
      { detail: "" },
    ]);
  });

  it.each([
    ["another status", null, refusal({ code: "path-not-found" }, 400)],
    ["another code", null, refusal({ code: "path-not-found" })],
    ["a success", null, refusal({}, 200)],
    ["a redirect without a code", null, reply(302, "text/plain", "")],
    // What the checks of errors/ verify of every response.
    ["another status with this code", "errors/status", refusal({}, 400)],
    ["no code", "errors/members", refusal({ code: undefined })],
    ["an array", "errors/members", reply(404, PROBLEM_TYPE, [])],
    ["no JSON", "errors/members", reply(404, "text/plain", "Not Found")],
  ] as const)("is not content with %s", (_, saidBy, one) => {
    expect(() => expects.expectProblem(one, 404, "operation-not-found")).toThrow(
      expect.objectContaining({ name: "Expectation", saidBy }),
    );
  });
});

describe("what a given requirement may expect", () => {
  it("is a refusal, or an acceptance as JSON or text", () => {
    expect(() => expects.expectRefused(reply(404, "", ""))).not.toThrow();
    expect(() => expects.expectRefused(reply(204, "", ""))).toThrow(Expectation);
    expect(expects.expectAccepted(reply(201, "application/hal+json", [1]))).toEqual([1]);
    expect(() => expects.expectAccepted(reply(404, JSON_TYPE, {}))).toThrow(Expectation);
    expect(() => expects.expectAccepted(reply(200, "text/plain", "{}"))).toThrow(Expectation);
    for (const one of [reply(200, "text/markdown", "#"), reply(200, JSON_TYPE, {})])
      expects.expectAcceptedDocument(one);
    for (const one of [reply(404, "text/plain", ""), reply(200, "image/png", ""), reply(200, JSON_TYPE, "{")]) {
      expect(() => expects.expectAcceptedDocument(one)).toThrow(Expectation);
    }
  });
});
