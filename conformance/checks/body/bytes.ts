import { fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { faultsIn, placeOf } from "../input/operations.ts";
import { answered, inEach } from "../probe.ts";
import { requestOf } from "../wire/support.ts";
import { type Body, expectMalformed, expectRead, goodBody, withName } from "./post.ts";

const MARK = Buffer.from("\ufeff");

/** Bytes in hexadecimal that no UTF-8 has (RFC 3629), each with its name. */
const BAD_BYTES = {
  ...{ "the byte FF": "ff", "the byte FE": "fe", "a continuation byte alone": "80", "\u00e9 in Latin-1": "e9" },
  ...{ "quotes in Windows-1252": "9394", "two bytes of three": "e282", "the first byte of two": "c3" },
  ...{ "an overlong solidus": "c0af", "an overlong NUL": "c080", "an overlong solidus of three bytes": "e080af" },
  ...{ "a high surrogate": "eda080", "a pair of surrogates (CESU-8)": "eda0bdedb880" },
  ...{ "a code point above 10FFFF": "f4908080", "five bytes": "f888808080" },
};

/** The body with these bytes, in hexadecimal, in the place of `~`. */
function withBytes(body: string, hex: string): Buffer {
  const [before = "", after = ""] = body.split("~");
  return Buffer.concat([Buffer.from(before), Buffer.from(hex, "hex"), Buffer.from(after)]);
}

function inChunksOf(bytes: Buffer, size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
  }
  return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
}

const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
/** Of characters below 256. */
const utf32le = (text: string) => Buffer.from([...text].map((each) => `${each}\0\0\0`).join(""), "latin1");

/** Bodies that are no UTF-8, or begin with a mark, by the way in which. */
const MALFORMED: Readonly<Record<string, (email: string) => readonly Body[]>> = {
  "byte-order-mark": (email) => {
    const good = Buffer.from(goodBody(email));
    return [
      ["a byte order mark", Buffer.concat([MARK, good])],
      ["two byte order marks", Buffer.concat([MARK, MARK, good])],
      ["a blank and a byte order mark", Buffer.concat([Buffer.from(" "), MARK, good])],
      ["a byte order mark at the end", Buffer.concat([good, MARK])],
      ["a byte order mark alone", MARK],
    ];
  },
  "other-encodings": (email) => {
    const good = goodBody(email);
    return [
      ["UTF-16LE", Buffer.from(good, "utf16le")],
      ["UTF-16LE with its mark", Buffer.from(`\ufeff${good}`, "utf16le")],
      ["UTF-16BE", utf16be(good)],
      ["UTF-16BE with its mark", utf16be(`\ufeff${good}`)],
      ["UTF-32LE", utf32le(good)],
      ["Latin-1", Buffer.from(goodBody(email, "Andr\u00e9"), "latin1")],
    ];
  },
  "in-a-value": (email) =>
    Object.entries(BAD_BYTES).map(([what, hex]) => [what, withBytes(goodBody(email, "Ada ~ Lovelace"), hex)]),
  elsewhere: (email) => [
    ["in the name of a member", withBytes(goodBody(email).replace("{", '{"~":1,'), "e9")],
    ["between members", withBytes(goodBody(email).replace(",", ",~"), "a0")],
    ["behind the object", withBytes(`${goodBody(email)}~`, "ff")],
  ],
};

/** UTF-8 without a byte order mark, and nothing else (D7). */
export const bytes: readonly Check[] = [
  ...Object.entries(MALFORMED).map(([variant, bodies]) =>
    check(`http/not-utf8#${variant}`, { effect: "write" }, async (api) => {
      const email = api.email();
      await expectMalformed(api, email, bodies(email));
    }),
  ),
  check("http/not-utf8#utf8-is-read", {}, (api) =>
    // Two, three and four bytes, a byte order mark inside; and beyond ASCII in the name of a member.
    expectRead(api, [
      ...["\u00e9\u00ff\u0100", "\u20ac\ud7ff\ue000\ufffd", "\u{10000}\u{1f600}\u{10ffff}", "a\ufeffb"].map((text) =>
        withName(`"${text}"`),
      ),
      '{"@":"user.create","data":{},"\u00e9\u{1f600}":1}',
    ]),
  ),
  check("http/not-utf8#in-pieces", {}, async (api) => {
    // The longest name there is: a character that is read in two is more than one.
    const text = Buffer.from(goodBody("no address", "\u{1f600}".repeat(200)));
    const request = requestOf(api, "user.create", { body: text });
    const headers = [...(request.headers ?? []), ["Transfer-Encoding", "chunked"] as const];
    await inEach([1, 3, 5, 101], async (size) => {
      const raw = await api.raw(api.rawRequest({ ...request, headers, body: inChunksOf(text, size) }));
      const faults = faultsIn(answered(raw, `a body in chunks of ${size} bytes`));
      if (faults.some((fault) => placeOf(fault) !== "#/data/email"))
        fail("body:/errors", "a name of 200 code points taken", excerpt(JSON.stringify(faults)));
    });
  }),
];
