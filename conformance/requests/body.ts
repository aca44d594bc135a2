import { gzipSync } from "node:zlib";
import type { Contract, Operation } from "../oracle/contract.ts";
import { addField, field, type Mutation, mutation, setField, shown, utf8, words } from "./draft.ts";
import { spellings } from "./head.ts";

/**
 * The body of a command: its media type, coding and size, its bytes, and its JSON (D6, D7, D13).
 */

const JSON_TYPE = "application/json";
const TYPES =
  `${JSON_TYPE}; charset=utf-8|${JSON_TYPE};charset="UTF-8"|APPLICATION/JSON|${JSON_TYPE} ; a=b
${JSON_TYPE}; CHARSET=Utf-8
${JSON_TYPE};  a="b;\\"c"; charset=utf-8|${JSON_TYPE};|${JSON_TYPE}; ;|${JSON_TYPE}; charset=latin1
${JSON_TYPE}; charset=utf-16
${JSON_TYPE}; charset="utf-16"|${JSON_TYPE}; charset|${JSON_TYPE};charset="
${JSON_TYPE}; charset=utf8|${JSON_TYPE}; charset=utf-80
${JSON_TYPE}; a=b; charset=latin1|text/plain|text/json|application/hal+json
application/problem+json|${JSON_TYPE}x|x${JSON_TYPE}
application/jso|${JSON_TYPE}/x|*/*|application/*|json|multipart/form-data; boundary=x|\xe9
application/x-www-form-urlencoded
${JSON_TYPE}, text/plain|text/plain, ${JSON_TYPE}|text/plain; a="${JSON_TYPE}"
text/plain;${JSON_TYPE}`.split(/[|\n]/);
/** What is in a quoted text is no parameter (RFC 9110, 5.6.4 and 5.6.6). */
const QUOTED = [
  `${JSON_TYPE}; a="x; charset=latin1"`,
  `${JSON_TYPE};\ta="\\"";\tcharset=utf-8`,
  `${JSON_TYPE}\t;charset=UTF-8`,
];
const CODINGS =
  "gzip|br|x|identity|Identity||gzip, identity|identity, gzip|identityx|xidentity|deflate".split(
    "|",
  );

const arrays = (n: number) => "[".repeat(n) + "]".repeat(n);
const objects = (n: number) => `${'{"a":'.repeat(n - 1)}{}${"}".repeat(n - 1)}`;

/**
 * Adds a list, so that the body has this many brackets that open, and commas, outside of strings
 * (D13).
 */
const withParts = (wanted: number) => (body: string) => {
  const parts = body.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/[[{,]/g)?.length ?? 0;
  return body.replace(
    /}$/,
    `,"x":${JSON.stringify(Array(Math.max(1, wanted - parts - 1)).fill(1))}}`,
  );
};

/** JSON text of a value, right or nearly. */
const LITERALS = [
  ...words(
    'NaN undefined 01 +1 .5 0x10 1e+2 1E-2 -0.0 0e0 "\\/" "\\ud83d\\ude00" "\\b\\f\\t" ' +
      '"__proto__" \'A\' "A "\\x41" [1,] {,} {"a"} 1e400 -0 "\\ud800" "\\u0000" "€\u{1f600}"',
  ),
  '"A\nB"',
  '"A\0"',
  '"}]{[\\\\"',
];
const WHOLE = [
  "",
  " ",
  "{}",
  "[]",
  "null",
  '"x"',
  "1",
  "true",
  "{",
  "\xff",
  "\0",
  "[{}]",
  utf8("é"),
];
const BEFORE = ["\xef\xbb\xbf", "\n\t ", "[", ")]}'\n", "\xa0", "\x0b", "// a\n", "data="];
const BEHIND = ["\n", "}", ",", "]", ";", "\0", "x", "//", "/**/", "{}", " null", "\xff", "\xa0"];
/** Bytes in a string that are no UTF-8, but for the first. */
const BYTES = words("c3a9 ff 80 e9 e282 c3 c0af eda080 f4908080");

/** What overflows a recursive parser, or is slow to parse. */
const DEEP: readonly (readonly [what: string, change: (body: string) => string])[] = [
  ["is deep", () => "[".repeat(60_000)],
  ["has deep lists", (all) => all.replace(/}$/, `,"x":${arrays(30_000)}}`)],
  ["has deep objects", (all) => all.replace(/}$/, `,"x":${objects(10_000)}}`)],
];

/** Strings, or what is between them: in a JSON text one follows the other. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;
/** JSON text of the same value, with whitespace wherever it may be. */
export const spaced = (text: string): string =>
  `\r\n${text.replace(TOKENS, (one) => ` \t${one}\r\n`)}`;
/**
 * The same value, with each character of a text as an escape. The bytes of UTF-8 are one character
 * each here.
 */
export const escapes = (text: string, digits: (hex: string) => string = (hex) => hex): string =>
  JSON.stringify(JSON.parse(Buffer.from(text, "latin1").toString())).replace(
    /"(?:[^"\\]|\\.)*"/g,
    (literal) => {
      const value: string = JSON.parse(literal);
      const units = Array.from({ length: value.length }, (_, index) =>
        value.charCodeAt(index).toString(16).padStart(4, "0"),
      );
      return `"${units.map((unit) => `\\u${digits(unit)}`).join("")}"`;
    },
  );
export const inCapitals = (hex: string): string => hex.toUpperCase();
/** Where the body is JSON. */
export const ofJson = (change: (text: string) => string) => (text: string) => {
  try {
    return change(text);
  } catch {
    return text;
  }
};

/** Other texts of the body. */
const REWRITTEN: readonly (readonly [what: string, change: (body: string) => string])[] = [
  ...WHOLE.map((text) => [`is ${shown(text) || "empty"}`, () => text] as const),
  ...BEFORE.map((text) => [`begins with ${shown(text)}`, (all: string) => text + all] as const),
  ...BEHIND.map((text) => [`ends with ${shown(text)}`, (all: string) => all + text] as const),
  ["with blanks everywhere", spaced],
  ["with every text escaped", ofJson((all) => escapes(all))],
  ["with every text escaped in capitals", ofJson((all) => escapes(all, inCapitals))],
  [
    "with a member again by an escape",
    (all) => all.replace(/"data"(?=:)/, '"d\\u0061ta":{},"data"'),
  ],
  ["without its end", (all) => all.slice(0, -1)],
  ["half", (all) => all.slice(0, all.length / 2)],
  ["in a list", (all) => `[${all}]`],
  ["as a string", (all) => JSON.stringify(all)],
  ["with a comma too many", (all) => all.replace(/}$/, ",}")],
  ["with ' for quotes", (all) => all.replaceAll('"', "'")],
  ["with \\u0040 for @", (all) => all.replaceAll('"@"', '"\\u0040"')],
  ["with a comment", (all) => all.replace("{", "{/**/")],
  ["in UTF-16", (all) => Buffer.from(all, "utf16le").toString("latin1")],
  ["in gzip", (all) => gzipSync(Buffer.from(all, "latin1")).toString("latin1")],
  ["with data unquoted", (all) => all.replace('"data"', "data")],
  ...BYTES.map(
    (hex) =>
      [
        `with the bytes ${hex}`,
        (all: string) => all.replace(/}$/, `,"x":"${Buffer.from(hex, "hex").toString("latin1")}"}`),
      ] as const,
  ),
];

function member(name: string, value: string, inData = false, what = shown(value)): Mutation {
  const apply = (draft: Parameters<Mutation["apply"]>[0]) =>
    void (inData ? draft.data : draft.members)?.push([name, value]);
  return mutation("bytes", `${inData ? "data" : "body"} with "${name}": ${what}`, apply, {
    only: "POST",
  });
}

/** Other spellings of the media type, right or wrong. */
const SPELLED = /^application\/json *;? *(?:charset=.*)?$/i;

export function body(
  { limits: { bodyBytes, bodyDepth, bodyParts } }: Contract,
  { method }: Operation,
): readonly Mutation[] {
  const spelling = { targets: { accepted: "http/media-type-spelling" } };
  const half = bodyDepth / 2;
  const levels = [3, half, half + 1, bodyDepth - 1, bodyDepth, bodyDepth + 1, bodyDepth + 2, 200];
  return [
    ...field(
      "Content-Type",
      [[], "", ...TYPES, ...QUOTED, [JSON_TYPE, JSON_TYPE], ["text/plain", JSON_TYPE]],
      (value) => (method === "POST" && SPELLED.test(value) ? spelling : {}),
    ),
    ...[...spellings("Content-Type"), "Content_Type"].map((as) =>
      mutation("Content-Type", `Content-Type as ${as}`, (draft) =>
        setField(draft, "Content-Type", [JSON_TYPE], as),
      ),
    ),
    mutation("Content-Type", "and Content_Type", (draft) =>
      addField(draft, "Content_Type", "text/plain"),
    ),
    ...field("Content-Encoding", CODINGS),
    ...[...spellings("Content-Encoding"), "Content_Encoding"].map((as) =>
      mutation("Content-Encoding", `${as}: gzip`, (draft) => addField(draft, as, "gzip")),
    ),
    ...[0, 1, -1, 2, -bodyBytes / 2, -bodyBytes / 2 + 1].map((n) =>
      mutation(
        "length",
        `body of the limit and ${n}`,
        (draft) => void draft.bytes.push((text) => text.padEnd(bodyBytes + n)),
      ),
    ),
    ...levels.flatMap((n) => [
      member("x", arrays(n - 1), false, `arrays on ${n} levels`),
      member("x", objects(n - 1), false, `objects on ${n} levels`),
      member("x", arrays(n - 2), true, `arrays on ${n} levels`),
    ]),
    ...[0, 1, -1, 2, bodyParts].map((n) =>
      mutation(
        "bytes",
        `parts of the limit and ${n}`,
        (draft) => void draft.bytes.push(withParts(bodyParts + n)),
      ),
    ),
    member("x", `"${"[".repeat(40)}"`, false, "a string of brackets"),
    member("x", `"\\"${"{".repeat(40)}"`, false, "a quote and braces in a string"),
    member("x", `[${Array(40).fill("[]")}]`, false, "40 empty lists"),
    ...DEEP.map(([what, change]) =>
      mutation("bytes", `body ${what}`, (draft) => void draft.bytes.push(change), {
        only: "POST",
        always: true,
      }),
    ),
    ...REWRITTEN.map(([what, change]) =>
      mutation("bytes", `body ${what}`, (draft) => void draft.bytes.push(change)),
    ),
    ...LITERALS.flatMap((value) => [member("x", utf8(value)), member("x", utf8(value), true)]),
    ...words('1 null {} {"@":"x"}').flatMap((value) => [
      member("__proto__", value),
      member("__proto__", value, true),
      member("x", `[{"__proto__":${value}}]`, true),
    ]),
    ...words("constructor prototype toString __PROTO__ __proto proto").flatMap((text) => [
      member(text, "{}"),
      member(text, '{"prototype":{}}', true),
    ]),
    ...["x:~", '"~', '"x":~', '"~":1,"~":[', '"x":"~\\z"'].map((text) =>
      mutation(
        "bytes",
        `body with ${text} for the word of the run`,
        (draft) =>
          void draft.bytes.push((all) =>
            all.replace(/}$/, `,${text.replaceAll("~", draft.caller.canary)}}`),
          ),
        { only: "POST", always: true },
      ),
    ),
    mutation(
      "bytes",
      "a body on a query",
      (draft) => void draft.bytes.push(() => '{"@":"no.such"}'),
      {
        only: "GET",
      },
    ),
  ];
}
