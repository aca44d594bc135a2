// What comes back on one connection is cut into responses, and how it ends is told.
import { describe, expect, it } from "vitest";
import { withMoreTime } from "../../src/test/patience.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";
import { converse } from "./conversation.ts";
import { endpointTo } from "./endpoint.test-kit.ts";
import { MOST_BODY } from "./limits.ts";
import { ResponseParser } from "./response-parser.ts";

/** Reads a response that arrives in pieces of so many bytes. */
function read(
  text: string,
  { isHead = false, ends = false } = {},
  size = text.length,
): ResponseParser {
  const parser = new ResponseParser(isHead, MOST_BODY);
  for (let at = 0; at < text.length; at += size)
    parser.add(Buffer.from(text.slice(at, at + size), "latin1"));
  if (ends) parser.finish();
  return parser;
}

const LINE = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${LINE}Transfer-Encoding: chunked\r\n\r\n`;

const EMPTY = `${LINE}Content-Length: 0\r\n\r\n`;

describe("a response", () => {
  it.each<[string, string, Parameters<typeof read>[1], object]>([
    ["with a length", EMPTY, {}, { status: 200, body: "", behind: 0, persists: true }],
    [
      "in chunks",
      `${LINE}Transfer-Encoding: gzip, chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\nX-A: b\r\n\r\n`,
      {},
      { body: "{}", persists: true },
    ],
    ["up to the end", `${LINE}\r\n{}`, { ends: true }, { body: "{}", persists: false }],
    ["to HEAD", `${LINE}Content-Length: 2\r\n\r\n`, { isHead: true }, { body: "", persists: true }],
    ["of 304", "HTTP/1.1 304 Same\r\nContent-Length: 2\r\n\r\n", {}, { status: 304, body: "" }],
    ["behind interim ones", `HTTP/1.1 103 \r\nA: b\r\n\r\n${EMPTY}`, {}, { status: 200 }],
    ["of HTTP/1.0", EMPTY.replace("1.1", "1.0"), {}, { persists: false }],
    ["with more behind it", `${EMPTY}}x`, {}, { body: "", behind: 2, persists: false }],
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
});

const OK = `${LINE}Content-Length: 2\r\n\r\nok`;

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
  const url = await serveSocket((socket) => socket.once("data", () => socket.end(text, "latin1")));
  const heads = [false, false];
  const read = await converse(endpointTo(url), [Buffer.from("x")], { heads });
  expect(read).toMatchObject({ closed: "in order", ending });
});

it("writes a piece behind the response to the one before, each with its own timeout", () =>
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
    const endpoint = endpointTo(url, { timeoutMs: milliseconds });
    const { responses } = await converse(endpoint, pieces, { heads, by: "turn", responses: 8 });
    expect(responses).toHaveLength(8);
    expect(arrived).toEqual(pieces.map((_, at) => `x behind ${at}`));
  }));
