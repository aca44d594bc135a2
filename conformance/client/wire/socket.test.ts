import { describe, expect, it } from "vitest";
import { serve, serveSocket } from "../../test/server.test-kit.ts";
import { apiFor } from "../../test/session.test-kit.ts";
import { Stopped } from "../expectation.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

describe("api.raw", () => {
  it("writes exactly these bytes", async () => {
    let got: Buffer = Buffer.alloc(0);
    const url = await serveSocket((socket) =>
      socket.once("data", (chunk) => {
        got = chunk;
        socket.end(OK);
      }),
    );
    const api = apiFor(url);
    const { replies } = await api.raw("GET /\xff HTTP/1.1\r\n\r\n");
    expect(got).toEqual(Buffer.from("GET /\xff HTTP/1.1\r\n\r\n", "latin1"));
    expect(replies[0]?.json()).toEqual({});
    expect(api.exchanges).toMatchObject([{ request: { method: "GET", raw: got }, answer: { status: 200 } }]);
  });

  it("writes pieces one by one, and reads as many answers as asked for", async () => {
    const url = await serve(({ url: target }, response) => response.end(target));
    const api = apiFor(url);
    const [first, second] = [api.rawRequest({ target: "/1", connection: null }), api.rawRequest({ target: "/2" })];
    const { replies, leftover } = await api.raw([first.subarray(0, 5), first.subarray(5), second], { answers: 2 });
    expect(replies.map(({ text }) => text)).toEqual(["/1", "/2"]);
    expect(leftover).toHaveLength(0);
  });

  it("notices without reading that the target has gone", async () => {
    const url = await serveSocket((socket) => socket.once("data", () => void socket.write(OK, () => socket.destroy())));
    const { replies, closed } = await apiFor(url).raw("GET / HTTP/1.1\r\n\r\n", { unread: true });
    expect({ replies, closed }).toEqual({ replies: [], closed: true });
  });

  it("reads until the connection closes", async () => {
    const url = await serve((_, response) => response.end("x"));
    const api = apiFor(url);
    const { replies, closed, reset } = await api.raw(api.rawRequest({ target: "/" }), {
      answers: Number.POSITIVE_INFINITY,
    });
    expect({ count: replies.length, closed, reset }).toEqual({ count: 1, closed: true, reset: false });
  });

  it("tells of a reset, of silence, of bytes that are no answer, and of nobody there", async () => {
    const resetting = await serveSocket((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await apiFor(resetting).raw("x")).toMatchObject({ reset: true, closed: true, replies: [] });
    const silent = apiFor(await serveSocket(() => {}), { timeoutMs: 20 });
    expect(await silent.raw("x")).toMatchObject({ timedOut: true, closed: false });
    expect(silent.exchanges[0]?.error).toBe("no answer in time");
    const babbling = apiFor(await serveSocket((socket) => socket.end("babble")));
    expect((await babbling.raw("x")).leftover.toString()).toBe("babble");
    expect(babbling.exchanges[0]?.error).toBe("connection closed without an answer");
    expect((await apiFor("http://127.0.0.1:1").raw("x")).error).toContain("ECONNREFUSED");
  });

  it("waits for each answer before the next request, when asked to", async () => {
    const heard: string[] = [];
    const url = await serveSocket((socket) =>
      socket.on("data", (bytes) => {
        heard.push(bytes.toString());
        setImmediate(() => socket.write(OK));
      }),
    );
    const pieces = ["a", "b", "c"].map((text) => Buffer.from(text));
    const { replies } = await apiFor(url).raw(pieces, { answers: 3, inTurn: true });
    expect([heard, replies.length]).toEqual([["a", "b", "c"], 3]);
    const once = await serveSocket((socket) => socket.once("data", () => socket.end(OK)));
    expect((await apiFor(once).raw(pieces, { answers: 3, inTurn: true })).replies).toHaveLength(1);
  });

  it("goes away when asked to", async () => {
    const url = await serveSocket((socket) => socket.resume().once("end", () => socket.end(OK)));
    expect(await apiFor(url).raw("x", { closeAfter: true })).toMatchObject({ replies: [], closed: false });
  });

  it("is stopped with the run", async () => {
    const stop = new AbortController();
    const url = await serveSocket((socket) => socket.once("data", () => stop.abort()));
    await expect(apiFor(url, { stop: stop.signal }).raw("x")).rejects.toThrow(Stopped);
  });
});

describe("api.rawRequest", () => {
  const api = apiFor("http://example.com:81/prefix/");

  it("adds Host, Content-Length and Connection unless told otherwise", () => {
    expect(api.rawRequest({ target: api.path("/api/"), body: "é" }).toString()).toBe(
      "GET /prefix/api/ HTTP/1.1\r\nHost: example.com:81\r\nConnection: close\r\nContent-Length: 2\r\n\r\né",
    );
  });

  it("leaves out and repeats what the check says", () => {
    const headers = [
      ["Content-Length", "1"],
      ["content-length", "2"],
    ] as const;
    const request = { method: "POST", target: "/", version: "1.0", headers, body: "ab" } as const;
    const bytes = api.rawRequest({ ...request, host: null, connection: null });
    expect(bytes.toString()).toBe("POST / HTTP/1.0\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\nab");
  });
});

describe("more than is read", () => {
  it.each([
    [
      "a response of more than 1 MiB, of which no more was read",
      `Content-Length: 3000000\r\n\r\n${"x".repeat(3_000_000)}`,
    ],
    ["a response whose head has more than 64 KiB, of which no more was read", "X-One: 1\r\n".repeat(10_000)],
  ])("is %s", async (error, rest) => {
    const api = apiFor(await serveSocket((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`)));
    expect(await api.raw("GET / HTTP/1.1\r\n\r\n", { answers: Number.POSITIVE_INFINITY })).toMatchObject({
      replies: [],
      error,
    });
    expect(api.exchanges).toMatchObject([{ answer: null, error }]);
  });
});
