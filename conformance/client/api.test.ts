import { describe, expect, it } from "vitest";
import { empty, unanswered } from "../report/sample.fixture.ts";
import { KEY } from "../test/deployment.test-kit.ts";
import { serve } from "../test/server.test-kit.ts";
import { apiFor } from "../test/session.test-kit.ts";
import { Stopped, Withheld } from "./expectation.ts";
import { findEcho } from "./redact/echo.ts";
import type { Answer } from "./wire/exchange.ts";

describe("Api", () => {
  it("makes an example of its own for everyone", () => {
    const api = apiFor("http://a");
    const [one, other] = [api.example("user.create"), api.example("user.create")];
    expect(one.email).toBe("conformance+test-1@example.com");
    expect(other.email).toBe("conformance+test-2@example.com");
    expect(one.name).toBe(other.name);
    expect(api.example("docs.get")).toEqual({ name: "README" });
  });

  it("withholds what may harm where it may not, and sends what anybody does", async () => {
    const api = apiFor(await serve((_, response) => response.end()), { mayHarm: false });
    const json = { method: "POST", target: "/api/", headers: [["Content-Type", "application/json"]] } as const;
    const list = { method: "GET", target: "/api/?@=user.list&X-API-KEY=" } as const;
    const padding = (count: number, length: number) =>
      Array.from({ length: count }, (): [string, string] => ["X-Padding", "x".repeat(length)]);
    const wrong = "something oversized, something malformed, a key that is refused".split(", ");
    const [oversized, malformed, refused] = wrong.map((what) => new Withheld(what));
    for (const [request, harm] of [
      [{ ...json, body: " ".repeat(65_537) }, oversized],
      [{ ...json, target: `/api/?${"x".repeat(8192)}` }, oversized],
      [{ ...list, headers: padding(1, 16_384) }, oversized],
      [{ ...list, headers: padding(101, 1) }, oversized],
      [{ ...json, body: "{" }, malformed],
      [{ ...json, body: Buffer.from([0x22, 0xff, 0x22]) }, malformed],
      [{ ...json, target: "/api/?@=%zz" }, malformed],
      [{ ...list, headers: [["x-api-key", `${KEY}x`]] }, refused],
      [{ ...list, target: `${list.target}x` }, refused],
    ] as const)
      await expect(api.request(request)).rejects.toThrow(harm);
    const raw = (line: string) => api.raw(`${line}\r\nHost: a\r\n\r\n`);
    await expect(raw("FOO / HTTP/1.1")).rejects.toThrow(malformed);
    await raw(`GET /api/?@=user.%6cist&X-API-KEY=${KEY} HTTP/1.1`);
    await api.request({ ...list, headers: [["X-API-KEY", KEY]] });
    await api.request({ ...list, target: "/api/?@=sysinfo&X-API-KEY=anything" });
    await api.request({ ...json, body: "{}" });
    await api.request({ method: "POST", target: "/api/", body: "a=b" });
    expect(api.exchanges).toHaveLength(5);
  });

  it("sends at once what a check sends at once, however slow the pace, and what comes then later", async () => {
    const stop = new AbortController();
    const url = await serve((_, response) => response.end());
    const api = apiFor(url, { stop: stop.signal, intervalMs: 3_600_000 });
    const paths = Array.from({ length: 8 }, (_, at) => `/${at}`);
    await Promise.all(paths.map((target) => api.request({ method: "GET", target })));
    expect(api.exchanges).toHaveLength(paths.length);
    const later = api.request({ method: "GET", target: "/" });
    stop.abort(new Error("enough"));
    await expect(later).rejects.toThrow(new Stopped("enough"));
  });

  it("does not take for a race what a limit has drawn apart", async () => {
    let calls = 0;
    const url = await serve((_, response) => {
      calls += 1;
      response.writeHead(calls % 2 === 1 ? 200 : 429, { "Retry-After": "0" }).end();
    });
    const api = apiFor(url);
    const ask = () => api.request({ method: "GET", target: "/" });
    const at = await Promise.allSettled([ask(), ask()]);
    expect(at.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(at).toContainEqual({
      status: "rejected",
      reason: new Stopped("the target forbids (429, or 503) what has to be sent at once"),
    });
    // Sent alone, it is retried until it is accepted.
    await ask();
    expect((await ask()).status).toBe(200);
    expect(calls).toBe(5);
  });

  it("sends through a path prefix", async () => {
    const url = await serve((request, response) => response.end(request.url));
    const api = apiFor(`${url}/prefix/`);
    expect((await api.request({ method: "GET", target: "/api?x=%20" })).text).toBe("/prefix/api?x=%20");
    expect((await api.raw(api.rawRequest({ target: api.path("/api/") }))).replies[0]?.text).toBe("/prefix/api/");
    const absolute = await api.raw(api.rawRequest({ target: `${api.url}/api/` }));
    expect(absolute.replies[0]?.exchange.request.url).toBe(`${url}/prefix/api/`);
    // Node rejects it; it is reported as well, with a command that sends it again, to where it was sent.
    const none = await api.raw(api.rawRequest({ target: "http://[::1/api/" }));
    expect(none.replies[0]?.exchange.request.url).toBe(`${url}/api/`);
  });
});

describe("findEcho", () => {
  const secrets = [{ name: "API_KEY", value: KEY }];
  const where = (changes: Partial<Answer>) => findEcho({ ...unanswered, answer: { ...empty, ...changes } }, secrets);

  it("finds a key in every part of an answer, encoded too", () => {
    expect(where({ headers: [["Location", `/?k=${KEY}`]] })).toBe("header:location");
    expect(where({ reason: KEY })).toBe("status");
    expect(where({ body: Buffer.from(Buffer.from(KEY).toString("base64")) })).toBe("body");
    expect(where({ body: Buffer.from("nothing") })).toBeNull();
    expect(findEcho(unanswered, secrets)).toBeNull();
  });
});
