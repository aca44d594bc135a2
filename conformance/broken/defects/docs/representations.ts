import { deflateRawSync, gzipSync } from "node:zlib";
import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer } from "../../defect.ts";
import { values } from "../../head.ts";
import { header, textOf } from "../../look.ts";
import { withBody, withHeader, withoutHeader, withStatus } from "../../shape.ts";
import { documentAnswer, documentRequest, entryOf, FORMATS, formatAnswer, isFormat, tagOf } from "./hooks.ts";

const isHtml = (answer: ProxyAnswer) => isFormat(answer, "text/html");
const codingOf = (answer: ProxyAnswer) => header(answer, "Content-Encoding");
const inCoding = (answer: ProxyAnswer, coding: string, bytes: Buffer) =>
  withHeader(withBody(answer, bytes), "Content-Encoding", coding);
/** The tag without the ending that belongs to a coding. */
const bare = (tag: string) => tag.replace(/(-br|-gzip)?"$/, "");

/** A header that is lost in one corner: HTML, and there only where the documents are something more than that. */
const corners = (
  requirement: "docs.get/vary" | "docs.get/caching",
  name: string,
  reason: RegExp,
): readonly Defect[] => {
  const short = name.toLowerCase();
  const lost = (id: string, description: string, variant: string, hooks: Pick<Defect, "answer">) =>
    caught(`docs.get/${short}-${id}`, description, [`${requirement}#${variant}`], reason, hooks);
  return [
    lost(
      "not-on-compressed-html",
      `Sends compressed HTML without ${name}.`,
      "codings",
      formatAnswer("text/html", (answer) => (codingOf(answer) ? withoutHeader(answer, name) : answer)),
    ),
    lost(
      "not-on-html-of-others",
      `Sends ${name} with the HTML of README only.`,
      "every-entry",
      formatAnswer("text/html", (answer, request) =>
        entryOf(request) === "README" ? answer : withoutHeader(answer, name),
      ),
    ),
    lost(
      "not-on-head-of-html",
      `Answers HEAD for HTML without ${name}.`,
      "head",
      formatAnswer("text/html", (answer, request) =>
        request.method === "HEAD" ? withoutHeader(answer, name) : answer,
      ),
    ),
    lost("not-on-304-of-text", `Sends 304 for text without ${name}.`, "not-modified", {
      answer: (answer, request) =>
        answer.status === 304 && header(request, "Accept")?.startsWith("text/") ? withoutHeader(answer, name) : answer,
    }),
  ];
};

/** Takes one line of several. */
const oneLine = (at: number) =>
  documentRequest((request) => {
    const lines = values(request.headers, "if-none-match");
    return lines.length > 1 ? withHeader(request, "If-None-Match", lines.at(at) ?? "") : request;
  });

/** What is wrong in one representation of a document, or in some, and right in those that are asked for most. */
export const representationDefects: readonly Defect[] = [
  ...corners("docs.get/vary", "Vary", /Vary/),
  ...corners("docs.get/caching", "Cache-Control", /public, max-age=300/),
  caught(
    "docs.get/one-etag-for-compressed-texts",
    "Has the same ETag for text/markdown and text/plain when it compresses them.",
    ["docs.get/etag#formats"],
    /another ETag for text\/plain than for text\/markdown/,
    formatAnswer("text/plain", async (answer, request, { forward }) =>
      codingOf(answer)
        ? withHeader(answer, "ETag", tagOf(await forward(withHeader(request, "Accept", "text/markdown"))))
        : answer,
    ),
  ),
  caught(
    "docs.get/weak-etag-of-large-text",
    "Weakens the ETag of a large text that it compresses.",
    ["docs.get/etag#strong"],
    /strong/,
    documentAnswer((answer, request) =>
      codingOf(answer) && entryOf(request) === "reference" && !isFormat(answer, "application/json")
        ? withHeader(answer, "ETag", `W/${tagOf(answer)}`)
        : answer,
    ),
  ),
  caught(
    "docs.get/etag-of-no-coding",
    "Takes the ETag without a coding for compressed documents too.",
    ["docs.get/not-modified#another-coding"],
    /200 in gzip/,
    documentAnswer((answer, request) =>
      codingOf(answer) && header(request, "If-None-Match") === `${bare(tagOf(answer))}"`
        ? { ...withStatus(answer, 304), body: Buffer.alloc(0) }
        : answer,
    ),
  ),
  caught(
    "docs.get/if-none-match-first-line",
    "Reads the first line of If-None-Match.",
    ["docs.get/not-modified#spellings"],
    /304/,
    oneLine(0),
  ),
  caught(
    "docs.get/if-none-match-last-line",
    "Reads the last line of If-None-Match.",
    ["docs.get/not-modified#spellings"],
    /304/,
    oneLine(-1),
  ),
  caught(
    "docs.get/one-page-for-all",
    "Sends the page of README for every document.",
    ["docs.get/formats#html-of-each"],
    /words of/,
    formatAnswer("text/html", (_answer, request, { forward }) =>
      forward({ ...request, target: request.target.replace(/docs\.get\.\w+/, "docs.get.README") }),
    ),
  ),
  caught(
    "docs.get/page-without-text",
    "Sends a page with the headings of a document alone.",
    ["docs.get/formats#html-of-each"],
    /words of/,
    formatAnswer("text/html", (answer) =>
      withBody(answer, textOf(answer).replace(/<(p|ul|ol|table|pre)\b[\s\S]*?<\/\1>/g, "")),
    ),
  ),
  caught(
    "docs.get/deflate-without-its-frame",
    "Sends deflate without the frame that the coding has.",
    FORMATS.map((format) => `docs.get/compressed#${format}`),
    /bytes in deflate/,
    documentAnswer((answer, request) =>
      header(request, "Accept-Encoding") === "deflate"
        ? inCoding(answer, "deflate", deflateRawSync(textOf(answer)))
        : answer,
    ),
  ),
  caught(
    "docs.get/page-of-others-compressed-wrongly",
    "Compresses an old copy of the pages, that of README aside.",
    ["docs.get/compressed#every-entry"],
    /the same document/,
    documentAnswer((answer, request) =>
      codingOf(answer) === "gzip" && isHtml(answer) && entryOf(request) !== "README"
        ? inCoding(answer, "gzip", gzipSync("<h1>Old</h1>"))
        : answer,
    ),
  ),
];
