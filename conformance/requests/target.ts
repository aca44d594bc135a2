import type { Contract, Operation } from "../oracle/contract.ts";
import {
  type Change,
  type Draft,
  escaped,
  field,
  nameIn,
  nameOf,
  pair,
  parameter,
  row,
  setField,
  shown,
  type Variation,
} from "./draft.ts";
import { NEAR, NO_NAMES, percent, words } from "./values.ts";

/** The path and the method (D4, D11). */

const PATHS = [
  ...words(
    "/ /api /api/x /api// //api/ /API/ /Api/ /api/. /./api/ /api/.. /api/x/../ /x/../api/ /../api/ /api/%2e /%61pi/",
  ),
  ...words(
    "/api%2f /api/;x /api; /api/../api /api/index.html /favicon.ico /x /api/# /api/#x /openapi.json/ /robots.txt#",
  ),
  ...words(
    "/api/x/.. /api/x/y/../.. /api/%2E /%2E/api/ /x/%2e%2E/api/ /api/%2e%2e /api%3F/ /api/%3f /.env /__proto__ /v3/api/ /api.json /api\\ /%c3%a1pi/",
  ),
];
/** What is there once its dot segments are removed; whether a service has it, only a spec or an extension says. */
const BEYOND = "/x/../robots.txt";
const METHODS = words("HEAD OPTIONS GET POST PUT DELETE PATCH TRACE get Post FOO QUERY");

/** No rule reads the word of the run: laws look for it in the response. */
const withWord = (part: string, name: string, apply: (draft: Draft, word: string) => void) =>
  row(part, name, (draft) => apply(draft, draft.caller.canary), { always: true });

/** `paths`: those that the deployment serves next to the endpoint, as far as a spec or an extension names them. */
export const target = (paths: readonly string[]): readonly Variation[] => [
  ...[
    ...new Set([
      ...PATHS,
      ...paths.map((path) => `${path}/`),
      ...(paths.includes("/robots.txt") ? [BEYOND] : []),
      ...paths,
    ]),
  ].map((path) =>
    row("path", `path ${path}`, (draft) => {
      draft.path = path;
    }),
  ),
  row("path", "path /api with escapes in the query", (draft) => {
    draft.path = "/api";
    draft.query.push("x=%c3%a9%2F&%7e=a+b%20c&&d=/?:=;e");
  }),
  ...METHODS.map((method) =>
    row("method", `method ${method}`, (draft) => {
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
  row("method", "as the other kind of operation", (draft) => {
    const isCommand = draft.members !== null;
    const name =
      draft.members?.[0]?.[1] ?? JSON.stringify(decodeURIComponent(draft.query[0]?.slice(2) ?? ""));
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
  row("query", "1,100 parameters", (draft) => void draft.query.push(...MANY)),
  row("query", "1,100 parameters first", (draft) => void draft.query.unshift(...MANY)),
  row(
    "query",
    "what needs no escape, escaped",
    each((text) => text.replace(/[.a-e]/g, (one) => percent(one))),
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
  ...["x=~", "~", "x=~%zz", "x=~&x=~"].map((text) =>
    withWord("query", `query ?${text} for the word of the run`, (draft, word) => {
      draft.query.push(text.replaceAll("~", word));
    }),
  ),
];

/** The name of the operation (D1 to D3). */

/** Parts of a template; `~` is the right one. */
const PARTS = [
  ...words("~.md ~. -a _a a/b ../~ a 0 A_-9 x~ ~0 {name}"),
  ...["a b", "~\n", "", "é", "~\u0301", "a".repeat(64), "a".repeat(65), "a".repeat(7000)],
];

/** In the target as they are; `~` is the right name. */
const AS_WRITTEN = words("~? ~?x=1 ~= ~=x ~;x=1 ~,x ~/ ~: ~+ +~ ~%20 ~%0A ~%00 ~%26x=1");

const rename = (draft: Parameters<Change>[0], text: string) => {
  draft.members &&= draft.members.map(([one, value]) => [
    one,
    one === "@" ? JSON.stringify(text) : value,
  ]);
  draft.query = draft.query.map((one) => (nameIn(one) === "@" ? pair("@", text) : one));
};
const drop: Change = (draft) => {
  draft.query = draft.query.filter((one) => nameIn(one) !== "@");
  draft.members &&= draft.members.filter(([one]) => one !== "@");
};

const renamed = (what: string, to: (good: string) => string) =>
  row("name", `@ ${what}`, (draft) => rename(draft, to(nameOf(draft.operation, draft.input))));

function ofTemplate({ name, parts }: Operation): readonly Variation[] {
  const prefix = name.replace(/\{.*/, "");
  const [first = ""] = parts;
  const part = (what: string, of: (good: string) => string) =>
    row("name", `part ${what}`, (draft) => rename(draft, prefix + of(String(draft.input[first]))));
  return [
    renamed("without its part", () => prefix),
    renamed("without its part and the dot", () => prefix.slice(0, -1)),
    ...PARTS.map((text) => part(shown(text), (good) => text.replace("~", () => good))),
    part("~ in lower case", (good) => good.toLowerCase()),
    part("~ in capitals", (good) => good.toUpperCase()),
  ];
}

export function name(contract: Contract, operation: Operation): readonly Variation[] {
  const inBody = (what: string, value: (good: string) => string) =>
    row(
      "name",
      `@ in JSON: ${what}`,
      (draft) => {
        draft.members &&= [["@", value(nameOf(operation, draft.input))], ...draft.members.slice(1)];
      },
      { only: "POST" },
    );
  const known = Object.values(contract.operations).flatMap((one) =>
    one.pattern === null ? [one.name] : one.known,
  );
  return [
    row("name", "no @", drop),
    ...NEAR.map(([what, of]) => renamed(what, of)),
    ...["", ...NO_NAMES, ...known].map((text) => renamed(`is ${shown(text)}`, () => text)),
    ...(operation.pattern === null ? [] : ofTemplate(operation)),
    ...words("@ %40 op @@ @%00 @%5B%5D @%5B0%5D @+ %20@ %EF%BC%A0").map((text) =>
      row("name", `?${text}= for @`, (draft) => {
        drop(draft);
        draft.query.push(`${text}=${escaped(nameOf(operation, draft.input))}`);
      }),
    ),
    ...AS_WRITTEN.map((text) =>
      row("name", `@ written ${text}`, (draft) => {
        const good = escaped(nameOf(draft.operation, draft.input));
        draft.query = draft.query.map((one) =>
          nameIn(one) === "@" ? `@=${text.replace("~", () => good)}` : one,
        );
      }),
    ),
    ...words("null 1 true [] {}").map((value) => inBody(value, () => value)),
    inBody("in a list", (good) => JSON.stringify([good])),
    inBody("in an object", (good) => JSON.stringify({ name: good })),
    ...["%40", "@ ", "@@", "op", "operation", "name", ""].map((text) =>
      row(
        "name",
        `member "${text}" for @`,
        (draft) => {
          drop(draft);
          draft.members?.push([text, JSON.stringify(nameOf(operation, draft.input))]);
        },
        { only: "POST" },
      ),
    ),
    ...["no.such", ...known.slice(0, 1)].flatMap((text) => {
      const other = ["@", JSON.stringify(text)] as const;
      const options = { only: "POST", always: true } as const;
      return [
        row(
          "name",
          `@ twice, first ${text}`,
          (draft) => void draft.members?.unshift(other),
          options,
        ),
        row("name", `@ twice, then ${text}`, (draft) => void draft.members?.push(other), options),
      ];
    }),
    row(
      "name",
      "@ twice in the body",
      (draft) => void draft.members?.push(["@", JSON.stringify(nameOf(operation, draft.input))]),
      { only: "POST" },
    ),
    row(
      "name again",
      "@ again",
      (draft) => void draft.query.push(`@=${escaped(nameOf(operation, draft.input))}`),
    ),
    ...parameter("name again", ["@=", "@=x", "%40=x", "@"]),
    withWord(
      "name again",
      "@ again as the word of the run",
      (draft, word) => void draft.query.push(`@=${word}`),
    ),
  ];
}
