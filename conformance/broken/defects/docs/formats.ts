import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { header, textOf } from "../../look.ts";
import { respondProblem, withBody, withHeader, withJson, withoutHeader } from "../../shape.ts";
import { documentAnswer, documentRequest, entryOf, formatAnswer, headerRequest, isFormat } from "./hooks.ts";

const FORMATS = ["application/json", "text/markdown", "text/plain", "text/html"];
const wantsKey = (wanted: (entry: string, mediaType: string) => boolean): Required<Pick<Defect, "answer">> =>
  documentAnswer((answer, request) =>
    wanted(entryOf(request), header(answer, "Content-Type") ?? "") && !header(request, "X-API-KEY")
      ? respondProblem(401, "credentials-missing")
      : answer,
  );
const accept = (change: (value: string) => string | null) => headerRequest("Accept", change);
const ofAll = (variants: readonly string[]) =>
  ["text-markdown", "text-plain", "text-html"].flatMap((format) =>
    variants.map((variant) => `docs.get/formats#${format}-${variant}`),
  );

export const formatDefects: readonly Defect[] = [
  caught(
    "docs.get/needs-a-key",
    "Refuses documents without a key.",
    ["docs.get/public#formats", "docs.get/public#every-entry"],
    /200/,
    wantsKey(() => true),
  ),
  caught(
    "docs.get/text-needs-a-key",
    "Refuses documents as text without a key.",
    ["docs.get/public#formats"],
    /200/,
    wantsKey((_, type) => type.startsWith("text/")),
  ),
  caught(
    "docs.get/others-need-a-key",
    "Gives nothing but README without a key.",
    ["docs.get/public#every-entry"],
    /200/,
    wantsKey((entry) => entry !== "README"),
  ),
  caught(
    "docs.get/markdown-by-default",
    "Answers Markdown to a request without Accept.",
    ["docs.get/json#default"],
    /application\/json/,
    documentRequest((request) =>
      header(request, "Accept") ? request : withHeader(request, "Accept", "text/markdown"),
    ),
  ),
  caught(
    "docs.get/html-for-anything",
    "Answers HTML to `*/*`.",
    ["docs.get/json#default"],
    /application\/json/,
    accept((value) => (value === "*/*" ? "text/html" : value)),
  ),
  caught(
    "docs.get/first-listed",
    "Takes the first type of Accept, whatever the weights are.",
    ["docs.get/json#weights", ...ofAll(["weights"])],
    /application\/json|text\/\w+/,
    accept((value) => value.split(/[,;]/)[0] ?? value),
  ),
  caught(
    "docs.get/weights-ignored",
    "Ignores weights.",
    ofAll(["weights"]),
    /application\/json|text\/\w+/,
    accept((value) => value.replace(/;q=[\d.]+/g, "")),
  ),
  caught(
    "docs.get/accept-exactly",
    "Compares Accept as a whole: anything else is JSON.",
    [
      "docs.get/formats#browser",
      "docs.get/formats#text-range",
      "docs.get/formats#specific-range",
      ...ofAll(["weights", "accept"]),
    ],
    /text\/\w+/,
    accept((value) => (FORMATS.includes(value) ? value : null)),
  ),
  caught(
    "docs.get/accept-letter-case",
    "Knows media types in lower case only.",
    ["docs.get/json#accept", ...ofAll(["accept"])],
    /406/,
    accept((value) => (value === value.toLowerCase() ? value : "image/png")),
  ),
  caught(
    "docs.get/accept-parameters",
    "Refuses media types with parameters.",
    ["docs.get/json#accept", ...ofAll(["accept"])],
    /406/,
    accept((value) => (value.includes("charset") ? "image/png" : value)),
  ),
  caught(
    "docs.get/no-ranges",
    "Refuses ranges such as text/*.",
    ["docs.get/json#ranges", "docs.get/formats#text-range", "docs.get/formats#specific-range"],
    /406/,
    accept((value) => (/\w\/\*/.test(value) ? "image/png" : value)),
  ),
  caught(
    "docs.get/no-application-range",
    "Takes `application/*` for text.",
    ["docs.get/json#ranges"],
    /application\/json/,
    accept((value) => value.replace("application/*", "text/markdown")),
  ),
  caught(
    "docs.get/specific-range-ignored",
    "Lets a range decide about a type that is named beside it.",
    ["docs.get/formats#specific-range"],
    /text\/html/,
    accept((value) => (value.includes("text/*,") || value.includes(", text/*") ? "text/markdown" : value)),
  ),
  caught(
    "docs.get/always-json",
    "Answers JSON whatever Accept says.",
    [
      "docs.get/formats#browser",
      "docs.get/formats#every-entry",
      "docs.get/formats#html-rendered",
      ...ofAll(["accept", "weights"]),
    ],
    /text\/\w+/,
    accept(() => null),
  ),
  caught(
    "docs.get/no-plain-text",
    "Has no text/plain.",
    ["docs.get/formats#text-plain-accept", "docs.get/formats#every-entry"],
    /text\/plain/,
    accept((value) => (value === "text/plain" ? "text/markdown" : value)),
  ),
  caught(
    "docs.get/no-html",
    "Has no HTML: refuses it.",
    ["docs.get/formats#text-html-accept", "docs.get/formats#every-entry"],
    /406/,
    accept((value) => (value === "text/html" ? "image/png" : value)),
  ),
  caught(
    "docs.get/browsers-get-json",
    "Answers a browser with JSON.",
    ["docs.get/formats#browser"],
    /text\/html/,
    accept((value) => (value.includes("application/xhtml+xml") ? "application/json" : value)),
  ),
  caught(
    "docs.get/formats-of-readme-only",
    "Has other formats for README only.",
    ["docs.get/formats#every-entry"],
    /text\/markdown/,
    documentRequest((request) => (entryOf(request) === "README" ? request : withoutHeader(request, "Accept"))),
  ),
  caught(
    "docs.get/markdown-as-html",
    "Sends the Markdown itself as HTML.",
    ["docs.get/formats#html-rendered", "docs.get/html-safe#every-entry"],
    /HTML/,
    formatAnswer("text/html", async (answer, request, { forward }) =>
      withBody(answer, textOf(await forward(withHeader(request, "Accept", "text/markdown")))),
    ),
  ),
  caught(
    "docs.get/empty-text",
    "Sends empty texts.",
    ["docs.get/formats#text-markdown-accept", "docs.get/same-bytes#every-entry"],
    /nothing|bytes/,
    formatAnswer("text/markdown", (answer) => withBody(answer, "")),
  ),
  caught(
    "docs.get/shows-the-size",
    "Answers a document with its size.",
    ["docs.get/json#default", "docs.get/json#accept"],
    /additional/,
    documentAnswer((answer) =>
      isFormat(answer, "application/json") ? withJson(answer, (json) => ({ ...json, size: 1 })) : answer,
    ),
  ),
  caught(
    "docs.get/without-content",
    "Answers a document without its content.",
    ["docs.get/json#default", "docs.get/json#weights"],
    /content/,
    formatAnswer("application/json", (answer) => withJson(answer, ({ content: _, ...json }) => json)),
  ),
  caught(
    "docs.get/name-in-lower-case",
    "Answers a document with its name in lower case.",
    [
      "docs.get/json#default",
      "docs.get/json#accept",
      "docs.get/json#weights",
      "docs.get/json#ranges",
      "docs.list/each-there",
    ],
    /README/,
    formatAnswer("application/json", (answer) =>
      withJson(answer, (json) => ({ ...json, name: String(json.name).toLowerCase() })),
    ),
  ),
  caught(
    "docs.get/plain-without-marks",
    "Takes the marks of Markdown out of text/plain.",
    ["docs.get/same-bytes#every-entry", "docs.get/same-bytes#compressed"],
    /bytes/,
    formatAnswer("text/plain", (answer) => withBody(answer, textOf(answer).replace(/[#`*]/g, ""))),
  ),
  caught(
    "docs.get/carriage-returns",
    "Sends Markdown with CRLF.",
    ["docs.get/same-bytes#every-entry", "docs.get/same-bytes#compressed", "docs.list/size"],
    /bytes|size/,
    formatAnswer("text/markdown", (answer) => withBody(answer, textOf(answer).replace(/\n/g, "\r\n"))),
  ),
  caught(
    "docs.get/content-trimmed",
    "Trims the content of the JSON.",
    ["docs.get/same-bytes#every-entry"],
    /bytes/,
    formatAnswer("application/json", (answer) =>
      withJson(answer, (json) => ({ ...json, content: String(json.content).trim() })),
    ),
  ),
  caught(
    "docs.get/byte-order-mark",
    "Sends plain text with a byte order mark.",
    ["docs.get/same-bytes#every-entry"],
    /bytes/,
    formatAnswer("text/plain", (answer) => withBody(answer, `\uFEFF${textOf(answer)}`)),
  ),
];
