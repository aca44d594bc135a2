import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, pathOf } from "../../look.ts";
import { respondProblem, withHeader, withoutHeader, withStatus } from "../../shape.ts";

const isSlashless = (request: ProxyRequest) => pathOf(request) === "/api";
const rawQuery = ({ target }: ProxyRequest) => (target.includes("?") ? target.slice(target.indexOf("?") + 1) : "");

/** Another `Location` of the redirect, made from the query that was asked for. */
const locates = (location: (query: string, request: ProxyRequest) => string): Pick<Defect, "answer"> => ({
  answer: (answer, request) =>
    answer.status === 308 ? withHeader(answer, "Location", location(rawQuery(request), request)) : answer,
});
/** The redirect as it is, its query changed. */
const requeries = (change: (query: string) => string) =>
  locates((query) => (query === "" ? "api/" : `api/?${change(query)}`));

const redirect = (
  id: string,
  description: string,
  catches: readonly string[],
  reason: RegExp,
  hooks: Pick<Defect, "answer" | "request">,
) =>
  caught(
    `http/redirect-${id}`,
    description,
    catches.map((name) => `http/slash-redirect${name}`),
    reason,
    hooks,
  );

const answersRedirect = (change: (answer: ProxyAnswer) => ProxyAnswer): Pick<Defect, "answer"> => ({
  answer: (answer) => (answer.status === 308 ? change(answer) : answer),
});

export const redirectDefects: readonly Defect[] = [
  ...[301, 302, 303, 307].map((status) =>
    redirect(
      `by-${status}`,
      `Redirects /api with ${status}.`,
      status === 301 ? [""] : ["#plain", "#post"],
      /308/,
      answersRedirect((answer) => withStatus(answer, status)),
    ),
  ),
  redirect("absolute", "Redirects /api by an absolute address.", ["#plain", "#no-query"], /relative/, {
    answer: (answer, request) =>
      answer.status === 308
        ? withHeader(answer, "Location", `http://${header(request, "Host")}/${header(answer, "Location")}`)
        : answer,
  }),
  redirect(
    "to-the-forwarded-host",
    "Redirects /api to the host that X-Forwarded-Host names.",
    ["#whatever-the-proxy-says"],
    /relative/,
    {
      answer: (answer, request) => {
        const host = header(request, "X-Forwarded-Host");
        return answer.status === 308 && host !== null
          ? withHeader(answer, "Location", `https://${host}/api/?${rawQuery(request)}`)
          : answer;
      },
    },
  ),
  redirect(
    "authority",
    "Redirects /api to //host/api/.",
    ["#plain"],
    /relative/,
    locates((query, request) => `//${header(request, "Host")}/api/?${query}`),
  ),
  redirect(
    "without-slash",
    "Redirects /api to itself.",
    ["#no-query", "#leads-there"],
    /leads to/,
    locates((query) => (query ? `api?${query}` : "api")),
  ),
  redirect(
    "too-deep",
    "Redirects /api to /api/api/.",
    ["#no-query"],
    /leads to/,
    locates((query) => (query ? `api/api/?${query}` : "api/api/")),
  ),
  redirect(
    "no-location",
    "Redirects /api without saying where to.",
    ["#plain", "#head"],
    /one Location/,
    answersRedirect((answer) => withoutHeader(answer, "Location")),
  ),
  redirect(
    "without-query",
    "Forgets the query when it redirects /api.",
    ["#plain", "#head", "#leads-there", "#whatever-the-credentials"],
    /byte for byte/,
    locates(() => "api/"),
  ),
  redirect(
    "written-anew",
    "Parses the query and writes it anew.",
    [
      "#plain",
      "#plus-and-blank",
      "#broken-escapes",
      "#empty-members",
      "#letter-case-of-escapes",
      "#unwise",
      "#further-marks",
    ],
    /byte for byte/,
    requeries((query) => new URLSearchParams(query).toString()),
  ),
  redirect(
    "decoded-at",
    "Writes %40 as @.",
    ["#encoded-at"],
    /byte for byte/,
    requeries((query) => query.replaceAll("%40", "@")),
  ),
  redirect(
    "first-of-repeated",
    "Keeps one of several members of the same name.",
    ["#repeated-names"],
    /byte for byte/,
    requeries((query) =>
      query
        .split("&")
        .filter(
          (member, index, all) => all.findIndex((other) => other.split("=")[0] === member.split("=")[0]) === index,
        )
        .join("&"),
    ),
  ),
  redirect(
    "upper-case-escapes",
    "Normalises the letter case of percent-escapes.",
    ["#letter-case-of-escapes"],
    /byte for byte/,
    requeries((query) => query.replace(/%[\da-f]{2}/gi, (hex) => hex.toUpperCase())),
  ),
  redirect(
    "plus-as-blank",
    "Writes + as %20.",
    ["#plus-and-blank"],
    /byte for byte/,
    requeries((query) => query.replaceAll("+", "%20")),
  ),
  redirect(
    "encoded-again",
    "Encodes the query once more.",
    ["#letter-case-of-escapes", "#control-characters", "#line-break", "#broken-escapes"],
    /byte for byte/,
    requeries((query) => encodeURI(query)),
  ),
  redirect(
    "empty-dropped",
    "Drops empty members of the query.",
    ["#empty-members"],
    /byte for byte/,
    requeries((query) => query.split("&").filter(Boolean).join("&")),
  ),
  redirect(
    "cut-at-mark",
    "Cuts the query at its second question mark.",
    ["#further-marks"],
    /byte for byte/,
    requeries((query) => query.split("?", 1).join()),
  ),
  redirect(
    "cut-when-long",
    "Cuts a long query.",
    ["#long"],
    /byte for byte/,
    requeries((query) => query.slice(0, 2048)),
  ),
  redirect(
    "key-dropped",
    "Takes a key out of the query.",
    ["#credentials-in-it"],
    /byte for byte/,
    requeries((query) => query.replace(/X-API-KEY=[^&]*&?/, "")),
  ),
  redirect(
    "control-characters-dropped",
    "Takes escaped control characters out of the query.",
    ["#control-characters", "#line-break"],
    /byte for byte/,
    requeries((query) => query.replace(/%[01][\da-f]/gi, "")),
  ),
  redirect(
    "open",
    "Redirects to wherever the query says.",
    ["#address"],
    /relative/,
    locates((query) => /next=([^&]*)/.exec(query)?.[1] ?? `api/?${query}`),
  ),
  redirect("queries-judged", "Refuses a query that it cannot decode before it redirects.", ["#broken-escapes"], /308/, {
    answer: (answer, request) =>
      answer.status === 308 && request.target.includes("%zz") ? respondProblem(400, "malformed-query") : answer,
  }),
  redirect("not-on-post", "Has no redirect for POST.", ["#post"], /308/, {
    answer: (answer, request) =>
      answer.status === 308 && request.method === "POST" ? respondProblem(404, "path-not-found") : answer,
  }),
  redirect("not-on-head", "Has no redirect for HEAD.", ["#head"], /308/, {
    answer: (answer, request) =>
      answer.status === 308 && request.method === "HEAD" ? respondProblem(405, "method-not-allowed") : answer,
  }),
  redirect("not-at-all", "Serves /api as /api/.", ["#plain", "#no-query", "#post", "#leads-there"], /308/, {
    request: (request) =>
      isSlashless(request) && request.method !== "OPTIONS"
        ? { ...request, target: request.target.replace("/api", "/api/") }
        : request,
  }),
  redirect("needs-a-key", "Asks for a good key before it redirects.", ["#whatever-the-credentials"], /308/, {
    answer: (answer, request, { credentials }) =>
      answer.status === 308 &&
      header(request, "X-API-KEY") !== (credentials?.key ?? null) &&
      header(request, "X-API-KEY") !== null
        ? respondProblem(401, "credentials-invalid")
        : answer,
  }),
];
