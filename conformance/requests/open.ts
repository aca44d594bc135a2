import { type Contract, resolve, type Schema } from "../oracle/contract.ts";
import { type Change, type Draft, type Mutation, mutation, shown, words } from "./draft.ts";

/** The objects of an input that take members of any name (D8): names that a caller may choose. */

const NAMES: readonly string[] = [
  "\ud800",
  "\udc00\ud800",
  "secret <b>text</b>",
  "a/b~c#d%20",
  "",
  "\0",
  "é",
  "\u{1f600}",
  "x".repeat(300),
  ...words("constructor toString hasOwnProperty valueOf __proto__ prototype 0 length $ref"),
];

/** A value of a schema, as small as it can be; it need not be a right one. */
export function sampleOf(contract: Contract, given: Schema): unknown {
  const { type, enum: all = [], minimum = 0, anyOf, oneOf, ...schema } = resolve(contract, given);
  const [first] = [...all, ...(schema.const === undefined ? [] : [schema.const])];
  if (first !== undefined) return first;
  const [alternative] = anyOf ?? oneOf ?? [];
  if (alternative) return sampleOf(contract, alternative);
  if (type === "object") return objectOf(contract, schema);
  return type === "array" ? [] : type === "boolean" ? true : type === "string" ? "x" : minimum;
}

const objectOf = (contract: Contract, { properties = {}, required = [] }: Schema): object =>
  Object.fromEntries(required.map((name) => [name, sampleOf(contract, properties[name] ?? {})]));

/** An object that takes members of any name: where it is, and an input with its members there. */
interface Place {
  readonly path: string;
  readonly around: (value: unknown) => unknown;
}

/** Every such object in a value of a schema, those of a recursive schema once. */
function* openIn(
  contract: Contract,
  given: Schema,
  { path, around }: Place,
  known: readonly string[] = [],
): Generator<Place> {
  const { $ref = "" } = given;
  if (known.includes($ref)) return;
  const seen = $ref === "" ? known : [...known, $ref];
  const schema = resolve(contract, given);
  const { properties = {}, items, additionalProperties: extra, anyOf = [], oneOf = [] } = schema;
  const inMember = (name: string): Place => ({
    path: `${path}/${name}`,
    around: (value) => around({ ...objectOf(contract, schema), [name]: value }),
  });
  if (typeof extra === "object") {
    yield { path, around: (value) => around({ ...objectOf(contract, schema), ...Object(value) }) };
    yield* openIn(contract, extra, inMember("*"), seen);
  }
  for (const [name, subschema] of Object.entries(properties))
    yield* openIn(contract, subschema, inMember(name), seen);
  if (items)
    yield* openIn(contract, items, { path: `${path}/0`, around: (value) => around([value]) }, seen);
  for (const [index, subschema] of [...anyOf, ...oneOf].entries())
    yield* openIn(contract, subschema, { path: `${path} (${index})`, around }, seen);
}

/** A value that hardly any member has. */
const WRONG = { "\u0000": [null] };

/** `put` replaces a member of the input by JSON text. */
export function openRows(
  contract: Contract,
  member: string,
  schema: Schema,
  put: (member: string, of: (draft: Draft) => string) => Change,
): readonly Mutation[] {
  const top: Place = { path: member, around: (value) => value };
  return [...openIn(contract, schema, top)].flatMap(({ path, around }) => {
    const of = (what: string, nameOf: (draft: Draft) => string) => {
      const text = (draft: Draft) => JSON.stringify(around({ [nameOf(draft)]: WRONG }));
      return mutation(`input ${member}`, `${shown(path)} with ${what}`, put(member, text));
    };
    return [
      of("a word as a name", ({ caller }) => caller.canary),
      ...NAMES.map((name) => of(`the name ${shown(name) || "of no letter"}`, () => name)),
    ];
  });
}
