import { gzipSync } from "node:zlib";
import { lookalikes, spelledOtherwise, surrounded, wrapped } from "../lists/credentials/values.ts";
import { INHERITED, nearly, partsOf, UNKNOWN } from "../lists/dispatch/names.ts";
import type { Asking } from "../lists/list.ts";
import type { Contract, Operation } from "../oracle/contract.ts";
import { CREDENTIALS, KEY, PLATFORM } from "../oracle/reading.ts";
import { type Draft, nameIn, pairOf, type Twist, utf8 } from "./draft.ts";
import { field, fields, isField, withoutField } from "./fields.ts";

/** Variations of a request, in any combination. In each group the simplest comes first: a finding shrinks towards it. */

const words = (text: string) => text.split(" ");
const query = (draft: Draft): string[] => {
  draft.query ??= [];
  return draft.query;
};
const eachPair =
  (change: (pair: string) => string): Twist =>
  (draft) => {
    draft.query = draft.query?.map(change) ?? null;
  };
const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const halves = (pair: string, change: (text: string) => string) =>
  pair
    .split("=")
    .map((half) => change(half))
    .join("=");

/** The name of the operation: another one, nearly one, none, several, in the wrong place. */
export function names(asking: Asking, operation: Operation): readonly (readonly Twist[])[] {
  const others = asking.operations.flatMap((one) => (one.pattern === null ? [one.name] : one.known));
  const rename =
    (name: string): Twist =>
    (draft) => {
      draft.members = draft.members.map(([one, value]) => [one, one === "@" ? JSON.stringify(name) : value]);
      draft.query = draft.query?.map((pair) => (nameIn(pair) === "@" ? pairOf("@", name) : pair)) ?? null;
    };
  const twice: readonly Twist[] = [
    (draft) => query(draft).push(pairOf("@", draft.name)),
    (draft) => query(draft).push(pairOf("@", "")),
    (draft) => draft.members.push(["@", JSON.stringify(draft.name)]),
    (draft) => draft.members.unshift(["@", "null"]),
  ];
  const none: readonly Twist[] = [
    (draft) => {
      draft.query = draft.query?.filter((pair) => nameIn(pair) !== "@") ?? null;
      draft.members = draft.members.filter(([one]) => one !== "@");
    },
    (draft) => {
      draft.hasBody = true;
    },
    (draft) => {
      draft.members = [["@", "1"]];
    },
  ];
  const template = operation.pattern === null ? [] : partsOf(operation);
  const near = [...others, ...template, ...nearly(operation.name), ...UNKNOWN, ...INHERITED];
  return [[rename(""), ...none, ...twice], near.map(rename)];
}

/** Key and platform: in another place, in both places, missing, repeated, and nearly right values. */
export function credentials({ api }: Asking): readonly (readonly Twist[])[] {
  const { full, special } = api.credentials;
  const whole = Object.values({ full, ...special }).map(({ key, platform }): Twist => {
    return (draft) => {
      for (const name of CREDENTIALS) field(name, name === KEY ? key : platform)(draft);
    };
  });
  const put =
    (name: string, inHeader: readonly string[], inQuery: readonly string[], header = name): Twist =>
    (draft) => {
      withoutField(draft, name);
      draft.headers.push(...inHeader.map((one) => [header, one] as const));
      if (inQuery.length > 0) query(draft).push(...inQuery.map((one) => pairOf(name, one)));
    };
  const values = [[KEY, full.key] as const, [PLATFORM, full.platform] as const];
  const places = values.flatMap(([name, value]) => [
    ...[put(name, [], []), put(name, [], [value]), put(name, [value], [value]), put(name, [""], [value])],
    ...[put(name, [value], [""]), put(name, [""], []), put(name, ["x"], [value]), put(name, [value], ["x"])],
    ...[put(name, [value, value], []), put(name, [], [value, value]), put(name, ["x"], ["x"])],
    ...[put(name, [value], [], name.toLowerCase()), put(name, [value], [], name.toUpperCase())],
    put(name, [` \t${value}  `], []),
  ]);
  const wrong = values.flatMap(([name, value]) => [
    ...[...lookalikes(value), ...wrapped(value)].flatMap(([, text]) => [
      ...(isField(text) ? [put(name, [text], [])] : []),
      put(name, [], [text]),
    ]),
    ...surrounded(value).map(([, text]) => put(name, [], [text])),
    ...spelledOtherwise(value).map(([, text]): Twist => {
      return (draft) => query(draft).push(`${name}=${text}`);
    }),
  ]);
  const inQuery: Twist = (draft) => {
    for (const [name, value] of values) put(name, [], [value])(draft);
  };
  return [[inQuery, ...whole], places, wrong];
}

/** How the query is written. */
export const queries: readonly Twist[] = [
  (draft) => draft.query?.reverse(),
  eachPair((pair) => pair.replace(/^@/, "%40")),
  (draft) => query(draft).push(""),
  (draft) => query(draft).unshift("", ""),
  eachPair((pair) => halves(pair, (half) => percent(decoded(half)))),
  eachPair((pair) => halves(pair, (half) => percent(decoded(half)).toUpperCase())),
  eachPair((pair) => pair.replaceAll("%20", "+")),
  eachPair((pair) => halves(pair, encodeURIComponent)),
  eachPair((pair) => `${pair}+`),
  eachPair((pair) => `${pair}%20`),
  ...[
    ..."% %z %zz %f %ff %c3 %c0%af %ed%a0%80 %00 + = =x x x= a=b;c=d [] x[]=1 __proto__=1 &".split(" "),
    "\xe9=1",
  ].map(
    (piece): Twist =>
      (draft) =>
        query(draft).push(piece),
  ),
];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const bodied = (change: (bytes: string) => string): Twist => {
  return (draft) => void draft.bodies.push(change);
};
const padded = (length: number) => bodied((bytes) => bytes.padEnd(length, " "));
const deep = (levels: number): Twist => {
  // The body itself is one level.
  return (draft) => draft.members.push(["x", "[".repeat(levels - 1) + "]".repeat(levels - 1)]);
};
const wide = (parts: number): Twist => {
  return (draft) => draft.members.push(["x", `[0${",0".repeat(parts)}]`]);
};

/** The bytes of the body, and its declared type and length. */
export const sizes = ({ limits }: Contract): readonly Twist[] => [
  ...[0, -1, 1, -1000].map((more) => padded(limits.bodyBytes + more)),
  ...[0, -1, 1].map((more) => deep(limits.bodyDepth + more)),
  ...[0, -10].map((more) => wide(limits.bodyParts + more)),
];
export const bodies: readonly Twist[] = [
  ...["", " ", "{}", "[]", "null", '"x"', "1", "{", "\xff", utf8("\u00e9")].map((text) => bodied(() => text)),
  ...["\xef\xbb\xbf", "\n\t ", "[", ")]}'\n", "\xa0"].map((before) => bodied((bytes) => before + bytes)),
  ...["\n", "}", ",", "\0", "x", "//", "{}"].map((after) => bodied((bytes) => bytes + after)),
  bodied((bytes) => bytes.slice(0, -1)),
  bodied((bytes) => `[${bytes}]`),
  bodied((bytes) => bytes.replace(/}$/, ",}")),
  bodied((bytes) => bytes.replaceAll('"@"', '"\\u0040"')),
  bodied((bytes) => bytes.replace('"data"', '"\\u0064ata"')),
  bodied((bytes) => bytes.replaceAll('"', "'")),
  bodied((bytes) => bytes.replace(/:"(?=[^@"])/, ':"\xff')),
  bodied((bytes) => Buffer.from(bytes, "utf16le").toString("latin1")),
  bodied((bytes) => gzipSync(Buffer.from(bytes, "latin1")).toString("latin1")),
];

const JSON_TYPE = "application/json";
export const mediaTypes: readonly Twist[] = [
  field("Content-Type"),
  ...fields(
    "Content-Type",
    `${JSON_TYPE}; charset=utf-8|${JSON_TYPE};charset="UTF-8"|APPLICATION/JSON|${JSON_TYPE} ; a=b`,
  ),
  ...fields(
    "Content-Type",
    `${JSON_TYPE}; charset=latin1|${JSON_TYPE}; charset=utf-16|${JSON_TYPE}; charset|${JSON_TYPE};`,
  ),
  ...fields(
    "Content-Type",
    `text/plain|text/json|application/hal+json|application/jsonx|*/*||json|multipart/form-data|\xe9`,
  ),
  ...fields("Content-Type", `application/x-www-form-urlencoded|${JSON_TYPE}, text/plain|text/plain; a="${JSON_TYPE}"`),
  field("Content-Type", JSON_TYPE, JSON_TYPE),
  field("Content-Type", "text/plain", JSON_TYPE),
  ...fields("Content-Encoding", "identity|gzip|br|Identity|gzip, identity||x"),
];

const method = (name: string): Twist => {
  return (draft) => {
    draft.method = name;
  };
};
/** HEAD and the operation's own method are frequent: most of their defects are in combinations. */
export const methods: readonly Twist[] = [
  ...words("HEAD HEAD HEAD OPTIONS GET POST PUT DELETE PATCH TRACE get Post head FOO PROPFIND QUERY").map(method),
];

export const paths = (files: readonly string[]): readonly Twist[] =>
  [
    ...words("/api / /api/x /api// //api/ /API/ /Api/ /api/. /./api/ /api/.. /api/x/../ /x/../api/ /../api/"),
    ...words("/api/%2e /%61pi/ /api%2f /api/;x /api; /api/index.html /favicon.ico /x /\xe9 /api/# /api/#x *"),
    ...files,
  ].map((path): Twist => {
    return (draft) => {
      draft.path = path;
    };
  });
