import { every, simplest } from "../../client/operation.ts";
import type { Operation } from "../../oracle/contract.ts";

/** Names of operations, right and wrong (D1, D3). */

const OTHER = simplest.name;
/** A name of several words, and the part before its first dot. */
const DOTTED = every.find(({ id, pattern }) => id.includes(".") && pattern === null)?.id ?? "a.b";
/** The prefixes of templated names. */
export const PREFIXES = every.flatMap(({ name, pattern }) =>
  pattern === null ? [] : [name.slice(0, name.indexOf("{"))],
);
export const RESOURCE = DOTTED.split(".", 1)[0] ?? "";

const title = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0));

/** Cyrillic letters that look like the Latin ones. */
const LOOKALIKES = new Map(
  [..."aeosic"].map((letter, index) => [letter, "\u0430\u0435\u043e\u0455\u0456\u0441"[index]]),
);

/** Characters around a name; `~` is the name. */
const AROUND = [
  ...[" ~", "~ ", " ~ ", "\t~", "~\t", "~\u00a0", "~x", "x~", "~~", "~.~"],
  ...["~.", ".~", "~..", "~.x", "x.~", "~.json", "./~", "/~", "~/", "~;", "~?x=1"],
  ...[`~,${OTHER}`, `${OTHER},~`, `~;${OTHER}`, `~|${OTHER}`, '["~"]', '"~"', "'~'", "Bearer ~", "{~"],
  ...["^~$", "(~)", "/~/", ".*", "*", "null", "undefined"],
  ...["~\u0000", "\u0000~", "~\u0000x", "~\n", "~\r\n", "\n~", "~\u001f", "~\u007f", "~\u0085"],
  ...["~\u200b", "\ufeff~", "~\u0301", "\u202e~", "~\ufe0f", "~%20", "~%00", "~+"],
];

const changed = (name: string): readonly string[] => [
  ...[name.toUpperCase(), name.toLowerCase(), title(name), name.split(".").map(title).join(".")],
  ...[name.slice(0, -1) + name.slice(-1).toUpperCase(), name.replace(".", " . "), name.replace(".", " ")],
  ...[name.slice(0, -1), name.slice(1), ...name.split("."), name.split(".").reverse().join(".")],
  ...[name.replace(".", ".."), ...[..."/-_:x\\\u2024", ""].map((mark) => name.replaceAll(".", mark))],
  ...[...[..."?_%"].map((any) => name.slice(0, -1) + any), `${name.slice(0, 3)}*`],
  ...[fullWidth(name), name.replace(/[aeosic]/, (letter) => LOOKALIKES.get(letter) ?? letter)],
  ...[name.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
  ...["&#x75;", "\\u0075"].map((first) => first + name.slice(1)),
  ...[name.slice(0, Math.ceil(name.length / 2)), `${name.slice(0, -1)}~`, Buffer.from(name).toString("base64")],
];

/** Spellings similar to this name. */
export const nearly = (name: string): readonly string[] => [
  ...new Set(
    [...AROUND.map((text) => text.replaceAll("~", () => name)), ...changed(name)].filter((one) => one !== name),
  ),
];

/**
 * Values for a part of a templated name, `~` is the part of the example: empty, several parts, and values that the part does not
 * allow.
 */
const PARTS = [
  ...["", "a.b", "~.md", "~.", ".~", "-a", "_a", "a b", "a/b", "../~", "~\n", "~\u0000", "\u00e9", "*", "{name}"],
  ...[
    "%2e%2e",
    "a",
    "0",
    "a".repeat(64),
    "a".repeat(65),
    "~\u0301",
    "a-",
    "A_-9",
    "x~",
    "~x",
    "~0",
    "~~",
    "0~",
    "null",
    "undefined",
    "constructor",
    "hasOwnProperty",
    "TkVYVA",
  ],
];

/** Names similar to a templated name. */
export function partsOf({ name, example, parts }: Operation): readonly string[] {
  const prefix = name.slice(0, name.indexOf("{"));
  const part = String(example[parts[0] ?? ""]);
  return [prefix.slice(0, -1), ...PARTS.map((text) => prefix + text.replace("~", () => part))];
}

const words = (text: string) => text.split(" ");

/** Names that no operation has. */
export const UNKNOWN: readonly string[] = [
  ...["", ".delete", ".none", ".update", "s.list", ".list.all", ".delete.README"].map((text) => RESOURCE + text),
  ...words("no.such.operation list create health admin help system.listMethods keys.list"),
  ...words("null undefined true false 0 1 -1 NaN {} [] default"),
  ...[..."@./\\*%&=?#'\"", "[object Object]", ...words("... .. <script> {{7*7}} ../../etc/passwd"), "' OR 1=1 --"],
  ...[..." \t\n\u0000\u00a0\u3000\u200b\ufeff", "  "],
  ...[`\u00fc${DOTTED}`, "\u7528\u6237", "e\u0301", ..."\u{1f600}\u202e\u0661\ufffd\u{10ffff}"],
  ...[
    "a".repeat(7_500),
    DOTTED.repeat(600),
    ".".repeat(7_000),
    ...PREFIXES.map((prefix) => prefix + "a".repeat(7_000)),
  ],
];

/** Members that every JavaScript object has, and those of a map or an array. */
export const INHERITED: readonly string[] = [
  ...words("constructor __proto__ prototype toString toLocaleString valueOf hasOwnProperty isPrototypeOf"),
  ...words("propertyIsEnumerable __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ get has size"),
  ...words("length then toJSON constructor.name constructor.prototype"),
  ...[
    `__proto__.${OTHER}`,
    `${RESOURCE}.constructor`,
    `${RESOURCE}.__proto__`,
    ...PREFIXES.map((prefix) => `${prefix}__proto__`),
  ],
];

/** A name followed by what another parser would end it at, as written in a query. */
export const notCut = (name: string): readonly string[] => [
  ...[`=${name}`, `;${name}`, `?${name}`],
  ...words("= =x == ? ?x=1 ; ;x=1 / : ,x ! () * ~ $").map((more) => name + more),
];

/** Parameters that a lax reader takes for `@`. */
export const NEARLY_AT: readonly string[] = [
  ...["@@", "a@", "@a", "@%20", "%20@", "@+", "%2540", "@%5B%5D", "@%5B0%5D", "@%00", "%EF%BC%A0", "&commat;"],
  ...["op", "operation", "x;@", "limit=1;@", "x?@"],
];

/** The same for members. */
export const NEARLY_MEMBERS: readonly string[] = [
  ...["%40", "@ ", " @", "@@", "\uff20", "\u0000@", "op", "operation", "method", "action", "name", ""],
];
