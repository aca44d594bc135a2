import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Arrived, serve, serveSocket } from "../../test/server.test-kit.ts";
import { apiFor } from "../../test/session.test-kit.ts";
import { Expectation, Stopped } from "../expectation.ts";

/** A server that records requests and responds with an empty object. */
async function recorder() {
  const arrived: Arrived[] = [];
  const url = await serve((request, response) => {
    arrived.push(request);
    response.end("{}");
  });
  return { api: apiFor(url), arrived };
}

describe("what is sent", () => {
  it("spells @ and %40 as asked", async () => {
    const { api, arrived } = await recorder();
    await api.call("sysinfo");
    await api.call("sysinfo", { at: "%40" });
    await api.request({ method: "GET", target: "/api/?%40=a&@=b" });
    expect(arrived.map(({ url }) => url)).toEqual(["/api/?@=sysinfo", "/api/?%40=sysinfo", "/api/?%40=a&@=b"]);
  });

  it("sends the bytes of a Buffer under application/json as they are", async () => {
    const { api, arrived } = await recorder();
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
    await api.request({ method: "POST", target: "/api/", headers: [["Content-Type", "application/json"]], body });
    await api.request({ method: "GET", target: "/api/", body: "ignored" });
    expect(arrived[0]?.body).toEqual(body);
    expect(arrived[0]?.headers["content-length"]).toBe("4");
    expect(arrived[1]?.body.toString()).toBe("ignored");
  });

  it("sends no Accept, Accept-Encoding, User-Agent or Content-Type of its own", async () => {
    const { api, arrived } = await recorder();
    await api.request({ method: "POST", target: "/api/", body: "{}" });
    const names = arrived[0]?.rawHeaders.filter((_, index) => index % 2 === 0);
    expect(names).toEqual(["Connection", "Host", "Content-Length"]);
  });

  it.each(["GET", "POST", "DELETE", "OPTIONS", "PUT"])("records every field of %s, Node's own too", async (method) => {
    const { api, arrived } = await recorder();
    await api.request({ method, target: "/", headers: [["X-One", "1"]] });
    expect(api.exchanges[0]?.request.headers.flat()).toEqual(arrived[0]?.rawHeaders);
    await api.request({ method, target: "/", headers: [["Connection", "keep-alive"]], body: "{}" });
    expect(api.exchanges[1]?.request.headers.flat()).toEqual(arrived[1]?.rawHeaders);
  });

  it("sends a header field twice when asked to", async () => {
    const { api, arrived } = await recorder();
    const headers = ["X-One", "x-one"].map((name, index) => [name, `${index + 1}`] as const);
    await api.request({ method: "GET", target: "/", headers });
    expect(arrived[0]?.rawHeaders.slice(0, 4)).toEqual(["X-One", "1", "X-One", "2"]);
  });

  it("is a fault of the check when the client would rewrite the target", async () => {
    const { api } = await recorder();
    await expect(api.request({ method: "GET", target: "/a b" })).rejects.toThrow("use api.raw");
    await expect(api.request({ method: "GET", target: "/", headers: [["X-A", "a\r\nb"]] })).rejects.not.toThrow(
      Expectation,
    );
  });
});

describe("what comes back", () => {
  it("resolves with any status, follows nothing and parses nothing", async () => {
    const url = await serve((_, response) => {
      response.writeHead(308, { Location: "/elsewhere", "Content-Type": "application/json" });
      response.end("{broken");
    });
    const reply = await apiFor(url).request({ method: "GET", target: "/api" });
    expect(reply.status).toBe(308);
    expect(reply.header("location")).toBe("/elsewhere");
    expect(reply.text).toBe("{broken");
    expect(() => reply.json()).toThrow(Expectation);
  });

  it("leaves a content coding in place", async () => {
    const zipped = gzipSync("hello");
    const url = await serve((request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip", "X-Asked": String(request.headers["accept-encoding"]) });
      response.end(zipped);
    });
    const reply = await apiFor(url).call("docs.list", { headers: { "Accept-Encoding": "gzip" } });
    expect(reply.body).toEqual(zipped);
    expect(reply.header("content-encoding")).toBe("gzip");
    expect(reply.header("x-asked")).toBe("gzip");
  });

  it("is an unkept expectation when the connection breaks, nobody answers or nobody is there", async () => {
    const resetting = await serveSocket((socket) => socket.once("data", () => socket.resetAndDestroy()));
    await expect(apiFor(resetting).call("sysinfo")).rejects.toThrow("connection reset");
    const silent = await serveSocket(() => {});
    const api = apiFor(silent, { timeoutMs: 20 });
    await expect(api.call("sysinfo")).rejects.toThrow("no answer within 20 ms");
    expect(api.exchanges).toMatchObject([{ answer: null, error: "no answer within 20 ms" }]);
    await expect(apiFor("http://127.0.0.1:1").call("sysinfo")).rejects.toThrow("ECONNREFUSED");
  });

  it("is stopped with the run, in flight and before", async () => {
    const stop = new AbortController();
    const silent = await serveSocket((socket) => socket.once("data", () => stop.abort(new Error("enough"))));
    const api = apiFor(silent, { stop: stop.signal });
    await expect(api.call("sysinfo")).rejects.toThrow(new Stopped("enough"));
    await expect(api.call("sysinfo")).rejects.toThrow(Stopped);
  });
});

describe("a response that is too long", () => {
  const MIB = 1024 * 1024;
  const padded = (length: number) => `{"padding":"${"x".repeat(length - '{"padding":""}'.length)}"}`;

  it("is none, and said to be what it is; one of 1 MiB is read", async () => {
    const api = apiFor(
      await serve(({ url }, response) => {
        response.statusCode = 203;
        response.end(padded(url.includes("long") ? MIB + 1 : MIB));
      }),
    );
    const reply = await api.request({ method: "GET", target: "/" });
    expect(reply.body.length).toBe(MIB);
    await expect(api.request({ method: "GET", target: "/long" })).rejects.toThrow(
      "expected a shorter response; got a response of more than 1 MiB, of which no more was read (status 203)",
    );
  });

  it("is no more than 1 MiB without its content coding", async () => {
    const [least, most] = [MIB, MIB + 1].map((length) => gzipSync(padded(length)));
    const bodies = new Map([
      ["/", least],
      ["/long", most],
    ]);
    const url = await serve((request, response) => {
      response.setHeader("Content-Encoding", "gzip").end(bodies.get(request.url));
    });
    const api = apiFor(url, { origin: "given" });
    expect((await api.request({ method: "GET", target: "/" })).json()).toHaveProperty("padding");
    await expect(api.request({ method: "GET", target: "/long" })).rejects.toThrow(
      /^expected a body of at most 1 MiB; got \d+ bytes in a content coding that stand for more$/,
    );
  });

  it("is read as JSON as far as it is nested in any contract", async () => {
    const nested = (levels: number) => `${"[".repeat(levels)}"[[{\\"[["${"]".repeat(levels)}`;
    const api = apiFor(await serve(({ url }, response) => response.end(nested(url === "/" ? 200 : 201))));
    expect((await api.request({ method: "GET", target: "/" })).json()).toHaveLength(1);
    const deep = await api.request({ method: "GET", target: "/deep" });
    expect(() => deep.json()).toThrow("JSON of at most 200 levels");
  });
});
