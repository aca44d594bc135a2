import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Context, ProxyRequest } from "./defect.ts";
import { header, jsonAnswer, namedIn, operationOf, pathOf, problemCode } from "./look.ts";
import { readRequest } from "./request.ts";
import * as shape from "./shape.ts";
import { answerOf, answersWith, problemsWith } from "./when.ts";

function request(text: string): ProxyRequest {
  const read = readRequest(Buffer.from(text.replaceAll("\n", "\r\n")));
  if (typeof read === "string") throw new Error(read);
  return read.request;
}

const get = request("GET /api/?@=user.list&limit=3&X-API-KEY=k HTTP/1.1\nHost: t\nx-api-key: k\n\n");
const posted = '{"@":"user.create","data":{"name":"Ada"}}';
const post = request(`POST /api/ HTTP/1.1\nHost: t\nContent-Length: ${posted.length}\n\n${posted}`);
const context: Context = {
  target: new URL("http://t"),
  credentials: null,
  state: new Map(),
  random: () => 0,
  forward: () => Promise.reject(new Error("not here")),
};

describe("namedIn", () => {
  it("reads @ from the query, the body or nowhere", () => {
    expect(namedIn(get)).toBe("user.list");
    expect(namedIn(post)).toBe("user.create");
    expect(namedIn({ ...post, body: Buffer.from('{"@":7}') })).toBeNull();
    expect(namedIn({ ...post, body: Buffer.from("[]") })).toBeNull();
    expect(namedIn({ ...post, body: Buffer.from("{") })).toBeNull();
    expect(namedIn({ ...get, target: "/api/" })).toBeNull();
  });
});

describe("operationOf", () => {
  it("knows the names of a template, and no others", () => {
    const named = (name: string) => operationOf({ ...get, target: `/api/?@=${name}` });
    expect(named("docs.get.README")).toBe("docs.get");
    expect(named("docs.get")).toBeNull();
    expect(named("no.such.operation")).toBeNull();
  });
});

describe("pathOf", () => {
  it("leaves out origin and query", () => {
    expect(pathOf(get)).toBe("/api/");
    expect(pathOf({ ...get, target: "http://t:80/api/?a" })).toBe("/api/");
  });
});

describe("requests", () => {
  it("stay the same object when nothing changes", () => {
    expect(shape.withQuery(get, () => {})).toBe(get);
    expect(shape.withJsonBody(post, (body) => body)).toBe(post);
    expect(shape.withJsonBody(get, () => ({ a: 1 }))).toBe(get);
    expect(shape.withData({ ...post, body: Buffer.from('{"data":1}') }, () => ({}))).toMatchObject({
      body: Buffer.from('{"data":1}'),
    });
  });

  it("stay the same object when they are nested too deep to be written", () => {
    const deep = { ...post, body: Buffer.from(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`) };
    expect(shape.withJsonBody(deep, () => ({ a: 1 }))).toBe(deep);
    const fault = new TypeError("another");
    expect(() =>
      shape.withJsonBody(post, () => {
        throw fault;
      }),
    ).toThrow(fault);
  });

  it("change in query, data and credentials", () => {
    const bare = shape.withQuery(get, (query) => [...query.keys()].map((name) => query.delete(name)));
    expect(bare.target).toBe("/api/");
    expect(shape.withData(post, (data) => ({ ...data, name: "Bob" })).body.toString()).toContain(
      '"data":{"name":"Bob"}',
    );
    const other = shape.withCredentials(get, "key", "web");
    expect(other.target).toBe("/api/?%40=user.list&limit=3");
    expect(other.headers.slice(1)).toEqual([
      ["X-API-KEY", "key"],
      ["X-PLATFORM", "web"],
    ]);
  });

  it("cannot be let in without credentials", () => {
    expect(() => shape.letIn(get, context)).toThrow(/credentials/);
  });
});

describe("answers", () => {
  it("are read through their content coding", () => {
    const coded = { ...shape.respond(200, {}), body: deflateSync('{"a":1}') };
    expect(jsonAnswer(shape.withHeader(coded, "Content-Encoding", "deflate"))).toEqual({ a: 1 });
    expect(jsonAnswer({ ...coded, body: Buffer.alloc(0) })).toBeNull();
  });

  it("change as JSON only when they are JSON", () => {
    const list = shape.respond(200, [1]);
    expect(shape.withJson(list, () => ({}))).toBe(list);
    expect(jsonAnswer(shape.withJson(shape.respond(200, { a: 1 }), (json) => ({ ...json, b: 2 })))).toEqual({
      a: 1,
      b: 2,
    });
  });

  it("have problem codes only as problems", () => {
    expect(problemCode(shape.respondProblem(404, "path-not-found"))).toBe("path-not-found");
    expect(problemCode(shape.respond(200, { code: "x" }))).toBeNull();
    expect(problemCode(shape.respond(500, { code: 5 }))).toBeNull();
  });

  it("of unknown status have no reason", () => {
    expect(shape.withStatus(shape.respond(299, {}), 599).reason).toBe("");
    expect(shape.respondProblem(599, "x").body.toString()).toContain('"title":"Problem"');
  });

  it("take headers where they stood", () => {
    const answer = shape.withHeader(shape.respond(200, {}, { "X-A": "1" }), "content-type", "text/plain");
    expect(answer.headers).toEqual([
      ["content-type", "text/plain"],
      ["X-A", "1"],
    ]);
    expect(header(shape.withAddedHeader(answer, "x-a", "2"), "X-A")).toBe("1");
  });
});

describe("narrowing", () => {
  const ok = shape.respond(200, {});
  const change = () => shape.respond(500, {});
  it("takes an operation, all documents, a status or a code", async () => {
    const document = { ...get, target: "/api/?@=docs.get.README" };
    expect(await answerOf("docs.get.", change)(ok, document, context)).not.toBe(ok);
    expect(await answerOf("docs.get.", change)(ok, get, context)).toBe(ok);
    expect(await answerOf("docs.get.", change)(ok, { ...get, target: "/" }, context)).toBe(ok);
    expect(await answersWith(200, change)(ok, get, context)).not.toBe(ok);
    expect(await answersWith(201, change)(ok, get, context)).toBe(ok);
    expect(await problemsWith("a", change)(shape.respondProblem(400, "a"), get, context)).toMatchObject({
      status: 500,
    });
    expect(await problemsWith("a", change)(ok, get, context)).toBe(ok);
  });
});
