import { fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { faultsIn, placeOf } from "../input/operations.ts";
import { answered, inCase } from "../probe.ts";
import { requestOf } from "../wire/support.ts";
import { type Body, expectMalformed, expectRead, goodBody } from "./post.ts";

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Bytes that no UTF-8 has (RFC 3629), each with its name. */
const BAD_BYTES: readonly (readonly [what: string, bytes: readonly number[]])[] = [
  ["the byte FF", [0xff]],
  ["the byte FE", [0xfe]],
  ["a continuation byte alone", [0x80]],
  ["\u00e9 in Latin-1", [0xe9]],
  ["quotes in Windows-1252", [0x93, 0x94]],
  ["the first two bytes of three", [0xe2, 0x82]],
  ["the first byte of two", [0xc3]],
  ["an overlong solidus", [0xc0, 0xaf]],
  ["an overlong NUL", [0xc0, 0x80]],
  ["an overlong solidus of three bytes", [0xe0, 0x80, 0xaf]],
  ["a high surrogate", [0xed, 0xa0, 0x80]],
  ["a pair of surrogates (CESU-8)", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ["a code point above 10FFFF", [0xf4, 0x90, 0x80, 0x80]],
  ["five bytes", [0xf8, 0x88, 0x80, 0x80, 0x80]],
];

/** The body with these bytes in the place of `~`. */
function withBytes(body: string, bytes: readonly number[]): Buffer {
  const [before = "", after = ""] = body.split("~");
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

function inChunksOf(bytes: Buffer, size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
  }
  return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

function utf32le(text: string): Buffer {
  return Buffer.concat([...text].map((character) => Buffer.from([...Buffer.from(character, "latin1"), 0, 0, 0])));
}

/** UTF-8 without a byte order mark, and nothing else (D7). */
export const bytes: readonly Check[] = [
  check("http/not-utf8#byte-order-mark", { effect: "write" }, async (api) => {
    const email = api.email();
    const body = Buffer.from(goodBody(email));
    await expectMalformed(api, email, [
      ["a byte order mark", Buffer.concat([MARK, body])],
      ["two byte order marks", Buffer.concat([MARK, MARK, body])],
      ["a blank and a byte order mark", Buffer.concat([Buffer.from(" "), MARK, body])],
      ["a byte order mark at the end", Buffer.concat([body, MARK])],
      ["a byte order mark alone", MARK],
    ]);
  }),
  check("http/not-utf8#other-encodings", { effect: "write" }, async (api) => {
    const email = api.email();
    const body = goodBody(email);
    await expectMalformed(api, email, [
      ["UTF-16LE", Buffer.from(body, "utf16le")],
      ["UTF-16LE with its mark", Buffer.from(`\ufeff${body}`, "utf16le")],
      ["UTF-16BE", utf16be(body)],
      ["UTF-16BE with its mark", utf16be(`\ufeff${body}`)],
      ["UTF-32LE", utf32le(body)],
      ["Latin-1", Buffer.from(goodBody(email, "Andr\u00e9"), "latin1")],
    ]);
  }),
  check("http/not-utf8#in-a-value", { effect: "write" }, async (api) => {
    const email = api.email();
    await expectMalformed(
      api,
      email,
      BAD_BYTES.map(([what, bad]): Body => [what, withBytes(goodBody(email, "Ada ~ Lovelace"), bad)]),
    );
  }),
  check("http/not-utf8#elsewhere", { effect: "write" }, async (api) => {
    const email = api.email();
    const inName = goodBody(email).replace("{", '{"~":1,');
    await expectMalformed(api, email, [
      ["in the name of a member", withBytes(inName, [0xe9])],
      ["between members", withBytes(goodBody(email).replace(",", ",~"), [0xa0])],
      ["behind the object", withBytes(`${goodBody(email)}~`, [0xff])],
    ]);
  }),
  check("http/not-utf8#utf8-is-read", {}, async (api) => {
    const read = (text: string) => `{"@":"user.create","data":{"name":"${text}"}}`;
    await expectRead(api, [
      ["two bytes", read("\u00e9\u00ff\u0100")],
      ["three bytes", read("\u20ac\ud7ff\ue000\ufffd")],
      ["four bytes", read("\u{10000}\u{1f600}\u{10ffff}")],
      ["a byte order mark inside a string", read("a\ufeffb")],
      ["beyond ASCII in the name of a member", '{"@":"user.create","data":{},"\u00e9\u{1f600}":1}'],
    ]);
  }),
  check("http/not-utf8#in-pieces", {}, async (api) => {
    // The longest name there is: a character that is read in two is more than one.
    const text = Buffer.from(goodBody("no address", "\u{1f600}".repeat(200)));
    const request = requestOf(api, "user.create", { body: text });
    const headers = [...(request.headers ?? []), ["Transfer-Encoding", "chunked"] as const];
    for (const size of [1, 3, 5, 101])
      await inCase(`chunks of ${size} bytes`, async () => {
        const bytes = api.rawRequest({ ...request, headers, body: inChunksOf(text, size) });
        const faults = faultsIn(answered(await api.raw(bytes), "a body in chunks"), "user.create");
        if (faults.some((fault) => placeOf(fault) !== "#/data/email"))
          fail("status", "a name of 200 code points taken", excerpt(JSON.stringify(faults)));
      });
  }),
];
