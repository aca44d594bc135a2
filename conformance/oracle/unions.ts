import { resolve, type Schema, type Schemas } from "./contract.ts";

/** The objects that a value of a schema may be: those of unions within it too. */
function objectsOf(contract: Schemas, given: Schema): readonly Schema[] {
  const schema = resolve(contract, given);
  const within = schema.anyOf ?? schema.oneOf;
  if (within) return within.flatMap((one) => objectsOf(contract, one));
  return schema.type === "object" ? [schema] : [];
}

/**
 * The values that a member has in an object; none where they are no literals, or it has no such
 * member.
 */
function literalsOf(
  contract: Schemas,
  { properties = {} }: Schema,
  name: string,
): readonly unknown[] {
  const member = Object.hasOwn(properties, name) ? resolve(contract, properties[name] ?? {}) : {};
  return member.const === undefined ? (member.enum ?? []) : [member.const];
}

/** Whether a member has literal values in each of these objects, and none of them in two. */
function isDiscriminator(contract: Schemas, objects: readonly Schema[], name: string): boolean {
  const literals = objects.map((one) => literalsOf(contract, one, name));
  const all = literals.flat();
  return literals.every(({ length }) => length > 0) && new Set(all).size === all.length;
}

/**
 * D8: the alternative of a union that the value of a literal member chooses; undefined if none is
 * chosen.
 */
export function chosenOf(
  contract: Schemas,
  alternatives: readonly Schema[],
  value: Readonly<Record<string, unknown>>,
): Schema | undefined {
  const objects = alternatives.map((one) => objectsOf(contract, one));
  const all = objects.flat();
  const names = Object.keys(all[0]?.properties ?? {});
  const name = names.find((one) => isDiscriminator(contract, all, one));
  if (name === undefined || !Object.hasOwn(value, name)) return undefined;
  const isOf = (one: Schema) => literalsOf(contract, one, name).includes(value[name]);
  return alternatives.find((_, index) => objects[index]?.some(isOf));
}
