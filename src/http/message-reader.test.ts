import { describe, expect, it } from "vitest";
import { get, post } from "../test/wire.ts";
import { MessageReader } from "./message-reader.ts";

/** A message and the length of its body; `null` for chunks. */
const MESSAGES: readonly (readonly [head: string, body: string, length: number | null])[] = [
  [get("/1"), "", 0],
  [post("Content-Length: 8"), "\r\n\r\n\r\n\r\n", 8],
  [post("Transfer-Encoding: chunked"), "4\r\n\r\n\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n", null],
  [post("Transfer-Encoding: chunked"), "0010;ext=0\r\n0\r\n\r\nGET / HTTP\r\n0000\r\n\r\n", null],
  [post("Transfer-Encoding: chunked"), "1\r\na\r\n0\r\nTrailer: b\r\n\r\n", null],
  ["GET /\r\n\r\n", "", 0],
];
const stream = Buffer.from(MESSAGES.map(([head, body]) => head + body).join("\r\n"));

/** What is given to the parser, by message, when the bytes come in these parts; the parser's side is what `MESSAGES` says. */
function messagesOf(parts: readonly Buffer[]): string[] {
  const reader = new MessageReader();
  const read: string[] = [""];
  for (const part of parts) {
    for (let rest = part; rest.length > 0; ) {
      const [head = "", body = "", length] = MESSAGES[read.length - 1] ?? [];
      rest = rest.subarray(reader.blank(rest));
      const taken = rest.length === 0 ? 0 : reader.take(rest);
      const text = read.pop() + rest.toString("latin1", 0, taken);
      rest = rest.subarray(taken);
      read.push(text);
      if (text === head) reader.expectBody(length ?? "chunks");
      if (text !== head + body) continue;
      reader.next();
      read.push("");
    }
  }
  return read.slice(0, -1);
}

describe("a message reader", () => {
  const whole = MESSAGES.map(([head, body]) => head + body);

  it("tells messages apart wherever the packets are cut", () => {
    expect(messagesOf([stream])).toEqual(whole);
    expect(messagesOf(Array.from(stream, (byte) => Buffer.from([byte])))).toEqual(whole);
    for (let at = 1; at < stream.length; at += 1) {
      for (const length of [1, 2, 3, 5]) {
        const parts = [stream.subarray(0, at), stream.subarray(at, at + length), stream.subarray(at + length)];
        expect(messagesOf(parts)).toEqual(whole);
      }
    }
  });

  it.each([
    ["HEAD / HTTP/1.1", "HEAD"],
    ["M-SEARCH / HTTP/1.1", "M-SEARCH"],
    ["HEAD", null],
    ["head / HTTP/1.1", null],
    ["HEADS / HTTP/1.1", null],
    ["/?key= HTTP/1.1", null],
  ])("knows the method of %s", (start, method) => {
    for (const size of [1, 3, 100]) {
      const reader = new MessageReader();
      for (let at = 0; at < start.length; at += size) reader.take(Buffer.from(start.slice(at, at + size)));
      expect(reader.method).toBe(method);
    }
  });
});

describe("a body in small pieces", () => {
  const head = post("Transfer-Encoding: chunked");
  const chunk = (size: number) => [`${size.toString(16)}\r\n`, "x".repeat(size), "\r\n"];
  const chunks = (count: number, ...sizes: readonly number[]) =>
    Array.from({ length: count }, (_, index) => chunk(sizes[index % sizes.length] ?? 0));
  const cut = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, "gs")) ?? [];

  /** Whether the reader finds such a body too finely cut, read in these parts. */
  function isCrumbled(parts: readonly string[], length: number | "chunks" = "chunks"): boolean {
    const reader = new MessageReader();
    reader.take(Buffer.from(head));
    reader.expectBody(length);
    return parts.some((part) => {
      reader.take(Buffer.from(part));
      return reader.isCrumbled;
    });
  }
  const inOneRead = (some: readonly string[][]) => [some.flat().join("")];
  const inReads = (some: readonly string[][]) => some.map((one) => one.join(""));

  it.each([
    ["1,025 chunks of one byte", inOneRead(chunks(1_025, 1))],
    ["1,025 chunks of 15 bytes, each in a read", inReads(chunks(1_025, 15))],
    ["chunks of one byte behind large ones", inOneRead([chunk(100), ...chunks(2_000, 1)])],
    ["one chunk, read byte by byte", cut(chunk(1_025).join(""), 1)],
  ])("is noticed: %s", (_, parts) => expect(isCrumbled(parts)).toBe(true));

  it("is noticed with a length: 1,025 reads of one byte", () => {
    expect(isCrumbled(cut("x".repeat(1_025), 1), 2_000)).toBe(true);
  });

  it.each([
    ["1,024 chunks of one byte, each in a read", inReads(chunks(1_024, 1))],
    ["4,096 chunks of 16 bytes in one read", inOneRead(chunks(4_096, 16))],
    ["chunks of 16 bytes, each in a read", inReads(chunks(4_096, 16))],
    ["chunks of 16 bytes, each written in three parts", chunks(4_096, 16).flat()],
    ["chunks of 16 bytes, cut anew to segments by the network", cut(chunks(4_096, 16).flat().join(""), 1_460)],
    ["chunks of 31 bytes and one byte in turn", inOneRead(chunks(4_000, 31, 1))],
  ])("is not seen in %s", (_, parts) => expect(isCrumbled(parts)).toBe(false));

  it.each([
    ["1,024 reads of one byte", cut("x".repeat(1_024), 1)],
    ["4,096 reads of 16 bytes", cut("x".repeat(65_536), 16)],
  ])("is not seen in a body with a length: %s", (_, parts) => {
    expect(isCrumbled(parts, parts.join("").length)).toBe(false);
  });

  it("is forgotten with the next message", () => {
    const reader = new MessageReader();
    for (let round = 0; round < 3; round += 1) {
      reader.take(Buffer.from(head));
      reader.expectBody("chunks");
      reader.take(Buffer.from(`${chunks(1_000, 1).flat().join("")}0\r\n\r\n`));
      expect(reader.isCrumbled).toBe(false);
      reader.next();
    }
  });
});
