import type { ValidationError } from "../contract.ts";
import { nearestName } from "./nearest-name.ts";

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "a date and time, as 2026-01-31T12:00:00Z",
  date: "a date, as 2026-01-31",
  email: "an e-mail address such as ada@example.com; ASCII",
  uri: "an absolute URL",
  uuid: "a UUID",
};

const pluralize = (limit: unknown, noun: string): string =>
  `${limit} ${noun}${limit === 1 ? "" : "s"}`;

/** The text of each keyword of JSON Schema that an input may have, by its parameters in AJV. */
const TEXTS: Readonly<Record<string, (params: ValidationError["params"]) => string>> = {
  required: () => "is required",
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((name) => TYPES[String(name)] ?? name)
      .join(" or ")}`,
  enum: ({ allowedValues }) => `must be one of ${[allowedValues].flat().join(", ")}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: ({ limit }) => `must have at least ${pluralize(limit, "character")}`,
  maxLength: ({ limit }) => `must have at most ${pluralize(limit, "character")}`,
  minItems: ({ limit }) => `must have at least ${pluralize(limit, "item")}`,
  maxItems: ({ limit }) => `must have at most ${pluralize(limit, "item")}`,
};

type Fault = Pick<ValidationError, "keyword" | "params" | "parentSchema">;

const FORM = "the form that docs.get.reference gives for it";

/** What a value of a schema's format is, and how long it may be. */
function formatText({ format = "", maxLength }: Fault["parentSchema"] = {}): string | undefined {
  const what = FORMATS[format];
  if (!what || maxLength === undefined) return what;
  return `${what}, at most ${pluralize(maxLength, "character")}`;
}

/**
 * What is wrong with a value, without the value. `parts` of a template name are sent in the name,
 * so they are not allowed as members; members of a query are called `parameters`. Of `unknown`
 * names only known ones near to them are named.
 */
export function faultText(
  { keyword, params, parentSchema }: Fault,
  parts: readonly string[] = [],
  members: "members" | "parameters" = "members",
  unknown: readonly string[] = [],
): string {
  const what = formatText(parentSchema);
  if (keyword === "format") return `must be ${what ?? `of the format ${params.format}`}`;
  // A pattern may be narrower than the format.
  if (keyword === "pattern") return what ? `must be ${what}, in ${FORM}` : `does not have ${FORM}`;
  // The value of a union, or of an object with members of any name.
  if (keyword === "whole") return `does not have ${FORM}`;
  if (keyword !== "additionalProperties") return TEXTS[keyword]?.(params) ?? "is not valid";
  const names = Object.keys(parentSchema?.properties ?? {}).filter((name) => !parts.includes(name));
  if (names.length === 0) return `takes no ${members}`;
  const near = new Set(unknown.flatMap((name) => nearestName(name, names) ?? []));
  const guess = near.size > 0 ? `; did you mean ${[...near].join(", ")}?` : "";
  return `has ${members} that are not known; allowed are ${names.join(", ")}${guess}`;
}
