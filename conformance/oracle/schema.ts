import { isDeepStrictEqual } from "node:util";
import { type Operation, resolve, type Schema, type Schemas, type TypeName } from "./contract.ts";
import { DecisionPoints } from "./decision-points.ts";
import { formOf, isOnCalendar } from "./formats.ts";
import { isRead, patternOf, unreadKeywords } from "./keywords.ts";
import { fragmentOf } from "./pointer.ts";
import { chosenOf } from "./unions.ts";

/**
 * Reads the JSON Schema features that a contract uses: the faults of an input, and where they are.
 */

export interface Fault {
  /** A JSON pointer as a URI fragment (`#/data/email`), or the name of a query parameter. */
  readonly place: string;
  /** Member and keyword: `name maxLength`. The spec may define which requirement it belongs to. */
  readonly rule: string;
  /** The requirement that it belongs to otherwise. */
  readonly general: string;
  /** Names of unknown members. */
  readonly strangers?: readonly string[];
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<TypeName, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
};

/** The state shared by the checks of one value. */
export interface Context {
  readonly contract: Schemas;
  readonly operation: Pick<Operation, "id">;
  readonly at: DecisionPoints;
  /** An object of a response has no members but those of its schema (D9). */
  readonly isResponse?: true;
  /** A pointer ends at the last member that the schema names, or index (D8). */
  readonly isInput?: true;
}

/** Where a value is: its member, for the names of rules, and its pointer. */
interface Spot {
  readonly member: string;
  readonly place: string;
  /** What is within the value has no place of its own. */
  readonly isLast?: true;
}

export const faultAt = (
  { member, place }: Spot,
  keyword: string,
  general = "errors/invalid-input",
): Fault => ({
  place,
  rule: `${member} ${keyword}`.trim(),
  general,
});

const RIGHT = new DecisionPoints();

/** Whether a value is valid for a schema of an operation. */
export const isValid = (
  contract: Schemas,
  operation: Pick<Operation, "id">,
  schema: Schema,
  value: unknown,
): boolean =>
  schemaFaultsOf({ contract, operation, at: RIGHT }, schema, value, { member: "", place: "#" })
    .length === 0;

/** The faults of a value of a JSON body, or of a parsed parameter. */
export function schemaFaultsOf(
  context: Context,
  given: Schema,
  value: unknown,
  spot: Spot,
): readonly Fault[] {
  const { contract, operation, at } = context;
  const { $ref, ...schema } = given;
  // The members next to a reference hold as well.
  const referred =
    $ref === undefined ? [] : schemaFaultsOf(context, resolve(contract, { $ref }), value, spot);
  if (referred.length > 0) return referred;
  const point = (keyword: string) => `${operation.id}: ${spot.member} ${keyword}`;
  const types = [schema.type ?? []].flat();
  const isOfType = types.length === 0 || types.some((type) => TYPES[type](value));
  if (!at.holds(point("type"), isOfType)) return [faultAt(spot, "type", "input/wrong-type")];
  const isOneOf = (all: readonly unknown[]) => all.some((one) => isDeepStrictEqual(one, value));
  const lists = [
    schema.const === undefined ? [] : [[schema.const]],
    schema.enum ? [schema.enum] : [],
  ];
  if (lists.flat().some((all) => !at.holds(point("enum"), isOneOf(all))))
    return [faultAt(spot, "enum")];
  return [
    ...[schema.anyOf, schema.oneOf].flatMap((some) =>
      some ? unionFaults(context, some, some === schema.oneOf, value, spot) : [],
    ),
    ...typedFaults(context, schema, value, spot, point),
  ];
}

/** The faults by the keywords that are about one type. */
function typedFaults(
  context: Context,
  schema: Schema,
  value: unknown,
  spot: Spot,
  point: Named,
): readonly Fault[] {
  if (typeof value === "string") return textFaults(schema, value, spot, point, context.at);
  if (typeof value === "number") return numberFaults(schema, value, spot, point, context.at);
  if (Array.isArray(value)) return itemFaults(context, schema, value, spot, point);
  return isObject(value) ? memberFaults(context, schema, value, spot) : [];
}

function unionFaults(
  context: Context,
  alternatives: readonly Schema[],
  isExclusive: boolean,
  value: unknown,
  spot: Spot,
): readonly Fault[] {
  const { contract, operation, at } = context;
  const chosen = isObject(value) ? chosenOf(contract, alternatives, value) : undefined;
  if (chosen) return schemaFaultsOf(context, chosen, value, spot);
  const fitting = alternatives.filter(
    (one) => schemaFaultsOf(context, one, value, spot).length === 0,
  );
  // Whether a value fits what is not read is not known.
  const isSurplus = isExclusive && fitting.filter((one) => isRead(contract, one)).length > 1;
  const fits = fitting.length > 0 && !isSurplus;
  return at.holds(`${operation.id}: ${spot.member} choice`, fits) ? [] : [faultAt(spot, "choice")];
}

type Named = (keyword: string) => string;

function textFaults(
  schema: Schema,
  text: string,
  spot: Spot,
  point: Named,
  decisionPoints: DecisionPoints,
): readonly Fault[] {
  const { minLength, maxLength, pattern = "", format = "" } = schema;
  const length = [...text].length;
  const form = formOf(format);
  const expression = patternOf(pattern);
  // Next to a pattern the format decides only about texts that have the pattern.
  const isOfForm = (some: RegExp) =>
    pattern === ""
      ? decisionPoints.form(point("format"), text, some)
      : expression?.test(text) === false || some.test(text);
  const broken = [
    minLength !== undefined &&
      !decisionPoints.least(point("minLength"), length, minLength) &&
      "minLength",
    maxLength !== undefined &&
      !decisionPoints.most(point("maxLength"), length, maxLength) &&
      "maxLength",
    pattern !== "" &&
      expression &&
      !decisionPoints.form(point("pattern"), text, expression) &&
      "pattern",
    form && !isOfForm(form) && "format",
    format.startsWith("date") &&
      !decisionPoints.holds(point("calendar"), isOnCalendar(text)) &&
      "format",
  ];
  return broken.flatMap((keyword) => (keyword ? [faultAt(spot, keyword)] : []));
}

function numberFaults(
  schema: Schema,
  n: number,
  spot: Spot,
  point: Named,
  decisionPoints: DecisionPoints,
): readonly Fault[] {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && !decisionPoints.least(point("minimum"), n, minimum))
    return [faultAt(spot, "minimum")];
  if (maximum !== undefined && !decisionPoints.most(point("maximum"), n, maximum))
    return [faultAt(spot, "maximum")];
  return [];
}

function itemFaults(
  context: Context,
  { items, minItems, maxItems }: Schema,
  all: readonly unknown[],
  spot: Spot,
  point: Named,
): readonly Fault[] {
  const { at } = context;
  if (minItems !== undefined && !at.least(point("minItems"), all.length, minItems))
    return [faultAt(spot, "minItems")];
  if (maxItems !== undefined && !at.most(point("maxItems"), all.length, maxItems))
    return [faultAt(spot, "maxItems")];
  const within = (index: number) =>
    spot.isLast ? spot : { ...spot, place: `${spot.place}/${index}` };
  return items
    ? all.flatMap((one, index) => schemaFaultsOf(context, items, one, within(index)))
    : [];
}

function memberFaults(
  context: Context,
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): readonly Fault[] {
  const { at, operation, contract, isResponse, isInput } = context;
  const { member, place, isLast } = spot;
  const { properties = {}, required = [] } = schema;
  // A keyword that is not read may be about further members.
  const isClosed =
    isResponse && schema.type === "object" && unreadKeywords(contract, schema).length === 0;
  const { additionalProperties: additional = !isClosed } = schema;
  const named = (name: string): Spot => ({
    ...spot,
    member: member === "" ? name : `${member}/${name}`,
    place: isLast ? place : `${place}/${fragmentOf(name)}`,
  });
  // A name that the schema does not have is the caller's, and is not repeated.
  const unnamed = (name: string): Spot => ({
    ...(isInput ? { ...spot, isLast: true } : named(name)),
    member: `${member}/*`,
  });
  const further = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const strangers = additional === false ? further : [];
  const missing = required.filter(
    (name) =>
      !at.holds(`${operation.id}: ${named(name).member} required`, Object.hasOwn(value, name)),
  );
  return [
    // An unknown member is reported at its parent, never by its own name.
    ...(at.holds(
      `${operation.id}: members of ${member || "data"} are known`,
      strangers.length === 0,
    )
      ? []
      : [{ ...faultAt(spot, "unknown", "input/unknown-member"), strangers }]),
    ...missing.map((name) => faultAt(named(name), "required", "input/missing-member")),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      Object.hasOwn(value, name) ? schemaFaultsOf(context, schema, value[name], named(name)) : [],
    ),
    ...further.flatMap((name) =>
      typeof additional === "object"
        ? schemaFaultsOf(context, additional, value[name], unnamed(name))
        : [],
    ),
  ];
}
