import * as compiler from "@typespec/compiler";

/** The types that a value may have. */
export const optionsOf = (type: compiler.Type): compiler.Type[] =>
  type.kind === "Union" ? [...type.variants.values()].map((variant) => variant.type) : [type];

/** What a type without scalars and models is in the list. */
export function literalForm(type: compiler.Type): string {
  if (type.kind === "Union") {
    const [form = "", ...more] = new Set(optionsOf(type).map(literalForm));
    return more.length > 0 ? "unknown" : form;
  }
  const values = type.kind === "Enum" ? [...type.members.values()] : [type];
  const isNumber = (one: compiler.Type) =>
    one.kind === "Number" || (one.kind === "EnumMember" && typeof one.value === "number");
  if (values.some(isNumber)) return "numbers";
  if (type.kind === "Enum") return "enum";
  if (type.kind === "Boolean") return "boolean";
  if (type.kind === "String" || type.kind === "StringTemplate" || type.kind === "EnumMember") return "literals";
  return type.kind === "Tuple" ? "tuple" : "unknown";
}

/** A scalar and what it extends, its own type first. */
export const scalars = (type: compiler.Scalar): compiler.Scalar[] => [
  type,
  ...(type.baseScalar ? scalars(type.baseScalar) : []),
];

export function encodeOf(program: compiler.Program, type: compiler.Type): string | undefined {
  if (type.kind !== "Scalar" && type.kind !== "ModelProperty") return undefined;
  const encode = compiler.getEncode(program, type);
  return encode && (encode.encoding ?? encode.type?.name);
}

/** What to write in place of a pattern that the flag `u` rejects, with which JSON Schema has it; nothing if it is right. */
export function adviceOn(pattern: string): string | undefined {
  const isRight = (text: string) => {
    try {
      return Boolean(new RegExp(text, "u"));
    } catch {
      return false;
    }
  };
  // A backslash before what needs none; a hyphen needs one in a class only.
  const needless = [/\\([^\w^$\\.*+?()[\]{}|/-]|_)/g, /\\([^\w^$\\.*+?()[\]{}|/]|_)/g];
  if (isRight(pattern)) return undefined;
  const repaired = needless.map((found) => pattern.replace(found, "$1")).find(isRight);
  return repaired === undefined ? "write one that does" : `write ${JSON.stringify(repaired)}`;
}

const { getMaxValue, getMaxValueForScalar, getMinValue, getMinValueForScalar } = compiler;
const { getMaxValueExclusive, getMaxValueExclusiveForScalar, getMinValueExclusive, getMinValueExclusiveForScalar } =
  compiler;
/** What says that a number, or a time, has a bound. */
export const BOUNDS = [getMinValue, getMaxValue, getMinValueForScalar, getMaxValueForScalar];
export const EXCLUSIVE = [
  ...[getMinValueExclusive, getMaxValueExclusive],
  ...[getMinValueExclusiveForScalar, getMaxValueExclusiveForScalar],
];

export const hasSome = (
  program: compiler.Program,
  type: compiler.Type,
  bounds: readonly ((program: compiler.Program, type: compiler.Type) => unknown)[],
): boolean => bounds.some((bound) => bound(program, type) !== undefined);
