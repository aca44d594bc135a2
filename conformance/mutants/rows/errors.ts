import { every } from "../../client/operation.ts";
import { answersOtherwise, changesAnswer, type Mutant, type Selector } from "../mutant.ts";
import { atPointer, setsHeader } from "../operators.ts";
import { header, namedIn, problemCode, textOf } from "../proxy/look.ts";
import { withBody, withHeader, withJson } from "../proxy/shape.ts";
import { successOf } from "../selectors.ts";

/** Refusals that say too much, or the wrong thing, or are none. */

const problems: Selector = { name: "a problem", takes: (answer) => problemCode(answer) !== null, parser: true };
const problemsTo = (field: string): Selector => ({
  name: `a problem to ${field}`,
  takes: (answer, request) => problemCode(answer) !== null && request !== null && header(request, field) !== null,
});
const inProblems = (what: string, pointer: string, change: (text: string) => string) =>
  changesAnswer(
    problems,
    atPointer(what, pointer, (value) => change(String(value))),
  );

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
  ...Object.entries(leaks).map(([what, text]) => inProblems(`says ${what} in`, "/detail", (old) => `${old} ${text}`)),
  changesAnswer(problems, setsHeader("X-Error", "at judge (/app/dist/dispatcher.js:41:13)")),
  ...every.flatMap((operation) => {
    const success = successOf(operation, operation.method === "GET" ? 200 : 201);
    const told = { "X-Framework": "koa/3.3.0", "Server-Timing": 'db;desc="select * from `users` limit 1"' };
    return Object.entries(told).map(([name, value]) => changesAnswer(success, setsHeader(name, value)));
  }),
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
  answersOtherwise(problemsTo(field), "has a type by it", ["body:/type"], (answer, request) =>
    withJson(answer, (problem) => ({ ...problem, type: change(String(problem.type), header(request, field) ?? "") })),
  ),
);

const CODES: Readonly<Record<string, string>> = { "credentials-missing": "identifiants-manquants" };

/** What every problem is, as this deployment would say it. */
const own: readonly Mutant[] = [
  changesAnswer(
    {
      ...problemsTo("Accept-Language"),
      takes: (answer, request) =>
        problemCode(answer) !== null && request !== null && /^(de|fr)/.test(header(request, "Accept-Language") ?? ""),
    },
    atPointer("translates it in", "/code", (code) => CODES[String(code)] ?? `${code}-fr`),
  ),
  inProblems("names the second deployment in", "/type", (type) => type.replace(/\/\/[^/]*/, "//second.example")),
  changesAnswer(problems, {
    name: "says its code twice",
    breaks: ["body:/code"],
    change: (answer) =>
      withBody(answer, textOf(answer).replace(/}$/, `,"code":${JSON.stringify(problemCode(answer))}}`)),
  }),
];

export const mutants: readonly Mutant[] = [
  ...own,
  ...told,
  ...Object.entries(types).map(([what, change]) => inProblems(`makes ${what}`, "/type", change)),
  ...fromRequest,
  changesAnswer(
    problemsTo("X-Request-Id"),
    atPointer("makes its own", "/requestId", () => "of-our-own"),
  ),
  answersOtherwise(problemsTo("X-Request-Id"), "cuts it", ["header:x-request-id", "body:/requestId"], (answer) =>
    withHeader(answer, "X-Request-Id", header(answer, "X-Request-Id")?.slice(0, 36) ?? ""),
  ),
  changesAnswer(
    {
      name: "the entry of problems",
      takes: (answer, request) => answer.status === 200 && request !== null && namedIn(request) === "docs.get.problems",
    },
    atPointer("has no codes in", "/content", () => "# Problems"),
  ),
];
