import { isDeepStrictEqual } from "node:util";
import {
  IDEMPOTENCY_KEY,
  type Operation,
  resolve,
  type Schema,
  type Schemas,
  type TypeName,
} from "./contract.ts";
import { formOf, isOnCalendar } from "./formats.ts";
import { isRead, patternOf, unreadKeywords } from "./keywords.ts";
import { fragmentOf } from "./pointer.ts";
import type { Points } from "./points.ts";
import { chosenOf } from "./unions.ts";

/** Reads the JSON Schema features that a contract uses: the faults of an input, and where they are. */

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

/** D8: `0`, or digits without a leading zero, and with a `-` if negative. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;
/** As in JSON (RFC 8259, 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** How a parameter of a type is written, where it is not any text. */
const WRITTEN: ReadonlyMap<Schema["type"], RegExp> = new Map([
  ["integer", INTEGER],
  ["number", NUMBER],
  ["boolean", /^(?:true|false)$/],
]);

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
interface Context {
  readonly contract: Schemas;
  readonly operation: Pick<Operation, "id">;
  readonly at: Points;
  /** An object of a response has no members but those of its schema (D9). */
  readonly isResponse?: true;
  /** A pointer ends at the last member that the schema names, or index (D8). */
  readonly isInput?: true;
}

interface InputContext extends Context {
  readonly operation: Operation;
}

/** Where a value is: its member, for the names of rules, and its pointer. */
interface Spot {
  readonly member: string;
  readonly place: string;
  /** What is within the value has no place of its own. */
  readonly isLast?: true;
}

const fault = (
  { member, place }: Spot,
  keyword: string,
  general = "errors/invalid-input",
): Fault => ({
  place,
  rule: `${member} ${keyword}`.trim(),
  general,
});

/** The faults of a value of a JSON body, or of a parsed parameter. */
export function faultsOf(
  context: Context,
  given: Schema,
  value: unknown,
  spot: Spot,
): readonly Fault[] {
  const { contract, operation, at } = context;
  const { $ref, ...schema } = given;
  // The members next to a reference hold as well.
  const referred =
    $ref === undefined ? [] : faultsOf(context, resolve(contract, { $ref }), value, spot);
  if (referred.length > 0) return referred;
  const point = (keyword: string) => `${operation.id}: ${spot.member} ${keyword}`;
  const types = [schema.type ?? []].flat();
  const isOfType = types.length === 0 || types.some((type) => TYPES[type](value));
  if (!at.holds(point("type"), isOfType)) return [fault(spot, "type", "input/wrong-type")];
  const isOneOf = (all: readonly unknown[]) => all.some((one) => isDeepStrictEqual(one, value));
  const lists = [
    schema.const === undefined ? [] : [[schema.const]],
    schema.enum ? [schema.enum] : [],
  ];
  if (lists.flat().some((all) => !at.holds(point("enum"), isOneOf(all))))
    return [fault(spot, "enum")];
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
  if (chosen) return faultsOf(context, chosen, value, spot);
  const fitting = alternatives.filter((one) => faultsOf(context, one, value, spot).length === 0);
  // Whether a value fits what is not read is not known.
  const isSurplus = isExclusive && fitting.filter((one) => isRead(contract, one)).length > 1;
  const fits = fitting.length > 0 && !isSurplus;
  return at.holds(`${operation.id}: ${spot.member} choice`, fits) ? [] : [fault(spot, "choice")];
}

type Named = (keyword: string) => string;

function textFaults(
  schema: Schema,
  text: string,
  spot: Spot,
  point: Named,
  at: Points,
): readonly Fault[] {
  const { minLength, maxLength, pattern = "", format = "" } = schema;
  const length = [...text].length;
  const form = formOf(format);
  const expression = patternOf(pattern);
  // Next to a pattern the format decides only about texts that have the pattern.
  const isOfForm = (some: RegExp) =>
    pattern === ""
      ? at.form(point("format"), text, some)
      : expression?.test(text) === false || some.test(text);
  const broken = [
    minLength !== undefined && !at.least(point("minLength"), length, minLength) && "minLength",
    maxLength !== undefined && !at.most(point("maxLength"), length, maxLength) && "maxLength",
    pattern !== "" && expression && !at.form(point("pattern"), text, expression) && "pattern",
    form && !isOfForm(form) && "format",
    format.startsWith("date") && !at.holds(point("calendar"), isOnCalendar(text)) && "format",
  ];
  return broken.flatMap((keyword) => (keyword ? [fault(spot, keyword)] : []));
}

function numberFaults(
  schema: Schema,
  n: number,
  spot: Spot,
  point: Named,
  at: Points,
): readonly Fault[] {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && !at.least(point("minimum"), n, minimum))
    return [fault(spot, "minimum")];
  if (maximum !== undefined && !at.most(point("maximum"), n, maximum))
    return [fault(spot, "maximum")];
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
    return [fault(spot, "minItems")];
  if (maxItems !== undefined && !at.most(point("maxItems"), all.length, maxItems))
    return [fault(spot, "maxItems")];
  const within = (index: number) =>
    spot.isLast ? spot : { ...spot, place: `${spot.place}/${index}` };
  return items ? all.flatMap((one, index) => faultsOf(context, items, one, within(index))) : [];
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
  const { additionalProperties: others = !isClosed } = schema;
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
  const strangers = others === false ? further : [];
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
      : [{ ...fault(spot, "unknown", "input/unknown-member"), strangers }]),
    ...missing.map((name) => fault(named(name), "required", "input/missing-member")),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      Object.hasOwn(value, name) ? faultsOf(context, schema, value[name], named(name)) : [],
    ),
    ...further.flatMap((name) =>
      typeof others === "object" ? faultsOf(context, others, value[name], unnamed(name)) : [],
    ),
  ];
}

/** D8: the faults of a command's input: the whole body, whose member `data` is the operation's input. */
export function bodyFaults(
  context: InputContext,
  body: Readonly<Record<string, unknown>>,
): readonly Fault[] {
  const { at, operation } = context;
  const known = Object.keys(body).every((name) => name === "@" || name === "data");
  const stray = at.holds(`${operation.id}: members of the body are known`, known)
    ? []
    : [{ place: "#", rule: "unknown", general: "input/unknown-member" }];
  if (!("data" in body)) {
    const there = at.holds(`${operation.id}: data is there`, false);
    return there
      ? stray
      : [...stray, { place: "#/data", rule: "data required", general: "input/missing-member" }];
  }
  const spot = { member: "", place: "#/data" };
  return [...stray, ...faultsOf({ ...context, isInput: true }, operation.schema, body.data, spot)];
}

/** D8: the faults of a query's input: parameters by their names, without those of the protocol. */
export function queryFaults(
  context: InputContext,
  given: readonly (readonly [string, string])[],
): readonly Fault[] {
  const { contract, operation, at } = context;
  const { properties = {}, required = [] } = resolve(contract, operation.schema);
  const known = Object.keys(properties).filter((name) => !operation.parts.includes(name));
  const named = (name: string) =>
    known.find((one) => at.parameter(`${operation.id}: parameter ${one}`, name, one));
  const values = given.map(([name, text]) => ({ name: named(name), text }));
  const unknown = values.some(({ name }) => name === undefined);
  const missing = required.filter(
    (name) =>
      known.includes(name) &&
      !at.holds(
        `${operation.id}: ${name} required`,
        values.some((one) => one.name === name),
      ),
  );
  return [
    ...(at.holds(`${operation.id}: parameters are known`, !unknown)
      ? []
      : [{ place: "#", rule: "unknown", general: "input/unknown-parameter" }]),
    ...missing.map((name) =>
      fault({ member: name, place: name }, "required", "input/missing-member"),
    ),
    ...values.flatMap(({ name, text }) =>
      name === undefined ? [] : parameterFaults(context, properties[name] ?? {}, name, text),
    ),
  ];
}

/** D8: the faults of the header fields that an operation declares; `Idempotency-Key` is checked at its own step (D25). */
export function headerFaults(
  context: InputContext,
  fields: (name: string) => readonly string[],
): readonly Fault[] {
  const { contract, operation, at } = context;
  return operation.headers.flatMap(({ name, required, schema }) => {
    if (name.toLowerCase() === IDEMPOTENCY_KEY) return [];
    const text = fields(name).filter(Boolean).join(", ");
    const spot = { member: name, place: name };
    if (text !== "") {
      const { type } = resolve(contract, schema);
      const value = type === "array" ? text.replaceAll(/[ \t]*,[ \t]*/g, ",") : text;
      return parameterFaults(context, schema, name, value);
    }
    const there = !required || at.holds(`${operation.id}: ${name} required`, false);
    return there ? [] : [fault(spot, "required", "input/missing-member")];
  });
}

function parameterFaults(
  context: InputContext,
  given: Schema,
  name: string,
  text: string,
): readonly Fault[] {
  const { contract, operation, at } = context;
  const spot = { member: name, place: name, isLast: true } as const;
  const schema = resolve(contract, given);
  const read = (one: Schema, value: string): unknown => {
    const pattern = WRITTEN.get(one.type);
    if (!pattern) return value;
    const known = one.type === "boolean" ? value === "true" : Number(value);
    const isKnown = one.type === "integer" ? Number.isSafeInteger : Number.isFinite;
    return at.digits(`${operation.id}: ${name} type`, value, pattern) && isKnown(Number(known))
      ? known
      : undefined;
  };
  const values = schema.type === "array" ? text.split(",") : [text];
  const item = schema.type === "array" ? resolve(contract, schema.items ?? {}) : schema;
  const all = values.map((value) => read(item, value));
  const general = item.type === "integer" ? "input/integers" : "input/wrong-type";
  if (all.includes(undefined)) return [fault(spot, "type", general)];
  return faultsOf(context, given, schema.type === "array" ? all : all[0], spot);
}
