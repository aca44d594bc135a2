import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, isObject, jsonBody, namedIn, queryOf } from "../../look.ts";
import { respondProblem, withHeader, withJson } from "../../shape.ts";
import { answerOf } from "../../when.ts";
import { inProblems } from "./words.ts";

const BOTH = ["errors/nothing-leaks#all-answers", "errors/nothing-leaks#each-code"];

/** Says this of every problem. */
const leak = (what: string, description: string, told: string): Defect => ({
  id: `errors/leaks-${what}`,
  area: "leaks",
  description,
  requirements: ["errors/nothing-leaks"],
  catches: BOTH,
  reason: /no .* in an answer/,
  ...inProblems((problem) => ({ ...problem, detail: `${problem.detail} ${told}` })),
});

/** Fails by itself at what this says yes to. */
const failing = (
  what: string,
  description: string,
  catches: readonly string[],
  test: (request: ProxyRequest) => boolean,
): Defect => ({
  id: `errors/fails-on-${what}`,
  area: "500",
  description,
  requirements: ["errors/never-500"],
  catches: catches.map((variant) => `errors/never-500#${variant}`),
  reason: /500/,
  request: (request) => (test(request) ? respondProblem(500, "internal-error") : request),
});

const memberTexts = (request: ProxyRequest) => {
  const data = jsonBody(request)?.data;
  return isObject(data) ? Object.values(data).filter((value) => typeof value === "string") : [];
};

export const leakDefects: readonly Defect[] = [
  leak("stack", "Sends the stack.", "Error: no\n    at judge (/app/dist/dispatcher.js:41:13)\n    at async app.ts:9:3"),
  leak("stack-frame", "Sends one frame of the stack.", "at Object.<anonymous> (file:///srv/service/main.js:10:2)"),
  leak("source", "Sends the file and line that refused.", "dispatcher.ts:57"),
  leak(
    "error-class",
    "Sends the class of the error.",
    "TypeError: Cannot read properties of undefined (reading 'name')",
  ),
  leak("folder", "Sends a path of its machine.", "cannot open /var/lib/atpoint/db.sqlite"),
  leak("home", "Sends a path of its machine, in quotes.", "in '/home/atpoint/config.json'"),
  leak("windows-folder", "Sends a path of a machine with letters for disks.", "C:\\inetpub\\atpoint"),
  leak("modules", "Sends a path among its packages.", "node_modules/koa-compose"),
  leak("sql", "Sends its statement.", "select `id` from `users` where `email` = ?"),
  leak("sql-insert", "Sends its statement.", 'INSERT INTO "users" ("id") VALUES ($1)'),
  leak("driver", "Sends the driver's text.", "SQLITE_CONSTRAINT: UNIQUE constraint failed: users.email"),
  leak("postgres", "Sends the driver's text.", 'duplicate key value violates unique constraint "users_email_key"'),
  leak("connection", "Sends why the database cannot be reached.", "connect ECONNREFUSED 10.0.0.7:5432"),
  leak("database-url", "Sends the address of its database.", "postgres://atpoint@db/atpoint"),
  leak("package", "Sends the name of a package.", "(ajv)"),
  leak("parser", "Sends the kind of a package's error.", "entity.too.large"),
  {
    id: "errors/leaks-in-health",
    area: "leaks",
    description: "Says where its database is, in test.health.",
    requirements: ["errors/nothing-leaks"],
    catches: BOTH,
    reason: /no .* in an answer/,
    answer: answerOf("test.health", (answer) =>
      withJson(answer, (json) => ({ ...json, checks: { storage: "sqlite:/data/atpoint.sqlite" } })),
    ),
  },
  {
    id: "errors/leaks-in-header-of-list",
    area: "leaks",
    description: "Times its statements in a header, and says which they are.",
    requirements: ["errors/nothing-leaks"],
    catches: BOTH,
    reason: /no .* in an answer/,
    answer: answerOf("user.list", (answer) =>
      answer.status === 200
        ? withHeader(answer, "Server-Timing", 'db;dur=1.2;desc="select * from `users` order by `id`"')
        : answer,
    ),
  },
  {
    id: "errors/leaks-package-in-header",
    area: "leaks",
    description: "Names its framework in a header of every success.",
    requirements: ["errors/nothing-leaks"],
    catches: BOTH,
    reason: /no .* in an answer/,
    answer: (answer) => (answer.status === 200 ? withHeader(answer, "X-Framework", "koa/3.3.0") : answer),
  },
  {
    id: "errors/leaks-in-headers",
    area: "leaks",
    description: "Sends the stack in a header.",
    requirements: ["errors/nothing-leaks"],
    catches: BOTH,
    reason: /no .* in an answer/,
    answer: (answer) =>
      answer.status >= 400 ? withHeader(answer, "X-Error", "at judge (/app/dist/dispatcher.js:41:13)") : answer,
  },
  failing("unknown-operations", "Fails on unknown operations.", ["all-answers", "each-code"], (request) =>
    /@=no\.such/.test(request.target),
  ),
  failing(
    "missing-credentials",
    "Fails without credentials.",
    ["all-answers", "each-code"],
    (request) =>
      ["user.list", "test.health"].includes(namedIn(request) ?? "") &&
      header(request, "X-API-KEY") === null &&
      !queryOf(request).has("X-API-KEY"),
  ),
  failing(
    "prototype-names",
    "Fails on operations called like members of every object.",
    ["parameters", "members"],
    (request) => (namedIn(request) ?? "") in {},
  ),
  failing("nul", "Lets its database fail on a NUL.", ["parameters"], ({ target }) => target.includes("%00")),
  failing("nul-members", "Lets its database fail on a NUL in a text.", ["members"], (request) =>
    memberTexts(request).some((text) => text.includes("\u0000")),
  ),
  failing("cursors", "Lets its parser fail on cursors that are base64 and nothing else.", ["parameters"], (request) =>
    ["bnVsbA", "AAAA"].includes(queryOf(request).get("cursor") ?? ""),
  ),
  failing("surrogates", "Fails on lone surrogates.", ["members"], (request) =>
    memberTexts(request).some((text) => /\p{Surrogate}/u.test(text)),
  ),
  failing("null-data", "Reads a member of null.", ["members"], (request) => jsonBody(request)?.data === null),
  failing("objects-for-names", "Calls a method of what is no text.", ["members"], (request) => {
    const data = jsonBody(request)?.data;
    return isObject(data) && isObject(data.email);
  }),
  failing("objects-for-operations", "Looks an operation up by what is no text.", ["members"], (request) =>
    isObject(jsonBody(request)?.["@"]),
  ),
  failing("quality-values", "Fails on a bad quality in Accept.", ["headers"], (request) =>
    /;q=(?![01]\b)/.test(header(request, "Accept") ?? ""),
  ),
  failing("platform-names", "Finds platforms called like members of every object.", ["headers"], (request) =>
    ["constructor", "__proto__"].includes(header(request, "X-PLATFORM") ?? ""),
  ),
  failing("media-types", "Fails on a media type that is none.", ["headers"], (request) =>
    /charset="?$/.test(header(request, "Content-Type") ?? ""),
  ),
  failing(
    "entity-tags",
    "Fails on an If-None-Match that is none.",
    ["headers"],
    (request) => header(request, "If-None-Match") === '"',
  ),
];
