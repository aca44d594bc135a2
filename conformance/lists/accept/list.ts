import { wireOfLiteral } from "../../client/send.ts";
import { mediaTypesOf } from "../../oracle/contract.ts";
import type { Case, List } from "../list.ts";

/** `Accept` (D10): values that exclude, accept, or are ignored. */

const EXCLUDING = [
  ...["image/png", "image/*", "text/event-stream", "text/json", "*/*;q=0", "application/json; q=0.000"],
  ...["application/xml", "application/jsonx", "application/json-seq", "application/vnd.api+json"],
  ...["application/problem+json", "application/xml;version=1", "application/*;q=0, text/*;q=0"],
  ...["application/xml, image/png;q=0.9, text/csv;q=0.1", "text/html", "text/*", "text/plain", "text/markdown"],
  ...["application/json;q=0, */*", "application/json;q=0, application/*", "application/*;q=0, */*"],
  ...["*/*, application/json;q=0", "text/plain, application/xhtml+xml, application/xml;q=0.9"],
];
const ALLOWING = [
  ...["application/json", "APPLICATION/JSON", "Application/Json; Q=1", "application/*", "*/*"],
  ...["*/*;q=0, application/json", "application/*;q=0, application/json;q=0.1", "application/json;q=0.001"],
  ...["image/png, */*;q=0.1", "application/xml,application/json", "application/xml;q=1 , application/json;q=0.2"],
  ...[
    "text/html;q=0.5, text/markdown;q=0.6, application/json;q=0.4",
    "text/plain;q=0.9, */*;q=0.8",
    "text/*, application/json;q=0.9",
  ],
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
  `${Array.from({ length: 60 }, (_, index) => `image/x-${index}`).join(", ")}, application/json;q=0.1`,
];
const IGNORED = [
  ...["", ",", " , ", "json", "application", "application/", "/json", "/", "application//json", "application/xml/json"],
  ...["image png", "image/png, json", "json, image/png", "?", "{}", "<script>"],
  ...[
    "image/png;q=abc",
    "image/png;q=2",
    "image/png;q=-1",
    "image/png;q=0.0001",
    "image/png;q=",
    "*/*;q=",
    "image/png;q=1.001",
  ],
  ...[
    "image/png;q=+0.5",
    "image/png;q=00.5",
    "image/png;q=1e0",
    "image/png;q= 0.5",
    'image/png;q="0.5"',
    "image/png;q=.5",
    "image/png;q=0.5.",
    "image/png;q=0.5x",
  ],
  ...["application/json;version=1", "application/json; charset=utf-8", "application/json;charset=iso-8859-1"],
  ...['application/json;profile="https://example.com/a,b"', 'application/json;title="a;q=0"', "*/*;version=1"],
  ...["application/json;indent=2;q=0.5;ext=1", "application/json ; a=b ; c=d", "application/*;level=2"],
];

const SPELLED = ["Accept", "accept", "aCCEPT"];

export const accept: List = function* ({ api, operations, call, input }): Generator<Case> {
  const [first] = operations.filter(({ auth, method }) => auth && method === "GET");
  for (const [at, value] of first ? [...EXCLUDING, ...ALLOWING, ...IGNORED].entries() : [])
    if (first)
      yield [
        "answers/not-acceptable",
        call(first, { credentials: "query", headers: { [SPELLED[at % 3] ?? ""]: value } }),
      ];
  for (const operation of operations) {
    const offered = mediaTypesOf(operation);
    const none = offered.map((type) => `${type};q=0`).join(", ");
    const left = offered.flatMap((one) => [
      one,
      `${offered
        .filter((type) => type !== one)
        .map((type) => `${type};q=0`)
        .join(", ")}, */*`,
    ]);
    const excluding = [...EXCLUDING, `${none}, image/png`, `${none}, */*;q=0.0`, ...left];
    for (const [of, values] of [
      ["answers/not-acceptable", [...excluding, ...ALLOWING]],
      ["answers/accept-ignored", IGNORED],
    ] as const)
      for (const value of values) {
        const spelled = operation.id.length % 2 === 0 ? "Accept" : "accept";
        yield [of, call(operation, { headers: { [spelled]: value } })];
        if (operation.method === "GET") yield [of, call(operation, { method: "HEAD", headers: { aCCEPT: value } })];
      }
    for (const several of [
      ["image/png", "application/json"],
      ["application/json", "image/png"],
      ["image/png", "application/xml"],
    ]) {
      const request = call(operation);
      yield [
        "answers/not-acceptable",
        { ...request, fields: [...request.fields, ...several.map((value) => ["Accept", value] as const)] },
      ];
    }
    yield ["answers/not-acceptable", call(operation, { headers: { Accept: "image/png", "If-None-Match": "*" } })];
    // Valid data and no other fault: it is rejected, so it creates nothing.
    if (operation.method === "POST")
      for (const value of ["image/png", "text/html", "*/*;q=0"])
        yield ["answers/not-acceptable", call(operation, { input: input(operation), accept: value })];
  }
  for (const value of [
    ...ALLOWING.slice(0, 6),
    "text/html",
    "application/json, text/html;q=0.5",
    "text/html, application/json;q=0.5",
    "image/png",
  ])
    for (const method of ["GET", "HEAD"])
      yield ["answers/accept-ignored", wireOfLiteral(api, { method, target: "/", headers: [["Accept", value]] })];
};
