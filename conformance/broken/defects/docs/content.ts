import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { header, queryOf, textOf } from "../../look.ts";
import { withBody } from "../../shape.ts";
import { documentAnswer, entryOf, formatAnswer } from "./hooks.ts";

const entryText = (entry: string, change: (text: string) => string) =>
  documentAnswer((answer, request) => (entryOf(request) === entry ? withBody(answer, change(textOf(answer))) : answer));
const html = (change: (text: string) => string) =>
  formatAnswer("text/html", (answer) => withBody(answer, change(textOf(answer))));
const REFERENCE = ["docs.get/reference#markdown", "docs.get/reference#html"];
const PROBLEMS = ["docs.get/problems#markdown", "docs.get/problems#html"];

const unsafe = (id: string, description: string, markup: string, reason: RegExp) =>
  caught(
    `docs.get/html-${id}`,
    description,
    ["docs.get/html-safe#every-entry"],
    reason,
    html((text) => text.replace("</main>", `${markup}</main>`)),
  );

export const contentDefects: readonly Defect[] = [
  caught(
    "docs.get/stale-reference",
    "Has a reference from before user.create.",
    REFERENCE,
    /no user\.create/,
    entryText("reference", (text) => text.replaceAll("user.create", "user.createUser")),
  ),
  caught(
    "docs.get/reference-without-docs",
    "Has a reference without the operations of documents.",
    REFERENCE,
    /no docs\.list, no docs\.get/,
    entryText("reference", (text) => text.replace(/docs\.(list|get)/g, "documents")),
  ),
  caught(
    "docs.get/reference-missing-in-html",
    "Renders a reference without test.health.",
    ["docs.get/reference#html"],
    /no test\.health/,
    formatAnswer("text/html", (answer) => withBody(answer, textOf(answer).replaceAll("test.health", "test."))),
  ),
  caught(
    "docs.get/no-reference",
    "Has an empty reference.",
    REFERENCE,
    /no sysinfo, no test\.health/,
    documentAnswer((answer, request) =>
      entryOf(request) === "reference" ? withBody(answer, "# Reference\n") : answer,
    ),
  ),
  caught(
    "docs.get/stale-problems",
    "Has a list of problems from before storage-unavailable.",
    PROBLEMS,
    /no storage-unavailable/,
    entryText("problems", (text) => text.replaceAll("storage-unavailable", "timeout")),
  ),
  caught(
    "docs.get/a-longer-code",
    "Names invalid-cursor by another code that begins alike.",
    PROBLEMS,
    /no invalid-cursor/,
    entryText("problems", (text) => text.replaceAll("invalid-cursor", "invalid-cursor-value")),
  ),
  caught(
    "docs.get/problems-missing-in-html",
    "Renders a list of problems without email-taken.",
    ["docs.get/problems#html"],
    /no email-taken/,
    formatAnswer("text/html", (answer) => withBody(answer, textOf(answer).replaceAll("email-taken", "email"))),
  ),
  caught(
    "docs.get/stale-contract",
    "Has a contract from before paging.",
    ["docs.get/contract#markdown", "docs.get/contract#html"],
    /no user\.list\/limit/,
    entryText("contract", (text) => text.replaceAll("user.list/limit", "user.list/size")),
  ),
  unsafe("script", "Runs a script for its pages.", "<script>document.title</script>", /script/),
  unsafe(
    "script-from-elsewhere",
    "Loads a script.",
    '<SCRIPT src="https://cdn.example/highlight.js"></SCRIPT>',
    /script/,
  ),
  unsafe("handler", "Has a handler in an attribute.", '<p OnClick="go()">More</p>', /onclick/),
  unsafe("script-address", "Has a link that runs a script.", '<a href=" java&#115;cript:alert(1)">More</a>', /href/),
  unsafe("image", "Loads an image from another host.", '<img alt="build" src="https://img.example/badge.svg">', /src/),
  unsafe(
    "image-of-the-same-scheme",
    "Loads an image from another host, by its scheme.",
    "<img src=//img.example/badge.svg>",
    /src/,
  ),
  unsafe("frame", "Frames another site.", '<iframe src="https://video.example/1"></iframe>', /iframe/),
  unsafe("vector-script", "Has a drawing with a handler.", '<svg onload="go()"></svg>', /onload/),
  unsafe(
    "style-attribute",
    "Loads a background from elsewhere.",
    '<p style="background: url(https://img.example/a.png)">',
    /style/,
  ),
  unsafe("video", "Loads a poster from elsewhere.", '<video poster="https://img.example/a.png"></video>', /poster/),
  caught(
    "docs.get/html-style-sheet",
    "Loads a style sheet from another host.",
    ["docs.get/html-safe#every-entry"],
    /link href/,
    html((text) => text.replace("</head>", '<link rel="stylesheet" href="https://cdn.example/a.css"></head>')),
  ),
  caught(
    "docs.get/html-import",
    "Imports a style sheet.",
    ["docs.get/html-safe#every-entry"],
    /style sheet/,
    html((text) => text.replace("<style>", '<style>@import "https://cdn.example/a.css";')),
  ),
  caught(
    "docs.get/html-font",
    "Loads a font from another host.",
    ["docs.get/html-safe#every-entry"],
    /style sheet/,
    html((text) =>
      text.replace("<style>", "<style>@font-face { font-family: a; src: url('https://fonts.example/a.woff2'); }"),
    ),
  ),
  caught(
    "docs.get/html-unescaped",
    "Takes the HTML of the Markdown as it is.",
    ["docs.get/html-safe#every-entry"],
    /script|onerror/,
    html((text) => text.replace("<h1", "<img src=x onerror=alert(1)><h1")),
  ),
  caught(
    "docs.get/html-fragment",
    "Sends a part of a page.",
    ["docs.get/html-safe#every-entry"],
    /HTML page/,
    html((text) => text.replace(/^[\s\S]*<main>|<\/main>[\s\S]*$/g, "")),
  ),
  caught(
    "docs.get/html-script-in-the-last",
    "Runs a script in the page of one document only.",
    ["docs.get/html-safe#every-entry"],
    /changelog .*script/,
    formatAnswer("text/html", (answer, request) =>
      entryOf(request) === "changelog"
        ? withBody(answer, textOf(answer).replace("</head>", "<script defer src=a.js></script></head>"))
        : answer,
    ),
  ),
  caught(
    "docs.get/html-shows-the-key",
    "Shows the key of the query on the page.",
    ["docs.get/html-safe#reflected"],
    /script/,
    formatAnswer("text/html", (answer, request) =>
      withBody(answer, textOf(answer).replace("</main>", `${queryOf(request).get("X-API-KEY") ?? ""}</main>`)),
    ),
  ),
  caught(
    "docs.get/html-shows-the-browser",
    "Shows the browser's name on the page.",
    ["docs.get/html-safe#reflected"],
    /script/,
    formatAnswer("text/html", (answer, request) =>
      withBody(answer, textOf(answer).replace("</main>", `${header(request, "User-Agent") ?? ""}</main>`)),
    ),
  ),
];
