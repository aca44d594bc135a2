import { once } from "node:events";
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
  impatient,
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
    ["a method of HTTP/2 in a request without a version", "PRI /x\r\n\r\n"],
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
    const port = await listen(untouched, {
      onAnswer: (line) => heard.push(line),
    });
    const refused = {
      code: "malformed-request",
      status: 400,
      durationMs: expect.any(Number),
      operation: null,
      keyId: null,
    };
    const { requestId } = documentOf(await send(port, BAD));
    expect(heard.splice(0)).toEqual([{ ...refused, method: null, requestId }]);
    const { requestId: next } = documentOf(await send(port, get("/", "nonsense")));
    expect(heard).toEqual([{ ...refused, method: "GET", requestId: next }]);
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

  it.each([
    ["Expect: not-100-continue"],
    ["Expect: 100-continue, 100-continue"],
    ["Expect: 100-continue", "Expect: 100-continue"],
  ])("%s %s is 417 expectation-failed", async (...fields) => {
    const answer = await send(await listen(untouched), get("/", ...fields, "Connection: close"));
    expect(documentOf(answer)).toMatchObject({ code: "expectation-failed" });
  });

  it("100-Continue of HTTP/1.0 means nothing, and anything else is refused there, too", async () => {
    const old = (expectation: string) => get("/", `Expect: ${expectation}`).replace("HTTP/1.1", "HTTP/1.0");
    const port = await listen(echo);
    expect(statusesOf(await send(port, old("100-Continue")))).toEqual(["HTTP/1.1 200 OK"]);
    expect(statusesOf(await send(port, old("tea")))).toEqual(["HTTP/1.1 417 Expectation Failed"]);
  });

  it("anything else is 417 expectation-failed under the caller's request id", async () => {
    const heard: unknown[] = [];
    const port = await listen(untouched, {
      onAnswer: ({ code, requestId, method }) => heard.push(code, requestId, method),
    });
    const answer = await send(
      port,
      get("/", "Expect: tea", "X-Request-Id: mine", "Origin: https://page.example", "Connection: close"),
    );
    expect(statusesOf(answer)).toEqual(["HTTP/1.1 417 Expectation Failed"]);
    expect(documentOf(answer)).toMatchObject({ code: "expectation-failed", requestId: "mine" });
    expect(answer).toContain("Access-Control-Allow-Origin: *");
    expect(heard).toEqual(["expectation-failed", "mine", "GET"]);
  });
});

describe("other protocols", () => {
  it("CONNECT is closed without a word, once the request before it is answered", async () => {
    const tunnel = "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n";
    expect(await send(await listen(untouched), tunnel + get("/"))).toBe("");
    const port = await listen((request, response) => void setImmediate(() => echo(request, response)));
    expect(await send(port, get("/1") + tunnel + get("/2"))).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*GET \/1 0$/);
  });

  it("an upgrade is not offered: the request is served as it is", async () => {
    const answer = await send(await listen(echo), get("/", "Upgrade: websocket", "Connection: Upgrade, close"));
    expect(answer).toMatch(/GET \/ 0$/);
  });
});

describe("HEAD", () => {
  const head = (...lines: string[]) => get("/", ...lines).replace("GET", "HEAD");

  it.each([
    ["400", head("nonsense"), "Bad Request"],
    ["431", head(`X: ${"x".repeat(33 * 1024)}`), "Request Header Fields Too Large"],
    ["414", head().replace("/", `/${"x".repeat(33 * 1024)}`), "URI Too Long"],
    ["417", head("Expect: tea", "Connection: close"), "Expectation Failed"],
    ["408", "HEAD / HTTP/1.1\r\n", "Request Timeout"],
  ])("is refused with %s and no body, but with its length", async (status, bytes, reason) => {
    const answer = await send(await listen(untouched, status === "408" ? impatient : {}), bytes);
    expect(statusesOf(answer)).toEqual([`HTTP/1.1 ${status} ${reason}`]);
    expect(answer).toMatch(/\r\nContent-Length: [1-9]/);
    expect(answer.indexOf("\r\n\r\n")).toBe(answer.length - 4);
  });
});

describe("shutting down", () => {
  it("serves who is connected, and waits to be accepted", async () => {
    const { port, server } = await serve(echo);
    const clients = Array.from({ length: 5 }, () => dial(port, get("/")));
    const down = server.shutDown();
    for (const { answer } of clients) expect(await answer).toMatch(/GET \/ 0$/);
    await down;
  });

  it("serves what comes on kept connections, each time as the last of its connection", async () => {
    const { port, server } = await serve(echo);
    const kept = [dial(port, get("/1")), dial(port, get("/1")), dial(port)];
    await Promise.all(kept.slice(0, 2).map(({ socket }) => once(socket, "data")));
    const down = server.shutDown();
    const requests = [get("/2"), get("/2") + post("Content-Length: 0") + get("/4"), get("/2")];
    kept.forEach(({ socket }, index) => void socket.write(requests[index] ?? ""));
    const answers = await Promise.all(kept.map(({ answer }) => answer));
    expect(answers.map((answer) => statusesOf(answer).length)).toEqual([2, 4, 1]);
    for (const answer of answers) expect(answer.match(/Connection: close/g)).toHaveLength(1);
    await down;
  });

  it("ends after a time of grace: finishes what has come whole, and refuses the rest", async () => {
    const whole = moment<ServerResponse>();
    const upload = moment<void>();
    const timeouts = { ...impatient.timeouts, headersTimeoutMs: 10_000, requestTimeoutMs: 10_000, shutdownGraceMs: 20 };
    const { port, server } = await serve(
      (request, response) => {
        if (request.method === "GET") return whole.happen(response);
        upload.happen();
        return echo(request, response);
      },
      { timeouts },
    );
    const silent = dial(port);
    const halves = ["GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n", `${post("Content-Length: 10")}half`];
    const refused = halves.map((half) => dial(port, half));
    const waiting = dial(port, get("/1"));
    await upload.happened;
    const response = await whole.happened;

    const down = server.shutDown();
    expect(await silent.answer).toBe("");
    for (const { answer } of refused) {
      expect(statusesOf(await answer)).toEqual(["HTTP/1.1 503 Service Unavailable"]);
      expect(await answer).toMatch(/\r\nConnection: close\r\n[\s\S]*shutting-down/);
    }
    finish(response, 200, "done");
    expect(await waiting.answer).toMatch(/done$/);
    await down;
  });

  it("takes no time when there is no connection", async () => {
    const { server } = await serve(untouched, { timeouts: { ...impatient.timeouts, shutdownGraceMs: 2 ** 31 - 1 } });
    await server.shutDown();
  });
});
