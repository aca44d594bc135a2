import { type Contract, resolve, type Schema } from "../oracle/contract.ts";
import { isFree } from "../oracle/keywords.ts";
import {
  BY_BYTES,
  CHARACTERS,
  EDGES,
  GROWING,
  OTHER_TYPES,
  PIECES,
  REPLACED,
  UNSEEN,
} from "./characters.ts";
import { FORMATS, labels } from "./format-values.ts";

/** Right values of a text, by the classes that follow from its schema. */

/** As few right texts as hold all the pieces that one may hold. */
function packed(pieces: Iterable<string>, isRight: (text: string) => boolean): readonly string[] {
  const texts: string[] = [];
  for (const piece of pieces) {
    // A character may be right only within a text.
    const [last = "", alone] = [texts.at(-1), `x${piece}x`];
    if (last !== "" && isRight(last + alone.slice(1)))
      texts[texts.length - 1] = last + alone.slice(1);
    else if (isRight(alone)) texts.push(alone);
  }
  return texts;
}

/** Every edge that a text may have, at its beginning or at its end. */
function edged(isRight: (text: string) => boolean): readonly string[] {
  const some = EDGES.filter((one) => isRight(`${one}x${one}`));
  return some.flatMap((one, at) => (at % 2 === 0 ? [`${one}x${some[at + 1] ?? one}`] : []));
}

/**
 * The lengths of a text at the bounds of its schema, in code points, and what they are of: at the
 * bounds each.
 */
function lengthsOf({
  minLength = 0,
  maxLength,
}: Schema): readonly (readonly [length: number, units: readonly string[]])[] {
  const units = [...BY_BYTES, GROWING];
  const ends = units.slice(0, 1).concat(BY_BYTES.slice(-1));
  const most =
    maxLength === undefined ? [] : [[maxLength - 1, ends] as const, [maxLength, units] as const];
  return [[minLength, units] as const, [minLength + 1, ends] as const, ...most].filter(
    ([length]) => length > 0,
  );
}

/** Borders of the classes of characters that patterns usually admit. */
const BORDERS = [..."09azAZ_-. "];
/** A repetition without an end is tried so often. */
const MOST_REPEATED = 100;

/**
 * From a right text, others: each place has each border that it may have; then as short, and as
 * long, as its parts may be.
 */
function aroundOf(example: string, isRight: (text: string) => boolean): readonly string[] {
  const characters = [...example];
  const ofPlaces = characters.map((_, at) =>
    BORDERS.filter((one) => isRight(characters.with(at, one).join(""))),
  );
  const most = Math.max(0, ...ofPlaces.map(({ length }) => length));
  const spelled = Array.from({ length: most }, (_, nth) =>
    characters.map((one, at) => ofPlaces[at]?.[nth % ofPlaces[at].length] ?? one).join(""),
  );
  const places = characters.map((_, at) => at).reverse();
  const shortest = places.reduce((text, index) => {
    const shorter = text.toSpliced(index, 1);
    return isRight(shorter.join("")) ? shorter : text;
  }, characters);
  const longest = places.reduce((text, at) => {
    const [character = ""] = text.slice(at);
    const repeated = Array.from({ length: MOST_REPEATED }, (_, n) =>
      text.toSpliced(at, 0, ...character.repeat(n)),
    );
    return repeated.findLast((longer) => isRight(longer.join(""))) ?? text;
  }, characters);
  return [...spelled, shortest.join(""), longest.join("")].filter(isRight);
}

function textsOf(
  schema: Schema,
  example: string,
  isRight: (text: string) => boolean,
): readonly string[] {
  const characters = packed([...CHARACTERS, ...UNSEEN], isRight);
  const atBounds = lengthsOf(schema).flatMap(([length, units]) =>
    units.map((unit) => [...unit.repeat(length)].slice(0, length).join("")),
  );
  return [
    ...[""].filter(isRight),
    ...characters,
    ...packed([...PIECES, ...REPLACED], isRight),
    ...edged(isRight),
    ...(FORMATS[schema.format ?? ""] ?? []).filter(isRight),
    ...OTHER_TYPES.filter(isRight),
    ...atBounds.filter(isRight),
    // A text that takes any character has all of these already.
    ...(characters.length > 0 ? [] : aroundOf(example, isRight)),
  ];
}

/** Both ends of the bounds of a number, and of what every language has exactly. */
const numbersOf = ({ minimum, maximum }: Schema): readonly number[] => [
  ...(minimum === undefined ? [] : [minimum, minimum + 1]),
  ...(maximum === undefined ? [] : [maximum - 1, maximum]),
  0,
  -1,
  0.1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
];

/** Free JSON, of which a careless store changes something. */
const FREE_VALUES: readonly unknown[] = [
  { a: null, b: [null, 1.5, { "": [] }], "c/d~e": {} },
  ["1", 1, true, [[]], {}, null],
  "2026-01-31T12:00:00Z",
  " \u0000\u{1f600}\\u0041\"' ",
  "",
  "1",
  1e21,
  -0.1,
  0,
  Number.MAX_SAFE_INTEGER,
  false,
  [],
  {},
];

/** The name of a member in an object that takes any. */
const FURTHER = "further";

/** Objects (or lists of them) in which each member has its next value in turn. */
function insideOf(
  contract: Contract,
  { properties = {}, items, additionalProperties }: Schema,
  example: object,
  isRight: (value: unknown) => boolean,
): readonly unknown[] {
  if (Array.isArray(example)) {
    const [first] = example;
    if (!items || first === undefined) return [];
    return valuesOf(contract, items, first, (one) => isRight([one])).map((one) => [one]);
  }
  const further =
    typeof additionalProperties === "object"
      ? { [FURTHER]: simpleValue(contract, additionalProperties) }
      : {};
  const members = Object.entries({ ...further, ...example }).flatMap(([name, value]) => {
    const schema = properties[name] ?? additionalProperties;
    if (typeof schema !== "object") return [];
    return [
      [
        name,
        valuesOf(contract, schema, value, (one) => isRight({ ...example, [name]: one })),
      ] as const,
    ];
  });
  const most = Math.max(0, ...members.map(([, values]) => values.length));
  return Array.from({ length: most }, (_, nth) => ({
    ...example,
    ...Object.fromEntries(
      members.flatMap(([name, all]) => (all.length > 0 ? [[name, all[nth % all.length]]] : [])),
    ),
  }));
}

/** A value of a schema, for a member of which the contract has no example. */
export function simpleValue(contract: Contract, given: Schema): unknown {
  const schema = resolve(contract, given);
  const [first] = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
  if (first) return simpleValue(contract, first);
  const { type, format, enum: values, minimum = 1, minLength = 1 } = schema;
  const { properties = {}, required = [] } = schema;
  if (values) return values[0];
  if (schema.const !== undefined) return schema.const;
  if (format === "date-time") return "2026-01-31T12:00:00.000Z";
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (type === "object")
    return Object.fromEntries(
      required.map((name) => [name, simpleValue(contract, properties[name] ?? {})]),
    );
  if (type === "integer" || type === "number") return minimum;
  return "Text".padEnd(minLength, "x");
}

/**
 * Values that a right deployment takes, and returns as they are: the example, and one for each
 * class that the schema has room for.
 */
export function valuesOf(
  contract: Contract,
  given: Schema,
  example: unknown,
  isRight: (value: unknown) => boolean,
): readonly unknown[] {
  const schema = resolve(contract, given);
  const ofType = () => {
    if (isFree(schema)) return FREE_VALUES;
    if (typeof example === "string")
      return [...(schema.enum ?? []), ...textsOf(schema, example, isRight)];
    if (typeof example === "number") return numbersOf(schema);
    if (typeof example === "object" && example !== null)
      return insideOf(contract, schema, example, isRight);
    return typeof example === "boolean" ? [true, false] : [];
  };
  const all = new Map([example, ...ofType(), null].map((one) => [JSON.stringify(one), one]));
  return [...all.values()].filter(isRight);
}

const LONGEST_LOCAL_PART = 64;
const LONGEST_ADDRESS = 254;

/**
 * Forms of an e-mail address that keep what names the run, and its domain. Each has a letter whose
 * case languages differ about.
 */
export function addressesOf(
  address: string,
  isRight: (text: string) => boolean,
): readonly string[] {
  const [local = "", domain = ""] = address.split("@");
  const room = LONGEST_ADDRESS - address.length - 1;
  const before = [
    "Mixed.CASE-",
    "i!#$%&'*/=?^_`{|}~-",
    ".i..%41%2B",
    "0-i+tag+",
    "i".repeat(LONGEST_LOCAL_PART - local.length),
  ];
  const between = [
    labels(room).replaceAll("a", "i"),
    "i.1.2.3.4",
    "xn--bcher-kva.i3---sn",
    "Mail-1.CO",
  ];
  const all = [
    ...before.map((text) => `${text}${address}`),
    ...between.map((text) => `${local}@${text}.${domain}`),
    `i${local}.@${domain}`,
  ];
  return all.filter(isRight);
}
