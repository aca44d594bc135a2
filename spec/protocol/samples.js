// @ts-check
// Examples that a spec need not write: of an input and of a response, from those of its models,
// members and scalars.
import * as compiler from "@typespec/compiler";
import { doesOf, namedBy, originsOf, recordKeysOf, recordMembersOf } from "./records.js";

/**
 * @typedef {compiler.Program} Program
 * @typedef {compiler.ModelProperty} Property
 * @typedef {import("./stated.js").Operation} Operation
 */

/**
 * The JSON of a value; null if there is none, such as of a duration that is not ISO 8601: the
 * emitter reports it where it is stated.
 * @type {(program: Program, value: compiler.Value, type: compiler.Type) => unknown}
 */
function jsonOf(program, value, type) {
  try {
    return compiler.serializeValueAsJson(program, value, type);
  } catch {
    return null;
  }
}

/**
 * The JSON of the first `@example` of a type; undefined if it has none.
 * @type {(program: Program, target: compiler.Model | compiler.Scalar | compiler.Enum |
 *   compiler.Union | Property, type?: compiler.Type) => unknown}
 */
function statedExample(program, target, type = target) {
  const [example] = compiler.getExamples(program, target);
  return example && jsonOf(program, example.value, type);
}

/**
 * A JSON value of a type: its `@example`, or one made of the examples of what it consists of.
 * Undefined where one is missing.
 * @type {(program: Program, type: compiler.Type, within?: readonly compiler.Type[]) => unknown}
 */
export function sampleOf(program, type, within = []) {
  const inner = [...within, type];
  switch (type.kind) {
    case "String":
    case "Number":
    case "Boolean":
      return type.value;
    case "EnumMember":
      return type.value ?? type.name;
    case "Enum":
      return statedExample(program, type) ?? sampleAmong(program, [...type.members.values()], []);
    case "Union": {
      const options = [...type.variants.values()].map((variant) => variant.type);
      return statedExample(program, type) ?? sampleAmong(program, options, inner);
    }
    case "Scalar": {
      const base = type.baseScalar && sampleOf(program, type.baseScalar);
      return statedExample(program, type) ?? base;
    }
    case "Model":
      return within.includes(type)
        ? undefined
        : (statedExample(program, type) ?? composed(program, type, inner));
    default:
      return undefined;
  }
}

/** @type {(program: Program, types: compiler.Type[], within: compiler.Type[]) => unknown} */
const sampleAmong = (program, types, within) =>
  types.map((one) => sampleOf(program, one, within)).find((sample) => sample !== undefined);

/** @type {(program: Program, model: compiler.Model, within: compiler.Type[]) => unknown} */
function composed(program, model, within) {
  if (compiler.isArrayModelType(program, model)) {
    const item = sampleOf(program, model.indexer.value, within);
    return item === undefined ? undefined : [item];
  }
  const members = recordMembersOf(model).map((property) => ({
    property,
    sample: memberSample(program, property, within),
  }));
  if (members.some(({ property, sample }) => sample === undefined && !property.optional))
    return undefined;
  return Object.fromEntries(
    members.flatMap(({ property: { name }, sample }) =>
      sample === undefined ? [] : [[name, sample]],
    ),
  );
}

/**
 * A value of a member: its own `@example`, that of the model which it was written in, or one of its
 * type.
 * @type {(program: Program, property: Property, within?: compiler.Type[]) => unknown}
 */
function memberSample(program, property, within = []) {
  for (const one of originsOf(property)) {
    if (!one) continue;
    const own = statedExample(program, one, one.type);
    if (own !== undefined) return own;
    const ofModel = one.model && memberOf(statedExample(program, one.model), one.name);
    if (ofModel !== undefined) return ofModel;
  }
  return sampleOf(program, property.type, within);
}

/** @type {(sample: unknown, name: string) => unknown} */
const memberOf = (sample, name) =>
  typeof sample === "object" && sample !== null
    ? Object.entries(sample).find(([member]) => member === name)?.[1]
    : undefined;

/**
 * The input of the operation's example, by the names that are sent: that of its `@opExample`, or
 * what follows from the models.
 * @type {(program: Program, operation: Operation) => Record<string, unknown>}
 */
export function exampleOf(program, operation) {
  const { type, verb, members } = operation;
  const [example] = compiler.getOpExamples(program, type);
  if (!example?.parameters) return sampleInput(program, operation);
  // It has the form of the operation's parameters: the compiler has checked it.
  const sent = /** @type {any} */ (jsonOf(program, example.parameters, type.parameters));
  if (sent === null) return Object.fromEntries(members.map(({ member }) => [member, null]));
  const given = (verb === "post" ? sent.body?.data : sent) ?? {};
  return Object.fromEntries(
    members.flatMap(({ member, property: { name } }) =>
      Object.hasOwn(given, name) ? [[member, given[name]]] : [],
    ),
  );
}

/**
 * The input of an operation without an `@opExample`, by the names that are sent: what a query
 * requires, all that a command may have. A member that names a record has the key of its resource;
 * one without an example of its own, the value that the record of its effect has.
 * @type {(program: Program, operation: Operation) => Record<string, unknown>}
 */
function sampleInput(program, operation) {
  const { type, verb, members } = operation;
  const [effect] = doesOf(program, type);
  const record = effect && sampleOf(program, effect.resource);
  /** @param {Operation["members"][number]} member */
  const sample = (member) => {
    const named = namedBy(program, operation, member);
    const [key] = named ? recordKeysOf(program, named) : [];
    return (
      (named && key && memberOf(sampleOf(program, named), key.name)) ??
      memberSample(program, member.property) ??
      memberOf(record, member.member)
    );
  };
  return Object.fromEntries(
    members
      .filter(({ property }) => verb === "post" || !property.optional)
      .map((member) => [member.member, sample(member)])
      .filter(([, value]) => value !== undefined),
  );
}
