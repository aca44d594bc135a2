import { refusal } from "../derived/limits.ts";
import {
  answersItself,
  answersOtherwise,
  changesAnswer,
  type Mutant,
  OUTCOME,
  type Selector,
  takesFor,
} from "../mutant.ts";
import { alters, answersStatus, onBody, setsHeader } from "../operators.ts";
import { header, pathOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { withHeader, withoutHeader, withQuery } from "../proxy/shape.ts";
import { isPost, KEY } from "../requests.ts";

/** Broken paths: other spellings of those that are served, what is not there, `/api`, and the files. */

const redirect: Selector = { name: "the redirect", takes: ({ status }) => status === 308 };
const redirectBy = (method: string): Selector => ({
  name: `the redirect by ${method}`,
  takes: (answer, request) => answer.status === 308 && request?.method === method,
});

/** What may become of the query of a redirect. */
const queries: Readonly<Record<string, (query: string) => string>> = {
  forgets: () => "",
  "parses and writes": (query) => new URLSearchParams(query).toString(),
  "decodes the @ of": (query) => query.replaceAll("%40", "@"),
  "keeps one of each name of": (query) =>
    [...new Map(query.split("&").map((one) => [one.split("=")[0], one])).values()].join("&"),
  "writes escapes in capitals in": (query) => query.replace(/%[\da-f]{2}/gi, (hex) => hex.toUpperCase()),
  "writes + as %20 in": (query) => query.replaceAll("+", "%20"),
  "encodes again": (query) => encodeURI(query),
  "drops what is empty from": (query) => query.split("&").filter(Boolean).join("&"),
  "cuts at the next ?": (query) => query.split("?", 1).join(),
  shortens: (query) => query.slice(0, 2048),
  "takes the key from": (query) => query.replace(/X-API-KEY=[^&]*&?/, ""),
  "takes controls from": (query) => query.replace(/%[01][\da-f]/gi, ""),
};

const requeried = (change: (query: string) => string) => (location: string) => {
  const [path = "", ...query] = location.split("?");
  const after = change(query.join("?"));
  return query.length === 0 ? location : after === "" ? path : `${path}?${after}`;
};

const rewrites = Object.entries(queries).map(([how, change]) =>
  alters("Location", `${how} the query in`, requeried(change)),
);

const redirects: readonly Mutant[] = [
  ...[301, 302, 303, 307].map((status) => changesAnswer(redirect, answersStatus(status))),
  ...rewrites.map((operator) => changesAnswer(redirect, operator)),
  ...["HEAD", "POST"].flatMap((method) => [
    ...rewrites.slice(0, 3).map((operator) => changesAnswer(redirectBy(method), operator)),
    answersOtherwise(redirectBy(method), "is not there", OUTCOME, () => refusal("method-not-allowed")),
  ]),
  ...Object.entries({
    "gives the whole address in": (location: string) => `http://elsewhere.example/${location}`,
    "leads to itself by": (location: string) => location.replace("api/", "api"),
    "leads deeper by": (location: string) => location.replace("api/", "api/api/"),
    "leads where the query says by": (location: string) => /=(https?:[^&]*)/.exec(location)?.[1] ?? location,
  }).map(([what, change]) => changesAnswer(redirect, alters("Location", what, change))),
  answersOtherwise(redirect, "leads to the host that a proxy names", ["header:location"], (answer, request) => {
    const host = header(request, "X-Forwarded-Host");
    return host === null ? answer : withHeader(answer, "Location", `https://${host}/${header(answer, "Location")}`);
  }),
  answersOtherwise(redirect, "needs a good key, if any", OUTCOME, (answer, request, { credentials }) =>
    [null, credentials?.key].includes(header(request, KEY)) ? answer : refusal("credentials-invalid"),
  ),
  answersOtherwise(redirect, "judges the query", OUTCOME, (answer, { target }) =>
    /%(?![\da-f]{2})/i.test(target) ? refusal("malformed-query") : answer,
  ),
  takesFor("serves /api as /api/", (request) =>
    pathOf(request).endsWith("/api") && request.method !== "OPTIONS"
      ? { ...request, target: request.target.replace("/api", "/api/") }
      : request,
  ),
];

const slashOptions: Selector = {
  name: "OPTIONS of /api",
  takes: (answer, request) => answer.status === 204 && request !== null && pathOf(request).endsWith("/api"),
};
const file = (request: ProxyRequest) => /\.txt$/.test(pathOf(request));
const robots: Selector = {
  name: "robots.txt",
  takes: (answer, request) => answer.status === 200 && request !== null && file(request),
};

const single: readonly Mutant[] = [
  ...[answersStatus(308), answersStatus(200), answersStatus(404), setsHeader("Location", "api/")].map((operator) =>
    changesAnswer(slashOptions, operator),
  ),
  answersOtherwise(slashOptions, "judges the query", OUTCOME, (answer, { target }) =>
    /%(?![\da-f]{2})/i.test(target) ? refusal("malformed-query") : answer,
  ),
  ...[
    answersStatus(404),
    setsHeader("Content-Type", "text/html"),
    onBody("answers nothing", () => Buffer.alloc(0)),
  ].map((operator) => changesAnswer(robots, operator)),
  takesFor("robots.txt is never unchanged", (request) =>
    file(request) && header(request, "If-None-Match") !== null ? withoutHeader(request, "If-None-Match") : request,
  ),
  answersItself("robots.txt has no HEAD", OUTCOME, (request) =>
    request.method === "HEAD" && file(request) ? refusal("method-not-allowed") : null,
  ),
];

const CONTACT = "Contact: mailto:security@example.com\n";
const EXPIRES = "Expires: 2999-12-31T23:59:59Z\n";
/** What a server may have in the place of a security.txt (RFC 9116). */
const securityTxts = Object.entries({
  "whose contact is missing": [EXPIRES, "text/plain"],
  "that never expires": [CONTACT, "text/plain"],
  "that has expired": [`${CONTACT}Expires: 2020-01-01T00:00:00Z\n`, "text/plain"],
  "that expires twice": [CONTACT + EXPIRES + EXPIRES, "text/plain"],
  "that is no text": [CONTACT + EXPIRES, "text/html"],
}).map(([what, [text = "", type = ""]]) =>
  answersOtherwise(
    { name: "security.txt", takes: (_, request) => request !== null && pathOf(request).endsWith("/security.txt") },
    what,
    ["body", "header:content-type"],
    (answer) => withHeader({ ...answer, status: 200, body: Buffer.from(text) }, "Content-Type", type),
  ),
);

/** Dot segments that a server does not take away. */
const dots = Object.entries({
  any: /\/\.\.?(\/|$)/,
  "at the end": /\/\.\.?$/,
  "of two names": /\/\.\..*\/\.\./,
  "that stay": /\/\.(\/|$)/,
  "behind a name that it does not know": /\/(?!api\b)\w+\/\.\./,
}).map(([which, pattern]) =>
  answersItself(`takes dot segments ${which} for names`, OUTCOME, (request) =>
    pattern.test(pathOf(request)) ? refusal("path-not-found") : null,
  ),
);

const climbs = (request: ProxyRequest) => pathOf(request).includes("/../");

export const mutants: readonly Mutant[] = [
  ...redirects,
  ...single,
  ...dots,
  ...securityTxts,
  ...["HEAD", "OPTIONS", "POST"].map((method) =>
    answersItself(`removes no dot segments of ${method}`, OUTCOME, (request) =>
      request.method === method && climbs(request) ? refusal("path-not-found") : null,
    ),
  ),
  takesFor("chooses the operation by the path before @", (request) =>
    pathOf(request).endsWith("/api/sysinfo")
      ? withQuery({ ...request, target: request.target.replace("/api/sysinfo", "/api/") }, (query) =>
          query.set("@", "sysinfo"),
        )
      : request,
  ),
  takesFor("chooses the operation by a name that dot segments remove", (request) => {
    const [, name = ""] = /\/([^/]+)\/\.\.\/$/.exec(pathOf(request)) ?? [];
    return name === "" || isPost(request)
      ? request
      : withQuery(request, (query) => query.has("@") || query.set("@", name));
  }),
];
