import { every } from "../../client/operation.ts";
import { answersOtherwise, changesAnswer, type Mutant } from "../mutant.ts";
import { onBody } from "../operators.ts";
import { header, queryOf, textOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { withBody } from "../proxy/shape.ts";
import { landing, successOf } from "../selectors.ts";

/** Broken pages: what the HTML of an operation, or the landing page, runs, loads and shows of a request. */

const pages = [
  landing("text/html"),
  ...every.flatMap((operation) =>
    operation.answers.flatMap(({ status, mediaTypes }) =>
      mediaTypes.includes("text/html") ? [successOf(operation, status, "text/html")] : [],
    ),
  ),
];

/** What runs or loads something, behind the content of a page, or in its head. */
const unsafe: readonly (readonly [what: string, before: string, markup: string])[] = [
  ["runs a script", "</body>", "<script>document.title</script>"],
  ["loads a script", "</body>", '<SCRIPT async src="https://stats.example/count.js"></SCRIPT>'],
  ["has a handler", "</body>", '<p OnClick="go()">More</p>'],
  ["draws with a handler", "</body>", '<svg onload="go()"></svg>'],
  ["links to a script", "</body>", '<a href=" java&#115;cript:alert(1)">More</a>'],
  ["shows an image of another host", "</body>", "<img src=//img.example/badge.svg>"],
  ["frames another site", "</body>", '<iframe src="https://video.example/1"></iframe>'],
  ["loads a background", "</body>", '<p style="background: url(https://img.example/a.png)">'],
  ["loads a poster", "</body>", '<video poster="https://img.example/a.png"></video>'],
  ["loads a style sheet", "</head>", "<link rel=stylesheet href='//fonts.example/css'>"],
  ["imports a style sheet", "</head>", "<style>@import url(https://cdn.example/a.css);</style>"],
  ["loads a font", "</head>", "<style>@font-face { src: url('https://fonts.example/a.woff2'); }</style>"],
];

const FIELDS = ["User-Agent", "Referer", "X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Forwarded-Host", "Origin"];
/** What of a request a page shows as it stands. */
const shown: Readonly<Record<string, (request: ProxyRequest) => string>> = {
  "the query": (request) => [...queryOf(request)].flat().join(" "),
  ...Object.fromEntries(FIELDS.map((name) => [name, (request: ProxyRequest) => header(request, name) ?? ""])),
};

export const mutants: readonly Mutant[] = pages.flatMap((page) => [
  ...unsafe.map(([what, before, markup]) =>
    changesAnswer(
      page,
      onBody(what, (html) => Buffer.from(`${html}`.replace(before, `${markup}${before}`))),
    ),
  ),
  ...Object.entries(shown).map(([what, of]) =>
    answersOtherwise(page, `shows ${what} as sent`, ["body"], (answer, request) =>
      withBody(
        answer,
        textOf(answer).replace("</main>", () => `${of(request)}</main>`),
      ),
    ),
  ),
  changesAnswer(
    page,
    onBody("is a fragment", (html) => Buffer.from(`${html}`.replace(/^[\s\S]*<main>|<\/main>[\s\S]*$/g, ""))),
  ),
]);
