/** Wrong values, each with a description. */
export type WrongValue = readonly [what: string, value: string];

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()));
const other = (character: string | undefined) => (character === "0" ? "1" : "0");
const escapedTwice = (value: string) =>
  value.replace(/./gs, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`);

/** The values that are neither empty nor equal to the right one. */
function differing(value: string, all: readonly WrongValue[]): readonly WrongValue[] {
  const known = new Set(["", value]);
  return all.filter(([, text]) => !known.has(text) && known.add(text));
}

/** Values that a careless comparison takes for the right one. */
export function lookalikes(value: string): readonly WrongValue[] {
  const half = Math.ceil(value.length / 2);
  return differing(value, [
    ["without its last character", value.slice(0, -1)],
    ["with a character more", `${value}0`],
    ["its last character changed", value.slice(0, -1) + other(value.at(-1))],
    ["in the other case", swapCase(value)],
    ["without its first character", value.slice(1)],
    ["with a character before it", `x${value}`],
    ["its first character changed", other(value[0]) + value.slice(1)],
    ["its middle character changed", value.slice(0, half) + other(value[half]) + value.slice(half + 1)],
    ["its first letter in the other case", value.replace(/[a-z]/i, swapCase)],
    ["only its first half", value.slice(0, half)],
    ["with a blank within", `${value.slice(0, half)} ${value.slice(half)}`],
    ["with a star for its end", `${value.slice(0, half)}*`],
    ["with a percent sign for its end", `${value.slice(0, half)}%`],
  ]);
}

/** Values that a server takes for the right one if it decodes once more, splits a list, or strips surrounding characters. */
export const wrapped = (value: string): readonly WrongValue[] =>
  differing(value, [
    ["percent-encoded once more", escapedTwice(value)],
    ["in base64", Buffer.from(value).toString("base64")],
    ["in quotes", `"${value}"`],
    ["in single quotes", `'${value}'`],
    ["behind Bearer", `Bearer ${value}`],
    ["behind ApiKey", `ApiKey ${value}`],
    ["first in a list", `${value},other`],
    ["last in a list", `other,${value}`],
    ["with a word behind it", `${value} other`],
    ["with a password behind it", `${value}:other`],
    ["with another part behind it", `${value}.other`],
    ["with a semicolon behind it", `${value};`],
    ["with a pipe behind it", `${value}|other`],
    ["with a version behind it", `${value}/1.0`],
    ["with a parameter behind it", `${value};v=1`],
  ]);

/** The same surrounded by characters that HTTP would strip from a header field, or not allow in one: for queries. */
export const surrounded = (value: string): readonly WrongValue[] =>
  differing(value, [
    ["with a blank before it", ` ${value}`],
    ["with a blank behind it", `${value} `],
    ["with a tab behind it", `${value}\t`],
    ["with a line end behind it", `${value}\n`],
    ["with NUL behind it", `${value}\0`],
    ["with NUL and more behind it", `${value}\0more`],
    ["with NUL before it", `\0${value}`],
    ["with a no-break space behind it", `${value}\u00a0`],
    ["with a zero-width space behind it", `${value}\u200b`],
    ["with a byte order mark before it", `\ufeff${value}`],
    ["in full-width letters", value.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))],
    ["with a combining accent behind it", `${value}\u0301`],
    ["with a plus sign behind it", `${value}+`],
  ]);

/** Spellings in a query that decode to another value: a plus sign is a blank, and only `&` ends a value, not its own `=`. */
export const spelledOtherwise = (value: string): readonly WrongValue[] => {
  const encoded = encodeURIComponent(value);
  return [`+${encoded}`, `${encoded}+`, `${encoded}=`, `${encoded}=x`, `${encoded}%26x=1`].map((text) => [
    `spelled ${text.replace(encoded, "…")}`,
    text,
  ]);
};

/** Texts that are no valid key or platform, for headers and queries. */
export const junk: readonly WrongValue[] = [
  "x",
  "0",
  "true",
  "null",
  "undefined",
  ...["__proto__", "constructor", "toString", "hasOwnProperty"],
  ...["*", ".*", "' OR '1'='1' --", '"; DROP TABLE users; --', '{"$ne":null}', "[]", "a,b", "../../etc/passwd"],
  "\u00e9\u00fc\u00df",
].map((text) => [text, text]);

/** The same, for queries only. */
export const queryJunk: readonly WrongValue[] = [
  ["Cyrillic letters", "\u043a\u043b\u044e\u0447"],
  ["an astral character", "\u{1f511}"],
  ["NUL", "\0"],
  ["a line end", "a\r\nb"],
  ["one blank", " "],
];

/** Within the limits of a head (D13). */
export const long: WrongValue = ["6,000 characters", "k".repeat(6000)];
