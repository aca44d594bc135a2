import { type Schema, type Schemas, targetOf } from "./contract.ts";
import { isReadFormat } from "./formats.ts";
import { tokenOf } from "./pointer.ts";

/**
 * The keywords of JSON Schema 2020-12 that assert something of a value, which the oracle does not
 * read: of the vocabularies of applicators, of unevaluated members and items, and of validation.
 */
const UNREAD = new Set(
  [
    "$dynamicRef prefixItems contains patternProperties dependentSchemas propertyNames",
    "if then else allOf not unevaluatedItems unevaluatedProperties",
    "multipleOf exclusiveMaximum exclusiveMinimum uniqueItems maxContains minContains",
    "maxProperties minProperties dependentRequired",
  ].flatMap((some) => some.split(" ")),
);

const patterns = new Map<string, RegExp | null>();

/** A pattern of the contract, compiled once; null if it is no regular expression. */
export function patternOf(source: string): RegExp | null {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const compiled = compile(source);
  patterns.set(source, compiled);
  return compiled;
}

function compile(source: string): RegExp | null {
  try {
    return new RegExp(source, "u");
  } catch {
    return null;
  }
}

/** The asserting keywords of one schema that the oracle does not read. */
export function unreadKeywords(schemas: Schemas, schema: Schema): readonly string[] {
  const { $ref, format, pattern } = schema;
  const unread = Object.keys(schema).filter((keyword) => UNREAD.has(keyword));
  if ($ref !== undefined && targetOf(schemas, $ref) === undefined) unread.push("$ref");
  if (format !== undefined && !isReadFormat(format)) unread.push("format");
  if (pattern !== undefined && patternOf(pattern) === null) unread.push("pattern");
  return unread;
}

/** A keyword, and the JSON pointer of its schema. */
export interface Unread {
  readonly place: string;
  readonly keyword: string;
}

/**
 * The asserting keywords that the oracle does not read, in a schema, those within it, and those it
 * refers to.
 */
export function* unreadIn(
  schemas: Schemas,
  schema: Schema,
  place: string,
  seen = new Set<Schema>(),
): Generator<Unread> {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const keyword of unreadKeywords(schemas, schema)) yield { place, keyword };
  const { $ref } = schema;
  const target = $ref === undefined ? undefined : targetOf(schemas, $ref);
  if ($ref !== undefined && target) yield* unreadIn(schemas, target, $ref.slice(1), seen);
  for (const [path, subschema] of schemasIn(schema))
    yield* unreadIn(schemas, subschema, `${place}/${path}`, seen);
}

/** The schemas within one, by their JSON pointers in it. */
function schemasIn(schema: Schema): readonly (readonly [path: string, Schema])[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  return [
    ...Object.entries(properties).map(
      ([name, one]) => [`properties/${tokenOf(name)}`, one] as const,
    ),
    ...anyOf.map((one, index) => [`anyOf/${index}`, one] as const),
    ...oneOf.map((one, index) => [`oneOf/${index}`, one] as const),
    ...(items ? [["items", items] as const] : []),
    ...(typeof additionalProperties === "object"
      ? [["additionalProperties", additionalProperties] as const]
      : []),
  ];
}

const ASSERTING = ["$ref", "type", "enum", "const", "anyOf", "oneOf", "properties", "items"];

/** Whether a schema asserts nothing that is read: it is that of free JSON. */
export const isFree = (schema: Schema): boolean =>
  !ASSERTING.some((keyword) => Object.hasOwn(schema, keyword));

/** Whether a value of a schema may hold free JSON, at any depth. */
function holdsFree(schemas: Schemas, schema: Schema, seen = new Set<Schema>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { $ref } = schema;
  const target = $ref === undefined ? undefined : targetOf(schemas, $ref);
  const within = [...schemasIn(schema).map(([, one]) => one), ...(target ? [target] : [])];
  return isFree(schema) || within.some((one) => holdsFree(schemas, one, seen));
}

/** The members of a schema that hold free JSON. */
export const freeMembersOf = ({ schemas }: Schemas, name: string): readonly string[] =>
  Object.entries(schemas[name]?.properties ?? {}).flatMap(([member, schema]) =>
    holdsFree({ schemas }, schema) ? [member] : [],
  );

/** Whether the oracle reads all that a schema asserts. */
export const isRead = (schemas: Schemas, schema: Schema): boolean =>
  unreadIn(schemas, schema, "").next().done === true;
