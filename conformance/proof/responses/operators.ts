import type { Request } from "../../oracle/world.ts";
import { packaged } from "../../packaged.ts";
import { header, jsonBody, namedIn, pathOf, problemCode, queryOf, sent } from "../proxy/look.ts";
import type { ProxyAnswer } from "../proxy/message.ts";
import { withHeader, withJson, withoutHeader, withStatus } from "../proxy/shape.ts";

/** Wrong statuses and fields, and responses that reveal too much: about the server, the request, the caller. */

/** What of an exchange is wrong, as the findings of the suite name it (`Difference.aspect`); `*` is any item of a list. */
export type Aspect =
  | "status"
  | `header:${string}`
  | "body"
  | `body:/${string}`
  | "connection"
  | "state";

/** A change of a response. */
export interface Operator {
  readonly name: string;
  /** What it gets wrong: a finding about anything else has not found it. */
  readonly breaks: readonly Aspect[];
  /** The changed response; the same object if nothing changes. */
  readonly change: (answer: ProxyAnswer, request: Request) => ProxyAnswer;
}

export const operator = (
  name: string,
  breaks: readonly Aspect[],
  change: Operator["change"],
): Operator => ({
  name,
  breaks,
  change,
});

export function ofStatus({ status }: ProxyAnswer): readonly Operator[] {
  const others = [200, 201, 204, 206, 301, 400, 404, 422, 500].filter((one) => one !== status);
  return others.map((one) =>
    operator(`answers ${one}`, ["status"], (answer) => withStatus(answer, one)),
  );
}

/** Another list of values of a field, by its value, which is empty where it is missing. */
const onField = (
  name: string,
  field: string,
  change: (value: string) => readonly string[],
): Operator =>
  operator(name, [`header:${field.toLowerCase()}`], (answer) => {
    const value = header(answer, field);
    const [first, ...more] = change(value ?? "");
    if (first === value && more.length === 0) return answer;
    const one =
      first === undefined ? withoutHeader(answer, field) : withHeader(answer, field, first);
    return { ...one, fields: [...one.fields, ...more.map((other) => [field, other] as const)] };
  });

/** Written by HTTP itself: on sockets (`broken/`). */
const FRAMING = new Set([
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "date",
]);

type Ways = Readonly<Record<string, (value: string) => string>>;

const OF_EACH: Ways = {
  "says nothing in": () => "",
  "says something else in": () => "x",
  // Of a list.
  "forgets the first of": (value) => value.replace(/^[^,;]*[,;]\s*/, ""),
  "forgets the last of": (value) => value.replace(/[,;][^,;]*$/, ""),
};

/** Ways of being wrong that only one field has. */
const PARTICULAR: Readonly<Record<string, Ways>> = {
  etag: {
    weakens: (value) => `W/${value}`,
    "takes the quotes from": (value) => value.replaceAll('"', ""),
  },
  "content-type": {
    "names no charset in": (value) => value.replace(/;.*/, ""),
    "names another charset in": (value) => value.replace(/;.*/, "; charset=iso-8859-1"),
    "names a vendor in": (value) => value.replace(/\/(?:problem\+)?/, "/vnd."),
  },
  "cache-control": {
    "lets everybody keep by": () => "public, max-age=31536000",
    "forbids to keep by": () => "no-store",
    "makes private by": (value) => value.replace("public", "private"),
  },
  location: { "names another host in": (value) => `//elsewhere.example/${value}` },
  link: { "names another relation in": (value) => value.replace(/rel="?next"?/, 'rel="last"') },
  "content-security-policy": {
    "allows scripts by": (value) => `${value}; script-src 'unsafe-inline'`,
  },
  "x-operation": { "names it in capitals by": (value) => value.toUpperCase() },
  "www-authenticate": { "names another scheme in": () => "Basic" },
  allow: {
    "adds PUT to": (value) => `${value}, PUT`,
    "is in small letters:": (value) => value.toLowerCase(),
  },
};

const TOO_MUCH = {
  ...{ Server: "nginx/1.27.0", "X-Powered-By": "Koa", "Set-Cookie": "session=1" },
  ...{
    "Access-Control-Allow-Credentials": "true",
    "X-Operation": "another",
    Location: "/elsewhere",
  },
};
/** A length without content (RFC 9110, 8.6). */
const LENGTH = { "Content-Length": "0" };

export function ofFields({ fields, status }: ProxyAnswer): readonly Operator[] {
  const names = [...new Set(fields.map(([name]) => name))].filter(
    (name) => !FRAMING.has(name.toLowerCase()),
  );
  const ofName = (name: string) => [
    onField(`drops ${name}`, name, () => []),
    onField(`repeats ${name} with another value`, name, (value) => [value, "x"]),
    ...Object.entries({ ...OF_EACH, ...PARTICULAR[name.toLowerCase()] }).map(([how, change]) =>
      onField(`${how} ${name}`, name, (value) => [change(value)]),
    ),
  ];
  const added = { ...TOO_MUCH, ...([204, 304].includes(status) && LENGTH) };
  return [
    ...names.flatMap(ofName),
    ...Object.entries(added).map(([name, value]) =>
      onField(`sets ${name}: ${value}`, name, () => [value]),
    ),
  ];
}

/** What implementations reveal about themselves, in a detail. */
export const LEAKS: Readonly<Record<string, string>> = {
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

/** Values of a request that no response may repeat: by the code of its rejection. */
const SAID: Readonly<Record<string, readonly [RegExp, (request: Request) => unknown]>> = {
  "the name": [/^operation-not-found$/, namedIn],
  "the key": [/^credential/, (request) => sent(request, "X-API-KEY")],
  "the query": [
    /^(?:invalid-input|invalid-cursor)$/,
    (request) => [...queryOf(request).values()].at(-1),
  ],
  "a member": [/^invalid-input$/, (request) => Object.keys(Object(jsonBody(request)?.data)).at(-1)],
  "the path": [/^path-not-found$/, pathOf],
};
const ascii = (text: string) => text.replace(/[^\x21-\x7e]/g, "");

/** The aspect that repeats it. */
const REPEATED: Readonly<
  Record<string, readonly [Aspect, (answer: ProxyAnswer, text: string) => ProxyAnswer]>
> = {
  "says in its detail": [
    "body:/detail",
    (answer, text) =>
      withJson(answer, (problem) => ({ ...problem, detail: `${problem.detail} (${text})` })),
  ],
  "says in a header": [
    "header:x-echo",
    (answer, text) => withHeader(answer, "X-Echo", ascii(text)),
  ],
  "has for a reason": ["status", (answer, text) => ({ ...answer, reason: ascii(text) })],
};

/** A response that repeats it. */
export const echoes: readonly Operator[] = Object.entries(SAID).flatMap(([what, [codes, find]]) =>
  Object.entries(REPEATED).map(([how, [aspect, repeat]]) =>
    operator(`${how} ${what}`, [aspect, "body"], (answer, request) => {
      const isOfIt = codes.test(problemCode(answer) ?? "");
      const text = isOfIt ? String(find(request) ?? "").slice(0, 200) : "";
      return text.length < 8 ? answer : repeat(answer, text);
    }),
  ),
);

/** A rejection that names the scopes of the key. */
export const scopes = operator(
  "says in its detail which scopes the key has",
  ["body:/detail", "body"],
  (answer) => {
    const detail = `It has ${packaged.oracle.contract.scopes.join(" ")}.`;
    return problemCode(answer) === "scope-missing"
      ? withJson(answer, (problem) => ({ ...problem, detail }))
      : answer;
  },
);
