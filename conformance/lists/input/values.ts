import type { Schema } from "../../oracle/contract.ts";

/**
 * Values around a schema: both sides of every bound, every JSON type, every class of characters. The oracle decides which are
 * valid.
 */

/** In JSON, values of each type, and values that a lenient language would convert. */
export const EACH_TYPE: readonly unknown[] = [
  ...[0, 1, 12345, -1.5, 1.5, true, false, null, [], {}, "", "x", "1", "true", "a,b"],
  ...[["Ada"], [1], [null], [["a"]], [1.5], { toString: "Ada" }, { length: 3 }, { 0: "a", length: 1 }],
];

/** White space as defined by ECMAScript. */
export const BLANKS = [..." \u00a0\u1680\u2000\u2003\u2007\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"];
const CONTROLS = [..."\u0000\u0001\u0008\t\n\u000b\f\r\u001b\u001f\u007f\u0080\u0085\u009f"];
const BIDIRECTIONAL = [..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"];
const SURROGATES = ["\ud800", "\udbff", "\udc00", "\udfff", "\udc00\ud800", "\ud800\ud800\udc00", "\ud83d \ude00"];
/** Just outside the ranges above, and other characters that are not letters. */
const NEIGHBOURS = [
  ..."\u0021\u007e\u00a1\u00ad\u0300\u200b\u200c\u200d\u200e\u200f\u2010\u2027\u202f\u2030\u2060\u2065\u206a\u206f",
  ..."\ud7ff\ue000\ufdd0\ufffd\ufffe\uffff\u{10000}\u{1f600}\u{e0001}\u{10ffff}\u180e\u00a8\u2017",
];
const CLASSES = [...BLANKS, ...CONTROLS, ...BIDIRECTIONAL, ...SURROGATES, ...NEIGHBOURS, ..."aZ0_-.+/@%\"'<&\u00e9"];

/** One to four bytes in UTF-8, one or two units in UTF-16. */
const LETTERS = ["a", "\u00e9", "\u20ac", "\u{1f600}"];

/** Texts that a lax reader takes for something else. */
const WORDS = [
  ..."0 -1 1e5 null undefined true false NaN [] {} __proto__ constructor <script>x()</script>".split(" "),
  ...["' UNION SELECT 1 --", "../../etc/passwd", "{{7*7}}", "a@b", "https://a.example/", "\u212a", "\uff21da"],
];

/** Texts around the bounds and patterns of a schema; `good` is a valid one. */
export function textsOf({ minLength = 0, maxLength }: Schema, good: string): readonly string[] {
  const bounds = [minLength, ...(maxLength === undefined ? [] : [maxLength])];
  const lengths = bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).filter((length) => length >= 0);
  const further =
    maxLength === undefined ? [] : [Math.floor(maxLength / 2), maxLength + 2, maxLength * 2, 1000, 60_000];
  return [
    ...LETTERS.flatMap((letter) => [...lengths, 2, 20].map((length) => letter.repeat(length))),
    ...further.map((length) => "a".repeat(length)),
    ...(maxLength === undefined ? [] : ["e\u0301".repeat(maxLength / 2), `${"e\u0301".repeat(maxLength / 2)}a`]),
    ...CLASSES.flatMap((one) => [`Ada${one}Lovelace`, `${one}Ada`, `Ada${one}`, `${one}${good}`, `${good}${one}`]),
    ...["\r\n", "  ", "\n\n", "\u200b\u2060\u180e"].flatMap((one) => [`${one}Ada`, `Ada${one}`, one]),
    ...WORDS,
    ...[`${good}\n${good}`, `"${good}"`, good.toUpperCase(), good.slice(0, -1), good.slice(1)],
  ];
}

/**
 * Other spellings of `good`: with blanks, control characters or quotes around it, on two lines, in other letters. None of them
 * names another record, even if a server strips or converts them.
 */
export const spellingsOf = (good: string): readonly string[] => [
  ...[...BLANKS, ...CONTROLS].flatMap((one) => [one + good, good + one]),
  ...[`${good}\n${good}`, `${good}\r\n`, `"${good}"`, `'${good}'`, `{${good}}`],
  ...[good.toUpperCase(), good.toLowerCase()],
  good.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
];

/** Texts in a query that some parser takes for a number, as written there. */
export const NUMBERS: readonly string[] = [
  ..."0 1 9 10 %31 1%30 -1 -0 -01 -9007199254740991 -9007199254740993 1.5 1.0 1. .5 1e0 1e2 1E1 0x10 0x1 0b1 0o7 1n 1L 1_0 --1 1- +5 5+ %2B5 %205 5%20".split(
    " ",
  ),
  ..."5%0A 5%00 %095 %C2%A05 5%E2%80%8B %EF%BB%BF5 abc 5abc abc1 ten 05 00 001 01 2147483647 2147483648".split(" "),
  ..."4294967297 9007199254740991 9007199254740993 18446744073709551617 5%25 1;2 1,2 1,2,3 1,,2 ,1 %5B5%5D %7B%7D".split(
    " ",
  ),
  ..."99999999999999999999999999999999999999 NaN Infinity null undefined true false %22 %221%22 %EF%BC%95 %D9%A5".split(
    " ",
  ),
  ..."%C2%B9 %C2%BD -0.5 0.5 1.25 00.5 1e-2 TRUE True yes 0 1".split(" "),
  "",
];

/** The neighbours of a number's bounds. */
export const boundsOf = ({ minimum, maximum }: Schema): readonly number[] => [
  ...(minimum === undefined ? [] : [minimum - 1, minimum, minimum + 1]),
  ...(maximum === undefined
    ? []
    : [Math.floor(maximum / 2), maximum - 1, maximum, maximum + 1, maximum + 2, maximum * 5]),
];

/** Names that a careless look-up finds in any object. */
const PROTOTYPE = "constructor toString valueOf hasOwnProperty __defineGetter__ prototype".split(" ");
/** Names that no operation has: those of other interfaces, and those that an attacker would like to set. */
const STRANGERS = [
  ...["unknown", "x", "_", "operation", "version", "@@", "%40", "0", "a b", "\u00e9", "page", "offset", ""],
  ...["callback", "format", "q", "sort", "fields", "debug", "utm_source", "Idempotency-Key", "X-Request-Id"],
  ..."id createdAt created_at role admin input $ref @type Data DATA @".split(" "),
  ...["x-api-key", "x-platform", "X_API_KEY", "X-API-Key", "api_key", "key", "platform", "X-PLATFORM "],
];
/** A name, and what a lax reader would take for it. */
const nearMisses = (name: string) => [
  ...[name.toUpperCase(), `${name[0]?.toUpperCase()}${name.slice(1)}`, ` ${name}`, `${name} `, `${name}s`],
  ...[name.slice(0, -1), `${name}[]`, `${name}[0]`, `${name}.`, `_${name}`, `${name}\u0000`, name.slice(0, 3)],
  ...[`${name[0]}-${name.slice(1)}`, `${name[0]}_${name.slice(1)}`],
];

/** Names that are unknown to an operation with these members. */
export const strangersTo = (known: readonly string[], others: readonly string[]): readonly string[] => {
  const all = [...STRANGERS, ...others, ...PROTOTYPE, ...known.flatMap(nearMisses)];
  return [...new Set(all)].filter((name) => !known.includes(name) && name !== "__proto__");
};
