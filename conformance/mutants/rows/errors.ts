import { every } from "../../client/operation.ts";
import { answersItself, answersOtherwise, changesAnswer, type Mutant, OUTCOME, type Selector } from "../mutant.ts";
import { atPointer, setsHeader } from "../operators.ts";
import { header, isObject, type JsonObject, jsonBody, namedIn, problemCode, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withHeader, withJson } from "../proxy/shape.ts";
import { called, isPost, PLATFORM, sent } from "../requests.ts";
import { problemOf, successOf } from "../selectors.ts";

/** Refusals that say too much, or the wrong thing, or are none. */

const problems: Selector = { name: "a problem", takes: (answer) => problemCode(answer) !== null, parser: true };
const detail = (said: (text: string) => string) => (value: unknown) => said(String(value));

/** What an implementation says of itself. */
const leaks: Readonly<Record<string, string>> = {
  "the stack": "Error: no\n    at judge (/app/dist/dispatcher.js:41:13)",
  "a frame of the stack": "at Object.<anonymous> (file:///srv/service/main.js:10:2)",
  "the stack of another language": 'Traceback (most recent call last)\n  File "app.py", line 3',
  "a line of its source": "dispatcher.ts:57",
  "the class of an error": "TypeError: no such thing",
  "a folder": "cannot open /var/lib/atpoint/db.sqlite",
  "a folder with a disk": "C:\\inetpub\\atpoint",
  "a query": "select `id` from `users` where `email` = ?",
  "an insertion": 'INSERT INTO "users" ("id") VALUES ($1)',
  "an update": "UPDATE users SET name = ?",
  "a code of the driver": "SQLITE_BUSY",
  "a constraint": 'violates unique constraint "one"',
  "a table": 'relation "users" does not exist',
  "a connection": "connect ECONNREFUSED 10.0.0.7",
  "a database": "postgres://atpoint@db/atpoint",
  "a package": "(ajv)",
  "a package of many words": "by raw-body",
};

const told: readonly Mutant[] = [
  ...Object.entries(leaks).map(([what, text]) =>
    changesAnswer(
      problems,
      atPointer(
        `says ${what} in`,
        "/detail",
        detail((old) => `${old} ${text}`),
      ),
    ),
  ),
  changesAnswer(problems, setsHeader("X-Error", "at judge (/app/dist/dispatcher.js:41:13)")),
  ...every.flatMap((operation) => [
    changesAnswer(successOf(operation, 200), setsHeader("X-Framework", "koa/3.3.0")),
    changesAnswer(successOf(operation, 200), setsHeader("Server-Timing", 'db;desc="select * from `users` limit 1"')),
  ]),
];

const texts = (request: ProxyRequest) => {
  const data = jsonBody(request)?.data;
  return isObject(data) ? Object.values(data) : [];
};
const some = (request: ProxyRequest, pattern: RegExp) =>
  texts(request).some((value) => typeof value === "string" && pattern.test(value));

/** What it takes for its own fault. */
const fails: Readonly<Record<string, (request: ProxyRequest) => boolean>> = {
  "a name that every object has": (request) => (namedIn(request) ?? "") in {},
  "a platform that every object has": (request) => sent(request, PLATFORM) in {},
  "a NUL in the query": ({ target }) => target.includes("%00"),
  "a NUL in a member": (request) => some(request, /\0/),
  "a lone surrogate": (request) => some(request, /\p{Surrogate}/u),
  "a cursor that is JSON": (request) =>
    /^(null|\[\]|\{)/.test(Buffer.from(queryOf(request).get("cursor") ?? "", "base64").toString()),
  "null for data": (request) => jsonBody(request)?.data === null,
  "an object for a text": (request) => texts(request).some(isObject),
  "an object for a name": (request) => isObject(jsonBody(request)?.["@"]),
  "an odd weight": (request) => /;\s*q=(?![01]\b)/.test(header(request, "Accept") ?? ""),
  "an odd charset": (request) => /charset="?$/.test(header(request, "Content-Type") ?? ""),
  "an odd ETag": (request) => header(request, "If-None-Match") === '"',
};

/** What becomes of each fault of a 422. */
const faults: Readonly<Record<string, (fault: JsonObject) => unknown>> = {
  "are texts": ({ detail }) => detail,
  "have no place": ({ detail }) => ({ detail }),
  "have both places": (fault) => ({ pointer: "#", parameter: "", ...fault }),
  "have pointers without #": pointing((pointer) => pointer.slice(1)),
  "have dotted paths": pointing((pointer) => pointer.replace(/^#\/?/, "").replaceAll("/", ".")),
  "point from data on": pointing((pointer) => pointer.replace(/^#\/data/, "#")),
  "point to data only": pointing((pointer) => pointer.replace(/^#\/data\/.*/, "#/data")),
  "point behind": pointing((pointer) => `${pointer}/`),
  "name members as parameters": ({ pointer, ...fault }) =>
    isOfMember({ pointer }) ? { parameter: String(pointer).replace(/.*\//, ""), ...fault } : { pointer, ...fault },
  "point to parameters": ({ parameter, ...fault }) =>
    parameter === undefined ? fault : { pointer: `#/${parameter}`, ...fault },
  "name parameters as of the query": (fault) =>
    fault.parameter === undefined ? fault : { ...fault, parameter: `query.${fault.parameter}` },
};

function pointing(change: (pointer: string) => string) {
  return (fault: JsonObject) =>
    typeof fault.pointer === "string" ? { ...fault, pointer: change(fault.pointer) } : fault;
}
const isOfMember = (fault: unknown) => isObject(fault) && /^#\/data\/\w/.test(String(fault.pointer));

const list = (change: (faults: readonly unknown[]) => unknown) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;
const named = (method: string): Selector => ({
  name: `invalid-input to ${method}`,
  takes: (answer, request) => problemCode(answer) === "invalid-input" && request?.method === method,
});
const toBoth = (answer: ProxyAnswer, request: ProxyRequest | null) =>
  problemCode(answer) === "invalid-input" && request !== null && isPost(request) && request.target.includes("?");

const listed: readonly Mutant[] = [
  ...Object.entries(faults).map(([how, change]) =>
    changesAnswer(problemOf("invalid-input"), atPointer(`${how}:`, "/errors/*", change as (fault: unknown) => unknown)),
  ),
  ...[
    atPointer(
      "has 21 of",
      "/errors",
      list((all) => Array.from({ length: 21 }, () => all[0])),
    ),
    atPointer(
      "has unknown ones only of",
      "/errors",
      list((all) => (all.every(isOfMember) ? all : all.filter((one) => !isOfMember(one)))),
    ),
  ].map((operator) => changesAnswer(problemOf("invalid-input"), operator)),
  changesAnswer(
    named("GET"),
    atPointer(
      "has the last only of",
      "/errors",
      list((all) => all.slice(-1)),
    ),
  ),
  changesAnswer(
    { name: "invalid-input to both", takes: toBoth },
    atPointer(
      "has the first only of",
      "/errors",
      list((all) => all.slice(0, 1)),
    ),
  ),
];

/** Types that are not the entry of the code. */
const types: Readonly<Record<string, (type: string) => string>> = {
  relative: (type) => type.replace(/^https?:\/\/[^/]*/, ""),
  "of another entry": (type) => type.replace("docs.get.problems", "docs.get.README"),
  "of another path": (type) => type.replace("/api/", "/problems/"),
  "without a code": (type) => type.replace(/#.*/, ""),
};

/** What is built from the request: who asks must not decide it. */
const fromRequest = Object.entries({
  "X-Forwarded-Host": (type: string, host: string) => type.replace(/\/\/[^/]*/, `//${host}`),
  "X-Forwarded-Prefix": (type: string, prefix: string) => type.replace("/api/", `${prefix}/api/`),
  Host: (type: string, host: string) => type.replace(/\/\/[^/]*/, `//${host}`),
}).map(([field, change]) =>
  answersOtherwise(
    {
      name: "a problem",
      takes: (answer, request) => problemCode(answer) !== null && request !== null && header(request, field) !== null,
    },
    `has a type by ${field}`,
    ["body:/type"],
    (answer, request) =>
      withJson(answer, (problem) => ({ ...problem, type: change(String(problem.type), header(request, field) ?? "") })),
  ),
);

const withOwnId: Selector = {
  name: "a problem to a caller's id",
  takes: (answer, request) =>
    problemCode(answer) !== null && request !== null && header(request, "X-Request-Id") !== null,
};

export const errorRows: readonly Mutant[] = [
  ...told,
  ...Object.entries(fails).map(([what, test]) =>
    answersItself(`fails at ${what}`, OUTCOME, (request) =>
      called(request) !== null || namedIn(request) !== null || isPost(request)
        ? test(request)
          ? respondProblem(500, "internal-error")
          : null
        : null,
    ),
  ),
  ...listed,
  ...Object.entries(types).map(([what, change]) =>
    changesAnswer(problems, atPointer(`makes ${what}`, "/type", detail(change))),
  ),
  ...fromRequest,
  changesAnswer(
    withOwnId,
    atPointer("makes its own", "/requestId", () => "of-our-own"),
  ),
  answersOtherwise(withOwnId, "cuts it", ["header:x-request-id", "body:/requestId"], (answer) =>
    withHeader(answer, "X-Request-Id", header(answer, "X-Request-Id")?.slice(0, 36) ?? ""),
  ),
  answersOtherwise(
    {
      name: "an entry of documents",
      takes: (answer, request) => answer.status === 200 && request !== null && namedIn(request) === "docs.get.problems",
    },
    "has no codes",
    ["body"],
    (answer) => withJson(answer, (entry) => ({ ...entry, content: "# Problems" })),
  ),
];
