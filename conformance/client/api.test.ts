import { describe, expect, it } from "vitest";
import { KEY } from "../test/deployment.test-kit.ts";
import { serve } from "../test/server.test-kit.ts";
import { apiFor } from "../test/session.test-kit.ts";
import { findEcho } from "./redact/echo.ts";
import type { Answer } from "./wire/exchange.ts";

describe("Api", () => {
  it("knows its target, its credentials and its run", () => {
    const { key, platform, credentials, runId, seed, url, host } = apiFor("http://a:1/b/");
    expect({ key, platform, runId, seed, url, host }).toEqual({
      ...{ key: KEY, platform: "web", runId: "test", seed: 1 },
      ...{ url: "http://a:1/b", host: "a:1" },
    });
    expect(credentials.full.key).toBe(KEY);
  });

  it("makes an example of its own for everyone", () => {
    const api = apiFor("http://a");
    const [one, other] = [api.example("user.create"), api.example("user.create")];
    expect(one.email).toBe("conformance+test-1@example.com");
    expect(other.email).toBe("conformance+test-2@example.com");
    expect(one.name).toBe(other.name);
    expect(api.example("docs.get")).toEqual({ name: "README" });
  });

  it("sends through a path prefix", async () => {
    const url = await serve((request, response) => response.end(request.url));
    const api = apiFor(`${url}/prefix/`);
    expect((await api.request({ method: "GET", target: "/api?x=%20" })).text).toBe("/prefix/api?x=%20");
    expect((await api.raw(api.rawRequest({ target: api.path("/api/") }))).replies[0]?.text).toBe("/prefix/api/");
    const absolute = await api.raw(api.rawRequest({ target: `${api.url}/api/` }));
    expect(absolute.replies[0]?.exchange.request.url).toBe(`${url}/prefix/api/`);
  });
});

describe("findEcho", () => {
  const secrets = [{ name: "API_KEY", value: KEY }];
  const request = { method: "GET", url: "http://a/", headers: [], body: Buffer.alloc(0), raw: null };
  const where = (changes: Partial<Answer>) => {
    const answer = { status: 200, reason: "OK", httpVersion: "1.1", headers: [], body: Buffer.alloc(0), ...changes };
    return findEcho({ request, answer, error: null, durationMs: 0 }, secrets);
  };

  it("finds a key in every part of an answer, encoded too", () => {
    expect(where({ headers: [["Location", `/?k=${KEY}`]] })).toBe("header:location");
    expect(where({ reason: KEY })).toBe("status");
    expect(where({ body: Buffer.from(Buffer.from(KEY).toString("base64")) })).toBe("body");
    expect(where({ body: Buffer.from("nothing") })).toBeNull();
    expect(findEcho({ request, answer: null, error: "reset", durationMs: 0 }, secrets)).toBeNull();
  });
});
