import { describe, expect, it } from "vitest";
import { Arriving } from "./arriving.ts";
import { MOST_BODY } from "./limits.ts";

/** Reads a response that arrives in pieces of so many bytes. */
function read(text: string, { isHead = false, ends = false } = {}, size = text.length): Arriving {
  const arriving = new Arriving(isHead, MOST_BODY);
  for (let at = 0; at < text.length; at += size) arriving.add(Buffer.from(text.slice(at, at + size), "latin1"));
  if (ends) arriving.finish();
  return arriving;
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

const BIG = "x".repeat(3_000_000);
const FIELDS = "X-One: 1\r\n".repeat(10_000);
const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;

describe("a response", () => {
  it.each([
    ["with a length", `${OK}Content-Length: 2\r\n\r\n{}`, {}, { status: 200, body: "{}", behind: 0, persists: true }],
    ["in chunks", `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\n\r\n`, {}, { body: "{}" }],
    ["with trailers", `${CHUNKED}2\r\n{}\r\n0\r\nX-A: b\r\n\r\n`, {}, { persists: true }],
    ["up to the end", `${OK}\r\n{}`, { ends: true }, { body: "{}", persists: false }],
    ["to HEAD", `${OK}Content-Length: 2\r\n\r\n`, { isHead: true }, { body: "", persists: true }],
    ["of 304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n", {}, { status: 304, body: "" }],
    ["behind interim ones", `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 \r\nA: b\r\n\r\n${EMPTY}`, {}, { status: 200 }],
    ["that closes", `${OK}Connection: close\r\nContent-Length: 0\r\n\r\n`, {}, { persists: false }],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", {}, { persists: false }],
    ["with more behind it", `${OK}Content-Length: 1\r\n\r\n{}x`, {}, { body: "{", behind: 2, persists: false }],
    ["of two equal lengths", `${OK}Content-Length: 1\r\nContent-Length: 1\r\n\r\nx`, {}, { body: "x" }],
  ])("%s is read, at once and byte by byte", (_, text, options, expected) => {
    for (const size of [text.length, 1]) {
      const { received, behind, persists } = read(text, options, size);
      const body = received?.body.toString("latin1");
      expect({ status: received?.head.status, body, behind, persists }).toMatchObject(expected);
    }
  });

  it.each([
    ["that is cut", `${OK}Content-Length: 3\r\n\r\n{}`],
    ["whose chunks are cut", `${CHUNKED}2\r\n{`],
    ["whose head is cut", "HTTP/1.1 200 OK\r\nA: b\r\n"],
  ])("%s is none", (_, text) => {
    expect(read(text, { ends: true })).toMatchObject({ isWhole: false, received: null, error: null });
  });

  it.each([
    "babble\r\n\r\n",
    `${OK}no field\r\n\r\n`,
    `${OK}Content-Length: 1e3\r\n\r\n`,
    `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    `${CHUNKED}x\r\n`,
    `${CHUNKED}1\r\nxyz`,
    `${CHUNKED}1;${"x".repeat(2000)}`,
  ])("is none when it is no HTTP: %j", (text) => {
    expect(read(text)).toMatchObject({ error: "bytes that are no HTTP response", received: null });
  });

  it.each([
    ["a body", `${OK}Content-Length: 3000000\r\n\r\n${BIG}`, /more than 1 MiB, of which no more was read/],
    ["a body without an end", `${OK}\r\n${BIG}`, /more than 1 MiB/],
    ["chunks", `${CHUNKED}${`ffff\r\n${"x".repeat(65_535)}\r\n`.repeat(20)}`, /more than 1 MiB/],
    ["a head", `${OK}${FIELDS}`, /head has more than 64 KiB/],
    ["trailers", `${CHUNKED}0\r\n${FIELDS}`, /head has more than 64 KiB/],
    ["interim responses", "HTTP/1.1 100 Continue\r\n\r\n".repeat(100_000), /head has more than 64 KiB/],
  ])("is bounded: %s", (_, text, error) => {
    expect(read(text, {}, 1 << 16)).toMatchObject({ received: null, error: expect.stringMatching(error) });
  });

  it("keeps nothing of what follows it without end", () => {
    const arriving = read(EMPTY);
    for (let n = 0; n < 100; n += 1) arriving.add(Buffer.alloc(MOST_BODY));
    expect(arriving.behind).toBe(100 * MOST_BODY);
  });
});
