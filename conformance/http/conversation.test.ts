// What comes back on one connection is cut into responses, and how it ends is told.
import type net from "node:net";
import { expect, it } from "vitest";
import { withMoreTime } from "../../src/test/patience.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";
import { type ConversationOptions, converse } from "./conversation.ts";
import { lineTo } from "./line.test-kit.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const BAD = (body: string) => `HTTP/1.1 400 Bad\r\nContent-Length: 3\r\n\r\n${body}`;
const CHUNKED = "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbad\r\n0\r\n\r\n";

/** `end`: what the server does behind these bytes. */
async function say(text: string, end: (socket: net.Socket) => void, options: Partial<ConversationOptions> = {}) {
  const url = await serveSocket((socket) => {
    socket.once("data", () => socket.write(text, "latin1", () => end(socket)));
  });
  const conversation = await converse(lineTo(url), [Buffer.from("x")], { heads: [false, false], ...options });
  const { responses, closed, ending, isBodyOfLast, rest } = conversation;
  return { statuses: responses.map(({ status }) => status), closed, ending, isBodyOfLast, rest: rest.length };
}
const close = (socket: net.Socket) => void socket.end();

it.each<readonly [string, string, string]>([
  ["two responses", OK + OK, "responses 200, 200, then the end of the connection"],
  ["one up to the end", "HTTP/1.1 200 OK\r\n\r\nok", "response 200, then the end of the connection"],
  ["none", "", "no response, then the end of the connection"],
  ["half of one", OK.slice(0, -1), "no response, 39 bytes that are no whole response, then the end of the connection"],
  ["an interim one", `HTTP/1.1 100 Continue\r\n\r\n${OK}`, "response 200, then the end of the connection"],
])("reads %s", async (_, text, ending) => {
  expect(await say(text, close)).toMatchObject({ closed: "in order", ending });
});

it("tells a body of a HEAD from other bytes", async () => {
  const heads = [true];
  for (const text of [BAD("bad"), CHUNKED])
    expect(await say(text, close, { heads })).toMatchObject({ isBodyOfLast: true });
  for (const text of [BAD("ba"), BAD("bad."), `${CHUNKED}.`])
    expect(await say(text, close, { heads })).toMatchObject({ isBodyOfLast: false, statuses: [400] });
});

it("ends by a reset, by silence, and by too much", async () => {
  const reset = await say(OK, (socket) => setTimeout(() => socket.resetAndDestroy(), 50));
  expect(reset).toMatchObject({ closed: "by a reset", ending: "response 200, then a reset" });
  const silent = await say(OK, () => {}, { timeoutMs: 200 });
  expect(silent).toMatchObject({ closed: null, ending: "response 200, then silence" });
  const endless = (socket: net.Socket) =>
    void (socket.destroyed || socket.write("x".repeat(65_536), () => endless(socket)));
  const one = "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n";
  for (const more of [await say(OK.repeat(1000), () => {}), await say(one, endless)])
    expect(more.ending).toMatch(/, then more of it$/);
});

it("writes a piece only behind the response to the one before", async () => {
  const pieces: string[] = [];
  const url = await serveSocket((socket) => {
    socket.on("data", (chunk) => {
      pieces.push(chunk.toString());
      setTimeout(() => (pieces.length < 3 ? socket.write(OK) : socket.end(OK)), 50);
    });
  });
  const all = ["a", "b", "c"].map((one) => Buffer.from(one));
  const { responses } = await converse(lineTo(url), all, { heads: [false, false, false], by: "turn" });
  expect(responses).toHaveLength(3);
  expect(pieces).toEqual(["a", "b", "c"]);
});

it("has the time of a run for each of its requests, not for all of them", () =>
  withMoreTime(async (milliseconds) => {
    const url = await serveSocket((socket) => {
      socket.on("data", () => setTimeout(() => socket.write(OK), milliseconds / 5));
    });
    const pieces = Array.from({ length: 8 }, () => Buffer.from("x"));
    const heads = pieces.map(() => false);
    const line = lineTo(url, { timeoutMs: milliseconds });
    const { responses } = await converse(line, pieces, { heads, by: "turn", responses: 8 });
    expect(responses).toHaveLength(8);
  }));
