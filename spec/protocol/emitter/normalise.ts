import { type Document, type Schema, schemaName } from "./openapi.ts";

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The compiler's form of a document, simplified without a change of meaning; what a type bounds is
 * bounded in words of JSON Schema.
 */
export function normalise(compiled: string): Document {
  const document = JSON.parse(compiled) as Document;
  return rewrite(document, "", document.components.schemas) as Document;
}

function rewrite(value: unknown, key: string, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, "", schemas));
  if (!isNode(value) || key === "example" || key === "examples" || key === "default") return value;
  // The names of members and of schemas may be spelled as keywords.
  if (key === "properties" || key === "schemas")
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, rewrite(member, "", schemas)]),
    );
  const members = Object.entries(flattened(value, schemas)).flatMap(
    ([name, member]): [string, unknown][] => {
      // `...Record<never>` closes a model.
      if (name === "unevaluatedProperties")
        return [
          [
            "additionalProperties",
            isNode(member) && isNode(member.not) ? false : rewrite(member, name, schemas),
          ],
        ];
      // A reference next to a description: OpenAPI 3.1 needs no allOf for it.
      if (name === "allOf" && Array.isArray(member) && member.length === 1)
        return Object.entries(rewrite(member[0], "", schemas) as Node);
      if (name === "format" && member === "time") return [["pattern", PATTERNS.time]];
      // A server without variables.
      if (name === "variables" && isNode(member) && Object.keys(member).length === 0) return [];
      // Has no effect on a value that is not a list.
      if (
        name === "explode" &&
        member === false &&
        !(isNode(value.schema) && value.schema.type === "array")
      )
        return [];
      return [[name, rewrite(member, name, schemas)]];
    },
  );
  return bounded(Object.fromEntries(members));
}

/** A model with the members of those that it extends, theirs first: `allOf` could not be closed. */
function flattened(node: Schema & { allOf?: Schema[] }, schemas: Record<string, Schema>): Schema {
  const { allOf, ...model } = node;
  if (!allOf || node.type !== "object") return node;
  const bases = allOf.map(({ $ref = "" }) => flattened(schemas[schemaName($ref)] ?? {}, schemas));
  const required = [...bases, model].flatMap((one) => one.required ?? []);
  const properties = Object.assign({}, ...bases.map((base) => base.properties), model.properties);
  return { ...model, properties, ...(required.length > 0 && { required }) };
}

/**
 * An integer with the bounds of its type, at most those that JSON holds exactly; a number as a
 * string with its pattern.
 */
function bounded(node: Node): Node {
  if (node.type === "string") {
    const pattern = node.pattern ?? PATTERNS[String(node.format)];
    return pattern === undefined ? node : { ...node, pattern };
  }
  if (node.type !== "integer") return node;
  const [, unsigned, digits] = /^(u?)int(8|16|32|64)$/.exec(String(node.format)) ?? [];
  const bits = Number(digits ?? 64) - (unsigned ? 0 : 1);
  const most = Math.min(2 ** bits - 1, Number.MAX_SAFE_INTEGER);
  const least = unsigned ? 0 : Math.max(-(2 ** bits), Number.MIN_SAFE_INTEGER);
  const { minimum = least, maximum = most } = node as Schema;
  return { ...node, minimum: Math.max(minimum, least), maximum: Math.min(maximum, most) };
}

/** The digits of 1 to a number. */
const upTo = (most: string): string =>
  [
    `[1-9][0-9]{0,${most.length - 2}}`,
    ...[...most].flatMap((digit, index) => {
      const least = index === 0 ? 1 : 0;
      const rest = most.length - index - 1;
      return Number(digit) > least
        ? [`${most.slice(0, index)}[${least}-${Number(digit) - 1}][0-9]{${rest}}`]
        : [];
    }),
    most,
  ].join("|");

/** What a text of a format must be that no format of JSON Schema, or none of a text, describes. */
const PATTERNS: Readonly<Record<string, string>> = {
  // `plainTime`; the format `time` has an offset. Without its day, second 60 cannot be proven.
  time: "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?$",
  decimal: "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$",
  int64: `^(0|${upTo("9223372036854775807")}|-(${upTo("9223372036854775808")}))$`,
  uint64: `^(0|${upTo("18446744073709551615")})$`,
};
