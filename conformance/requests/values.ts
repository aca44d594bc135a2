import type { Schema } from "../oracle/contract.ts";
import { shown, words } from "./draft.ts";
import { FORMATS } from "./format-values.ts";

/** Values as data: which of them are right, the oracle says. */

const otherDigit = (letter = "") => (letter === "0" ? "1" : "0");
const swap = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
const wide = (text: string) =>
  text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
export const percent = (text: string): string =>
  Buffer.from(text).toString("hex").replace(/../g, "%$&");
export const base64 = (text: string): string => Buffer.from(text).toString("base64");
const half = (text: string) => text.slice(0, Math.ceil(text.length / 2));
const otherHalf = (text: string) => text.slice(Math.ceil(text.length / 2));
const last = (text: string) => text.slice(0, -1);

/** A text made from a right one. Its name does not contain that one, but `~`. */
export type Near = readonly [name: string, of: (value: string) => string];

/** `~` is the right value. Around it: what a lax reader strips, splits or takes for a pattern. */
const AROUND = [
  ...words(
    "~0 x~ ~+ \"~\" '~' ~,x x,~ ~:x ~.x ~; ~;x ~|x ~/x ~;v=1 ~. .~ ~~ ~.json /~ ~?x=1 {~ " +
      "~%20 ~%00 ~s ~x ~[] ~[0]",
  ),
  "~ ",
  " ~",
  "~\t",
  "~\n",
  "\n~",
  "~\r\n",
  "~\0",
  "~\0x",
  "\0~",
  "~\u001f",
  "~\u00a0",
  "~\u200b",
  "\ufeff~",
  "~\u0301",
  "Bearer ~",
  "ApiKey ~",
  "~ x",
  "~\n~",
];

/**
 * A value of the same form, another in one place: a server that compares a part of it, or a hash of
 * that, takes some of them.
 */
export const ALTERED: readonly Near[] = [
  ["~ with another end", (value) => last(value) + otherDigit(value.at(-1))],
  ["~ with another beginning", (value) => otherDigit(value[0]) + value.slice(1)],
  [
    "~ with another middle",
    (value) => half(value) + otherDigit(otherHalf(value)[0]) + otherHalf(value).slice(1),
  ],
  ...[8, 16, 24, 32, 40].map(
    (index): Near => [
      `~ with another character at ${index}`,
      (value) =>
        value.slice(0, index) +
        value.slice(index, index + 1).replace(/./, (one) => otherDigit(one)) +
        value.slice(index + 1),
    ],
  ),
];

/** A way to change a value into one that a careless comparison takes for the same. */
export const NEAR: readonly Near[] = [
  ...AROUND.map((text): Near => [shown(text), (value) => text.replaceAll("~", () => value)]),
  ["~ without its end", last],
  ["~ without its beginning", (value) => value.slice(1)],
  ["half of ~", half],
  ["the other half of ~", otherHalf],
  ...ALTERED,
  ["~ in the other case", swap],
  ["~ in capitals", (value) => value.toUpperCase()],
  ["~ in lower case", (value) => value.toLowerCase()],
  ["~ with another first letter", (value) => value.replace(/[a-z]/i, swap)],
  ["~ with a capital end", (value) => last(value) + value.slice(-1).toUpperCase()],
  ["~ in two words", (value) => `${half(value)} ${otherHalf(value)}`],
  ["half of ~ and *", (value) => `${half(value)}*`],
  ["half of ~ and %", (value) => `${half(value)}%`],
  ["~ with ? at its end", (value) => `${last(value)}?`],
  ["~ escaped", percent],
  ["~ in base64", base64],
  ["~ in wide letters", wide],
  ["~ with _ for .", (value) => value.replaceAll(".", "_")],
  ["~ with - for .", (value) => value.replaceAll(".", "-")],
  ["~ with / for .", (value) => value.replaceAll(".", "/")],
  ["~ with _ for -", (value) => value.replaceAll("-", "_")],
  ["~ without -", (value) => value.replaceAll("-", "")],
  [
    "~ with a Cyrillic letter",
    (value) => value.replace(/[aeosic]/, (one) => "аеоѕіс"["aeosic".indexOf(one)] ?? one),
  ],
  ["~ up to its first dot", (value) => value.split(".")[0] ?? ""],
  ["~ from its last dot", (value) => value.split(".").at(-1) ?? ""],
];

/** Whether a field may hold what is made from a value of visible ASCII. */
export const fitsField = ([, of]: Near): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(of("Ab.c-0"));

const named = (text: string): Near => [shown(text), () => text];

/** Texts that no key, platform or name is. */
export const JUNK: readonly Near[] = [
  ...words(
    "x 0 true null undefined __proto__ constructor toString hasOwnProperty prototype * .* " +
      "[] a,b ../../etc/passwd",
  ),
  "' OR '1'='1' --",
  '{"$ne":null}',
  "éüß",
  "ключ",
  "\u{1f511}",
  "\0",
  "a\r\nb",
  "k".repeat(6000),
].map(named);

export const NO_NAMES: readonly string[] = [
  ...words(
    "no.such.operation list create help null undefined 0 -1 NaN {} [] @ . .. * % <script> " +
      "__proto__ constructor toString",
  ),
  ...words("valueOf hasOwnProperty get length then __proto__.x constructor.name"),
  "[object Object]",
  "' OR 1=1 --",
  " ",
  "\t",
  "\n",
  "\0",
  "\u00a0",
  "用户",
  "a".repeat(7500),
];

/** JSON values of each type, and those that a lenient language converts. */
export const EACH_TYPE: readonly unknown[] = [
  0,
  1,
  -1.5,
  1.5,
  true,
  false,
  null,
  [],
  {},
  "",
  "x",
  "1",
  "true",
  "a,b",
  ["Ada"],
  [1],
  [null],
  { length: 3 },
  { toString: "Ada" },
];

const BLANKS = [..." \u00a0\u1680\u2003\u2028\u2029\u202f\u3000\ufeff"];
const CLASSES = [
  ...BLANKS,
  ..."\0\u0001\u0008\t\n\u000b\r\u001b\u001f\u007f\u0080\u0085\u009f\u202a\u202e\u2066\u2069",
  "\ud800",
  "\udfff",
  "\udc00\ud800",
  ..."!~¡\u0300\u200b\u200e‐‰\u2065\u206a\ud7ff\ue000\ufffd\uffff\u{10000}\u{10ffff}",
  ..."aZ0_-.+/@%\"'<&é\u212a¨‗Ａ",
];

/**
 * Texts that a lax or a strict reader takes otherwise: of the format of a schema, and with a
 * character of each class.
 */
export const ofFormat = ({ format = "", pattern = "" }: Schema): readonly Near[] => [
  ...(FORMATS[format] ?? []).map(named),
  ...(format !== "" || pattern === "" ? [] : CLASSES).map(
    (one): Near => [`a word with ${shown(one)}`, () => `Ada${one}Lovelace`],
  ),
  ...(format !== "" || pattern === "" ? [] : BLANKS).flatMap((text): readonly Near[] => [
    [`begins with ${shown(text)}`, (good) => text + good],
    [`ends with ${shown(text)}`, (good) => good + text],
  ]),
];

/** Texts around the bounds and the pattern of a schema. */
export function texts({ minLength = 0, maxLength }: Schema): readonly Near[] {
  const bounds = [
    minLength,
    ...(maxLength === undefined ? [] : [maxLength, maxLength * 2, Math.floor(maxLength / 2)]),
  ];
  const around = bounds.flatMap((n) => [n - 1, n, n + 1]).filter((n) => n >= 0);
  const lengths = [...new Set([...around, 15_000])];
  return [
    ...["a", "é", "€", "\u{1f600}"].flatMap((text) =>
      lengths.map((n): Near => [`${shown(text)} ${n} times`, () => text.repeat(n)]),
    ),
    ...CLASSES.flatMap((characters): readonly Near[] => [
      [`${shown(characters)} before ~`, (good) => characters + good],
      [`${shown(characters)} behind ~`, (good) => good + characters],
    ]),
    ...NO_NAMES.slice(0, 20).map(named),
    ...NEAR,
  ];
}

/** The number of words that a text is made of if it has no bound, or a high one. */
const MOST_WORDS = 100;

/** A word as often as a text has no room for it. */
export const tooLong = ({ maxLength = 0 }: Schema, word: string): string =>
  word.repeat(Math.min(MOST_WORDS, Math.ceil(maxLength / word.length) + 1));

/** Numbers at the bounds of a schema, and next to them. */
export const bounds = ({ minimum, maximum }: Schema): readonly number[] => [
  ...(minimum === undefined ? [] : [minimum - 1, minimum, minimum + 1]),
  ...(maximum === undefined
    ? []
    : [Math.floor(maximum / 2), maximum - 1, maximum, maximum + 1, maximum + 2, maximum * 5]),
];

/** What some parser takes for a number, as written in a query. */
export const NUMBERS: readonly string[] = [
  ...words(
    "0 1 10 %31 1%30 -1 -0 1.5 1.0 1. .5 1e0 1E1 0x10 0b1 0o7 1n 1_0 1- +5 5+ %2B5 %205 " +
      "5%20 5%0A 5%00 %095 %C2%A05 5abc",
  ),
  ...words(
    "abc1 05 001 2147483647 2147483648 9007199254740993 1;2 1,2 ,1 %5B5%5D 5%25 NaN " +
      "Infinity null true %22 %221%22",
  ),
  ...words("%EF%BC%95 00.5 5%0A5 x"),
  "9".repeat(38),
  "",
];

/**
 * Names of members and parameters that no operation has, but for those in `known`; near to these.
 */
export function strangers(known: readonly string[]): readonly string[] {
  const all = [
    ...words(
      "unknown x _ operation version @@ %40 0 page offset callback format q debug id role " +
        "admin $ref data Data @ key platform",
    ),
    ...words(
      "x-api-key X_API_KEY XAPIKEY api_key apikey x-platform X_PLATFORM constructor " +
        "toString prototype",
    ),
    "",
    "é",
    "a b",
    ...known.flatMap((name) => NEAR.map(([, of]) => of(name))),
    ...known.flatMap((name) => [`${name[0]}-${name.slice(1)}`, name.slice(0, 3)]),
  ];
  return [...new Set(all)].filter((name) => !known.includes(name) && name !== "__proto__");
}
