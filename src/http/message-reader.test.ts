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
