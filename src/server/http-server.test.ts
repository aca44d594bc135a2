import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  answerToHalf,
  BAD,
  dial,
  documentOf,
  echo,
  finish,
  get,
  listen,
  MAX_BODY_BYTES,
  moment,
  patient,
  post,
  send,
  serve,
  statusesOf,
  untouched,
} from "../test/wire.ts";

describe("what the parser rejects", () => {
  it("is reported once, without the packet", async () => {
    const reported: unknown[] = [];
    const port = await listen(untouched, { record: (line) => reported.push(line) });
    const rejected = {
      code: "malformed-request",
      status: 400,
      durationMs: expect.any(Number),
      operation: null,
      keyId: null,
    };
    const { requestId } = documentOf(await send(port, BAD));
    expect(reported.splice(0)).toEqual([{ ...rejected, method: null, requestId }]);
    const { requestId: next } = documentOf(await send(port, get("/", "nonsense")));
    expect(reported).toEqual([{ ...rejected, method: "GET", requestId: next }]);
  });

  it("leaves many fields and a missing Host to the handler", async () => {
    const port = await listen((request, response) => response.end(`fields ${request.rawHeaders.length / 2}`));
    const fields = Array.from({ length: 2_500 }, (_, i) => `x${i}: y`);
    expect(await send(port, `GET / HTTP/1.1\r\nConnection: close\r\n${fields.join("\r\n")}\r\n\r\n`)).toContain(
      "fields 2501",
    );
  });
});

describe("Expect", () => {
  it("100-continue with a body that is too large is 413 at once, and closes", async () => {
    const answer = await send(
      await listen(echo),
      post("Expect: 100-continue", `Content-Length: ${MAX_BODY_BYTES + 1}`),
    );
    expect(statusesOf(answer)).toEqual(["HTTP/1.1 413 Payload Too Large"]);
    expect(answer).toContain("Connection: close");
  });

  it("100-Continue of HTTP/1.0 means nothing, and anything else is rejected there, too", async () => {
    const old = (expectation: string) => get("/", `Expect: ${expectation}`).replace("HTTP/1.1", "HTTP/1.0");
    const port = await listen(echo);
    expect(statusesOf(await send(port, old("100-Continue")))).toEqual(["HTTP/1.1 200 OK"]);
    expect(statusesOf(await send(port, old("tea")))).toEqual(["HTTP/1.1 417 Expectation Failed"]);
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
  ])("is rejected with %s and no body, but with its length", async (status, bytes, reason) => {
    const answer = status === "408" ? await answerToHalf(untouched, bytes) : await send(await listen(untouched), bytes);
    expect(statusesOf(answer)).toEqual([`HTTP/1.1 ${status} ${reason}`]);
    expect(answer).toMatch(/\r\nContent-Length: [1-9]/);
    expect(answer.indexOf("\r\n\r\n")).toBe(answer.length - 4);
  });
});

describe("shutting down", () => {
  it("serves clients that are connected, and those that wait to be accepted", async () => {
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

  it("ends after a time of grace: finishes what has come whole, and rejects the rest", async () => {
    const whole = moment<ServerResponse>();
    const upload = moment<void>();
    const { port, server, listener } = await serve(
      (request, response) => {
        if (request.method === "GET") return whole.happen(response);
        upload.happen();
        return echo(request, response);
      },
      { timeouts: { ...patient.timeouts, drainTimeoutMs: 1, shutdownGraceMs: 1 } },
    );
    const sockets: Socket[] = [];
    listener.on("connection", (socket) => void sockets.push(socket));
    const silent = dial(port);
    const halves = ["GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n", `${post("Content-Length: 10")}half`];
    const rejected = halves.map((half) => dial(port, half));
    const waiting = dial(port, get("/1"));
    await upload.happened;
    const response = await whole.happened;
    const begun = () => sockets.filter(({ bytesRead }) => bytesRead > 0);
    while (sockets.length < 5 || begun().length < 4) await setImmediate();

    const down = server.shutDown();
    expect(await silent.answer).toBe("");
    for (const { answer } of rejected) {
      expect(statusesOf(await answer)).toEqual(["HTTP/1.1 503 Service Unavailable"]);
      expect(await answer).toMatch(/\r\nConnection: close\r\n[\s\S]*shutting-down/);
    }
    finish(response, 200, "done");
    expect(await waiting.answer).toMatch(/done$/);
    await down;
  });

  it("takes no time when there is no connection", async () => {
    const { server } = await serve(untouched, { timeouts: { ...patient.timeouts, shutdownGraceMs: 2 ** 31 - 1 } });
    await server.shutDown();
  });
});
