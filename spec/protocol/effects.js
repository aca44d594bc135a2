// @ts-check
// What operations do to records: the facts of effects.tsp, and what is wrong with them.
import * as compiler from "@typespec/compiler";
import { isVisible, Visibility } from "@typespec/http";
import { reportDiagnostic, stateKeys } from "./diagnostics.js";
import { problemsOf } from "./problems.js";
import { keyInputOf, originsOf, recordKeysOf, recordMembersOf } from "./records.js";

/**
 * @typedef {compiler.Program} Program
 * @typedef {compiler.Model} Model
 * @typedef {compiler.ModelProperty} Property
 * @typedef {import("./stated.js").Operation} Operation
 * @typedef {import("./records.js").Does} Does
 * @typedef {[does: Does[], opaque: Model[] | undefined, order: compiler.Type[] | undefined,
 *   state: [Property, string[], string, string] | undefined]} Stated
 */

/** What decorators have stated of an operation. @type {(program: Program, type: compiler.Type) => Stated} */
const statedOf = (program, type) =>
  /** @type {Stated} */ (
    [stateKeys.effects, stateKeys.opaque, stateKeys.order, stateKeys.state].map((key) =>
      program.stateMap(key).get(type),
    )
  );

/** The order as members of the record. @param {readonly compiler.Type[]} stated */
const orderOf = (stated) =>
  stated.flatMap((one, at) =>
    one.kind === "ModelProperty"
      ? [{ member: one.name, descending: stated[at + 1]?.kind === "EnumMember" }]
      : [],
  );

/**
 * What an operation does, as `contract.json` has it; a member is absent where nothing is stated.
 * @type {(program: Program, operation: Operation) => object}
 */
export function effectsOf(program, operation) {
  const { type, members, verb } = operation;
  const [does = [], opaque, order, state] = statedOf(program, type);
  const effect = does[0];
  const resource = effect?.resource;
  const key = resource && keyInputOf(program, members, resource);
  /** @type {(stateKey: symbol) => [string, any][]} */
  const ofMembers = (stateKey) =>
    members.flatMap(({ member, property }) => {
      const stated = originsOf(property).flatMap((one) =>
        one ? (program.stateMap(stateKey).get(one) ?? []) : [],
      );
      return stated.length > 0 ? [[member, stated]] : [];
    });
  const filters = ofMembers(stateKeys.filters).map(([name, [member, match]]) => [
    name,
    { member: member.name, match: match.name },
  ]);
  // The same member may be in the input of an operation that does not look for the record.
  const codes = verb === "post" ? codesOf(program, operation) : [];
  const requires = ofMembers(stateKeys.requires).flatMap(([name, [model, code]]) =>
    codes.includes(code) ? [[name, { resource: model.name, code }]] : [],
  );
  return {
    ...(effect && {
      effect: {
        kind: effect.kind,
        resource: effect.resource.name,
        ...(key !== undefined && effect.kind !== "creates" && { key }),
        ...(effect.absent !== undefined && { absent: effect.absent }),
      },
    }),
    ...(opaque && { opaque: opaque.map(({ name }) => name) }),
    ...(filters.length > 0 && { filters: Object.fromEntries(filters) }),
    ...(order && { order: orderOf(order) }),
    ...(requires.length > 0 && { requires: Object.fromEntries(requires) }),
    ...(state && {
      state: { member: state[0].name, from: state[1], to: state[2], code: state[3] },
    }),
  };
}

/**
 * The models that operations say something about, as `contract.json` has them.
 * @type {(program: Program, operations: readonly Operation[]) => Record<string, object>}
 */
export function resourcesOf(program, operations) {
  const models = new Set(
    operations.flatMap(({ type }) => (statedOf(program, type)[0] ?? []).map((one) => one.resource)),
  );
  return Object.fromEntries([...models].map((model) => [model.name, resourceOf(program, model)]));
}

/** @type {(program: Program, model: Model) => object} */
function resourceOf(program, model) {
  const [key] = recordKeysOf(program, model);
  const members = recordMembersOf(model);
  /** @param {(one: Property) => boolean} holds */
  const named = (holds) => members.filter(holds).map(({ name }) => name);
  const unique = members.flatMap((one) => {
    const [code, compare] = program.stateMap(stateKeys.unique).get(one) ?? [];
    const ignoresCase = compare?.name === "ignoreAsciiCase";
    return code ? [{ member: one.name, code, ...(ignoresCase && { ignoresCase }) }] : [];
  });
  return {
    key: key?.name ?? "",
    readOnly: named((one) => !isVisible(program, one, Visibility.Create)),
    volatile: named((one) => program.stateSet(stateKeys.volatile).has(one)),
    unique,
  };
}

/** What a diagnostic says of an effect. @type {(program: Program, operation: Operation) => string[]} */
function faultsOf(program, operation) {
  const { type, verb, members, bodies } = operation;
  const [does = [], opaque, order, state] = statedOf(program, type);
  const [effect] = does;
  if (!effect) {
    const alone = opaque && verb === "get" ? ["@opaque is for a command"] : [];
    return order || state ? [...alone, "it has no effect on a resource"] : alone;
  }
  const { kind, resource } = effect;
  const keys = recordKeysOf(program, resource);
  const isQuery = kind === "reads" || kind === "lists";
  const shown = kind === "lists" ? itemsOf(bodies) : bodies;
  const isNamed = kind === "creates" || kind === "lists" || keyInputOf(program, members, resource);
  const codes = [effect.absent, state?.[3]].flatMap((code) => code ?? []);
  const of = new Set(recordMembersOf(resource));
  const ordered = (order ?? []).flatMap((one) => (one.kind === "ModelProperty" ? [one] : []));
  const filtered = members
    .map(({ property }) => program.stateMap(stateKeys.filters).get(property)?.[0])
    .find((one) => one && !of.has(one));
  const stranger = [...ordered, ...(state ? [state[0]] : [])].find((one) => !of.has(one));
  /** @type {[boolean, string][]} */
  const faults = [
    [does.length > 1, "it has two effects"],
    [isQuery !== (verb === "get"), `what ${kind} records is a ${isQuery ? "query" : "command"}`],
    [keys.length !== 1, `${resource.name} needs one member with @key`],
    [
      filtered !== undefined,
      `a filter selects by "${filtered?.name}", which is no member of ${resource.name}`,
    ],
    [
      (order ?? []).some((one) => one.kind === "EnumMember" && one.enum.name !== "Direction"),
      "what stands behind a member of its order is Direction.descending",
    ],
    [!isNamed, `none of its input names the ${resource.name}`],
    [
      kind !== "updates" && kind !== "deletes" && !shown.includes(resource),
      `its success is not ${kind === "lists" ? "a page of " : ""}${resource.name}`,
    ],
    [stranger !== undefined, `"${stranger?.name}" is no member of ${resource.name}`],
    [
      order !== undefined && ordered.at(-1) !== keys[0],
      `the order of a list ends with the key of ${resource.name}`,
    ],
    [state !== undefined && kind !== "updates", "@state is for a command that updates"],
    [
      kind === "updates" && members.some(({ property }) => property.defaultValue !== undefined),
      "an absent member of an update stays as it is: leave out the default",
    ],
  ];
  const declared = codesOf(program, operation);
  const missing = codes.filter((code) => !declared.includes(code));
  return [
    ...faults.flatMap(([applies, text]) => (applies ? [text] : [])),
    ...missing.map((code) => `the problem "${code}" is not among its answers`),
  ];
}

/** The items of pages. @type {(bodies: readonly compiler.Type[]) => (compiler.Type | undefined)[]} */
const itemsOf = (bodies) =>
  bodies.map((body) => {
    const items = body.kind === "Model" ? body.properties.get("items")?.type : undefined;
    return items?.kind === "Model" ? items.indexer?.value : undefined;
  });

/** The codes of an operation's problems. @type {(program: Program, operation: Operation) => string[]} */
const codesOf = (program, { answers }) =>
  problemsOf(program).flatMap(({ model, fact }) => (answers.includes(model) ? fact.code : []));

/**
 * Reports what is wrong with the effects of an operation.
 * @type {(program: Program, operation: Operation) => void}
 */
export function checkEffects(program, operation) {
  const { type: target, name } = operation;
  for (const why of faultsOf(program, operation))
    reportDiagnostic(program, { code: "effect", format: { name, why }, target });
}
