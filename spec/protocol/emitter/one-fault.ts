import type { CodeKeywordDefinition } from "ajv";
import { type Document, resolve, type Schema } from "./openapi.ts";

// Where AJV would report every alternative of a union, or the caller's own names, D8 has one fault.

/**
 * A keyword for AJV: a value is valid by its schema; whatever is not, is one fault at the value.
 */
export const WHOLE: CodeKeywordDefinition = {
  keyword: "whole",
  schemaType: "object",
  trackErrors: true,
  code(cxt) {
    const valid = cxt.gen.name("valid");
    cxt.subschema({ keyword: "whole", createErrors: false }, valid);
    const report = () => {
      cxt.reset();
      cxt.error();
    };
    cxt.result(valid, undefined, report);
  },
};

type Node = Record<string, unknown>;

/** The schema of a part of an input, `node` as AJV needs it: faults are where D8 has them. */
export const withOneFault = (document: Document, schema: Schema, node: Node): Node =>
  ofUnion(document, schema, ofRecord(schema, node));

/** A pointer ends at the object: the names of its further members are the caller's. */
function ofRecord({ properties = {}, additionalProperties }: Schema, node: Node): Node {
  if (typeof additionalProperties !== "object") return node;
  const { additionalProperties: additional, ...named } = node;
  const known = Object.fromEntries(Object.keys(properties).map((name) => [name, true]));
  return { ...named, whole: { properties: known, additionalProperties: additional } };
}

/** One fault at the union, or those of the alternative that a literal member chooses. */
function ofUnion(document: Document, schema: Schema, node: Node): Node {
  const keyword = schema.anyOf ? "anyOf" : "oneOf";
  const { [keyword]: alternatives = [] } = schema;
  // Of texts and numbers, all faults are at the union itself, and say more.
  if (alternatives.every((one) => isScalar(document, one))) return node;
  const { [keyword]: prepared, ...rest } = node;
  const whole = { whole: { [keyword]: prepared } };
  const objects = alternatives.map((one) => objectsOf(document, one));
  const all = objects.flat();
  const names = Object.keys(all[0]?.properties ?? {});
  const name = names.find((one) => isDiscriminator(document, all, one));
  if (name === undefined) return { ...rest, ...whole };
  const choice = alternatives.reduceRight((otherwise: Node, _, index) => {
    const values = (objects[index] ?? []).flatMap((one) => literalsOf(document, one, name));
    if (values.length === 0) return otherwise;
    const isChosen = { type: "object", required: [name], properties: { [name]: { enum: values } } };
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    return { if: isChosen, then: [prepared].flat()[index], else: otherwise };
  }, whole);
  return { ...rest, ...choice };
}

const alternativesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] | undefined => anyOf ?? oneOf;

function isScalar(document: Document, given: Schema): boolean {
  const schema = resolve(document, given);
  return !alternativesOf(schema) && schema.type !== "object" && schema.type !== "array";
}

/** The objects that a value of a schema may be: those of unions within it too. */
function objectsOf(document: Document, given: Schema): readonly Schema[] {
  const schema = resolve(document, given);
  const within = alternativesOf(schema);
  if (within) return within.flatMap((one) => objectsOf(document, one));
  return schema.type === "object" ? [schema] : [];
}

/** The values that a member has in an object; none where they are no literals. */
function literalsOf(
  document: Document,
  { properties = {} }: Schema,
  name: string,
): readonly unknown[] {
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return (member && resolve(document, member).enum) ?? [];
}

/** Whether a member has literal values in each of these objects, and none of them in two. */
function isDiscriminator(document: Document, objects: readonly Schema[], name: string): boolean {
  const literals = objects.map((one) => literalsOf(document, one, name));
  const all = literals.flat();
  return literals.every(({ length }) => length > 0) && new Set(all).size === all.length;
}
