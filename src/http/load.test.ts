import { once } from "node:events";
import { expect, it } from "vitest";
import { BAD, dial, documentOf, echo, get, listen, send, statusesOf } from "../test/wire.ts";
import { Load, watchEventLoop } from "./load.ts";

const limits = { maxInFlight: 2, maxEventLoopDelayMs: 500 };
const refused = expect.objectContaining({ code: "overloaded", status: 503, headers: { "Retry-After": "1" } });

it("refuses who is one too many, and lets others in when one leaves", () => {
  const load = new Load(limits, () => 0);
  load.enter();
  load.enter();
  expect(() => load.enter()).toThrow(refused);
  load.leave();
  load.enter();
  expect(load.inFlight).toBe(2);
});

it("refuses everybody while the event loop is late by more than it may", () => {
  let delayMs = 500;
  const load = new Load(limits, () => delayMs);
  load.judge();
  delayMs = 500.1;
  expect(() => load.judge()).toThrow(refused);
});

it("measures no delay where there was none yet, and keeps no process alive", () => {
  const eventLoop = watchEventLoop();
  expect(eventLoop.delayMs()).toBe(0);
  eventLoop.close();
});

it("tells a connection that is one too many, and serves those that are there", async () => {
  const port = await listen(echo, {
    limits: { maxUrlBytes: 8192, parserHeaderBytes: 32_768, maxBodyBytes: 9, maxConnections: 1 },
  });
  const first = dial(port, get("/1"));
  await once(first.socket, "data");
  const answer = await send(port, get("/2"));
  expect(statusesOf(answer)).toEqual(["HTTP/1.1 503 Service Unavailable"]);
  expect(documentOf(answer).code).toBe("overloaded");
  expect(answer).toMatch(/\r\nRetry-After: 1\r\n[\s\S]*\r\nConnection: close\r\n/);
  first.socket.end(BAD);
  expect(statusesOf(await first.answer)).toEqual(["HTTP/1.1 200 OK", "HTTP/1.1 400 Bad Request"]);
});
