import { on, once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  BAD,
  dial,
  documentOf,
  echo,
  get,
  listen,
  post,
  send,
  serve,
  statusesOf,
} from "../test/wire.ts";

it("leaves many fields and a missing Host to the handler", async () => {
  const port = await listen((request, response) =>
    response.end(`fields ${request.rawHeaders.length / 2}`),
  );
  const fields = Array.from({ length: 2_500 }, (_, i) => `x${i}: y`);
  const answer = await send(
    port,
    ["GET / HTTP/1.1", "Connection: close", ...fields, "\r\n"].join("\r\n"),
  );
  expect(answer).toContain("fields 2501");
});

it("rejects at once a body that is too large, where its client waits for 100", async () => {
  const length = "Content-Length: 65537";
  const answer = await send(await listen(echo), post("Expect: 100-continue", length));
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s);
});

it("rejects a connection that is one too many, and serves those that are open", async () => {
  const port = await listen(echo, { limits: { maxConnections: 1 } });
  const first = dial(port, get("/1"));
  await once(first.socket, "data");
  const answer = await send(port, get("/2"));
  expect(statusesOf(answer)).toEqual(["HTTP/1.1 503 Service Unavailable"]);
  expect(documentOf(answer).code).toBe("overloaded");
  expect(answer).toMatch(/\r\nRetry-After: 1\r\n[\s\S]*\r\nConnection: close\r\n/);
  first.socket.end(BAD);
  expect(statusesOf(await first.answer)).toEqual(["HTTP/1.1 200 OK", "HTTP/1.1 400 Bad Request"]);
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
    const connections = [dial(port, get("/1")), dial(port, get("/1")), dial(port)];
    await Promise.all(connections.slice(0, 2).map(({ socket }) => once(socket, "data")));
    const down = server.shutDown();
    const requests = [get("/2"), get("/2") + post("Content-Length: 0") + get("/4"), get("/2")];
    connections.forEach(({ socket }, index) => void socket.write(requests[index] ?? ""));
    const answers = await Promise.all(connections.map(({ answer }) => answer));
    expect(answers.map((answer) => statusesOf(answer).length)).toEqual([2, 4, 1]);
    for (const answer of answers) expect(answer.match(/Connection: close/g)).toHaveLength(1);
    await down;
  });

  it("ends after a time of grace: finishes what has come whole, and rejects the rest", async () => {
    const { port, server, listener } = await serve(
      (request, response) => (request.method === "GET" ? undefined : echo(request, response)),
      { timeouts: { drainTimeoutMs: 1, shutdownGraceMs: 1 } },
    );
    const requests = on(server, "request");
    const sockets: Socket[] = [];
    listener.on("connection", (socket) => void sockets.push(socket));
    const silent = dial(port);
    const halves = [
      "GET / HT",
      "GET / HTTP/1.1\r\nHost: a\r\n",
      `${post("Content-Length: 10")}half`,
    ];
    const rejected = halves.map((half) => dial(port, half));
    const waiting = dial(port, get("/1"));
    const both = [(await requests.next()).value, (await requests.next()).value];
    const [, response] = both.find(([{ method }]) => method === "GET");
    const begun = () => sockets.filter(({ bytesRead }) => bytesRead > 0);
    while (sockets.length < 5 || begun().length < 4) await setImmediate();

    const down = server.shutDown();
    expect(await silent.answer).toBe("");
    for (const { answer } of rejected) {
      expect(statusesOf(await answer)).toEqual(["HTTP/1.1 503 Service Unavailable"]);
      expect(await answer).toMatch(/\r\nConnection: close\r\n[\s\S]*shutting-down/);
    }
    response.end("done");
    expect(await waiting.answer).toMatch(/done$/);
    await down;
  });
});
