import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { header } from "../../look.ts";
import { respond, respondProblem, withHeader, withJson, withoutHeader } from "../../shape.ts";
import { isHtml, isLanding, landed, page } from "./hooks.ts";

const json = (change: NonNullable<Defect["answer"]>) =>
  landed((answer, request, context) => (isHtml(answer) ? answer : change(answer, request, context)));
const accepting = (change: (accept: string | null) => string | null): Required<Pick<Defect, "request">> => ({
  request: (request) => {
    const asked = header(request, "Accept");
    const changed = isLanding(request) ? change(asked) : asked;
    if (changed === asked) return request;
    return changed === null ? withoutHeader(request, "Accept") : withHeader(request, "Accept", changed);
  },
});

export const formatDefects: readonly Defect[] = [
  caught(
    "landing/json-by-default",
    "Answers JSON by default.",
    ["landing/html#default", "landing/html#head"],
    /HTML|text\/html/,
    accepting((accept) => (accept === null || accept === "*/*" ? "application/json" : accept)),
  ),
  caught(
    "landing/always-json",
    "Answers JSON whatever Accept says.",
    ["landing/html"],
    /HTML|text\/html/,
    accepting(() => "application/json"),
  ),
  caught(
    "landing/always-html",
    "Answers HTML whatever Accept says.",
    ["landing/json"],
    /application\/json/,
    accepting(() => "text/html"),
  ),
  caught(
    "landing/weights-ignored",
    "Takes the first type of Accept.",
    ["landing/html#accept", "landing/json#accept"],
    /HTML|application\/json/,
    accepting((accept) => accept?.split(/[,;]/)[0] ?? null),
  ),
  caught(
    "landing/any-mention-of-json",
    "Answers JSON when Accept mentions it.",
    ["landing/html#accept"],
    /HTML/,
    accepting((accept) => (accept?.includes("json") ? "application/json" : accept)),
  ),
  caught(
    "landing/json-exactly",
    "Answers JSON to exactly application/json only.",
    ["landing/json#accept"],
    /application\/json/,
    accepting((accept) => (accept === "application/json" ? accept : null)),
  ),
  caught(
    "landing/malformed-accept-is-json",
    "Takes an Accept that it cannot read for JSON.",
    ["landing/html#accept"],
    /HTML/,
    accepting((accept) => (accept === "json" || accept?.endsWith("q=2") ? "application/json" : accept)),
  ),
  caught(
    "landing/parameters-of-accept",
    "Knows no JSON with parameters.",
    ["landing/json#accept"],
    /application\/json/,
    accepting((accept) => (/version|charset/.test(accept ?? "") ? "text/html" : accept)),
  ),
  caught(
    "landing/text-plain",
    "Sends the page as text/plain.",
    ["landing/html"],
    /HTML|text\/html/,
    landed((answer) => (isHtml(answer) ? withHeader(answer, "Content-Type", "text/plain") : answer)),
  ),
  caught(
    "landing/no-head",
    "Refuses HEAD.",
    ["landing/html#head"],
    /200/,
    landed((answer, request) => (request.method === "HEAD" ? respondProblem(405, "method-not-allowed") : answer)),
  ),
  caught(
    "landing/fragment",
    "Sends a part of a page.",
    ["landing/html#default", "landing/html#accept"],
    /HTML page/,
    page((html) => html.replace(/^[\s\S]*<main>|<\/main>[\s\S]*$/g, "")),
  ),
  caught(
    "landing/json-with-links",
    "Adds links to the document.",
    ["landing/json"],
    /additional/,
    json((answer) => withJson(answer, (document) => ({ ...document, links: [] }))),
  ),
  caught(
    "landing/json-without-time",
    "Leaves the time out of the document.",
    ["landing/json"],
    /time/,
    json((answer) => withJson(answer, ({ time: _, ...document }) => document)),
  ),
  caught(
    "landing/status-only",
    "Answers JSON with the status only.",
    ["landing/json"],
    /version|server/,
    json(() => respond(200, { status: "Operational" })),
  ),
  caught(
    "landing/other-server",
    "Calls the server otherwise than sysinfo.",
    ["landing/json#same"],
    /the server of sysinfo/,
    json((answer) => withJson(answer, (document) => ({ ...document, server: "nginx" }))),
  ),
  caught(
    "landing/json-of-an-hour-ago",
    "Keeps the document for hours.",
    ["landing/json#same"],
    /the time of sysinfo/,
    json((answer) => withJson(answer, (document) => ({ ...document, time: "2026-01-31T12:00:00.000Z" }))),
  ),
  caught(
    "landing/believes-forwarded-for",
    "Takes the client's address from X-Forwarded-For.",
    ["landing/json#same"],
    /the clientAddress of sysinfo/,
    json((answer, request) =>
      withJson(answer, (document) => ({
        ...document,
        clientAddress: header(request, "X-Forwarded-For") ?? document.clientAddress,
      })),
    ),
  ),
];
