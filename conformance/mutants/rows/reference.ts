import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Aspect } from "../../client/expectation.ts";
import { answersItself, changesAnswer, type Mutant, takesFor } from "../mutant.ts";
import { alters, answersStatus, atPointer, drops, dropsHeader, onBody, setsHeader } from "../operators.ts";
import { header, pathOf } from "../proxy/look.ts";
import { respondProblem, withoutHeader } from "../proxy/shape.ts";
import { selector } from "../selectors.ts";

/** Broken reference pages and API catalogues. */

const PAGE = /\/reference$/;
const FILE = /\/reference\/[\w.-]+$/;
const CATALOG = /\/\.well-known\/api-catalog$/;
const at = (name: string, path: RegExp) =>
  selector(name, (answer, request) => request.method === "GET" && path.test(pathOf(request)) && answer.status === 200);

const page = at("the reference page", PAGE);
const file = at("what the reference page loads", FILE);
const catalog = at("the API catalogue", CATALOG);

const named: OperationId = "user.list";
const policy = (what: string, change: (policy: string) => string) => alters("Content-Security-Policy", what, change);
const instead = (directive: string, sources: string) =>
  policy(`has ${directive} ${sources} in`, (text) =>
    text.replace(new RegExp(`${directive} [^;]*`), `${directive} ${sources}`),
  );
const text = (what: string, change: (text: string) => string, breaks?: readonly Aspect[]) =>
  onBody(what, (body) => Buffer.from(change(`${body}`)), breaks);

const pages = [
  answersStatus(404),
  setsHeader("Content-Type", "text/plain"),
  text("does not name an operation in", (html) => html.replaceAll(operations[named].name, "list")),
  text("loads nothing in", (html) => html.replace(/<(script|link)\b[^>]*>/g, "")),
  text("loads a style from elsewhere in", (html) => html.replace("./reference/", "https://cdn.example/")),
  text("loads what is not there in", (html) => html.replace("bundle.js", "bundles.js"), ["status"]),
  dropsHeader("ETag"),
  dropsHeader("Content-Security-Policy"),
  ...["'self' 'unsafe-inline'", "'self' 'unsafe-eval'", "*", "'self' https://cdn.example"].map((sources) =>
    instead("script-src", sources),
  ),
  ...["connect-src", "style-src", "img-src"].map((directive) => instead(directive, "https:")),
  ...["base-uri", "form-action", "frame-ancestors"].map((directive) =>
    policy(`has no ${directive} in`, (one) => one.replace(new RegExp(`; ${directive} [^;]*`), "")),
  ),
  instead("frame-ancestors", "'self'"),
].map((operator) => changesAnswer(page, operator));

const files = [
  answersStatus(404),
  setsHeader("Content-Type", "text/plain"),
  onBody("answers nothing", () => Buffer.alloc(0)),
  dropsHeader("ETag"),
].map((operator) => changesAnswer(file, operator));

const catalogs = [
  answersStatus(404),
  setsHeader("Content-Type", "application/json"),
  drops("/linkset"),
  drops("/linkset/*/anchor"),
  atPointer("has another anchor in", "/linkset/*/anchor", (url) => String(url).replace("/api/", "/")),
  ...["service-desc", "service-doc", "status"].map((relation) => drops(`/linkset/*/${relation}`)),
  atPointer("leads elsewhere in", "/linkset/*/status/*/href", () => "https://status.example/"),
  dropsHeader("ETag"),
  dropsHeader("Link"),
  alters("Link", "has another relation in", (link) => link.replace('api-catalog"', 'self"')),
  alters("Link", "leads elsewhere in", (link) => link.replace("<api-catalog>", "</>")),
].map((operator) => changesAnswer(catalog, operator));

const requests = [
  ["the reference page", PAGE],
  ["the API catalogue", CATALOG],
] as const;

export const mutants: readonly Mutant[] = [
  ...pages,
  ...files,
  ...catalogs,
  ...requests.flatMap(([name, path]) => [
    answersItself(`${name} has no HEAD`, ["status"], (request) =>
      request.method === "HEAD" && path.test(pathOf(request)) ? respondProblem(405, "method-not-allowed") : null,
    ),
    takesFor(`${name} is never unchanged`, (request) =>
      path.test(pathOf(request)) && header(request, "If-None-Match") !== null
        ? withoutHeader(request, "If-None-Match")
        : request,
    ),
  ]),
];
