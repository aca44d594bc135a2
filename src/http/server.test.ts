import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import {
  BAD,
  bodyLimits,
  dial,
  documentOf,
  echo,
  finish,
  get,
  listen,
  moment,
  post,
  problemsUrl,
  send,
  serve,
  statusesOf,
  untouched,
} from "../test/wire.ts";

describe("what Node refuses", () => {
  it("is answered as a problem document, complete with the headers of every answer", async () => {
    const answer = await send(await listen(untouched), BAD);
    expect(statusesOf(answer)).toEqual(["HTTP/1.1 400 Bad Request"]);
    const document = documentOf(answer);
    expect(document).toMatchObject({
      type: `${problemsUrl}#malformed-request`,
      status: 400,
      code: "malformed-request",
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    for (const line of [
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(JSON.stringify(document))}`,
      `X-Request-Id: ${document.requestId}`,
      "X-Content-Type-Options: nosniff",
      "Cache-Control: no-store",
      "Access-Control-Allow-Origin: *",
      "Connection: close",
    ]) {
      expect(answer).toContain(`${line}\r\n`);
    }
    expect(answer).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} /);
    expect(answer).not.toMatch(/\r\nServer:/i);
  });

  it("is readable by no other page when a list of origins is configured", async () => {
    const answer = await send(await listen(untouched, { corsOrigins: ["https://page.example"] }), BAD);
    expect(answer).not.toContain("Access-Control");
  });

  it.each([
    ["a method in small letters", get("/").replace("GET", "get")],
    ["an unknown method", get("/").replace("GET", "FETCH")],
    ["another protocol", "GET / SPDY/1.1\r\n\r\n"],
    ["a header without a name", get("/", ": x")],
    ["a length beside chunks", post("Content-Length: 1", "Transfer-Encoding: chunked")],
    ["two lengths", post("Content-Length: 1", "Content-Length: 2")],
    ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a TLS greeting", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])],
  ])("is 400 malformed-request for %s", async (_, bytes) => {
    expect(documentOf(await send(await listen(untouched), bytes))).toMatchObject({ code: "malformed-request" });
  });

  it("is 431 headers-too-large when the parser overflows, and 414 uri-too-long when the URL did it", async () => {
    const port = await listen(untouched);
    const long = "x".repeat(33 * 1024);
    expect(statusesOf(await send(port, get("/", `X: ${long}`)))).toEqual([
      "HTTP/1.1 431 Request Header Fields Too Large",
    ]);
    expect(statusesOf(await send(port, get(`/${long}`)))).toEqual(["HTTP/1.1 414 URI Too Long"]);
  });

  it("is told to whoever listens, without the packet", async () => {
    const heard: unknown[] = [];
    const port = await listen(untouched, { onRefusal: (problem, id) => heard.push([problem.code, problem.cause, id]) });
    const { requestId } = documentOf(await send(port, BAD));
    expect(heard).toEqual([["malformed-request", "HPE_INVALID_METHOD", requestId]]);
  });

  it("leaves many fields and a missing Host to the listener", async () => {
    const port = await listen((request, response) => response.end(`fields ${request.rawHeaders.length / 2}`));
    const fields = Array.from({ length: 2_500 }, (_, i) => `x${i}: y`);
    expect(await send(port, `GET / HTTP/1.1\r\nConnection: close\r\n${fields.join("\r\n")}\r\n\r\n`)).toContain(
      "fields 2501",
    );
  });
});

describe("Expect", () => {
  it("100-continue is continued and served", async () => {
    const { socket, answer } = dial(
      await listen(echo),
      post("Expect: 100-continue", "Content-Length: 2", "Connection: close"),
    );
    socket.once("data", () => socket.write("{}"));
    const answered = await answer;
    expect(statusesOf(answered)).toEqual(["HTTP/1.1 100 Continue", "HTTP/1.1 200 OK"]);
    expect(answered).toMatch(/POST \/ 2$/);
  });

  it("100-continue with a body that is too large is 413 at once, and closes", async () => {
    const answer = await send(
      await listen(echo),
      post("Expect: 100-continue", `Content-Length: ${bodyLimits.maxBodyBytes + 1}`),
    );
    expect(statusesOf(answer)).toEqual(["HTTP/1.1 413 Payload Too Large"]);
    expect(answer).toContain("Connection: close");
  });

  it("anything else is 417 expectation-failed under the caller's request id", async () => {
    const heard: string[] = [];
    const port = await listen(untouched, { onRefusal: (problem, requestId) => heard.push(problem.code, requestId) });
    const answer = await send(
      port,
      get("/", "Expect: tea", "X-Request-Id: mine", "Origin: https://page.example", "Connection: close"),
    );
    expect(statusesOf(answer)).toEqual(["HTTP/1.1 417 Expectation Failed"]);
    expect(documentOf(answer)).toMatchObject({ code: "expectation-failed", requestId: "mine" });
    expect(answer).toContain("Access-Control-Allow-Origin: *");
    expect(heard).toEqual(["expectation-failed", "mine"]);
  });
});

describe("other protocols", () => {
  it("CONNECT is closed without a word", async () => {
    expect(await send(await listen(untouched), "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n")).toBe("");
  });

  it("an upgrade is not offered: the request is served as it is", async () => {
    const answer = await send(await listen(echo), get("/", "Upgrade: websocket", "Connection: Upgrade, close"));
    expect(answer).toMatch(/GET \/ 0$/);
  });
});

describe("shutting down", () => {
  it("finishes every request that has begun, an upload too, and ends every other connection", async () => {
    const whole = moment<ServerResponse>();
    const upload = moment<void>();
    const { port, server } = await serve((request, response) => {
      if (request.method === "GET") return whole.happen(response);
      upload.happen();
      return echo(request, response);
    });
    const silent = dial(port);
    const halves = ["GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n"].map((half) => dial(port, half));
    const uploading = dial(port, `${post("Content-Length: 10")}half`);
    const waiting = dial(port, get("/1"));
    await upload.happened;
    const response = await whole.happened;

    const down = server.shutDown();
    expect(await Promise.all([silent, ...halves].map(({ answer }) => answer))).toEqual(["", "", ""]);
    uploading.socket.write("others");
    expect(await uploading.answer).toMatch(/\r\nConnection: close\r\n/);
    finish(response, 200, "done");
    expect(await waiting.answer).toMatch(/done$/);
    await down;
  });
});
