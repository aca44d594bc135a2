// The decorators of the protocol: what they say is kept in the program's state, where the generator reads it.
// This is JavaScript because the TypeSpec compiler loads it as it is.
import { $extension } from "@typespec/openapi";

const key = (name) => Symbol.for(`atpoint.${name}`);

/** State keys, read by scripts/generate. */
export const state = {
  requirements: key("requirements"),
  deprecation: key("deprecation"),
  exampleFrom: key("exampleFrom"),
};

/** Every `@given` and `@decided` of the program: `{ id, level, origin, clause, sentence, target, node }`. */
function addRequirement(context, target, origin, clause, id, sentence, level) {
  const list = context.program.stateMap(state.requirements).get(target) ?? [];
  list.push({ id, level: level ?? "MUST", origin, clause, sentence, node: context.decoratorTarget });
  context.program.stateMap(state.requirements).set(target, list);
}

export const $given = (context, target, clause, id, sentence, level) =>
  addRequirement(context, target, "given", clause, id, sentence, level);

export const $decided = (context, target, clause, id, sentence, level) =>
  addRequirement(context, target, "decided", clause, id, sentence, level);

export const $scope = (context, target, scope) => context.call($extension, target, "x-scope", scope);

export function $deprecation(context, target, deprecation) {
  context.program.stateMap(state.deprecation).set(target, deprecation);
  context.call($extension, target, "x-deprecation", deprecation);
}

export function $exampleFrom(context, target, operation, pointer) {
  const sources = context.program.stateMap(state.exampleFrom).get(target) ?? [];
  // Decorators apply bottom-up: what is read first comes last.
  sources.unshift({ operation, pointer });
  context.program.stateMap(state.exampleFrom).set(target, sources);
  context.call($extension, target, "x-example-from", sources);
}

export const $known = (context, target, ...values) => context.call($extension, target, "x-known", values);

export const $decorators = {
  Atpoint: {
    given: $given,
    decided: $decided,
    scope: $scope,
    deprecation: $deprecation,
    exampleFrom: $exampleFrom,
    known: $known,
  },
};
