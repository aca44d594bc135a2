import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { Problem } from "../protocol/problem.ts";
import { BOUND_MS } from "../test/patience.ts";
import { bodyLimits, dial, echo, get, listen, post, send } from "../test/wire.ts";
import { breakUpload, checkMediaType, drain, readBody } from "./body.ts";

const MAX = bodyLimits.maxBodyBytes;
const MANY_BYTES = 20 * 1024 * 1024;
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;

describe("readBody", () => {
  it.each([
    ["with a length", `Content-Length: ${MANY_BYTES}`, Buffer.alloc(MANY_BYTES)],
    ["in chunks", "Transfer-Encoding: chunked", `${chunk(MAX + 1).repeat(100)}0\r\n\r\n`],
  ])("answers an upload of many megabytes %s, and serves the connection's next request", async (_, field, body) => {
    const { socket, answer } = dial(await listen(echo), post(field));
    socket.write(body);
    socket.write(get("/", "Connection: close"));
    const answered = await answer;
    expect(answered).toContain("content-too-large");
    expect(answered).toMatch(/GET \/ 0$/);
  });

  it("answers an upload of many megabytes on a connection that closes, though the client reads only afterwards", async () => {
    const { socket, answer } = dial(await listen(echo), post(`Content-Length: ${MANY_BYTES}`, "Connection: close"));
    socket.pause();
    socket.write(Buffer.alloc(MANY_BYTES), () => socket.resume());
    expect(await answer).toContain("content-too-large");
  });

  it("answers an upload that stops short after a bounded time", async () => {
    const listener: RequestListener = async (request, response) => {
      await Promise.resolve(readBody(request, { maxBodyBytes: 10, drainTimeoutMs: 1 })).catch((problem) =>
        response.end(problem.code),
      );
    };
    const { answer } = dial(await listen(listener), post("Content-Length: 11", "Connection: close"));
    expect(await answer).toContain("content-too-large");
  });

  it("throws the problem of an upload that broke before it was read", async () => {
    const answered = await send(
      await listen(async (request, response) => {
        breakUpload(request, new Problem("request-timeout"));
        await drain(request, BOUND_MS);
        await echo(request, response);
      }),
      post("Content-Length: 10", "Connection: close"),
    );
    expect(answered).toContain("request-timeout");
  });
});

describe("drain", () => {
  it("ends at once when nothing is under way", async () => {
    const port = await listen(async (request, response) => {
      const body = await readBody(request, bodyLimits);
      await drain(request, BOUND_MS);
      response.end(`drained ${body.length}`);
    });
    expect(await send(port, `${post("Content-Length: 2", "Connection: close")}{}`)).toContain("drained 2");
  });

  it("ends when the upload breaks", async () => {
    const port = await listen(async (request, response) => {
      setImmediate(() => breakUpload(request, new Problem("request-timeout")));
      await drain(request, BOUND_MS);
      response.end("drained");
    });
    expect(await send(port, post("Content-Length: 9", "Connection: close"))).toContain("drained");
  });
});

describe("checkMediaType", () => {
  // What is no JSON's, or said twice, or coded, is asked of the running service by `http/media-type` and its like.
  it.each([
    [{ "content-type": "application/json;" }, null],
    [{ "content-type": "application/json; version=1" }, null],
    [{ "content-type": "application/json;charset=utf-8;charset=latin1" }, { Accept: "application/json" }],
    [{ "content-type": "application/json charset=utf-8" }, { Accept: "application/json" }],
    [{ "content-type": "application/json", "content-encoding": "identity, gzip" }, { "Accept-Encoding": "identity" }],
  ])("of %j says %j", (headers, said) => {
    const check = () => checkMediaType({ headers, rawHeaders: Object.entries(headers).flat() });
    if (said === null) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: "unsupported-media-type", headers: said }));
  });
});
