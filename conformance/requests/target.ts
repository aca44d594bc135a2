import { field, pair, row, setField, type Variation } from "./draft.ts";
import { words } from "./values.ts";

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
  row(
    "method",
    "as a query, with its input there and in the body",
    (draft) => {
      const name = draft.members?.[0]?.[1] ?? '""';
      draft.method = "GET";
      draft.query = [["@", name] as const, ...(draft.data ?? [])].map(([one, text]) =>
        pair(one, String(JSON.parse(text))),
      );
    },
    { only: "POST", always: true },
  ),
];
