import type { Contract } from "../../oracle/contract.ts";
import type { Aspect } from "../mutant.ts";
import { jsonBody, namedIn, pathOf, problemCode, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { withHeader, withJson } from "../proxy/shape.ts";
import { KEY, sent } from "../requests.ts";
import { atPointer, type Operator } from "./operators.ts";

/** Responses that reveal too much: about the server, the request, the caller. */

/** What implementations reveal about themselves. */
const LEAKS: Readonly<Record<string, string>> = {
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
export const leaks = Object.entries(LEAKS).map(([what, text]) =>
  atPointer(`says ${what} in`, "/detail", (old) => `${old} ${text}`),
);

/** Values of a request that no response may repeat: by the code of its rejection. */
const SAID: Readonly<Record<string, readonly [RegExp, (request: ProxyRequest) => unknown]>> = {
  "the name": [/^operation-not-found$/, namedIn],
  "the key": [/^credential/, (request) => sent(request, KEY)],
  "the query": [/^(?:invalid-input|invalid-cursor)$/, (request) => [...queryOf(request).values()].at(-1)],
  "a member": [/^invalid-input$/, (request) => Object.keys(Object(jsonBody(request)?.data)).at(-1)],
  "the path": [/^path-not-found$/, pathOf],
};
const ascii = (text: string) => text.replace(/[^\x21-\x7e]/g, "");

/** The aspect that repeats it. */
const REPEATED: Readonly<Record<string, readonly [Aspect, (answer: ProxyAnswer, text: string) => ProxyAnswer]>> = {
  "says in its detail": [
    "body:/detail",
    (answer, text) => withJson(answer, (problem) => ({ ...problem, detail: `${problem.detail} (${text})` })),
  ],
  "says in a header": ["header:x-echo", (answer, text) => withHeader(answer, "X-Echo", ascii(text))],
  "has for a reason": ["status", (answer, text) => ({ ...answer, reason: ascii(text) })],
};

/** A response that repeats it. */
export const echoes: readonly Operator[] = Object.entries(SAID).flatMap(([what, [codes, find]]) =>
  Object.entries(REPEATED).map(
    ([how, [aspect, repeat]]): Operator => ({
      name: `${how} ${what}`,
      breaks: [aspect, "body"],
      change: (answer, request) => {
        const isOfIt = codes.test(problemCode(answer) ?? "");
        const text = isOfIt ? String(find(request) ?? "").slice(0, 200) : "";
        return text.length < 8 ? answer : repeat(answer, text);
      },
    }),
  ),
);

/** A rejection that names the scopes of the key. */
export const scopes = (contract: Contract): Operator => ({
  name: "says in its detail which scopes the key has",
  breaks: ["body:/detail", "body"],
  change: (answer) =>
    problemCode(answer) === "scope-missing"
      ? withJson(answer, (problem) => ({ ...problem, detail: `It has ${contract.scopes.join(" ")}.` }))
      : answer,
});
