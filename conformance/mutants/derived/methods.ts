import { every, nameOf } from "../../client/operation.ts";
import { answersOtherwise, changesAnswer, type Mutant, takesFor } from "../mutant.ts";
import { alters, answersStatus, dropsHeader, setsHeader } from "../operators.ts";
import { header, namedIn, pathOf, problemCode, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { verbatim, withoutHeader } from "../proxy/shape.ts";
import { isSent, KEY, onEndpoint } from "../requests.ts";
import { problemOf, selector } from "../selectors.ts";
import { passing } from "./parameters.ts";

/** Broken `Allow`: in every answer that has one, or in one kind of them (D4). */

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"];
const isBeside = (request: ProxyRequest) => !onEndpoint(request);

const { takes: isNotAllowed } = problemOf("method-not-allowed");
const allow = [
  dropsHeader("Allow"),
  alters("Allow", "adds PUT to", (value) => `${value}, PUT`),
  alters("Allow", "says * in", () => "*"),
  alters("Allow", "forgets the last of", (value) => value.replace(/,?\s*\w+$/, "")),
  alters("Allow", "forgets the first of", (value) => value.replace(/^\w+,?\s*/, "")),
  alters("Allow", "writes in lower case", (value) => value.toLowerCase()),
].flatMap((operator) => [
  changesAnswer(problemOf("method-not-allowed"), operator),
  ...every.map((operation) =>
    changesAnswer(
      {
        name: `${operation.id} method-not-allowed`,
        takes: (answer, request) =>
          isNotAllowed(answer, request) && request !== null && namedIn(request) === nameOf(operation),
      },
      operator,
    ),
  ),
]);

const is405 = (answer: ProxyAnswer) => problemCode(answer) === "method-not-allowed";
const toOptions = (answer: ProxyAnswer, request: ProxyRequest) => answer.status === 204 && request.method === "OPTIONS";

/** What may be said of Allow in one kind of answer only. */
const allowed = [
  selector("405 to who sends no key", (answer, request) => is405(answer) && !isSent(request, KEY)),
  selector(
    "405 to a method of no operation",
    (answer, { method }) => is405(answer) && !["GET", "HEAD", "POST"].includes(method),
  ),
  selector("405 to a rare method", (answer, { method }) => is405(answer) && !METHODS.includes(method)),
  selector("405 beside the endpoint", (answer, request) => is405(answer) && isBeside(request)),
  selector("OPTIONS", toOptions),
  selector("OPTIONS of an operation", (answer, request) => toOptions(answer, request) && queryOf(request).has("@")),
  selector("OPTIONS beside the endpoint", (answer, request) => toOptions(answer, request) && isBeside(request)),
  selector("a preflight", (answer, request) => toOptions(answer, request) && header(request, "Origin") !== null),
  selector(
    "an OPTIONS of the path without its slash",
    (answer, request) => toOptions(answer, request) && pathOf(request).endsWith("/api"),
  ),
].flatMap((one) =>
  [
    dropsHeader("Allow"),
    alters("Allow", "allows only reading by", () => "GET, HEAD, OPTIONS"),
    alters("Allow", "allows only writing by", () => "POST, OPTIONS"),
    alters("Allow", "allows everything by", () => "GET, HEAD, POST, OPTIONS, PUT"),
  ].map((operator) => changesAnswer(one, operator)),
);

/** HEAD that is not GET without the body (D5). */

const isHead = ({ method }: { readonly method: string }) => method === "HEAD";

const withBodyOf = (name: string, takes: (answer: ProxyAnswer) => boolean) =>
  answersOtherwise(
    selector(name, (answer, request) => isHead(request) && takes(answer)),
    "has the body of GET",
    ["body"],
    async (_answer, request, { forward }) => verbatim(await forward({ ...request, method: "GET" })),
  );

export const mutants: readonly Mutant[] = [
  ...allow,
  ...allowed,
  withBodyOf("HEAD", () => true),
  withBodyOf("a refused HEAD", ({ status }) => status >= 400),
  ...[400, 401, 404, 405, 406, 422].map((status) =>
    changesAnswer(
      selector(`HEAD of ${status}`, (answer, request) => isHead(request) && answer.status === status),
      answersStatus(200),
    ),
  ),
  ...[204, 404, 405].map((status) =>
    changesAnswer(
      selector("HEAD of 200", (answer, request) => isHead(request) && answer.status === 200),
      answersStatus(status),
    ),
  ),
  ...[true, false].map((good) =>
    changesAnswer(
      selector(
        `a HEAD ${good ? "taken" : "refused"}`,
        (answer, request) => isHead(request) && answer.status < 400 === good,
      ),
      setsHeader("Content-Length", "0"),
    ),
  ),

  takesFor("passes over unknown parameters of HEAD", (request, context) =>
    isHead(request) ? passing(() => true)(request, context) : request,
  ),
  ...["Accept", "Accept-Encoding", "If-None-Match"].map((name) =>
    takesFor(
      `reads no ${name} of HEAD`,
      (request) => (isHead(request) && header(request, name) !== null ? withoutHeader(request, name) : request),
      [
        "status",
        "header:content-type",
        "header:content-length",
        "header:etag",
        "header:vary",
        "header:content-encoding",
      ],
    ),
  ),
];
