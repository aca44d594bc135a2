import type { IncomingMessage, RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { Problem } from "../protocol/problem.ts";
import { bodyLimits, dial, echo, listen, moment, send, statusesOf } from "../test/wire.ts";
import { breakUpload, drain, judgeMediaType, readBody } from "./body.ts";

const MAX = bodyLimits.maxBodyBytes;
const head = (method: string, ...fields: string[]) =>
  `${[`${method} / HTTP/1.1`, "Host: a", ...fields].join("\r\n")}\r\n\r\n`;
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;

describe("readBody", () => {
  it.each(["GET", "POST"])("lets 65,536 bytes pass on %s, with a length or in chunks", async (method) => {
    const port = await listen(echo);
    const sized = await send(port, head(method, `Content-Length: ${MAX}`, "Connection: close") + "x".repeat(MAX));
    expect(sized).toContain(`${method} / ${MAX}`);
    const chunked = head(method, "Transfer-Encoding: chunked", "Connection: close");
    expect(await send(port, `${chunked}${chunk(MAX - 1)}${chunk(1)}0\r\n\r\n`)).toContain(`${method} / ${MAX}`);
  });

  it.each(["GET", "POST"])("answers 413 content-too-large one byte later on %s", async (method) => {
    const port = await listen(echo);
    const sized = await send(
      port,
      head(method, `Content-Length: ${MAX + 1}`, "Connection: close") + "x".repeat(MAX + 1),
    );
    expect(statusesOf(sized)).toEqual(["HTTP/1.1 413 Payload Too Large"]);
    const chunked = head(method, "Transfer-Encoding: chunked", "Connection: close");
    expect(await send(port, `${chunked}${chunk(MAX)}${chunk(1)}0\r\n\r\n`)).toContain("content-too-large");
  });

  it("reads no body as no bytes", async () => {
    expect(await send(await listen(echo), head("GET", "Connection: close"))).toContain("GET / 0");
  });

  it("answers an upload of many megabytes instead of resetting it, and serves the connection's next request", async () => {
    const size = 20 * 1024 * 1024;
    const { socket, answer } = dial(await listen(echo), head("POST", `Content-Length: ${size}`));
    socket.write(Buffer.alloc(size));
    socket.write(head("GET", "Connection: close"));
    const answered = await answer;
    expect(answered).toContain("content-too-large");
    expect(answered).toMatch(/GET \/ 0$/);
  });

  it("answers an upload of many megabytes in chunks, and serves the connection's next request", async () => {
    const { socket, answer } = dial(await listen(echo), head("POST", "Transfer-Encoding: chunked"));
    socket.write(`${chunk(MAX + 1).repeat(100)}0\r\n\r\n${head("GET", "Connection: close")}`);
    const answered = await answer;
    expect(answered).toContain("content-too-large");
    expect(answered).toMatch(/GET \/ 0$/);
  });

  it("answers an upload of many megabytes on a connection that closes, though the client reads only afterwards", async () => {
    const size = 20 * 1024 * 1024;
    const { socket, answer } = dial(await listen(echo), head("POST", `Content-Length: ${size}`, "Connection: close"));
    socket.pause();
    socket.write(Buffer.alloc(size), () => socket.resume());
    expect(await answer).toContain("content-too-large");
  });

  it("answers an upload that stops short after a bounded time", async () => {
    const listener: RequestListener = async (request, response) => {
      await Promise.resolve(readBody(request, { maxBodyBytes: 10, drainTimeoutMs: 1 })).catch((problem) =>
        response.end(problem.code),
      );
    };
    const { answer } = dial(await listen(listener), head("POST", "Content-Length: 11", "Connection: close"));
    expect(await answer).toContain("content-too-large");
  });

  it("throws malformed-request when the client goes away", async () => {
    const { happened, happen } = moment<unknown>();
    const port = await listen((request) => {
      Promise.resolve(readBody(request, bodyLimits)).then(happen, happen);
      socket.destroy();
    });
    const { socket, answer } = dial(port, head("POST", "Content-Length: 10"));
    answer.catch(() => {});
    expect(await happened).toMatchObject({ code: "malformed-request" });
  });

  it("throws the problem of an upload that broke before it was read", async () => {
    const answered = await send(
      await listen(async (request, response) => {
        breakUpload(request, new Problem("request-timeout"));
        await drain(request, 60_000);
        await echo(request, response);
      }),
      head("POST", "Content-Length: 10", "Connection: close"),
    );
    expect(answered).toContain("request-timeout");
  });
});

describe("drain", () => {
  it("ends at once when nothing is under way", async () => {
    const port = await listen(async (request, response) => {
      const body = await readBody(request, bodyLimits);
      await drain(request, 60_000);
      response.end(`drained ${body.length}`);
    });
    expect(await send(port, `${head("POST", "Content-Length: 2", "Connection: close")}{}`)).toContain("drained 2");
  });

  it("ends when the upload breaks", async () => {
    const port = await listen(async (request, response) => {
      setImmediate(() => breakUpload(request, new Problem("request-timeout")));
      await drain(request, 60_000);
      response.end("drained");
    });
    expect(await send(port, head("POST", "Content-Length: 9", "Connection: close"))).toContain("drained");
  });
});

describe("judgeMediaType", () => {
  const judge =
    (headers: IncomingMessage["headers"], rawHeaders = Object.entries(headers).flat().map(String)) =>
    () =>
      judgeMediaType({ headers, rawHeaders });

  it.each([
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json; Charset="UTF-8"',
    "application/json; version=1",
    "application/json;",
  ])("takes %s", (type) => {
    expect(judge({ "content-type": type })).not.toThrow();
    expect(judge({ "content-type": type, "content-encoding": "Identity" })).not.toThrow();
  });

  it.each([
    undefined,
    "",
    "text/plain",
    "application/problem+json",
    "application/json, text/plain",
    "application/json;charset=utf-16",
    "application/json;charset=utf-8;charset=latin1",
    "application/json charset=utf-8",
  ])("refuses %s, and says what it takes", (type) => {
    expect(judge(type === undefined ? {} : { "content-type": type })).toThrow(
      expect.objectContaining({ code: "unsupported-media-type", headers: { Accept: "application/json" } }),
    );
  });

  it.each([
    ["application/json", "application/json"],
    ["application/json", "text/plain"],
    ["application/json", ""],
  ])("refuses %j beside %j, of which Node keeps the first", (first, second) => {
    expect(judge({ "content-type": first }, ["Content-Type", first, "content-type", second])).toThrow(
      expect.objectContaining({ code: "unsupported-media-type", headers: { Accept: "application/json" } }),
    );
  });

  it.each(["gzip", "identity, gzip"])("refuses Content-Encoding: %s", (coding) => {
    expect(judge({ "content-type": "application/json", "content-encoding": coding })).toThrow(
      expect.objectContaining({ code: "unsupported-media-type", headers: { "Accept-Encoding": "identity" } }),
    );
  });
});
