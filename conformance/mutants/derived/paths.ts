import { answersOtherwise, type Mutant, OUTCOME, type Selector, takesFor } from "../mutant.ts";
import { header, pathOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { letIn, respond, respondProblem, withQuery } from "../proxy/shape.ts";
import { KEY, onEndpoint, decoded as unescaped } from "../requests.ts";
import { problemOf } from "../selectors.ts";
import { refusal } from "./limits.ts";

/** Paths that are not served: taken for others, and answered otherwise. */

const notFound = problemOf("path-not-found");

const decoded = (text: string) => unescaped(text).replace(/[? ].*$/s, "");

/** Ways to find what is served at a path that is not. */
const readers: Readonly<Record<string, (path: string) => string>> = {
  "in lower case": (path) => path.toLowerCase(),
  "with repeated slashes": (path) => path.replace(/\/+/g, "/"),
  "without its slash": (path) => path.replace(/(?<=.)\/$/, ""),
  "with parameters": (path) => path.replace(/;[^/]*/g, ""),
  "with something behind it": (path) => path.replace(/\/api\/.+$/, "/api/"),
  "with something before it": (path) => path.replace(/^\/.+\/api\/$/, "/api/"),
  "with dots": (path) => path.replace(/\.*(?=\/|$)|(?<=\/)\.+/g, "").replace(/\/+/g, "/"),
  decoded,
  "decoded twice": (path) => decoded(decoded(path)),
  "up to a control": (path) => path.replace(/%[01][\da-f].*$/i, "").replace(/\/api$/, "/api/"),
  "with backslashes": (path) => path.replace(/\\|%5c/gi, "/").replace(/\/+/g, "/"),
  "as it folds": (path) =>
    decoded(path)
      .normalize("NFKD")
      .replace(/[\p{M}\p{Cf}]/gu, ""),
  "with a version": (path) => path.replace(/\/v?\d[\d.]*(?=\/)/, ""),
  "with another extension": (path) => path.replace(/(\.\w+)?$/, ".yaml"),
};

const respelt = (request: ProxyRequest, read: (path: string) => string): ProxyRequest => ({
  ...request,
  target: read(pathOf(request)) + (/\?.*$/s.exec(request.target)?.[0] ?? ""),
});

const found = Object.entries(readers).map(([how, read]) =>
  answersOtherwise(
    {
      name: "the service",
      takes: (answer, request) =>
        notFound.takes(answer, request) && request !== null && read(pathOf(request)) !== pathOf(request),
    },
    `takes the path ${how}`,
    OUTCOME,
    (_answer, request, context) => context.forward(respelt(request, read)),
  ),
);

/** Paths by which a server may know what somebody is after. */
const looks: Readonly<Record<string, RegExp>> = {
  "climb up": /\.\./,
  "are hidden": /\/\.(?!\.)/,
  "have an extension": /\.\w+$/,
  "are a word": /^\/[a-z]+$/,
  "are below the endpoint": /\/api\/./,
};

const empty = { ...respond(204, ""), body: Buffer.alloc(0) };
const isBare = ({ status }: ProxyAnswer, request: ProxyRequest) =>
  status === 404 && request.method === "HEAD" && !onEndpoint(request);
const notThere = (name: string, holds: (request: ProxyRequest) => boolean): Selector => ({
  name,
  // An answer to HEAD says no code.
  takes: (answer, request) =>
    request !== null && (notFound.takes(answer, request) || isBare(answer, request)) && holds(request),
});

const unknown: readonly Mutant[] = [
  ...Object.entries(looks).flatMap(([which, pattern]) => {
    const selector = notThere(`paths that ${which}`, (request) => pattern.test(pathOf(request)));
    return [respond(200, {}), refusal("malformed-request"), respondProblem(403, "path-not-found"), empty].map((other) =>
      answersOtherwise(selector, `are ${other.status}`, OUTCOME, () => other),
    );
  }),
  ...["HEAD", "OPTIONS", "POST", "PUT", "DELETE"].flatMap((method) => {
    const selector = notThere(`unknown paths by ${method}`, (request) => request.method === method);
    return [empty, refusal("method-not-allowed")].map((other) =>
      answersOtherwise(selector, `are ${other.status}`, OUTCOME, () => other),
    );
  }),
  answersOtherwise(
    notThere("unknown paths without a key", (request) => header(request, KEY) === null),
    "need one",
    OUTCOME,
    () => refusal("credentials-missing"),
  ),
  answersOtherwise(
    notThere("paths like members of an object", (request) => pathOf(request).replace(/^.*\//, "") in {}),
    "are 500",
    OUTCOME,
    () => refusal("internal-error"),
  ),
  answersOtherwise(
    notThere(
      "paths that name an operation",
      (request) => /\/api\/[\w.]+$/.test(pathOf(request)) && header(request, KEY) !== null,
    ),
    "are served with a key",
    OUTCOME,
    (_answer, request, context) => {
      const there = { ...request, target: "/api/", method: "GET", body: Buffer.alloc(0) };
      const name = pathOf(request).replace(/^.*\//, "");
      return context.forward(
        letIn(
          withQuery(there, (query) => query.set("@", name)),
          context,
        ),
      );
    },
  ),
  takesFor("takes the root for the endpoint", (request) =>
    pathOf(request) === "/" ? { ...request, target: request.target.replace("/", "/api/") } : request,
  ),
  takesFor("cuts a fragment off the target", (request) =>
    request.target.includes("#") ? { ...request, target: request.target.replace(/#.*/, "") } : request,
  ),
];

export const mutants: readonly Mutant[] = [...found, ...unknown];
