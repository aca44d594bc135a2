import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { BOUND_MS } from "../test/patience.ts";
import {
  BAD,
  dial,
  echo,
  finish,
  get,
  guarding,
  listen,
  moment,
  post,
  received,
  send,
  serve,
  statusesOf,
} from "../test/wire.ts";
import { readBody } from "./request/body.ts";

/** From now on the rest of each request is late at once. */
const hurry = (server: Server) => Object.assign(server, { headersTimeout: 1, requestTimeout: 1 });

const untouched: RequestListener = () =>
  expect.unreachable("the listener must not see this request");
const finished: RequestListener = (_, response) => void response.end("early");

/** What `echo` has responded to. */
const requestsOf = (answer: string) => answer.match(/(GET|POST) \/.*?(?=HTTP|$)/g);

describe("a slow request", () => {
  const problem = /^HTTP\/1\.1 408 .*"code":"request-timeout"/s;
  it.each([
    ["", problem],
    ["GET / HTTP/1.1\r\nHost: a\r\n", problem],
    // Without a body, but with its length. What else HEAD is rejected with is sent by
    // `http/head-refused`.
    ["HEAD / HTTP/1.1\r\n", /^HTTP\/1\.1 408 .+\r\n(.+\r\n)*Content-Length: [1-9](.+\r\n)+\r\n$/],
  ])("is 408 request-timeout after %j", async (half, expected) => {
    const { port, server, connected } = await serve(untouched);
    const { answer } = dial(port, half);
    await received(await connected, half.length);
    hurry(server);
    expect(await answer).toMatch(expected);
  });

  it.each([
    [
      "is 408 in the middle of its body, in its own answer",
      echo,
      /^HTTP\/1\.1 408 .*request-timeout$/s,
    ],
    [
      "is not answered twice when its answer was sent before its body",
      finished,
      /^HTTP\/1\.1 200 .*early$/s,
    ],
  ])("%s", async (_, listener, expected) => {
    const { port, server } = await serve((request, response) => {
      hurry(server);
      expect(request.complete).toBe(false);
      return listener(request, response);
    });
    const answer = await send(port, `${post("Content-Length: 10")}half`);
    expect(answer).toMatch(expected);
    expect(statusesOf(answer)).toHaveLength(1);
  });

  it("whose answer has begun, and that is followed by nonsense, is answered once", async () => {
    const { happened: late, happen } = moment<{ problem: unknown; response: ServerResponse }>();
    const { port, server } = await serve((request, response) => {
      hurry(server);
      response.flushHeaders();
      Promise.resolve(readBody(request)).catch((problem) => happen({ problem, response }));
    });
    const { socket, answer } = dial(port, `${post("Content-Length: 10")}half`);
    const { problem, response } = await late;
    expect(problem).toMatchObject({ code: "request-timeout" });
    socket.write(`+ half${BAD}`, () => response.end());
    expect(statusesOf(await answer)).toEqual(["HTTP/1.1 200 OK"]);
  });
});

describe("requests that are sent ahead", () => {
  const chunks = `${post("Transfer-Encoding: chunked")}1\r\n{\r\n1\r\n}\r\n0\r\nTrailer: 1\r\n\r\n`;
  // Many slices: their ends are in heads and in bodies.
  const ahead = Array(20)
    .fill([get("/1"), `${post("Content-Length: 2")}{}`, chunks, get("/4")])
    .flat();

  it("are handed over one by one, each when the answer before it has left", async () => {
    const order: string[] = [];
    const port = await listen((request, response) => {
      order.push(`${request.method} ${request.url}`);
      response.once("close", () => order.push("answered"));
      // Later than anything else that waits in the same packet could be handed over.
      setImmediate(() => echo(request, response));
    });
    const { socket, answer } = dial(port, `\r\n${ahead.join("\r\n")}${get("/5")}`);
    // It may close its half at once.
    socket.end();
    const some = ["GET /1 0", "POST / 2", "POST / 2", "GET /4 0"];
    const requests = [...Array(20).fill(some).flat(), "GET /5 0"];
    expect(requestsOf(await answer)).toEqual(requests);
    expect(order).toEqual(requests.flatMap((request) => [request.slice(0, -2), "answered"]));
  });

  it("let other clients have their turn: few are handled before another", async () => {
    const begun = new Map<Socket, number>();
    const { happened: handled, happen: noteHandled } = moment<ReadonlyMap<Socket, number>>();
    const { port, listener } = await serve((request, response) => {
      if (request.url === "/other") noteHandled(new Map(begun));
      else begun.set(request.socket, (begun.get(request.socket) ?? 0) + 1);
      finish(response, 200, "done");
    });
    listener.once("connection", (accepted: Socket) => {
      // Before the bytes are handed on: this listener is the first.
      accepted.prependListener("data", () => begun.clear());
    });
    const otherClient = dial(port);
    await once(otherClient.socket, "connect");
    const ahead = Array.from({ length: 20 }, () => dial(port, get("/").repeat(1_300)));
    await Promise.all(ahead.map(({ socket }) => once(socket, "data")));
    otherClient.socket.write(get("/other"));
    for (const count of (await handled).values()) expect(count).toBeLessThanOrEqual(10);
    for (const { socket } of [otherClient, ...ahead]) socket.destroy();
  });
});

describe("a connection between two requests", () => {
  it("is closed when only empty lines come, however often", async () => {
    const timeouts = { keepAliveTimeoutMs: 1, headersTimeoutMs: 1, requestTimeoutMs: 1 };
    const { port, server } = await serve(echo, { timeouts });
    // Only the limit for empty lines is short.
    Object.assign(server, { headersTimeout: BOUND_MS, requestTimeout: BOUND_MS });
    const { socket, answer } = dial(port, get("/"));
    const send = () => void (socket.writable && socket.write("\r\n", () => setImmediate(send)));
    send();
    expect(statusesOf(await answer)).toEqual(["HTTP/1.1 200 OK"]);
    socket.destroy();
  });

  it("waits for the rest of a head, and then sends 408", async () => {
    const { port, server } = await serve(echo);
    const { socket, answer } = dial(port, `${post("Content-Length: 2")}{}`);
    socket.once("data", () => {
      socket.write("\r\nGET / HT");
      hurry(server);
    });
    expect(statusesOf(await answer)).toEqual(["HTTP/1.1 200 OK", "HTTP/1.1 408 Request Timeout"]);
  });
});

it("drops what a client sends ahead that reads nothing", async () => {
  // More than any kernel takes.
  const body = "x".repeat(64 * 1024 * 1024);
  let begun = 0;
  const respond: RequestListener = (_, response) => {
    begun += 1;
    finish(response, 200, body);
  };
  const { port, connected } = await serve(respond, { timeouts: { stalledTimeoutMs: 50 } });
  const client = connect(port, "127.0.0.1").pause();
  onTestFinished(() => void client.destroy());
  client.on("error", () => {}).write(get("/").repeat(1000));
  await once(await connected, "close");
  expect(begun).toBe(1);
});

it("holds a document once for all clients that read nothing of it", async () => {
  // More than any kernel takes.
  const document = Buffer.alloc(64 * 1024 * 1024);
  const [clients, guard] = [4, guarding(2 ** 30)];
  const { happened: allBegun, happen } = moment<void>();
  let begun = 0;
  const port = await listen(
    (_, response) => {
      response.writeHead(200, { "Content-Length": document.length }).end(document);
      begun += 1;
      if (begun === clients) happen();
    },
    { guard },
  );
  const before = process.memoryUsage().arrayBuffers;
  const sockets = Array.from({ length: clients }, () => connect(port, "127.0.0.1").pause());
  for (const socket of sockets) socket.on("error", () => {}).write(get("/"));
  await allBegun;
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(document.length);
  expect(guard.heldBytes).toBeGreaterThan(document.length);
  expect(guard.heldBytes).toBeLessThan(document.length + clients * 1_000);
  for (const socket of sockets) socket.destroy();
  while (guard.heldBytes > 0) await turn();
});

describe("a message whose end is doubtful (RFC 9112 6.1, 6.3)", () => {
  // Others are sent by `http/framing`; what follows chunks of HTTP/1.1 is read, as above.
  const head = post("Connection: keep-alive", "Transfer-Encoding: chunked");
  const chunks = `${head}2\r\n{}\r\n0\r\n\r\n`;
  const old = chunks.replace("HTTP/1.1", "HTTP/1.0");
  const next = get("/next", "Connection: close");

  it.each([
    [
      "ends",
      "chunks of HTTP/1.0 that it had to announce",
      old.replace("Transfer", "Expect: 100-continue\r\nTransfer"),
    ],
    ["ends", "another coding before them", chunks.replace("chunked", "gzip, chunked")],
    ["does not end", "chunks in another letter case", chunks.replace("chunked", "CHUNKED")],
    [
      "does not end",
      "a length of HTTP/1.0",
      old.replace(/Transfer.*/s, "Content-Length: 2\r\n\r\n{}"),
    ],
  ])("%s its connection, and nothing behind an end is read: %s", async (ends, _, bytes) => {
    const answer = await send(await listen(echo), bytes + next);
    expect(statusesOf(answer)).toHaveLength(ends === "ends" ? 1 : 2);
    expect(answer.match(/\r\nConnection: close\r\n/g)).toHaveLength(1);
  });
});

describe("a connection that breaks", () => {
  // A preface of HTTP/2, and chunks that break in the packet of their head, are sent by
  // `http/malformed-request` and `http/pipelining`.
  it("answers a request whose chunks break only in a later packet once", async () => {
    const { port, server } = await serve(echo);
    const { socket, answer } = dial(port, `${post("Transfer-Encoding: chunked")}5\r\nhello\r\n`);
    await once(server, "request");
    socket.write("zz\r\n");
    socket.write("zz\r\n".repeat(50_000));
    expect(statusesOf(await answer)).toEqual(["HTTP/1.1 400 Bad Request"]);
  });

  it("answers a client that closed its half in the middle of a body", async () => {
    const { socket, answer } = dial(await listen(echo), `${post("Content-Length: 10")}half`);
    socket.end();
    expect(await answer).toMatch(/malformed-request$/);
  });

  it("processes nothing after an answer that the server meant to be the last", async () => {
    const seen: (string | undefined)[] = [];
    const { port, connected } = await serve(({ url }, response) => {
      seen.push(url);
      response.writeHead(200, { Connection: "close" }).end();
    });
    const closed = connected.then((accepted) => once(accepted, "close"));
    const { socket, answer } = dial(port, get("/1"));
    socket.once("data", () => socket.write(get("/2")));
    expect(statusesOf(await answer)).toEqual(["HTTP/1.1 200 OK"]);
    await closed;
    expect(seen).toEqual(["/1"]);
  });

  it("is not reset when a request meets the end of an idle connection", async () => {
    const { socket, answer } = dial(
      await listen(echo, { timeouts: { keepAliveTimeoutMs: 1 } }),
      get("/"),
    );
    socket.allowHalfOpen = true;
    expect(statusesOf(await answer)).toEqual(["HTTP/1.1 200 OK"]);
    socket.end(get("/late"));
    // Rejects on a reset.
    await once(socket, "close");
  });

  it("is not held open by a client that never closes its half", async () => {
    const { port, connected } = await serve(echo, { timeouts: { drainTimeoutMs: 1 } });
    const closed = connected.then((accepted) => once(accepted, "close"));
    const { socket, answer } = dial(port, get("/", "Connection: close"));
    socket.allowHalfOpen = true;
    expect(requestsOf(await answer)).toEqual(["GET / 0"]);
    await closed;
    socket.destroy();
  });
});
