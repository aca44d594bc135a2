// @ts-check
// The protocol as a TypeSpec library: its decorators, what they state, and what the compiler refuses, an editor with it.
// JavaScript, because the TypeSpec compiler loads it as it is.
import {
  createTypeSpecLibrary,
  getDoc,
  getSummary,
  isErrorModel,
  isTemplateDeclaration,
  navigateProgram,
  paramMessage,
} from "@typespec/compiler";
import { getAllHttpServices, getAuthentication, isStatusCode } from "@typespec/http";
import { $extension } from "@typespec/openapi";

export const $lib = createTypeSpecLibrary({
  name: "atpoint",
  diagnostics: {
    "requirement-twice": {
      severity: "error",
      messages: { default: paramMessage`The requirement id "${"id"}" is used twice.` },
    },
    "problem-without-status": {
      severity: "error",
      messages: { default: paramMessage`The problem "${"code"}" has no @statusCode.` },
    },
    "problem-without-meaning": {
      severity: "error",
      messages: { default: paramMessage`The problem "${"code"}" has no documentation.` },
    },
    "problem-twice": {
      severity: "error",
      messages: { default: paramMessage`The problem code "${"code"}" is used twice.` },
    },
    "problem-without-step": {
      severity: "error",
      messages: { default: paramMessage`No step of judgement refuses with the problem "${"code"}".` },
    },
    "refusal-unknown": {
      severity: "error",
      messages: { default: paramMessage`"${"code"}" is the code of no problem.` },
    },
    "operation-twice": {
      severity: "error",
      messages: { default: paramMessage`Two operations are named "${"name"}".` },
    },
    "operation-ambiguous": {
      severity: "error",
      messages: { default: paramMessage`The name "${"name"}" is also matched by "${"template"}".` },
    },
    "example-needed": {
      severity: "error",
      messages: {
        default: paramMessage`"${"member"}" of "${"command"}" says which record: it needs an @exampleFrom, so that a run of the suite changes only what it has created.`,
      },
    },
    "example-not-created": {
      severity: "error",
      messages: {
        default: paramMessage`"${"member"}" of "${"command"}" must come from the answer of another command, so that a run of the suite changes only what it has created: ${"why"}.`,
      },
    },
  },
  state: {
    requirements: { description: "What @requirements states, by its target." },
    access: { description: "The clause by which an operation needs credentials or not." },
    exampleFrom: { description: "Where a value of an input is found, by the member." },
    refusals: { description: "The codes that a step refuses with, by the step." },
  },
});
const { reportDiagnostic, stateKeys } = $lib;

/**
 * @typedef {import("@typespec/compiler").DecoratorContext} Context
 * @typedef {import("@typespec/compiler").Program} Program
 * @typedef {import("@typespec/compiler").Type} Type
 * @typedef {import("@typespec/compiler").EnumMember} Clause
 * @typedef {"MUST" | "SHOULD" | "MAY"} Level
 * @typedef {{ clause: Clause, level: Level, sentences: Record<string, string>, node: import("@typespec/compiler").DiagnosticTarget }} Stated
 * @typedef {{ operation: string, pointer: string }} Source
 */

/**
 * @param {Context} context
 * @param {Type} target
 * @param {Clause} clause
 * @param {Stated["sentences"]} sentences
 * @param {Level} [level]
 */
function $requirements(context, target, clause, sentences, level = "MUST") {
  const stated = context.program.stateMap(stateKeys.requirements);
  stated.set(target, [...(stated.get(target) ?? []), { clause, level, sentences, node: context.decoratorTarget }]);
}

/** @type {(context: Context, target: Type, name: string) => unknown} */
const $scope = (context, target, name) => context.call($extension, target, "x-scope", name);

/** @type {(context: Context, target: Type, clause: Clause) => void} */
function $access(context, target, clause) {
  context.program.stateMap(stateKeys.access).set(target, clause);
}

/** @type {(context: Context, target: Type, deprecation: Record<string, string>) => unknown} */
const $deprecation = (context, target, deprecation) => context.call($extension, target, "x-deprecation", deprecation);

/** @type {(context: Context, target: Type, ...values: string[]) => unknown} */
const $known = (context, target, ...values) => context.call($extension, target, "x-known", values);

/** @type {(context: Context, target: Type, ...sources: Source[]) => void} */
function $exampleFrom(context, target, ...sources) {
  context.program.stateMap(stateKeys.exampleFrom).set(target, sources);
  context.call($extension, target, "x-example-from", sources);
}

/** @type {(context: Context, target: Type, ...codes: string[]) => void} */
function $refuses({ program }, target, ...codes) {
  const refusals = program.stateMap(stateKeys.refusals);
  refusals.set(target, [...(refusals.get(target) ?? []), ...codes]);
}

export const $decorators = {
  Atpoint: {
    requirements: $requirements,
    scope: $scope,
    access: $access,
    deprecation: $deprecation,
    exampleFrom: $exampleFrom,
    known: $known,
    refuses: $refuses,
  },
};

/**
 * Every requirement by its clause, in the order in which the clauses are declared.
 * @param {Program} program
 */
export function requirementsOf(program) {
  const stated = [...program.stateMap(stateKeys.requirements)].flatMap(([target, list]) =>
    /** @type {Stated[]} */ (list).flatMap(({ clause, level, sentences, node }) =>
      Object.entries(sentences).map(([id, sentence]) => ({ id, sentence, clause, level, target, node })),
    ),
  );
  stated.push(...accessOf(program));
  /** @type {(clause: Clause) => number} */
  const place = (clause) => [...clause.enum.members.keys()].indexOf(clause.name);
  return stated.sort((a, b) => place(a.clause) - place(b.clause));
}

/**
 * Who may call each operation, as `@useAuth` has it.
 * @param {Program} program
 */
function accessOf(program) {
  const decided = clauseEnum(program)?.members.get("D16");
  return [...namesOf(program)].flatMap(([operation, name]) => {
    /** @type {Clause | undefined} */
    const clause = program.stateMap(stateKeys.access).get(operation) ?? decided;
    if (!clause) return [];
    const options = getAuthentication(program, operation)?.options ?? [];
    const shown = name.replaceAll(/\{(\w+)\}/g, "<$1>");
    /** @type {(aspect: string, sentence: string) => ReturnType<typeof requirementsOf>[number]} */
    const state = (aspect, sentence) => ({
      id: `${idOf(name)}/${aspect}`,
      sentence: `\`${shown}\` ${sentence}`,
      clause,
      level: "MUST",
      target: operation,
      node: operation,
    });
    if (options.some(({ schemes }) => schemes.some(({ type }) => type === "noAuth")))
      return [state("public", "works without credentials.")];
    return [
      state("credentials", "needs an API key and a platform."),
      state(
        "placements",
        "takes the key and the platform each as a header or as a query parameter, in all four combinations.",
      ),
    ];
  });
}

/**
 * The name of every operation as it stands in its path: `user.list`, `docs.get.{name}`.
 * @param {Program} program
 */
export function namesOf(program) {
  const operations = getAllHttpServices(program)[0].flatMap((service) => service.operations);
  return new Map(operations.map(({ operation, path }) => [operation, nameOf(path) ?? ""]));
}

/** @param {Program} program */
function clauseEnum(program) {
  const [clauses] = program.resolveTypeReference("Atpoint.Clause");
  return clauses?.kind === "Enum" ? clauses : undefined;
}

/**
 * Every clause, in its order.
 * @param {Program} program
 */
export function clausesOf(program) {
  return [...(clauseEnum(program)?.members.values() ?? [])].map((member) => ({
    id: member.name,
    title: getSummary(program, member) ?? "",
    decision: getDoc(program, member) ?? "",
  }));
}

/**
 * Every step of judgement, in its order, with the codes that it refuses with.
 * @param {Program} program
 */
export function stepsOf(program) {
  const steps = program.resolveTypeReference("Atpoint.Step")[0];
  const members = steps?.kind === "Enum" ? [...steps.members.values()] : [];
  return members.map((member) => ({
    member,
    step: member.name,
    does: getDoc(program, member) ?? "",
    refuses: /** @type {string[]} */ (program.stateMap(stateKeys.refusals).get(member) ?? []),
  }));
}

/**
 * Every problem's model, as far as it says what a problem has to say.
 * @param {Program} program
 */
export function problemsOf(program) {
  /** @type {{ model: import("@typespec/compiler").Model, code: string, status: unknown, meaning: string, example: Record<string, unknown> }[]} */
  const problems = [];
  navigateProgram(program, {
    model(model) {
      if (!isErrorModel(program, model) || isTemplateDeclaration(model) || model.node?.kind === undefined) return;
      const body = model.properties.get("body")?.type;
      if (body?.kind !== "Model" || model.name === "Problem") return;
      const code = literal(body.properties.get("code"));
      if (typeof code !== "string") return;
      const status = literal([...model.properties.values()].find((property) => isStatusCode(program, property)));
      const example = body.decorators.find(({ definition }) => definition?.name === "@example")?.args[0]?.jsValue;
      const said = /** @type {Record<string, unknown>} */ (example ?? {});
      problems.push({ model, code, status, meaning: getDoc(program, model) ?? "", example: said });
    },
  });
  return problems;
}

/** @param {import("@typespec/compiler").ModelProperty | undefined} property */
function literal(property) {
  const type = property?.type;
  return type?.kind === "String" || type?.kind === "Number" ? type.value : undefined;
}

/**
 * Called by the compiler when everything is checked.
 * @param {Program} program
 */
export function $onValidate(program) {
  /** @type {Set<string>} */
  const ids = new Set();
  for (const { id, node } of requirementsOf(program)) {
    if (ids.has(id)) reportDiagnostic(program, { code: "requirement-twice", format: { id }, target: node });
    ids.add(id);
  }
  /** @type {Set<string>} */
  const codes = new Set();
  const problems = problemsOf(program);
  for (const { model, code, status, meaning } of problems) {
    const format = { code };
    if (typeof status !== "number")
      reportDiagnostic(program, { code: "problem-without-status", format, target: model });
    if (!meaning) reportDiagnostic(program, { code: "problem-without-meaning", format, target: model });
    if (codes.has(code)) reportDiagnostic(program, { code: "problem-twice", format, target: model });
    codes.add(code);
  }
  const steps = stepsOf(program);
  for (const { refuses, member } of steps)
    for (const code of refuses)
      if (!codes.has(code)) reportDiagnostic(program, { code: "refusal-unknown", format: { code }, target: member });
  const placed = steps.flatMap(({ refuses }) => refuses);
  for (const { model, code } of problems)
    if (!placed.includes(code))
      reportDiagnostic(program, { code: "problem-without-step", format: { code }, target: model });
  const operations = getAllHttpServices(program)[0].flatMap((service) => service.operations);
  refuseAmbiguousNames(program, operations);
  refuseForeignExamples(program, operations);
}

/** @typedef {import("@typespec/http").HttpOperation} HttpOperation */

/**
 * The id of an operation: its name without the parts of a template.
 * @param {string} name
 */
export const idOf = (name) => name.replace(/\.\{\w+\}/g, "");

/**
 * The name of the operation that a path stands for; undefined for any other path.
 * @param {string} path
 */
export const nameOf = (path) => /^\/api\/([^/]+)\/\.\.\/$/.exec(path)?.[1];

/**
 * Two operations of one name, or a name that the template of another matches, would make a request ambiguous.
 * @param {Program} program
 * @param {readonly HttpOperation[]} operations
 */
function refuseAmbiguousNames(program, operations) {
  /** @type {string[]} */
  const earlier = [];
  for (const operation of operations) {
    const name = nameOf(operation.path);
    if (name === undefined) continue;
    const target = operation.operation;
    for (const other of earlier) {
      if (other === name) reportDiagnostic(program, { code: "operation-twice", format: { name }, target });
      else if (overlaps(other, name) || overlaps(name, other)) {
        const [template, matched] = other.includes("{") ? [other, name] : [name, other];
        reportDiagnostic(program, { code: "operation-ambiguous", format: { name: matched, template }, target });
      }
    }
    earlier.push(name);
  }
}

/**
 * Whether a template, its parts taken as any text, matches a name.
 * @param {string} template
 * @param {string} name
 */
function overlaps(template, name) {
  if (!template.includes("{")) return false;
  const texts = template.split(/\{\w+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${texts.join(".+")}$`).test(name.replaceAll(/\{\w+\}/g, "x"));
}

/**
 * The suite calls a command with these values: each must come from the answer of another command, which the run itself has
 * sent. What a query lists is somebody's.
 * @param {Program} program
 * @param {readonly HttpOperation[]} operations
 */
function refuseForeignExamples(program, operations) {
  const commands = operations.filter(({ verb }) => verb === "post");
  const ids = commands.map(({ path }) => idOf(nameOf(path) ?? ""));
  for (const command of commands) {
    const id = idOf(nameOf(command.path) ?? "");
    const envelope = command.parameters.body?.type;
    const data = envelope?.kind === "Model" ? envelope.properties.get("data")?.type : undefined;
    for (const member of data?.kind === "Model" ? data.properties.values() : []) {
      /** @type {Source[]} */
      const sources = program.stateMap(stateKeys.exampleFrom).get(member) ?? [];
      if (sources.length === 0 && /^id$|Id$/.test(member.name)) {
        const format = { member: member.name, command: id };
        reportDiagnostic(program, { code: "example-needed", format, target: member });
      }
      for (const { operation } of sources) {
        if (ids.includes(operation) && operation !== id) continue;
        const why = operation === id ? "this is the command itself" : `"${operation}" is no command`;
        const format = { member: member.name, command: id, why };
        reportDiagnostic(program, { code: "example-not-created", format, target: member });
      }
    }
  }
}
