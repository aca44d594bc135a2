import {
  type Change,
  type Draft,
  field,
  type Mutation,
  mutation,
  pair,
  parameter,
  setField,
  words,
} from "./draft.ts";
import { percent } from "./values.ts";

/** The path and the method (D4, D11). */

const PATHS = [
  ...words(
    "/ /api /api/x /api// //api/ /API/ /Api/ /api/. /./api/ /api/.. /api/x/../ /x/../api/ " +
      "/../api/ /api/%2e /%61pi/",
  ),
  ...words(
    "/api%2f /api/;x /api; /api/../api /api/index.html /favicon.ico /x /api/# /api/#x " +
      "/openapi.json/ /robots.txt#",
  ),
  ...words(
    "/api/x/.. /api/x/y/../.. /api/%2E /%2E/api/ /x/%2e%2E/api/ /api/%2e%2e /api%3F/ " +
      "/api/%3f /.env /__proto__ /v3/api/ /api.json /api\\ /%c3%a1pi/",
  ),
];
/**
 * What is there once its dot segments are removed; whether a service has it, only a spec or an
 * extension says.
 */
const BEYOND = "/x/../robots.txt";
const METHODS = words("HEAD OPTIONS GET POST PUT DELETE PATCH TRACE get Post FOO QUERY");

/** No rule reads the word of the run: laws look for it in the response. */
export const withWord = (part: string, name: string, apply: (draft: Draft, word: string) => void) =>
  mutation(part, name, (draft) => apply(draft, draft.caller.canary), { always: true });

/**
 * `paths`: those that the deployment serves next to the endpoint, as far as a spec or an extension
 * names them.
 */
export const target = (paths: readonly string[]): readonly Mutation[] => [
  ...[
    ...new Set([
      ...PATHS,
      ...paths.map((path) => `${path}/`),
      ...(paths.includes("/robots.txt") ? [BEYOND] : []),
      ...paths,
    ]),
  ].map((path) =>
    mutation("path", `path ${path}`, (draft) => {
      draft.path = path;
    }),
  ),
  mutation("path", "path /api with escapes in the query", (draft) => {
    draft.path = "/api";
    draft.query.push("x=%c3%a9%2F&%7e=a+b%20c&&d=/?:=;e");
  }),
  ...METHODS.map((method) =>
    mutation("method", `method ${method}`, (draft) => {
      draft.method = method;
    }),
  ),
  ...["/~", "/api/~"].map((path) =>
    withWord("path", `path ${path} for the word of the run`, (draft, word) => {
      draft.path = path.replace("~", word);
    }),
  ),
  withWord("method", "method of the word of the run", (draft, word) => {
    draft.method = word.toUpperCase();
  }),
  ...words("X-HTTP-Method-Override X-HTTP-Method X-Method-Override").flatMap((name) =>
    field(name, ["GET", "POST", "DELETE"]),
  ),
  mutation("method", "as the other kind of operation", (draft) => {
    const isCommand = draft.members !== null;
    const name =
      draft.members?.[0]?.[1] ?? JSON.stringify(decodeURIComponent(draft.query[0]?.slice(2) ?? ""));
    draft.method = isCommand ? "GET" : "POST";
    draft.query = isCommand ? [pair("@", String(JSON.parse(name)))] : [];
    draft.members = isCommand ? null : [["@", name]];
    if (!isCommand) setField(draft, "Content-Type", ["application/json"]);
  }),
  mutation(
    "method",
    "as a query, with its input there and in the body",
    (draft) => {
      const name = draft.members?.[0]?.[1] ?? '""';
      draft.method = "GET";
      draft.query = [["@", name] as const, ...(draft.data ?? [])].map(([member, text]) =>
        pair(member, String(JSON.parse(text))),
      );
    },
    {
      only: "POST",
      always: true,
      targets: { "method-not-allowed": "dispatch/get-changes-nothing" },
    },
  ),
];

/** The query as a whole (D5). */

const each =
  (change: (text: string) => string): Change =>
  (draft) => {
    draft.query = draft.query.map(change);
  };
const halves = (text: string, change: (half: string) => string) =>
  text.split("=").map(change).join("=");
const readable = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const MANY = Array.from({ length: 1100 }, (_, n) => n.toString(36));

/** `@` as an escape is the same name. */
export const PERCENT_ENCODED = { targets: { accepted: "dispatch/percent-encoded" } };

export const query: readonly Mutation[] = [
  mutation("query", "parameters reversed", (draft) => void draft.query.reverse()),
  mutation(
    "query",
    "@ as %40",
    each((text) => text.replace(/^@/, "%40")),
    PERCENT_ENCODED,
  ),
  mutation(
    "query",
    "escaped",
    each((text) => halves(text, (half) => percent(readable(half)))),
  ),
  mutation(
    "query",
    "escaped in capitals",
    each((text) => halves(text, (half) => percent(readable(half)).toUpperCase())),
  ),
  mutation(
    "query",
    "a plus at each end",
    each((text) => `${text}+`),
  ),
  mutation("query", "1,100 parameters", (draft) => void draft.query.push(...MANY)),
  mutation("query", "1,100 parameters first", (draft) => void draft.query.unshift(...MANY)),
  mutation(
    "query",
    "what needs no escape, escaped",
    each((text) => text.replace(/[.a-e]/g, (one) => percent(one))),
  ),
  ...parameter("query", [
    "",
    ...words(
      "% %z %zz %4 %f %ff %c3 %c0%af %ed%a0%80 %f4%90%80%80 + = =x x x= a=b;c=d [] x[]=1 " +
        "__proto__=1 %00=1 x=%C3%A9",
    ),
    ...words(
      "x=%25 x=%zz x=%ff x=1&x=1 x=1&x=2 x&x a+b=1&a%20b=1 a+b=1&a%2Bb=1 =1&=2 " +
        "%C3%A9=1&%c3%a9=2 limit=1&limit=1",
    ),
    "constructor=1&constructor=1",
  ]),
  ...["x=~", "~", "x=~%zz", "x=~&x=~"].map((text) =>
    withWord("query", `query ?${text} for the word of the run`, (draft, word) => {
      draft.query.push(text.replaceAll("~", word));
    }),
  ),
];
