// What comes back on one connection is cut into responses, and how it ends is told.
import type net from "node:net";
import { describe, expect, it } from "vitest";
import { withMoreTime } from "../../src/test/patience.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";
import { Arriving } from "./arriving.ts";
import { type ConversationOptions, converse } from "./conversation.ts";
import { MOST_BODY } from "./limits.ts";
import { lineTo } from "./line.test-kit.ts";

/** Reads a response that arrives in pieces of so many bytes. */
function read(text: string, { isHead = false, ends = false } = {}, size = text.length): Arriving {
  const arriving = new Arriving(isHead, MOST_BODY);
  for (let at = 0; at < text.length; at += size)
    arriving.add(Buffer.from(text.slice(at, at + size), "latin1"));
  if (ends) arriving.finish();
  return arriving;
}

const LINE = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${LINE}Transfer-Encoding: chunked\r\n\r\n`;

const BIG = "x".repeat(3_000_000);
const FIELDS = "X-One: 1\r\n".repeat(10_000);
const EMPTY = `${LINE}Content-Length: 0\r\n\r\n`;

describe("a response", () => {
  it.each([
    [
      "with a length",
      `${LINE}Content-Length: 2\r\n\r\n{}`,
      {},
      { status: 200, body: "{}", behind: 0, persists: true },
    ],
    [
      "in chunks",
      `${LINE}Transfer-Encoding: gzip, chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\n\r\n`,
      {},
      { body: "{}" },
    ],
    ["with trailers", `${CHUNKED}2\r\n{}\r\n0\r\nX-A: b\r\n\r\n`, {}, { persists: true }],
    ["up to the end", `${LINE}\r\n{}`, { ends: true }, { body: "{}", persists: false }],
    ["to HEAD", `${LINE}Content-Length: 2\r\n\r\n`, { isHead: true }, { body: "", persists: true }],
    [
      "of 304",
      "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n",
      {},
      { status: 304, body: "" },
    ],
    [
      "behind interim ones",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 \r\nA: b\r\n\r\n${EMPTY}`,
      {},
      { status: 200 },
    ],
    [
      "that closes",
      `${LINE}Connection: close\r\nContent-Length: 0\r\n\r\n`,
      {},
      { persists: false },
    ],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", {}, { persists: false }],
    [
      "with more behind it",
      `${LINE}Content-Length: 1\r\n\r\n{}x`,
      {},
      { body: "{", behind: 2, persists: false },
    ],
    [
      "of two equal lengths",
      `${LINE}Content-Length: 1\r\nContent-Length: 1\r\n\r\nx`,
      {},
      { body: "x" },
    ],
  ])("%s is read, at once and byte by byte", (_, text, options, expected) => {
    for (const size of [text.length, 1]) {
      const { received, behind, persists } = read(text, options, size);
      const body = received?.body.toString("latin1");
      expect({ status: received?.head.status, body, behind, persists }).toMatchObject(expected);
    }
  });

  it.each([
    ["that is cut", `${LINE}Content-Length: 3\r\n\r\n{}`],
    ["whose chunks are cut", `${CHUNKED}2\r\n{`],
    ["whose head is cut", `${LINE}A: b\r\n`],
  ])("%s is none", (_, text) => {
    expect(read(text, { ends: true })).toMatchObject({
      isWhole: false,
      received: null,
      error: null,
    });
  });

  it.each([
    "babble\r\n\r\n",
    `${LINE}no field\r\n\r\n`,
    `${LINE}Content-Length: 1e3\r\n\r\n`,
    `${LINE}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    `${CHUNKED}x\r\n`,
    `${CHUNKED}1\r\nxyz`,
    `${CHUNKED}1;${"x".repeat(2000)}`,
  ])("is none when it is no HTTP: %j", (text) => {
    expect(read(text)).toMatchObject({ error: "bytes that are no HTTP response", received: null });
  });

  it.each([
    [
      "a body",
      `${LINE}Content-Length: 3000000\r\n\r\n${BIG}`,
      /more than 1 MiB, of which no more was read/,
    ],
    ["a body without an end", `${LINE}\r\n${BIG}`, /more than 1 MiB/],
    ["chunks", `${CHUNKED}${`ffff\r\n${"x".repeat(65_535)}\r\n`.repeat(20)}`, /more than 1 MiB/],
    ["a head", `${LINE}${FIELDS}`, /head has more than 64 KiB/],
    ["trailers", `${CHUNKED}0\r\n${FIELDS}`, /head has more than 64 KiB/],
    [
      "interim responses",
      "HTTP/1.1 100 Continue\r\n\r\n".repeat(100_000),
      /head has more than 64 KiB/,
    ],
  ])("is bounded: %s", (_, text, error) => {
    expect(read(text, {}, 1 << 16)).toMatchObject({
      received: null,
      error: expect.stringMatching(error),
    });
  });

  it("keeps nothing of what follows it without end", () => {
    const arriving = read(EMPTY);
    for (let n = 0; n < 100; n += 1) arriving.add(Buffer.alloc(MOST_BODY));
    expect(arriving.behind).toBe(100 * MOST_BODY);
  });
});

const OK = `${LINE}Content-Length: 2\r\n\r\nok`;
const BAD = (body: string) => `HTTP/1.1 400 Bad\r\nContent-Length: 3\r\n\r\n${body}`;
const BAD_CHUNKS = "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbad\r\n0\r\n\r\n";

/** `end`: what the server does behind these bytes. */
async function say(
  text: string,
  end: (socket: net.Socket) => void,
  options: Partial<ConversationOptions> = {},
) {
  const url = await serveSocket((socket) => {
    socket.once("data", () => socket.write(text, "latin1", () => end(socket)));
  });
  const conversation = await converse(lineTo(url), [Buffer.from("x")], {
    heads: [false, false],
    ...options,
  });
  const { responses, closed, ending, isBodyOfLast } = conversation;
  return { statuses: responses.map(({ status }) => status), closed, ending, isBodyOfLast };
}
const close = (socket: net.Socket) => void socket.end();

it.each<readonly [string, string, string]>([
  ["two responses", OK + OK, "responses 200, 200, then the end of the connection"],
  ["one up to the end", `${LINE}\r\nok`, "response 200, then the end of the connection"],
  ["none", "", "no response, then the end of the connection"],
  [
    "half of one",
    OK.slice(0, -1),
    "no response, 39 bytes that are no whole response, then the end of the connection",
  ],
])("reads %s", async (_, text, ending) => {
  expect(await say(text, close)).toMatchObject({ closed: "in order", ending });
});

it("tells a body of a HEAD from other bytes", async () => {
  const heads = [true];
  for (const text of [BAD("bad"), BAD_CHUNKS])
    expect(await say(text, close, { heads })).toMatchObject({ isBodyOfLast: true });
  for (const text of [BAD("ba"), BAD("bad."), `${BAD_CHUNKS}.`])
    expect(await say(text, close, { heads })).toMatchObject({
      isBodyOfLast: false,
      statuses: [400],
    });
});

it("ends by a reset, by silence, and by too much", async () => {
  const reset = await say(OK, (socket) => setTimeout(() => socket.resetAndDestroy(), 50));
  expect(reset).toMatchObject({ closed: "by a reset", ending: "response 200, then a reset" });
  const silent = await say(OK, () => {}, { timeoutMs: 200 });
  expect(silent).toMatchObject({ closed: null, ending: "response 200, then silence" });
  const endless = (socket: net.Socket) =>
    void (socket.destroyed || socket.write("x".repeat(65_536), () => endless(socket)));
  const one = `${LINE}Content-Length: 99999999\r\n\r\n`;
  for (const more of [await say(OK.repeat(1000), () => {}), await say(one, endless)])
    expect(more.ending).toMatch(/, then more of it$/);
});

it("writes a piece only behind the response to the one before, and has the time of a run for each", () =>
  withMoreTime(async (milliseconds) => {
    const arrived: string[] = [];
    let answered = 0;
    const url = await serveSocket((socket) => {
      socket.on("data", (chunk) => {
        arrived.push(`${chunk} behind ${answered}`);
        setTimeout(() => {
          answered += 1;
          socket.write(OK);
        }, milliseconds / 5);
      });
    });
    const pieces = Array.from({ length: 8 }, () => Buffer.from("x"));
    const heads = pieces.map(() => false);
    const line = lineTo(url, { timeoutMs: milliseconds });
    const { responses } = await converse(line, pieces, { heads, by: "turn", responses: 8 });
    expect(responses).toHaveLength(8);
    expect(arrived).toEqual(pieces.map((_, at) => `x behind ${at}`));
  }));
