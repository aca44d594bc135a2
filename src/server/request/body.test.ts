import { once } from "node:events";
import { describe, expect, it } from "vitest";
import {
  dial,
  echo,
  get,
  listen,
  MAX_BODY_BYTES,
  moment,
  post,
  received,
  send,
  serve,
  statusesOf,
} from "../../test/wire.ts";
import { OverloadGuard } from "../overload-guard.ts";
import { checkMediaType, readBody } from "./body.ts";

const MANY_BYTES = 20 * 1024 * 1024;
const CHUNKED = "Transfer-Encoding: chunked";
const LAST = "Connection: close";
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;
const inChunks = (count: number, ...sizes: readonly number[]) =>
  `${Array.from({ length: count }, (_, index) => chunk(sizes[index % sizes.length] ?? 0)).join("")}0\r\n\r\n`;

describe("a body that is too large", () => {
  it.each([
    ["with a length", `Content-Length: ${MANY_BYTES}`, Buffer.alloc(MANY_BYTES)],
    ["in chunks", CHUNKED, chunk(MAX_BODY_BYTES + 1).repeat(100)],
  ])("is 413 and ends its connection, and the client can read it afterwards: %s", async (_, field, body) => {
    const { socket, answer } = dial(await listen(echo), post(field));
    socket.pause();
    socket.write(body, () => socket.resume());
    socket.write(get("/"));
    expect(statusesOf(await answer)).toEqual(["HTTP/1.1 413 Payload Too Large"]);
    expect(await answer).toMatch(/\r\nConnection: close\r\n[\s\S]*content-too-large$/);
  });

  it("is 413 at once when its length says so, though none of it arrives", async () => {
    const { answer } = dial(await listen(echo), post(`Content-Length: ${MAX_BODY_BYTES + 1}`));
    expect(await answer).toContain("content-too-large");
  });
});

describe("a body in small pieces", () => {
  it.each([
    ["1,025 chunks of one byte", inChunks(1_025, 1)],
    ["1,025 chunks of seven bytes", inChunks(1_025, 7)],
    ["60,000 chunks of one byte", inChunks(60_000, 1)],
    ["chunks of one byte behind a large one", chunk(100) + inChunks(2_000, 1)],
  ])("is 413, and nothing behind it is read: %s", async (_, body) => {
    const answer = await send(await listen(echo), post(CHUNKED) + body + get("/next"));
    expect(statusesOf(answer)).toEqual(["HTTP/1.1 413 Payload Too Large"]);
    expect(answer).toMatch(/\r\nConnection: close\r\n[\s\S]*content-too-large$/);
  });

  it.each([
    ["1,024 chunks of one byte", inChunks(1_024, 1), 1_024],
    ["4,096 chunks of 16 bytes", inChunks(4_096, 16), 65_536],
    ["chunks of 31 bytes and one byte in turn", inChunks(4_000, 31, 1), 64_000],
    ["chunks that hold what ends a body", `${"5\r\n0\r\n\r\n\r\n".repeat(1_000)}0\r\n\r\n`, 5_000],
  ])("is read: %s", async (_, body, length) => {
    const answer = await send(await listen(echo), post(CHUNKED) + body + get("/next", LAST));
    expect(answer.match(/(POST|GET) .*?(?=HTTP|$)/g)).toEqual([`POST / ${length}`, "GET /next 0"]);
  });

  it.each([
    ["1,025 reads of one byte", 1_025, "HTTP/1.1 413 Payload Too Large"],
    ["1,024 reads of one byte", 1_024, "HTTP/1.1 200 OK"],
  ])("may also come in small pieces by the network: %s", async (_, count, status) => {
    const { port, listener } = await serve(echo);
    const connected = once(listener, "connection");
    const head = post(`Content-Length: ${count}`, LAST);
    const { socket, answer } = dial(port, head);
    socket.setNoDelay();
    const [accepted] = await connected;
    for (let sent = 0; sent < count; sent += 1) {
      await received(accepted, head.length + sent);
      socket.write("x");
    }
    expect(statusesOf(await answer)).toEqual([status]);
  });

  it("is not read on when it was rejected, whatever the response is", async () => {
    const port = await listen(async (request, response) => {
      const body = async () => readBody(request);
      await body().catch(() => response.end("ignored"));
    });
    const answer = await send(port, post(CHUNKED) + inChunks(60_000, 1) + get("/next"));
    expect(statusesOf(answer)).toEqual(["HTTP/1.1 200 OK"]);
  });
});

describe("bodies that are arriving", () => {
  it("are together as large as the guard allows; a further one is 503, and one in a single piece is read", async () => {
    const guard = new OverloadGuard({ maxInFlight: 1, maxEventLoopDelayMs: 1, maxArrivingBytes: 100 }, () => 0);
    const { happened: begun, happen } = moment<void>();
    const port = await listen(
      (request, response) => {
        happen();
        return echo(request, response);
      },
      { guard },
    );
    const slow = dial(port, `${post("Content-Length: 101", LAST)}${"x".repeat(100)}`);
    await begun;
    expect(guard.arrivingBytes).toBe(100);
    const another = post("Content-Length: 3", LAST).replace("/", "/another");
    expect(await send(port, `${another}x`)).toMatch(/^HTTP\/1\.1 503 [\s\S]*overloaded$/);
    expect(await send(port, `${another}xyz`)).toContain("POST /another 3");
    slow.socket.write("x");
    expect(await slow.answer).toContain("POST / 101");
    expect(guard.arrivingBytes).toBe(0);
  });

  it("count no more when their client is gone", async () => {
    const guard = new OverloadGuard({ maxInFlight: 1, maxEventLoopDelayMs: 1, maxArrivingBytes: 100 }, () => 0);
    const { happened: closed, happen } = moment<unknown>();
    const port = await listen(
      (_, response) => {
        socket.resetAndDestroy();
        response.once("close", () => setImmediate(happen));
      },
      { guard },
    );
    const { socket, answer } = dial(port, `${post("Content-Length: 9")}half`);
    answer.catch(() => {});
    await closed;
    expect(guard.arrivingBytes).toBe(0);
  });
});

describe("checkMediaType", () => {
  // Types that are not JSON, repeated or coded are tried on the running service by `http/media-type` and similar checks.
  it.each([
    [{ "content-type": "application/json;" }, null],
    [{ "content-type": "application/json; version=1" }, null],
    [{ "content-type": "application/json;charset=utf-8;charset=latin1" }, { Accept: "application/json" }],
    [{ "content-type": "application/json charset=utf-8" }, { Accept: "application/json" }],
    [{ "content-type": "application/json", "content-encoding": "identity, gzip" }, { "Accept-Encoding": "identity" }],
  ])("of %j rejects with %j", (headers, rejection) => {
    const check = () => checkMediaType({ headers, rawHeaders: Object.entries(headers).flat() });
    if (rejection === null) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: "unsupported-media-type", headers: rejection }));
  });
});
