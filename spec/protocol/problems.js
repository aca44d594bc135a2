// @ts-check
// The problems of a spec, and those that the protocol gives every operation.
import * as compiler from "@typespec/compiler";
import { isStatusCode } from "@typespec/http";
import { stateKeys } from "./diagnostics.js";
import { leavesOf, membersOf } from "./stated.js";

/**
 * @typedef {compiler.Program} Program
 * @typedef {compiler.Type} Type
 */

/** Every problem, by its status, and its model. @param {Program} program */
export function problemsOf(program) {
  /**
   * @type {{ model: compiler.Model, fact: { code: string, status: number, title: string,
   *   detail: string, meaning: string, example: unknown } }[]}
   */
  const problems = [];
  compiler.navigateProgram(program, {
    model(model) {
      const isProblem =
        compiler.isErrorModel(program, model) && !compiler.isTemplateDeclaration(model);
      const body = model.properties.get("body")?.type;
      if (!isProblem || !model.node || model.name === "Problem" || body?.kind !== "Model") return;
      const code = literal(body.properties.get("code"));
      if (typeof code !== "string") return;
      const status = literal(
        [...model.properties.values()].find((property) => isStatusCode(program, property)),
      );
      const example = body.decorators.find(({ definition }) => definition?.name === "@example")
        ?.args[0]?.jsValue;
      const { title, detail } = /** @type {Record<string, unknown>} */ (example ?? {});
      const text = {
        title: String(title),
        detail: String(detail),
        meaning: compiler.getDoc(program, model) ?? "",
        example,
      };
      problems.push({ model, fact: { code, status: Number(status), ...text } });
    },
  });
  return problems.sort((a, b) => a.fact.status - b.fact.status);
}

/** @param {compiler.ModelProperty | undefined} property */
function literal(property) {
  const type = property?.type;
  return type?.kind === "String" || type?.kind === "Number" ? type.value : undefined;
}

/** The codes that a step is stated to reject with. @type {(program: Program, step: Type) => string[]} */
export const rejectedBy = (program, step) => program.stateMap(stateKeys.problems).get(step) ?? [];

/**
 * Every step, in order, with the codes that it rejects with: the handler of an operation with all
 * that no step is stated to reject with.
 * @param {Program} program
 */
export function stepsOf(program) {
  const members = membersOf(program, "Step");
  const stated = new Set(members.flatMap((member) => rejectedBy(program, member)));
  const others = problemsOf(program).flatMap(({ fact }) =>
    stated.has(fact.code) ? [] : fact.code,
  );
  return members.map((member) => ({
    step: member.name,
    does: compiler.getDoc(program, member) ?? "",
    problems: [...rejectedBy(program, member), ...(member.name === "handle" ? others : [])],
  }));
}

/** The problems of an alias of the protocol. @type {(program: Program, alias: string) => Type[]} */
export function aliasedBy(program, alias) {
  const [type] = program.resolveTypeReference(`Atpoint.${alias}`);
  return type ? leavesOf(type) : [];
}

/** Which requests get the problems of an alias of the protocol, whatever their operation does. */
const COMMON = {
  ProtocolProblem: "Any request",
  BodyProblem: "A request with a body",
  CredentialProblem: "A request that needs credentials",
};

/**
 * The problems of the protocol itself.
 * @type {(program: Program) => { request: string, types: Type[] }[]}
 */
export const commonProblemsOf = (program) =>
  Object.entries(COMMON).map(([alias, request]) => ({
    request,
    types: aliasedBy(program, alias),
  }));
