// @ts-check
// The protocol as a TypeSpec library: its decorators. JavaScript, because the TypeSpec compiler
// loads
// it as it is.
import { isTemplateDeclarationOrInstance } from "@typespec/compiler";
import { $extension } from "@typespec/openapi";
import { stateKeys } from "./diagnostics.js";

export { $lib, reportDiagnostic } from "./diagnostics.js";
export { effectsOf, resourcesOf } from "./effects.js";
export { commonProblemsOf, problemsOf, stepsOf } from "./problems.js";
export { exampleOf, sampleOf } from "./samples.js";
export * from "./stated.js";
export { $onValidate } from "./validate.js";

/**
 * @typedef {import("@typespec/compiler").DecoratorContext} Context
 * @typedef {import("@typespec/compiler").Type} Type
 * @typedef {import("./stated.js").Stated} Stated
 */

/** A sentence is written on several lines, and published on one. @param {string} text */
const oneLine = (text) => text.replaceAll("\n", " ");

/**
 * @type {(context: Context, target: Type, clauses: Record<string, Stated["sentences"]>,
 *   level?: Stated["level"]) => void}
 */
function $requirements({ program, decoratorTarget: node }, target, clauses, level = "MUST") {
  // What a template of operations states, each operation made from it states: `op docsList is
  // ListDocuments`.
  if (target.kind === "Operation" && isTemplateDeclarationOrInstance(target)) return;
  const stated = program.stateMap(stateKeys.requirements);
  const own = Object.entries(clauses).map(([clause, sentences]) => ({
    clause,
    level,
    sentences: Object.fromEntries(
      Object.entries(sentences).map(([id, sentence]) => [id, oneLine(sentence)]),
    ),
    node,
  }));
  stated.set(target, [...(stated.get(target) ?? []), ...own]);
}

/** @type {(key: symbol) => (context: Context, target: Type, value: unknown) => void} */
const stored =
  (key) =>
  ({ program }, target, value) =>
    void program.stateMap(key).set(target, value);

/** @type {(context: Context, target: Type, reason: string) => void} */
const $untried = (context, target, reason) =>
  stored(stateKeys.untried)(context, target, oneLine(reason));

/** @type {(key: symbol) => (context: Context, target: Type, ...values: unknown[]) => void} */
const listed =
  (key) =>
  ({ program }, target, ...values) =>
    void program
      .stateMap(key)
      .set(target, [...(program.stateMap(key).get(target) ?? []), ...values]);

/** @type {(key: symbol) => (context: Context, target: Type) => void} */
const marked =
  (key) =>
  ({ program }, target) =>
    void program.stateSet(key).add(target);

/**
 * What an operation does to the records of a model.
 * @type {(kind: string) => (context: Context, target: Type, resource: unknown, absent?: string) =>
 *   void}
 */
const effect = (kind) => (context, target, resource, absent) =>
  listed(stateKeys.effects)(context, target, { kind, resource, absent });

/** @type {(key: symbol) => (context: Context, target: Type, ...values: unknown[]) => void} */
const together =
  (key) =>
  ({ program }, target, ...values) =>
    void program.stateMap(key).set(target, values);

/**
 * What the published documents say of an operation as well.
 * @type {(name: `x-${string}`) => (context: Context, target: Type, value: unknown) => void}
 */
const published = (name) => (context, target, value) =>
  context.call($extension, target, name, value);

export const $decorators = {
  Atpoint: {
    clauses: marked(stateKeys.clauses),
    deploymentVersion: marked(stateKeys.deploymentVersion),
    requirements: $requirements,
    untried: $untried,
    profile: stored(stateKeys.profile),
    access: stored(stateKeys.access),
    decides: stored(stateKeys.decides),
    limits: stored(stateKeys.limits),
    keys: stored(stateKeys.keys),
    scope: published("x-scope"),
    deprecation: published("x-deprecation"),
    unordered: (/** @type {Context} */ context, /** @type {Type} */ target) =>
      published("x-unordered")(context, target, true),
    createsResource: effect("creates"),
    updatesResource: effect("updates"),
    deletesResource: effect("deletes"),
    readsResource: effect("reads"),
    listsResource: effect("lists"),
    opaque: together(stateKeys.opaque),
    filters: together(stateKeys.filters),
    orderedBy: together(stateKeys.order),
    unique: together(stateKeys.unique),
    requires: together(stateKeys.requires),
    state: together(stateKeys.state),
    volatile: marked(stateKeys.volatile),
    refuses: listed(stateKeys.problems),
    exampleFrom: listed(stateKeys.exampleFrom),
    known: listed(stateKeys.known),
    requestHeaders: listed(stateKeys.requestHeaders),
  },
};
