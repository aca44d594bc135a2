import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer } from "../../defect.ts";
import { header, textOf } from "../../look.ts";
import { withBody, withHeader, withoutHeader } from "../../shape.ts";
import { documentAnswer, documentRequest, entryOf, FORMATS, headerRequest, isFormat } from "./hooks.ts";

const COMPRESSED = FORMATS.map((format) => `docs.get/compressed#${format}`);
const codingOf = (answer: ProxyAnswer) => header(answer, "Content-Encoding");
const coded = (change: (answer: ProxyAnswer) => ProxyAnswer) =>
  documentAnswer((answer) => (codingOf(answer) ? change(answer) : answer));
const inCoding = (answer: ProxyAnswer, coding: string, bytes: Buffer) =>
  withHeader(withBody(answer, bytes), "Content-Encoding", coding);
const accepting = (change: (value: string) => string) => headerRequest("Accept-Encoding", change);

export const compressedDefects: readonly Defect[] = [
  caught(
    "docs.get/says-gzip",
    "Says Content-Encoding without compressing.",
    [...COMPRESSED, "docs.get/compressed#every-entry"],
    /bytes in/,
    coded((answer) => inCoding(answer, codingOf(answer) ?? "", Buffer.from(textOf(answer)))),
  ),
  caught(
    "docs.get/gzip-unsaid",
    "Compresses without Content-Encoding.",
    [...COMPRESSED, "docs.get/compressed#every-entry"],
    /the same document/,
    coded((answer) => withoutHeader(answer, "Content-Encoding")),
  ),
  caught(
    "docs.get/truncated",
    "Cuts compressed documents off.",
    [...COMPRESSED, "docs.get/compressed#every-entry"],
    /bytes in/,
    coded((answer) => ({ ...answer, body: answer.body.subarray(0, -12) })),
  ),
  caught(
    "docs.get/compressed-twice",
    "Compresses documents twice.",
    COMPRESSED,
    /the same document/,
    coded((answer) => inCoding(answer, "gzip", gzipSync(gzipSync(textOf(answer))))),
  ),
  caught(
    "docs.get/raw-deflate",
    "Sends deflate as gzip.",
    COMPRESSED,
    /bytes in gzip/,
    coded((answer) => inCoding(answer, "gzip", deflateSync(textOf(answer)))),
  ),
  caught(
    "docs.get/unasked-coding-name",
    "Sends br to whoever asks for gzip.",
    COMPRESSED,
    /no coding but gzip/,
    coded((answer) => inCoding(answer, "br", brotliCompressSync(textOf(answer)))),
  ),
  caught(
    "docs.get/stale-gzip",
    "Compresses an older copy of the documents.",
    COMPRESSED,
    /the same document/,
    documentAnswer((answer) =>
      codingOf(answer) === "gzip" ? inCoding(answer, "gzip", gzipSync(`${textOf(answer)} `)) : answer,
    ),
  ),
  caught(
    "docs.get/html-compressed-wrongly",
    "Compresses the JSON in place of the page.",
    ["docs.get/compressed#text-html"],
    /the same document/,
    documentAnswer(async (answer, request, { forward }) => {
      if (!codingOf(answer) || !isFormat(answer, "text/html")) return answer;
      return { ...answer, body: (await forward(withHeader(request, "Accept", "application/json"))).body };
    }),
  ),
  caught(
    "docs.get/others-compressed-wrongly",
    "Sends an old copy of everything but README when it compresses.",
    ["docs.get/compressed#every-entry"],
    /the same document/,
    documentAnswer((answer, request) =>
      codingOf(answer) === "gzip" && entryOf(request) !== "README"
        ? inCoding(answer, "gzip", gzipSync("# Old"))
        : answer,
    ),
  ),
  caught(
    "docs.get/always-gzip",
    "Compresses whether or not anybody asks.",
    ["docs.get/compressed#unasked", "docs.get/compressed#refused"],
    /no coding/,
    documentRequest((request) => withHeader(request, "Accept-Encoding", "gzip")),
  ),
  caught(
    "docs.get/gzip-without-asking",
    "Compresses for a request without Accept-Encoding.",
    ["docs.get/compressed#unasked"],
    /no coding/,
    documentRequest((request) =>
      header(request, "Accept-Encoding") === null ? withHeader(request, "Accept-Encoding", "gzip") : request,
    ),
  ),
  caught(
    "docs.get/coding-weights-ignored",
    "Compresses even for q=0.",
    ["docs.get/compressed#refused"],
    /no coding but/,
    accepting((value) => value.replace(/;q=0(\.0)?(?=,|$)/g, "")),
  ),
  caught(
    "docs.get/coding-as-a-part",
    "Looks for gzip anywhere in Accept-Encoding.",
    ["docs.get/compressed#refused"],
    /no coding but/,
    accepting((value) => (value.includes("gzip") ? "gzip" : value)),
  ),
];
