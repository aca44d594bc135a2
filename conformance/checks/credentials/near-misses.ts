/** A value that is almost the right one, and what was done to it. */
export type NearMiss = readonly [what: string, value: string];

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()));
const other = (character: string | undefined) => (character === "0" ? "1" : "0");

/** What can stand in a header field as well as in a query. */
export function nearMisses(value: string): readonly NearMiss[] {
  const half = Math.ceil(value.length / 2);
  const all: NearMiss[] = [
    ["without its last character", value.slice(0, -1)],
    ["without its first character", value.slice(1)],
    ["only its first half", value.slice(0, half)],
    ["only its second half", value.slice(half)],
    ["with a character more", `${value}0`],
    ["with a character before it", `x${value}`],
    ["with its first character twice", value.slice(0, 1) + value],
    ["twice over", value + value],
    ["its last character changed", value.slice(0, -1) + other(value.at(-1))],
    ["its first character changed", other(value[0]) + value.slice(1)],
    ["its middle character changed", value.slice(0, half) + other(value[half]) + value.slice(half + 1)],
    ["in upper case", value.toUpperCase()],
    ["in lower case", value.toLowerCase()],
    ["in the other case", swapCase(value)],
    ["its first letter in the other case", value.replace(/[a-z]/i, swapCase)],
    ["its last letter in the other case", value.replace(/[a-z](?=[^a-z]*$)/i, swapCase)],
    ["in quotes", `"${value}"`],
    ["with a semicolon behind it", `${value};`],
    ["with a blank within", `${value.slice(0, half)} ${value.slice(half)}`],
    ["with a star for its end", `${value.slice(0, half)}*`],
    ["with a percent sign for its end", `${value.slice(0, half)}%`],
    ["behind Bearer", `Bearer ${value}`],
    ["in base64", Buffer.from(value).toString("base64")],
    ["percent-encoded once more", escapedTwice(value)],
    ...joined(value),
  ];
  return differing(value, all);
}

const escapedTwice = (value: string) =>
  value.replace(/./gs, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`);

/** What a server finds that splits a value, as if it were a list or had a scheme. */
const joined = (value: string): readonly NearMiss[] => [
  ["first in a list", `${value},other`],
  ["last in a list", `other,${value}`],
  ["twice in a list", `${value}, ${value}`],
  ["with a word behind it", `${value} other`],
  ["with a password behind it", `${value}:other`],
  ["with another part behind it", `${value}.other`],
  ["with a pipe behind it", `${value}|other`],
  ["behind ApiKey", `ApiKey ${value}`],
  ["in single quotes", `'${value}'`],
];

/** What nothing but a server that decodes or splits a parameter once more takes for the value. */
export const unfolded = (value: string): readonly NearMiss[] =>
  differing(value, [["percent-encoded once more", escapedTwice(value)], ...joined(value)]);

/** What HTTP would strip from a header field, or not let into one. */
export function surrounded(value: string): readonly NearMiss[] {
  return differing(value, [
    ["with a blank before it", ` ${value}`],
    ["with a blank behind it", `${value} `],
    ["with a tab before it", `\t${value}`],
    ["with a tab behind it", `${value}\t`],
    ["with a line end behind it", `${value}\n`],
    ["with CR LF behind it", `${value}\r\n`],
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
}

/** Texts that are nobody's key and nobody's platform, for headers and queries. */
export const junk: readonly NearMiss[] = [
  ["a made-up word", "not-one-of-yours"],
  ["one character", "x"],
  ["a number", "0"],
  ["true", "true"],
  ["null", "null"],
  ["undefined", "undefined"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["toString", "toString"],
  ["hasOwnProperty", "hasOwnProperty"],
  ["a star", "*"],
  ["a regular expression", ".*"],
  ["SQL", "' OR '1'='1' --"],
  ["SQL that ends a statement", '"; DROP TABLE users; --'],
  ["JSON", '{"$ne":null}'],
  ["an empty list", "[]"],
  ["a list", "a,b"],
  ["a path", "../../etc/passwd"],
  ["latin-1 letters", "\u00e9\u00fc\u00df"],
];

/** For queries only. */
export const queryJunk: readonly NearMiss[] = [
  ["Cyrillic letters", "\u043a\u043b\u044e\u0447"],
  ["an astral character", "\u{1f511}"],
  ["NUL", "\0"],
  ["a line end", "a\r\nb"],
  ["one blank", " "],
];

/** Still within the limits of a head (D13). */
export const long: NearMiss = ["6,000 characters", "k".repeat(6000)];

function differing(value: string, all: readonly NearMiss[]): readonly NearMiss[] {
  const known = new Set(["", value]);
  return all.filter(([, text]) => !known.has(text) && known.add(text));
}
