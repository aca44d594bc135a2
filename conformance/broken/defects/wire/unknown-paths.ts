import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, pathOf } from "../../look.ts";
import { respond, respondProblem, withBody, withCredentials, withHeader, withStatus } from "../../shape.ts";
import { findsPath, isServed } from "./everywhere.ts";

const unknown = (
  id: string,
  description: string,
  catches: readonly string[],
  hooks: Pick<Defect, "answer" | "request">,
  reason = /404/,
) =>
  caught(
    `http/path-${id}`,
    description,
    catches.map((name) => `http/unknown-path${name}`),
    reason,
    hooks,
  );

const atUnknown = (change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer): Pick<Defect, "answer"> => ({
  answer: (answer, request) => (isServed(pathOf(request)) ? answer : change(answer, request)),
});

const unless = (methods: readonly string[], status: number, code: string) =>
  atUnknown((answer, { method }) => (methods.includes(method) ? respondProblem(status, code) : answer));

export const unknownPathDefects: readonly Defect[] = [
  unknown(
    "anything-is-the-landing-page",
    "Serves its landing page wherever nothing else is.",
    [""],
    atUnknown((answer) => withStatus(answer, 200)),
  ),
  unknown(
    "redirected-home",
    "Redirects unknown paths to the landing page.",
    [""],
    atUnknown((answer) => withHeader(withStatus(answer, 302), "Location", "/")),
  ),
  unknown(
    "gone",
    "Answers 403 to unknown paths.",
    [""],
    atUnknown(() => respondProblem(403, "path-not-found")),
  ),
  unknown(
    "text",
    "Answers unknown paths as its framework does.",
    ["#no-query", "#words"],
    atUnknown((answer) => withHeader(withBody(answer, "Not Found"), "Content-Type", "text/plain")),
    /problem\+json/,
  ),
  unknown(
    "as-operation",
    "Says operation-not-found of a path.",
    ["#no-query", "#post"],
    atUnknown(() => respondProblem(404, "operation-not-found")),
    /path-not-found/,
  ),
  unknown(
    "letter-case",
    "Serves paths in any letter case.",
    ["#letter-case", "#no-query", "#head", "#post"],
    findsPath((path) => path.toLowerCase()),
  ),
  unknown(
    "slashes-merged",
    "Merges slashes.",
    ["#slashes", "#no-query"],
    findsPath((path) => path.replace(/\/+/g, "/")),
  ),
  unknown(
    "trailing-slash",
    "Ignores a slash at the end.",
    ["#slashes"],
    findsPath((path) => path.replace(/\/$/, "")),
  ),
  unknown(
    "prefix",
    "Serves the endpoint at every path below it.",
    ["#below-the-endpoint", "#head", "#post", "#whatever-the-credentials"],
    findsPath((path) => (path.startsWith("/api/") ? "/api/" : path)),
  ),
  unknown(
    "suffix",
    "Serves the endpoint at every path that ends like it.",
    ["#versions"],
    findsPath((path) => (path.endsWith("/api/") ? "/api/" : path)),
  ),
  unknown(
    "parameters",
    "Ignores path parameters.",
    ["#parameters"],
    findsPath((path) => path.replace(/;[^/]*/g, "")),
  ),
  unknown(
    "dots",
    "Drops the dots of every segment.",
    ["#dots"],
    findsPath((path) => path.replace(/\.*(?=\/|$)|(?<=\/)\.+/g, "").replace(/\/+/g, "/")),
  ),
  unknown("escapes", "Decodes paths before it compares them.", ["#escapes"], findsPath(decoded)),
  unknown(
    "cut-at-nul",
    "Cuts paths at control characters.",
    ["#control-characters"],
    findsPath((path) => path.replace(/%[01][\da-f].*$/i, "").replace(/^\/api$/, "/api/")),
  ),
  unknown(
    "backslashes",
    "Takes backslashes for slashes.",
    ["#backslashes"],
    findsPath((path) => path.replace(/\\|%5c/gi, "/").replace(/\/+/g, "/")),
  ),
  unknown(
    "unicode",
    "Compares paths after Unicode normalisation.",
    ["#unicode"],
    findsPath((path) =>
      decoded(path)
        .normalize("NFKC")
        .normalize("NFD")
        .replace(/[\u0300-\u036f\u200b]/g, ""),
    ),
  ),
  unknown(
    "versions",
    "Ignores a version in the path.",
    ["#versions"],
    findsPath((path) => path.replace(/\/v?\d[\d.]*(?=\/)/, "")),
  ),
  unknown(
    "extensions",
    "Finds files without their extension.",
    ["#near-names"],
    findsPath((path) => `${path.replace(/\.yml$/, "")}.yaml`),
  ),
  unknown(
    "files",
    "Serves its folder.",
    ["#files"],
    atUnknown((answer, request) =>
      /\.(env|json|md|ts|html)$|\.git/.test(pathOf(request)) ? respond(200, {}) : answer,
    ),
  ),
  unknown(
    "hidden-files",
    "Answers 403 to hidden files.",
    ["#files"],
    atUnknown((answer, request) =>
      /^\/\.(env|git)/.test(pathOf(request)) ? respondProblem(403, "path-not-found") : answer,
    ),
  ),
  unknown(
    "favicon",
    "Answers 204 for an icon.",
    ["#well-known", "#no-query"],
    atUnknown((answer, request) =>
      pathOf(request) === "/favicon.ico" ? { ...withStatus(answer, 204), body: Buffer.alloc(0) } : answer,
    ),
  ),
  unknown(
    "prototype",
    "Looks paths up in an object.",
    ["#prototype"],
    atUnknown((answer, request) => (pathOf(request).slice(1) in {} ? respondProblem(500, "internal-error") : answer)),
  ),
  unknown(
    "traversal",
    "Answers 400 to a path that climbs.",
    ["#traversal", "#dots"],
    atUnknown((answer, request) =>
      pathOf(request).includes("..") ? respondProblem(400, "malformed-request") : answer,
    ),
  ),
  unknown(
    "health",
    "Has an undocumented health path.",
    ["#words"],
    atUnknown((answer, request) => (pathOf(request) === "/health" ? respond(200, { status: "ok" }) : answer)),
  ),
  unknown(
    "fragment-cut-off",
    "Cuts a fragment off the target.",
    ["#fragment"],
    { request: (request) => ({ ...request, target: request.target.replace(/#.*/, "") }) },
    /400/,
  ),
  unknown("head", "Answers 200 to HEAD wherever nothing is.", ["#head"], unless(["HEAD"], 200, "path-not-found")),
  unknown(
    "method-first",
    "Judges the method before the path.",
    ["#post", "#put", "#delete"],
    unless(["POST", "PUT", "DELETE"], 405, "method-not-allowed"),
  ),
  unknown(
    "options-anywhere",
    "Answers a preflight for paths that are not there.",
    ["#options"],
    atUnknown((answer, { method }) =>
      method === "OPTIONS" ? { ...withStatus(answer, 204), body: Buffer.alloc(0) } : answer,
    ),
  ),
  unknown(
    "credentials-first",
    "Asks for a key before it says that nothing is there.",
    ["#words", "#no-query", "#post"],
    atUnknown((answer, request) =>
      header(request, "X-API-KEY") === null ? respondProblem(401, "credentials-missing") : answer,
    ),
  ),
  unknown("served-with-a-key", "Serves operations by path to whoever has a key.", ["#whatever-the-credentials"], {
    request: (request, { credentials }) =>
      credentials && pathOf(request) === "/api/user.list" && header(request, "X-API-KEY") === credentials.key
        ? withCredentials({ ...request, target: "/api/?@=user.list" }, credentials.key, credentials.platform)
        : request,
  }),
];

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).replace(/[? ].*$/s, "");
  } catch {
    return path;
  }
}
