import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { pathOf } from "../../look.ts";
import { respondProblem, withBody, withHeader, withoutHeader, withStatus } from "../../shape.ts";

const isSlashless = (request: ProxyRequest) => pathOf(request) === "/api";

const onOptions = (change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer): Pick<Defect, "answer"> => ({
  answer: (answer, request) =>
    request.method === "OPTIONS" && isSlashless(request) ? change(answer, request) : answer,
});

const options: readonly Defect[] = [
  caught(
    "http/slash-options-redirected",
    "Redirects a preflight too.",
    ["http/slash-options"],
    /204/,
    onOptions((answer) => withHeader(withStatus(answer, 308), "Location", "api/")),
  ),
  caught(
    "http/slash-options-200",
    "Answers OPTIONS on /api with 200.",
    ["http/slash-options"],
    /204/,
    onOptions((answer) => withBody(withStatus(answer, 200), "{}")),
  ),
  caught(
    "http/slash-options-missing",
    "Has no OPTIONS on /api.",
    ["http/slash-options"],
    /204/,
    onOptions(() => respondProblem(404, "path-not-found")),
  ),
  caught(
    "http/slash-options-location",
    "Says in a 204 where to go.",
    ["http/slash-options"],
    /Location/,
    onOptions((answer) => withHeader(answer, "Location", "api/")),
  ),
  caught(
    "http/slash-options-query",
    "Judges the query of OPTIONS on /api.",
    ["http/slash-options#with-bad-query"],
    /204/,
    onOptions((answer, { target }) => (target.includes("%zz") ? respondProblem(400, "malformed-query") : answer)),
  ),
];

const atRobots = (change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer): Pick<Defect, "answer"> => ({
  answer: (answer, request) => (pathOf(request) === "/robots.txt" ? change(answer, request) : answer),
});

const robots: readonly Defect[] = [
  caught(
    "http/robots-missing",
    "Has no robots.txt.",
    ["http/robots"],
    /200/,
    atRobots((answer) => withStatus(answer, 404)),
  ),
  caught(
    "http/robots-html",
    "Serves robots.txt as HTML.",
    ["http/robots"],
    /text\/plain/,
    atRobots((answer) => withHeader(answer, "Content-Type", "text/html")),
  ),
  caught(
    "http/robots-empty",
    "Serves an empty robots.txt.",
    ["http/robots#get"],
    /lines/,
    atRobots((answer) => withBody(answer, "")),
  ),
  caught(
    "http/robots-without-etag",
    "Serves robots.txt without an ETag.",
    ["http/robots-etag"],
    /an ETag/,
    atRobots((answer) => withoutHeader(answer, "ETag")),
  ),
  caught("http/robots-always-whole", "Never says that robots.txt is unchanged.", ["http/robots-etag"], /304/, {
    request: (request) => (pathOf(request) === "/robots.txt" ? withoutHeader(request, "If-None-Match") : request),
  }),
  caught(
    "http/robots-not-by-head",
    "Has robots.txt for GET alone.",
    ["http/robots#head"],
    /200/,
    atRobots((answer, { method }) => (method === "HEAD" ? respondProblem(405, "method-not-allowed") : answer)),
  ),
];

export const singlePathDefects: readonly Defect[] = [...options, ...robots];
