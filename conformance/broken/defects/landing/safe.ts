import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { header, queryOf } from "../../look.ts";
import { page } from "./hooks.ts";

const REFLECTED = [
  "X-Forwarded-For",
  "User-Agent",
  "Referer",
  "X-Real-IP",
  "Forwarded",
  "X-Request-Id",
  "X-Forwarded-Host",
  "Origin",
];

const unsafe = (id: string, description: string, markup: string, reason: RegExp) =>
  caught(
    `landing/${id}`,
    description,
    ["landing/safe"],
    reason,
    page((html) => html.replace("</body>", `${markup}</body>`)),
  );

export const safeDefects: readonly Defect[] = [
  unsafe("script", "Runs a script.", "<script>setInterval(() => location.reload(), 9000)</script>", /script/),
  unsafe(
    "analytics",
    "Loads a script of a counter.",
    '<script async src="https://stats.example/count.js"></script>',
    /script/,
  ),
  unsafe("image", "Loads an image from another host.", '<img src="https://img.example/badge.svg" alt="">', /img src/),
  unsafe("handler", "Has a handler in an attribute.", "<body onload=go()>", /onload/),
  unsafe("frame", "Frames another site.", '<iframe src="https://status.example"></iframe>', /iframe/),
  caught(
    "landing/font",
    "Loads a font from another host.",
    ["landing/safe"],
    /link href/,
    page((html) => html.replace("</head>", "<link href='//fonts.example/css?family=Inter' rel=stylesheet></head>")),
  ),
  caught(
    "landing/import",
    "Imports a style sheet.",
    ["landing/safe"],
    /style sheet/,
    page((html) => html.replace("<style>", "<style>@import url(https://cdn.example/a.css);")),
  ),
  caught(
    "landing/shows-the-query",
    "Shows the query as it is.",
    ["landing/safe#query"],
    /script|onerror/,
    page((html, request) => html.replace("</main>", `${[...queryOf(request)].flat().join(" ")}</main>`)),
  ),
  caught(
    "landing/shows-the-url",
    "Shows the address as it was sent.",
    ["landing/safe#query"],
    /script/,
    page((html, request) => html.replace("</main>", `${request.target}</main>`)),
  ),
  ...REFLECTED.map((name) =>
    caught(
      `landing/shows-${name.toLowerCase()}`,
      `Shows ${name} as it is.`,
      [`landing/safe#${name.toLowerCase()}`],
      /script|onerror/,
      page((html, request) => html.replace("</main>", `<p>${header(request, name) ?? ""}</p></main>`)),
    ),
  ),
];
