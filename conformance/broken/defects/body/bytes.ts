import type { Defect, ProxyRequest } from "../../defect.ts";
import { header } from "../../look.ts";
import { respondProblem } from "../../shape.ts";

const area = "utf-8";
const requirements = ["http/not-utf8"];
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A POST whose body is no UTF-8 is read so. */
const decoding = (decode: (body: Buffer) => string) => (request: ProxyRequest) => {
  if (request.method !== "POST" || Buffer.from(request.body.toString()).equals(request.body)) return request;
  return { ...request, body: Buffer.from(decode(request.body)) };
};

/** Every second byte is NUL. */
const isWide = (body: Buffer, at: number) =>
  body.length > 4 && body.every((byte, index) => index < 2 || index % 2 !== at || byte === 0);

/** Bytes beyond ASCII in chunks, each of which may end within a character. */
const inPieces = (request: ProxyRequest) =>
  header(request, "Transfer-Encoding") === "chunked" && request.body.some((byte) => byte > 127);

export const byteDefects: readonly Defect[] = [
  {
    id: "utf-8/mark-stripped",
    area,
    description: "Strips a byte order mark.",
    requirements,
    catches: ["http/not-utf8#byte-order-mark"],
    reason: /400/,
    request: (request) =>
      request.body.subarray(0, 3).equals(MARK) ? { ...request, body: request.body.subarray(3) } : request,
  },
  {
    id: "utf-8/replaced",
    area,
    description: "Puts U+FFFD in the place of what is no UTF-8.",
    requirements,
    catches: ["http/not-utf8#in-a-value", "http/not-utf8#elsewhere"],
    reason: /400/,
    request: decoding((body) => body.toString()),
  },
  {
    id: "utf-8/latin1",
    area,
    description: "Reads what is no UTF-8 as Latin-1.",
    requirements,
    catches: ["http/not-utf8#in-a-value", "http/not-utf8#elsewhere", "http/not-utf8#other-encodings"],
    reason: /400/,
    request: decoding((body) => body.toString("latin1")),
  },
  {
    id: "utf-8/dropped",
    area,
    description: "Drops the bytes that are no UTF-8.",
    requirements,
    catches: ["http/not-utf8#in-a-value", "http/not-utf8#elsewhere"],
    reason: /400/,
    request: decoding((body) => body.toString().replaceAll("\ufffd", "")),
  },
  {
    id: "utf-8/surrogates",
    area,
    description: "Reads encoded surrogates and overlong forms, as CESU-8 and Java have them.",
    requirements,
    catches: ["http/not-utf8#in-a-value"],
    reason: /400/,
    request: (request) => {
      const text = request.body.toString("latin1");
      const read = text.replace(/\xed[\xa0-\xbf][\x80-\xbf]|\xc0[\x80-\xbf]/g, "?");
      return read === text ? request : { ...request, body: Buffer.from(read, "latin1") };
    },
  },
  {
    id: "utf-8/wide-guessed",
    area,
    description: "Recognises UTF-16 by its zero bytes, as RFC 4627 had it.",
    requirements,
    catches: ["http/not-utf8#other-encodings"],
    reason: /400/,
    request: (request) => {
      const { body } = request;
      if (isWide(body, 1)) return { ...request, body: Buffer.from(body.toString("utf16le")) };
      if (isWide(body, 0)) return { ...request, body: Buffer.from(Buffer.from(body).swap16().toString("utf16le")) };
      return request;
    },
  },
  {
    id: "utf-8/beyond-bmp-refused",
    area,
    description: "Refuses characters of four bytes.",
    requirements,
    catches: ["http/not-utf8#utf8-is-read"],
    reason: /422/,
    request: (request) =>
      request.method === "POST" && request.body.some((byte) => byte >= 0xf0)
        ? respondProblem(400, "malformed-json")
        : request,
  },
  {
    id: "utf-8/ascii-only",
    area,
    description: "Refuses every byte above 127.",
    requirements,
    catches: ["http/not-utf8#utf8-is-read"],
    reason: /422/,
    request: (request) =>
      request.method === "POST" && request.body.some((byte) => byte > 127)
        ? respondProblem(400, "malformed-json")
        : request,
  },
  {
    id: "utf-8/pieces-refused",
    area,
    description: "Reads each chunk as a text of its own, and refuses characters that are in two.",
    requirements,
    catches: ["http/not-utf8#in-pieces"],
    reason: /422/,
    request: (request) => (inPieces(request) ? respondProblem(400, "malformed-json") : request),
  },
  {
    id: "utf-8/pieces-replaced",
    area,
    description: "Reads each chunk as a text of its own, with U+FFFD for what is in two.",
    requirements,
    catches: ["http/not-utf8#in-pieces"],
    reason: /200 code points taken/,
    request: (request) =>
      inPieces(request)
        ? { ...request, body: Buffer.from(request.body.toString("latin1").replace(/[\x80-\xff]/g, "\ufffd")) }
        : request,
  },
];
