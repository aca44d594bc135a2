// What an input and an answer may be made of: the list. `check-forms.ts` rejects what is not in it.
import type { Type } from "@typespec/compiler";
import { FORMATS } from "./formats.ts";

const PLACES = ["query", "header", "body", "response"] as const;
export type Place = (typeof PLACES)[number];
interface Form {
  readonly places: readonly Place[];
  /** What to write where it is not supported. */
  readonly instead: string;
}

const TEXT_ONLY = "a query and a header carry text; write it in the input of a command";
const ROWS: readonly (readonly [
  names: readonly string[],
  places: readonly Place[],
  instead: string,
])[] = [
  [["string", "url", "enum", "literals", "boolean", "numbers"], PLACES, ""],
  [
    [
      "int8",
      "int16",
      "int32",
      "int64",
      "uint8",
      "uint16",
      "uint32",
      "uint64",
      "safeint",
      "integer",
    ],
    PLACES,
    "",
  ],
  [["int64 as string", "uint64 as string", "decimal as string"], PLACES, ""],
  [["float32", "float64", "float", "numeric"], PLACES, ""],
  [
    ["plainDate", "plainTime", "duration", "utcDateTime as rfc3339", "offsetDateTime as rfc3339"],
    PLACES,
    "",
  ],
  [["list of texts or integers"], PLACES, ""],
  [["list"], ["body", "response"], "a query and a header carry lists of texts or integers"],
  [["T | null", "union", "model", "Record<T>", "unknown"], ["body", "response"], TEXT_ONLY],
  [
    ["open model"],
    ["response"],
    "write ...Record<never> in it, or ...Record<T> if it takes other members",
  ],
  [["utcDateTime as rfc7231", "offsetDateTime as rfc7231"], [], 'write @encode("rfc3339") on it'],
  [["decimal", "decimal128"], [], "write @encode(string) on it"],
  [["another @encode"], [], "there is rfc3339 of a time, and string of int64, uint64 and decimal"],
  [
    ["another @format"],
    [],
    `there is ${Object.keys(FORMATS).slice(0, 6).join(", ")}; write a @pattern`,
  ],
  [["@encodedName"], [], "write the name that is sent"],
  [["exclusive bound"], [], "write @minValue or @maxValue"],
  [["@minValue of a text"], [], "write a @pattern; @minValue and @maxValue are of numbers"],
  [["default without ?"], [], "a member with a default is optional"],
  [
    ["default in a union"],
    [],
    "write the member without it, since it may be of another alternative",
  ],
  [
    ["discriminated union"],
    [],
    "write a union without the decorator, each model with a literal of its own",
  ],
  [["exploded list"], [], "a list is one value, its items separated by commas; write no explode"],
  [["@cookie"], [], "write @query or @header"],
  [["bytes", "multipart or file"], [], "write a string"],
  [["body of a query"], [], "write @query on each of its members"],
  [["bare value"], [], "write a model with it as a member, for an input with ...Record<never>"],
  [["no body"], [], "write a model, which may have no members"],
  [["range of statuses"], [], "write each status"],
  [["another status"], [], "write one of a success, from 200 on, or a Problem"],
  [["mixed enum"], [], "write members of one type"],
  [["unknown in a union"], [], "write unknown alone, since it has every value"],
  [["null", "void", "never", "tuple"], [], "write the type that it has"],
];

/** Every form, and where it is supported. */
export const FORMS: ReadonlyMap<string, Form> = new Map(
  ROWS.flatMap(([names, places, instead]) =>
    names.map((name) => [name, { places, instead }] as const),
  ),
);

/** The types that a value may have. */
export const optionsOf = (type: Type): Type[] =>
  type.kind === "Union" ? [...type.variants.values()].map((variant) => variant.type) : [type];

/** The forms of values that are written in the spec. */
export const LITERALS: ReadonlySet<string> = new Set(["numbers", "enum", "boolean", "literals"]);

/** What a type without scalars and models is in the list; empty for a union of several forms. */
export function literalForm(type: Type): string {
  if (type.kind === "Union") {
    const [form = "", ...otherForms] = new Set(optionsOf(type).map(literalForm));
    return otherForms.length > 0 ? "" : form;
  }
  if (type.kind === "Intrinsic") return type.name;
  const values = type.kind === "Enum" ? [...type.members.values()] : [type];
  const isNumber = (literal: Type) =>
    literal.kind === "Number" ||
    (literal.kind === "EnumMember" && typeof literal.value === "number");
  if (values.some(isNumber)) return values.every(isNumber) ? "numbers" : "mixed enum";
  if (type.kind === "Enum") return "enum";
  if (type.kind === "Boolean") return "boolean";
  if (type.kind === "String" || type.kind === "StringTemplate" || type.kind === "EnumMember")
    return "literals";
  return type.kind === "Tuple" ? "tuple" : "";
}

/** The list as a table of Markdown. */
export const formsTable = (): string =>
  [
    ["Form", ...PLACES, "Where it is not"],
    ["---", "---", "---", "---", "---", "---"],
    ...ROWS.map(([names, places, instead]) => [
      names.map((name) => `\`${name}\``).join(", "),
      ...PLACES.map((place) => (places.includes(place) ? "yes" : "–")),
      instead,
    ]),
  ]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");

/** Formats about how a value is stored. */
export const STORED = Object.fromEntries(
  "password decimal double float int8 int16 int32 int64 uint8 uint16 uint32 uint64"
    .split(" ")
    .map((name) => [name, true] as const),
);
