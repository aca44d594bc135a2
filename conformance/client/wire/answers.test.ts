import { describe, expect, it } from "vitest";
import { parseAnswers } from "./answers.ts";

function parse(text: string, { heads = [] as boolean[], ended = false } = {}) {
  const { answers, rest } = parseAnswers(Buffer.from(text, "latin1"), heads, ended);
  return { bodies: answers.map(({ status, body }) => `${status} ${body}`), rest: rest.toString("latin1"), answers };
}

describe("parseAnswers", () => {
  it("reads as many bytes as Content-Length says, and one answer after the other", () => {
    const one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    expect(parse(`${one}${one}x`)).toMatchObject({ bodies: ["200 {}", "200 {}"], rest: "x" });
    expect(parse(one.slice(0, -1)).bodies).toEqual([]);
  });

  it("reads chunks, with and without trailers", () => {
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect(parse(`${head}3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n`)).toMatchObject({ bodies: ["200 abcde"], rest: "" });
    expect(parse(`${head}1\r\na\r\n0\r\nX-T: 1\r\n\r\nrest`)).toMatchObject({ bodies: ["200 a"], rest: "rest" });
    for (const part of ["3\r\nab", "zz\r\n", "3", "0\r\nX-T: 1"]) expect(parse(head + part).bodies).toEqual([]);
  });

  it("reads until the connection closes when nothing says how long", () => {
    const text = "HTTP/1.0 400 Bad Request\r\n\r\nno";
    expect(parse(text).bodies).toEqual([]);
    expect(parse(text, { ended: true })).toMatchObject({ bodies: ["400 no"], rest: "" });
  });

  it("knows the answers that have no body", () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
    expect(parse(head, { heads: [true] }).bodies).toEqual(["200 "]);
    expect(parse("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 \r\nContent-Length: 9\r\n\r\n").bodies).toEqual([
      "204 ",
      "304 ",
    ]);
  });

  it("skips interim answers", () => {
    expect(parse("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").bodies).toEqual(["200 "]);
  });

  it("leaves what is no answer", () => {
    expect(parse("nonsense\r\n\r\n", { ended: true })).toMatchObject({ bodies: [], rest: "nonsense\r\n\r\n" });
  });

  it("keeps header fields in their order and spelling", () => {
    const [answer] = parse("HTTP/1.1 200\r\nA:1\r\nb: 2 \r\nA: 3\r\nContent-Length: 0\r\n\r\n").answers;
    expect(answer?.headers).toEqual([
      ["A", "1"],
      ["b", "2"],
      ["A", "3"],
      ["Content-Length", "0"],
    ]);
  });
});
