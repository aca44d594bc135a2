import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  dial,
  echo,
  get,
  guarding,
  listen,
  moment,
  post,
  send,
  statusesOf,
} from "../../test/wire.ts";
import { checkMediaType, readBody } from "./body.ts";

const CHUNKED = "Transfer-Encoding: chunked";
const LAST = "Connection: close";
const crumbs = (count: number) => `${"1\r\nx\r\n".repeat(count)}0\r\n\r\n`;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What a connection holds, with its client, when so much of a body of 1,000 bytes has arrived. */
async function heldMemory(body: string): Promise<number> {
  const clients = 100;
  const guard = guarding(2 ** 30);
  const port = await listen(echo, { guard });
  const before = memory();
  const sockets = Array.from({ length: clients }, () => dial(port, post(CHUNKED) + body).socket);
  while (guard.heldBytes < 1_000 * clients) await setImmediate();
  const held = (memory() - before) / clients;
  for (const socket of sockets) socket.destroy();
  while (guard.heldBytes > 0) await setImmediate();
  return held;
}

// Others are sent to the running service by `http/body-limit-answered` and `http/body-pieces`.
describe("a body in small pieces", () => {
  it("holds little more memory than its connection", async () => {
    const crumbs = "1\r\nx\r\n".repeat(1_000);
    // What earlier tests have left is collected, and what is created once exists, after the first
    // time.
    await heldMemory(crumbs);
    expect(await heldMemory(crumbs)).toBeLessThan(65_536);
  });

  it("is not read on when it is too large, whatever the response is", async () => {
    const port = await listen(async (request, response) => {
      const body = async () => readBody(request);
      await body().catch(() => response.end("ignored"));
    });
    const answer = await send(port, post(CHUNKED) + crumbs(70_000) + get("/next"));
    expect(statusesOf(answer)).toEqual(["HTTP/1.1 200 OK"]);
  });
});

describe("bodies that are arriving", () => {
  it("are together as large as the guard allows; a further one is 503", async () => {
    const guard = guarding(100);
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
    expect(guard.heldBytes).toBe(100);
    const otherRequest = post("Content-Length: 3", LAST).replace("/", "/another");
    expect(await send(port, `${otherRequest}x`)).toMatch(/^HTTP\/1\.1 503 [\s\S]*overloaded$/);
    expect(await send(port, `${otherRequest}xyz`)).toContain("POST /another 3");
    slow.socket.write("x");
    expect(await slow.answer).toContain("POST / 101");
    expect(guard.heldBytes).toBe(0);
  });

  it("fail and count no more when their client is gone, and the next one is served", async () => {
    const guard = guarding(100);
    const { happened: failed, happen } = moment<unknown>();
    const port = await listen(
      (request, response) => {
        if (request.method === "GET") return echo(request, response);
        Promise.resolve(readBody(request)).catch(happen);
        socket.resetAndDestroy();
      },
      { guard },
    );
    const { socket, answer } = dial(port, `${post("Content-Length: 9")}half`);
    answer.catch(() => {});
    expect(await failed).toMatchObject({ code: "malformed-request" });
    expect(guard.heldBytes).toBe(0);
    expect(await send(port, get("/", LAST))).toContain("GET / 0");
  });
});

// Other types, and those that are repeated or coded, are sent to the running service by
// `http/media-type` and similar checks.
it("rejects a media type with a second charset, whatever the first is", () => {
  const rawHeaders = ["content-type", "application/json;charset=utf-8;charset=latin1"];
  const expected = { code: "unsupported-media-type", headers: { Accept: "application/json" } };
  expect(() => checkMediaType({ headers: {}, rawHeaders })).toThrow(
    expect.objectContaining(expected),
  );
});
