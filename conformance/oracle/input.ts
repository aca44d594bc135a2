import { IDEMPOTENCY_KEY, type Operation, resolve, type Schema } from "./contract.ts";
import { type Context, type Fault, faultAt, schemaFaultsOf } from "./schema.ts";

/** The faults of an input: of a body, of a query, of header fields (D8). */

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

interface InputContext extends Context {
  readonly operation: Operation;
}

/**
 * D8: the faults of a command's input: the whole body, whose member `data` is the operation's
 * input.
 */
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
  return [
    ...stray,
    ...schemaFaultsOf({ ...context, isInput: true }, operation.schema, body.data, spot),
  ];
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
      faultAt({ member: name, place: name }, "required", "input/missing-member"),
    ),
    ...values.flatMap(({ name, text }) =>
      name === undefined ? [] : parameterFaults(context, properties[name] ?? {}, name, text),
    ),
  ];
}

/**
 * D8: the faults of the header fields that an operation declares; `Idempotency-Key` is checked at
 * its own step (D25).
 */
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
    return there ? [] : [faultAt(spot, "required", "input/missing-member")];
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
  const read = (itemSchema: Schema, value: string): unknown => {
    const pattern = WRITTEN.get(itemSchema.type);
    if (!pattern) return value;
    const known = itemSchema.type === "boolean" ? value === "true" : Number(value);
    const isKnown = itemSchema.type === "integer" ? Number.isSafeInteger : Number.isFinite;
    return at.digits(`${operation.id}: ${name} type`, value, pattern) && isKnown(Number(known))
      ? known
      : undefined;
  };
  const values = schema.type === "array" ? text.split(",") : [text];
  const item = schema.type === "array" ? resolve(contract, schema.items ?? {}) : schema;
  const all = values.map((value) => read(item, value));
  const general = item.type === "integer" ? "input/integers" : "input/wrong-type";
  if (all.includes(undefined)) return [faultAt(spot, "type", general)];
  return schemaFaultsOf(context, given, schema.type === "array" ? all : all[0], spot);
}
