import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { header } from "../../look.ts";
import { withHeader, withoutHeader } from "../../shape.ts";
import { anyDocumentAnswer, documentAnswer, entryOf, FORMATS, formatAnswer, tagOf } from "./hooks.ts";

const CODINGS = FORMATS.map((format) => `docs.get/etag#codings-${format}`);

export const etagDefects: readonly Defect[] = [
  caught(
    "docs.get/without-etag",
    "Sends documents without an ETag.",
    ["docs.get/etag#strong", "docs.get/etag#formats", "docs.get/etag#stable", ...CODINGS],
    /one ETag/,
    anyDocumentAnswer((answer) => withoutHeader(answer, "ETag")),
  ),
  caught(
    "docs.get/weak-etag",
    "Sends weak ETags.",
    ["docs.get/etag#strong"],
    /strong/,
    documentAnswer((answer) => withHeader(answer, "ETag", `W/${tagOf(answer)}`)),
  ),
  caught(
    "docs.get/etag-without-quotes",
    "Sends ETags without quotes.",
    ["docs.get/etag#strong"],
    /strong/,
    documentAnswer((answer) => withHeader(answer, "ETag", tagOf(answer).replaceAll('"', ""))),
  ),
  caught(
    "docs.get/weak-etag-of-html",
    "Sends a weak ETag for HTML.",
    ["docs.get/etag#strong", "docs.get/etag#formats"],
    /strong/,
    formatAnswer("text/html", (answer) => withHeader(answer, "ETag", `W/${tagOf(answer)}`)),
  ),
  caught(
    "docs.get/etag-of-readme-only",
    "Has an ETag for README only.",
    ["docs.get/etag#strong", "docs.get/not-modified#every-entry"],
    /one ETag/,
    documentAnswer((answer, request) => (entryOf(request) === "README" ? answer : withoutHeader(answer, "ETag"))),
  ),
  caught(
    "docs.get/one-etag-for-all-formats",
    "Has the same ETag for every format.",
    ["docs.get/etag#formats"],
    /another ETag/,
    documentAnswer((answer, request) =>
      withHeader(answer, "ETag", `"${entryOf(request)}-${header(answer, "Content-Encoding")}"`),
    ),
  ),
  caught(
    "docs.get/one-etag-for-both-texts",
    "Has the same ETag for text/markdown and text/plain, whose bytes are the same.",
    ["docs.get/etag#formats"],
    /another ETag for text\/plain than for text\/markdown/,
    formatAnswer("text/plain", async (answer, request, { forward }) =>
      withHeader(answer, "ETag", tagOf(await forward(withHeader(request, "Accept", "text/markdown")))),
    ),
  ),
  caught(
    "docs.get/one-etag-for-all-codings",
    "Has the same ETag for every coding.",
    CODINGS,
    /another ETag/,
    documentAnswer((answer) => withHeader(answer, "ETag", tagOf(answer).replace(/-(?:br|gzip)"$/, '"'))),
  ),
  caught(
    "docs.get/etag-of-the-moment",
    "Makes a new ETag for each answer.",
    ["docs.get/etag#stable"],
    /the same ETag/,
    documentAnswer((answer, _request, { random }) => withHeader(answer, "ETag", `"${random()}"`)),
  ),
  caught(
    "docs.get/head-without-etag",
    "Answers HEAD without an ETag.",
    ["docs.get/etag#stable"],
    /one ETag/,
    documentAnswer((answer, request) => (request.method === "HEAD" ? withoutHeader(answer, "ETag") : answer)),
  ),
];
