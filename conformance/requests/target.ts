import { type Change, field, pair, parameter, row, setField, type Variation } from "./draft.ts";
import { percent, words } from "./values.ts";

/** The path and the method (D4, D11). */

const PATHS = [
  ...words(
    "/ /api /api/x /api// //api/ /API/ /Api/ /api/. /./api/ /api/.. /api/x/../ /x/../api/ /../api/ /api/%2e /%61pi/",
  ),
  ...words(
    "/api%2f /api/;x /api; /api/../api /api/index.html /favicon.ico /x /api/# /api/#x /openapi.json/ /robots.txt#",
  ),
  ...words("/.env /__proto__ /v3/api/ /api.json /api\\ /%c3%a1pi/"),
];
/** What is there once its dot segments are removed; whether a service has it, only a spec or an extension says. */
const BEYOND = "/x/../robots.txt";
const METHODS = words("HEAD OPTIONS GET POST PUT DELETE PATCH TRACE get Post FOO QUERY");

/** `paths`: those that the deployment serves next to the endpoint, as far as a spec or an extension names them. */
export const target = (paths: readonly string[]): readonly Variation[] => [
  ...[...new Set([...PATHS, ...(paths.includes("/robots.txt") ? [BEYOND] : []), ...paths])].map((path) =>
    row("path", `path ${path}`, (draft) => {
      draft.path = path;
    }),
  ),
  ...METHODS.map((method) =>
    row("method", `method ${method}`, (draft) => {
      draft.method = method;
    }),
  ),
  ...words("X-HTTP-Method-Override X-HTTP-Method X-Method-Override").flatMap((name) =>
    field(name, ["GET", "POST", "DELETE"]),
  ),
  row("method", "as the other kind of operation", (draft) => {
    const isCommand = draft.members !== null;
    const name = draft.members?.[0]?.[1] ?? JSON.stringify(decodeURIComponent(draft.query[0]?.slice(2) ?? ""));
    draft.method = isCommand ? "GET" : "POST";
    draft.query = isCommand ? [pair("@", String(JSON.parse(name)))] : [];
    draft.members = isCommand ? null : [["@", name]];
    if (!isCommand) setField(draft, "Content-Type", ["application/json"]);
  }),
];

/** The query as a whole (D5). */

const each =
  (change: (text: string) => string): Change =>
  (draft) => {
    draft.query = draft.query.map(change);
  };
const halves = (text: string, change: (half: string) => string) => text.split("=").map(change).join("=");
const readable = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const query: readonly Variation[] = [
  row("query", "parameters reversed", (draft) => void draft.query.reverse()),
  row(
    "query",
    "@ as %40",
    each((text) => text.replace(/^@/, "%40")),
  ),
  row(
    "query",
    "escaped",
    each((text) => halves(text, (half) => percent(readable(half)))),
  ),
  row(
    "query",
    "escaped in capitals",
    each((text) => halves(text, (half) => percent(readable(half)).toUpperCase())),
  ),
  row(
    "query",
    "a plus at each end",
    each((text) => `${text}+`),
  ),
  row(
    "query",
    "1,100 parameters",
    (draft) => void draft.query.push(...Array.from({ length: 1100 }, (_, n) => n.toString(36))),
  ),
  ...parameter("query", [
    "",
    ...words(
      "% %z %zz %4 %f %ff %c3 %c0%af %ed%a0%80 %f4%90%80%80 + = =x x x= a=b;c=d [] x[]=1 __proto__=1 %00=1 x=%C3%A9",
    ),
    ...words(
      "x=%25 x=%zz x=%ff x=1&x=1 x=1&x=2 x&x a+b=1&a%20b=1 a+b=1&a%2Bb=1 =1&=2 %C3%A9=1&%c3%a9=2 limit=1&limit=1",
    ),
    "constructor=1&constructor=1",
  ]),
];
