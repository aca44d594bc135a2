// @ts-check
// The records that operations create and name: which member of an input names one, and where a
// caller finds it.
import * as compiler from "@typespec/compiler";
import { stateKeys } from "./diagnostics.js";

/**
 * @typedef {compiler.Program} Program
 * @typedef {compiler.Model} Model
 * @typedef {compiler.ModelProperty} Property
 * @typedef {{ kind: "creates" | "updates" | "deletes" | "reads" | "lists", resource: Model,
 *   absent?: string }} Does
 * @typedef {{ member: string, property: Property }} Member
 */

/** What decorators say that an operation does. @type {(program: Program, type: compiler.Type) => Does[]} */
export const doesOf = (program, type) => program.stateMap(stateKeys.effects).get(type) ?? [];

/** The members of a record. @param {Model} model */
export const recordMembersOf = (model) => [...compiler.walkPropertiesInherited(model)];

/** The member that names a record. @type {(program: Program, model: Model) => Property[]} */
export const recordKeysOf = (program, model) =>
  recordMembersOf(model).filter((one) => compiler.isKey(program, one));

/**
 * The member of an input that names the record: `id`, or `roomId`.
 * @type {(program: Program, members: readonly Member[], resource: Model) => string | undefined}
 */
export function keyInputOf(program, members, resource) {
  const [key] = recordKeysOf(program, resource);
  const { name } = key ?? { name: "" };
  const prefix = resource.name.charAt(0).toLowerCase() + resource.name.slice(1);
  const long = prefix + name.charAt(0).toUpperCase() + name.slice(1);
  return [name, long].find((wanted) => members.some(({ member }) => member === wanted));
}

/**
 * A property, and those that it was spread from.
 * @type {(property: Property) => (Property | undefined)[]}
 */
export const originsOf = (property) => [
  property,
  ...(property.sourceProperty ? originsOf(property.sourceProperty) : []),
];

/**
 * The model of the record that a member of an input names; none if it names none.
 * @type {(program: Program, operation: { type: compiler.Operation, members: readonly Member[] },
 *   member: Member) => Model | undefined}
 */
export function namedBy(program, { type, members }, { member, property }) {
  const origins = originsOf(property).flatMap((one) => one ?? []);
  const filtered = origins.flatMap(
    (one) => program.stateMap(stateKeys.filters).get(one)?.[0] ?? [],
  );
  const required = [...origins, ...filtered].flatMap(
    (one) => program.stateMap(stateKeys.requires).get(one)?.[0] ?? [],
  );
  const [effect] = doesOf(program, type);
  const isOne = effect && effect.kind !== "creates" && effect.kind !== "lists";
  return isOne && keyInputOf(program, members, effect.resource) === member
    ? effect.resource
    : required[0];
}

/**
 * Where a record is found that a member of an input names: in the response of the one operation
 * that creates such records.
 * @type {<Input extends Member, Of extends { id: string, type: compiler.Operation,
 *   members: Input[] }>(program: Program, operations: readonly Of[], operation: Of,
 *   member: Input) => { operation: string, pointer: string }[]}
 */
export function creationOf(program, operations, operation, member) {
  const model = namedBy(program, operation, member);
  if (!model) return [];
  const [key] = recordKeysOf(program, model);
  const creating = operations.filter(({ type }) =>
    doesOf(program, type).some(({ kind, resource }) => kind === "creates" && resource === model),
  );
  const [source, ...others] = creating;
  if (!key || !source || others.length > 0 || source === operation) return [];
  const step = key.name.replaceAll("~", "~0").replaceAll("/", "~1");
  return [{ operation: source.id, pointer: `/${step}` }];
}
