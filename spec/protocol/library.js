// @ts-check
// The protocol as a TypeSpec library: its decorators, what they state, and what the compiler (and an editor) rejects.
// JavaScript, because the TypeSpec compiler loads it as it is.
import * as compiler from "@typespec/compiler";
import {
  getAllHttpServices,
  getHeaderFieldName,
  isBody,
  isHeader,
  isStatusCode,
  isVisible,
  Visibility,
} from "@typespec/http";
import { $extension, getExtensions } from "@typespec/openapi";

const { getDoc, getSummary, paramMessage } = compiler;

/** @type {<Text extends string | compiler.CallableMessage<string[]>>(text: Text) => { severity: "error", messages: { default: Text } }} */
const error = (text) => ({ severity: "error", messages: { default: text } });

export const $lib = compiler.createTypeSpecLibrary({
  name: "atpoint-spec",
  diagnostics: {
    service: error(
      "A spec declares one service, with @service, and no versions: they are not part of a contract.",
    ),
    form: error(paramMessage`${"form"} is not supported in a ${"place"}: ${"instead"}.`),
    name: error(paramMessage`"${"name"}" is not supported as a name: ${"why"}.`),
    pattern: error(paramMessage`The pattern does not work with the flag "u": ${"advice"}.`),
    value: error(paramMessage`This ${"what"} does not match its own schema: ${"why"}.`),
    "part-pattern": error(
      paramMessage`The part {${"name"}} of a name needs a @pattern that begins with ^ and ends with $, without further anchors, named groups and back-references.`,
    ),
    "clause-open": error(
      paramMessage`No requirement follows from the clause ${"id"}, and no @untried says why.`,
    ),
    "clause-twice": error(paramMessage`Two clauses are called "${"id"}".`),
    "clause-unknown": error(paramMessage`"${"id"}" is no clause.`),
    "requirement-twice": error(paramMessage`The requirement id "${"id"}" is used twice.`),
    "problem-without-status": error(paramMessage`The problem "${"code"}" has no @statusCode.`),
    "problem-without-meaning": error(paramMessage`The problem "${"code"}" has no documentation.`),
    "problem-twice": error(paramMessage`The problem code "${"code"}" is used twice.`),
    "problem-without-step": error(paramMessage`No step rejects with the problem "${"code"}".`),
    "problem-unknown": error(paramMessage`"${"code"}" is the code of no problem.`),
    "operation-path": error(
      paramMessage`${"path"} is not the path of an operation: every operation is a Query or a Command.`,
    ),
    "operation-verb": error(
      paramMessage`"${"name"}" is called by neither GET nor POST: write a Query or a Command.`,
    ),
    "operation-id": error(
      paramMessage`The operation "${"name"}" must be called "${"id"}" in the spec.`,
    ),
    "operation-scope": error(
      paramMessage`The operation "${"name"}" must have a @scope exactly when it needs credentials.`,
    ),
    "operation-twice": error(paramMessage`Two operations are named "${"name"}".`),
    "operation-ambiguous": error(
      paramMessage`The name "${"name"}" is also matched by "${"template"}".`,
    ),
    "operation-credentials": error(
      paramMessage`"${"name"}" needs @useAuth(KeyAndPlatform) or @useAuth(NoAuth): the protocol has no other credentials.`,
    ),
    "answers-lack": error(paramMessage`The answers of "${"name"}" lack ${"missing"}: ${"why"}.`),
    idempotency: error(paramMessage`"${"name"}" cannot take an Idempotency-Key: ${"why"}.`),
    "parameter-reserved": error(
      paramMessage`The protocol itself reads "${"parameter"}": give this parameter of "${"name"}" another name.`,
    ),
    "parameter-twice": error(paramMessage`"${"name"}" has two parameters named "${"parameter"}".`),
    "command-parameter": error(
      paramMessage`"${"parameter"}" is no input of the command "${"name"}": write it in the model of its data.`,
    ),
    "decides-unknown": error(paramMessage`"${"id"}" is no requirement.`),
    "example-missing": error(
      paramMessage`"${"member"}" is required: "${"operation"}" needs an @opExample with a value of it.`,
    ),
    "example-needed": error(
      paramMessage`"${"member"}" of "${"operation"}" says which record: it needs an @exampleFrom (or @known), so that the suite finds one and changes only what it has created.`,
    ),
    "unordered-no-list": error(
      paramMessage`@unordered is for a list, and "${"name"}" has no PageParameters.`,
    ),
    "version-not-found": error(
      "The suite does not find the version of a deployment here: put @deploymentVersion on a text in the answer of a query that needs no input.",
    ),
    "example-unknown": error(
      paramMessage`@exampleFrom names "${"source"}", which is no operation.`,
    ),
    "example-not-created": error(
      paramMessage`"${"member"}" of "${"operation"}" must come from the answer of another command, so that a run of the suite changes only what it has created: ${"why"}.`,
    ),
  },
  state: {
    clauses: { description: "The enums whose members are clauses." },
    requirements: { description: "What @requirements states, by its target." },
    access: { description: "The clause by which an operation needs credentials or not." },
    exampleFrom: { description: "Where a value of an input is found, by the member." },
    known: { description: "Values that every deployment has, by the part of a name." },
    untried: { description: "Why a clause, or a part of it, has no requirement, by the clause." },
    profile: { description: "What the requirements of a clause are about, by the clause." },
    problems: { description: "The codes that a step rejects with, by the step." },
    decides: {
      description: "The requirement that a rule of an operation belongs to, by the operation.",
    },
    limits: { description: "The limits of HTTP itself." },
    keys: { description: "What a service calls its keys." },
    deploymentVersion: { description: "Members with the version of the deployment." },
    requestHeaders: {
      description: "Request header fields that the service reads, by the namespace.",
    },
  },
  // It has no options but the compiler's own, such as `emitter-output-dir`: any other is an error with its place.
  emitter: {
    options: { type: "object", properties: {}, additionalProperties: false, required: [] },
  },
});
export const { reportDiagnostic } = $lib;
const { stateKeys } = $lib;

/**
 * @typedef {compiler.DecoratorContext} Context
 * @typedef {compiler.Program} Program
 * @typedef {compiler.Type} Type
 * @typedef {import("@typespec/http").HttpAuth} HttpAuth
 * @typedef {{ clause: string, level: "MUST" | "SHOULD" | "MAY", sentences: Record<string, string>, node: compiler.DiagnosticTarget }} Stated
 * @typedef {{ since: string, sunset: string, link: string }} Deprecation
 * @typedef {{ operation: string, pointer: string }} Source
 * @typedef {{ targetBytes: number, headBytes: number, headFields: number, bodyBytes: number, bodyDepth: number, bodyParts: number, faults: number }} Limits
 * @typedef {ReturnType<typeof operationsOf>[number]} Operation
 * @typedef {{ file: string, line: number }} Location
 * @typedef {{ id: string, level: string, origin: string, clause: string, profile: string, sentence: string, operation: string | null, location: Location | null }} Requirement
 */

/** A sentence is written on several lines, and published on one. @param {string} text */
const oneLine = (text) => text.replaceAll("\n", " ");

/** @type {(context: Context, target: Type, clauses: Record<string, Stated["sentences"]>, level?: Stated["level"]) => void} */
function $requirements({ program, decoratorTarget: node }, target, clauses, level = "MUST") {
  // What a template of operations states, each operation made from it states: `op docsList is ListDocuments`.
  if (target.kind === "Operation" && compiler.isTemplateDeclarationOrInstance(target)) return;
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

/** What the published documents say of an operation as well. @type {(name: `x-${string}`) => (context: Context, target: Type, value: unknown) => void} */
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
    refuses: listed(stateKeys.problems),
    exampleFrom: listed(stateKeys.exampleFrom),
    known: listed(stateKeys.known),
    requestHeaders: listed(stateKeys.requestHeaders),
  },
};

/** Text as a regular expression that matches just it. @param {string} text */
export const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Every operation, in the order of the spec. @param {Program} program */
export const operationsOf = (program) =>
  getAllHttpServices(program)[0]
    .flatMap(({ operations }) => operations)
    .map(({ operation, path, verb, parameters, authentication, responses }) => {
      // As in the path: `user.list`, `docs.get.{name}`. `$onValidate` rejects any other path.
      const name = /^\/api\/([^/]+)\/\.\.\/$/.exec(path)?.[1] ?? "";
      const body = parameters.body?.type;
      const data = body?.kind === "Model" ? body.properties.get("data")?.type : undefined;
      const extensions = getExtensions(program, operation);
      return {
        type: operation,
        path,
        verb,
        name,
        id: name.replace(/\.\{\w+\}/g, ""),
        parameters,
        authentication,
        auth: !authentication?.options.some(({ schemes }) =>
          schemes.some(({ type }) => type === "noAuth"),
        ),
        /** @type {string | null} */
        scope: extensions.get("x-scope") ?? null,
        /** @type {Deprecation | null} */
        deprecation: extensions.get("x-deprecation") ?? null,
        unordered: extensions.get("x-unordered") === true,
        /** Which requirement its rules belong to. @type {Record<string, string>} */
        decides: program.stateMap(stateKeys.decides).get(operation) ?? {},
        /** Its input by the names that are sent: parts and query parameters, or the members of `data`. */
        members: body
          ? [...(data?.kind === "Model" ? compiler.walkPropertiesInherited(data) : [])]
              .filter((property) => isVisible(program, property, Visibility.Create))
              .map((property) => memberOf(program, property.name, property))
          : parameters.parameters
              .filter(({ type }) => type !== "header")
              .map(({ name, param }) => memberOf(program, name, param)),
        /** What it answers with, problems among it. */
        answers: leavesOf(operation.returnType),
        /** The bodies of its successes. */
        bodies: responses
          .filter(({ statusCodes }) => Number(statusCodes) < 300)
          .flatMap(({ responses }) => responses.flatMap(({ body }) => body?.type ?? [])),
      };
    });

/**
 * A member of an input: the values that every deployment has, and where one is found, from the first place to the last.
 * @type {(program: Program, member: string, property: compiler.ModelProperty) => { member: string, property: compiler.ModelProperty, known: string[], sources: Source[] }}
 */
const memberOf = (program, member, property) => {
  const [known = [], sources = []] = [stateKeys.known, stateKeys.exampleFrom].map((key) =>
    program.stateMap(key).get(property),
  );
  return { member, property, known, sources };
};

/** What a type may be. @type {(type: Type) => Type[]} */
const leavesOf = (type) =>
  type.kind === "Union"
    ? [...type.variants.values()].flatMap((variant) => leavesOf(variant.type))
    : [type];

/** The limits of HTTP itself, as the protocol states them. @type {(program: Program) => Limits} */
export const limitsOf = (program) => [...program.stateMap(stateKeys.limits).values()][0];

/** The keys of the service, as `@keys` states them. @type {(program: Program) => { realm: string, prefix: string }} */
export const keysOf = (program) =>
  [...program.stateMap(stateKeys.keys).values()][0] ?? { realm: "api", prefix: "key_" };

/**
 * Where the version of a deployment is: the member with `@deploymentVersion` in a query without input, a public one if there is one.
 * @type {(program: Program, operations: readonly Operation[]) => { operation: string, pointer: string } | null}
 */
export function deploymentVersionOf(program, operations) {
  const simple = operations.filter(
    ({ verb, members }) => verb === "get" && members.every(({ property }) => property.optional),
  );
  const found = simple.flatMap(({ id, auth, bodies }) =>
    bodies.flatMap((body) =>
      versionIn(program, body).map((pointer) => ({ auth, at: { operation: id, pointer } })),
    ),
  );
  return (found.find(({ auth }) => !auth) ?? found[0])?.at ?? null;
}

/**
 * JSON pointers to the members with a version.
 * @type {(program: Program, type: Type, within?: Type[]) => string[]}
 */
function versionIn(program, type, within = []) {
  if (type.kind !== "Model" || within.includes(type)) return [];
  return [...compiler.walkPropertiesInherited(type)].flatMap((property) => {
    const step = `/${property.name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const isText = property.type.kind === "String" || compiler.isStringType(program, property.type);
    return isText && program.stateSet(stateKeys.deploymentVersion).has(property)
      ? [step]
      : versionIn(program, property.type, [...within, type]).map((pointer) => step + pointer);
  });
}

/** The names that `@requestHeaders` states. @type {(program: Program) => string[]} */
export const requestHeadersOf = (program) =>
  [...program.stateMap(stateKeys.requestHeaders).values()].flat();

/**
 * A text of the library in the words of the service: `{realm}` and `{keyPrefix}` are those of `@keys`.
 * @type {(program: Program) => (text: string) => string}
 */
export function wordsOf(program) {
  const { realm, prefix } = keysOf(program);
  return (text) => text.replaceAll("{realm}", realm).replaceAll("{keyPrefix}", prefix);
}

/** The members of an enum of the protocol. @type {(program: Program, name: string) => compiler.EnumMember[]} */
function membersOf(program, name) {
  const [type] = program.resolveTypeReference(`Atpoint.${name}`);
  return type?.kind === "Enum" ? [...type.members.values()] : [];
}

/** The clauses of all enums, the protocol's first: those of one letter together, by their numbers. @param {Program} program */
function clauseMembersOf(program) {
  const enums = /** @type {Set<compiler.Enum>} */ (program.stateSet(stateKeys.clauses));
  const others = [...enums].flatMap(({ members }) => [...members.values()]);
  const clauses = [...new Set([...membersOf(program, "Clause"), ...others])];
  const letters = clauses.map(({ name }) => name.replace(/\d+$/, ""));
  /** @param {compiler.EnumMember} clause */
  const rank = ({ name }) => letters.indexOf(name.replace(/\d+$/, ""));
  return clauses.sort(
    (a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en", { numeric: true }),
  );
}

/** Every clause, in its order. @param {Program} program */
export const clausesOf = (program) =>
  clauseMembersOf(program).map((clause) => ({
    id: clause.name,
    title: getSummary(program, clause) ?? "",
    decision: wordsOf(program)(getDoc(program, clause) ?? ""),
    /** @type {string | null} */
    untried: program.stateMap(stateKeys.untried).get(clause) ?? null,
  }));

/** The codes that a step rejects with. @type {(program: Program, step: Type) => string[]} */
const rejectedBy = (program, step) => program.stateMap(stateKeys.problems).get(step) ?? [];

/** Every step, in order, with the codes that it rejects with. @param {Program} program */
export const stepsOf = (program) =>
  membersOf(program, "Step").map((member) => ({
    step: member.name,
    does: getDoc(program, member) ?? "",
    problems: rejectedBy(program, member),
  }));

/** Where a requirement is stated: a file relative to the folder of the spec, and a line, the first is 1. @type {(program: Program, node: compiler.DiagnosticTarget, id: string) => Location | null} */
function locationOf(program, node, id) {
  const source = compiler.getSourceLocation(node);
  if (!source) return null;
  const { file, pos, end } = source;
  const at = file.text.slice(pos, end).indexOf(id);
  const { line } = file.getLineAndCharacterOfPosition(pos + Math.max(at, 0));
  return {
    file: compiler.getRelativePathFromDirectory(program.projectRoot, file.path, false),
    line: line + 1,
  };
}

/** Every requirement, in the order of the clauses, and where it is stated. @type {(program: Program, operations: readonly Operation[]) => { node: compiler.DiagnosticTarget, fact: Requirement }[]} */
export function requirementsOf(program, operations) {
  const worded = wordsOf(program);
  const members = clauseMembersOf(program);
  const clauses = members.map(({ name }) => name);
  const profiles = new Map(
    members.map((member) => [member.name, program.stateMap(stateKeys.profile).get(member)]),
  );
  const stated = [...program.stateMap(stateKeys.requirements)].flatMap(([target, list]) =>
    /** @type {Stated[]} */ (list).map((one) => ({
      ...one,
      operation: operations.find(({ type }) => type === target),
    })),
  );
  for (const operation of operations) {
    const clause = program.stateMap(stateKeys.access).get(operation.type)?.name ?? "D16";
    stated.push({
      clause,
      level: "MUST",
      sentences: access(operation),
      node: operation.type,
      operation,
    });
  }
  return stated
    .sort((a, b) => clauses.indexOf(a.clause) - clauses.indexOf(b.clause))
    .flatMap(({ clause, level, sentences, node, operation }) =>
      Object.entries(sentences).map(([id, sentence]) => {
        const origin = clause.startsWith("G") ? "given" : "decided";
        const fact = {
          id,
          level,
          origin,
          clause,
          profile: profiles.get(clause) ?? "operations",
          sentence: worded(sentence),
          operation: operation?.id ?? null,
        };
        return { node, fact: { ...fact, location: locationOf(program, node, id) } };
      }),
    );
}

/** Who may call an operation, as `@useAuth` has it. @type {(operation: Operation) => Stated["sentences"]} */
function access({ id, name, auth }) {
  const shown = `\`${name.replaceAll(/\{(\w+)\}/g, "<$1>")}\``;
  if (!auth) return { [`${id}/public`]: `${shown} works without credentials.` };
  return {
    [`${id}/credentials`]: `${shown} needs an API key and a platform.`,
    [`${id}/placements`]: `${shown} takes the key and the platform each as a header or as a query parameter, in all four combinations.`,
  };
}

/** Every problem, by its status, and its model. @param {Program} program */
export function problemsOf(program) {
  /** @type {{ model: compiler.Model, fact: { code: string, status: number, title: string, detail: string, meaning: string, example: unknown } }[]} */
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
        meaning: getDoc(program, model) ?? "",
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

/** Called by the compiler when everything is checked. @param {Program} program */
export function $onValidate(program) {
  const operations = operationsOf(program);
  const facts = requirementsOf(program, operations);
  const ids = facts.map(({ fact }) => fact.id);
  const cited = new Set(facts.map(({ fact }) => fact.clause));
  const clauses = clauseMembersOf(program);
  const names = clauses.map(({ name }) => name);
  for (const [index, { node: target, fact }] of facts.entries()) {
    const { id, clause } = fact;
    if (ids.indexOf(id) < index)
      reportDiagnostic(program, { code: "requirement-twice", format: { id }, target });
    if (!names.includes(clause))
      reportDiagnostic(program, { code: "clause-unknown", format: { id: clause }, target });
  }
  for (const [index, target] of clauses.entries()) {
    const format = { id: target.name };
    if (names.indexOf(target.name) < index)
      reportDiagnostic(program, { code: "clause-twice", format, target });
    if (!program.stateMap(stateKeys.untried).has(target) && !cited.has(target.name))
      reportDiagnostic(program, { code: "clause-open", format, target });
  }
  const [target] = program.stateSet(stateKeys.deploymentVersion);
  if (target && !deploymentVersionOf(program, operations))
    reportDiagnostic(program, { code: "version-not-found", target });
  checkProblems(program);
  for (const [index, operation] of operations.entries()) {
    const { type: target } = operation;
    for (const id of Object.values(operation.decides))
      if (!ids.includes(id))
        reportDiagnostic(program, { code: "decides-unknown", format: { id }, target });
    if (operation.unordered && !operation.members.some(({ member }) => member === "cursor"))
      reportDiagnostic(program, {
        code: "unordered-no-list",
        format: { name: operation.name },
        target,
      });
    checkOperation(program, operation, operations.slice(0, index));
    checkParameters(program, operation);
    checkAnswers(program, operation);
    checkExample(program, operation);
    checkSources(program, operation, operations);
  }
}

/** @param {Program} program */
function checkProblems(program) {
  const problems = problemsOf(program);
  const codes = problems.map(({ fact }) => fact.code);
  const steps = membersOf(program, "Step").map((target) => ({
    target,
    used: rejectedBy(program, target),
  }));
  for (const [index, { model: target, fact }] of problems.entries()) {
    const format = { code: fact.code };
    if (Number.isNaN(fact.status))
      reportDiagnostic(program, { code: "problem-without-status", format, target });
    if (!fact.meaning)
      reportDiagnostic(program, { code: "problem-without-meaning", format, target });
    if (codes.indexOf(fact.code) < index)
      reportDiagnostic(program, { code: "problem-twice", format, target });
    if (!steps.some(({ used }) => used.includes(fact.code)))
      reportDiagnostic(program, { code: "problem-without-step", format, target });
  }
  for (const { target, used } of steps)
    for (const code of used)
      if (!codes.includes(code))
        reportDiagnostic(program, { code: "problem-unknown", format: { code }, target });
}

/**
 * Two operations of one name, or a name that the template of another matches, would make a request ambiguous.
 * @type {(program: Program, operation: Operation, earlier: readonly Operation[]) => void}
 */
function checkOperation(program, { type: target, path, verb, name, id, auth, scope }, earlier) {
  if (name === "")
    return reportDiagnostic(program, { code: "operation-path", format: { path }, target });
  if (verb !== "get" && verb !== "post")
    reportDiagnostic(program, { code: "operation-verb", format: { name }, target });
  const called = id.replace(/\.(\w)/g, (_, letter) => letter.toUpperCase());
  if (target.name !== called)
    reportDiagnostic(program, { code: "operation-id", format: { name, id: called }, target });
  if (auth !== (scope !== null))
    reportDiagnostic(program, { code: "operation-scope", format: { name: id }, target });
  for (const { name: other } of earlier) {
    const [template, matched] = other.includes("{") ? [other, name] : [name, other];
    if (other === name)
      reportDiagnostic(program, { code: "operation-twice", format: { name }, target });
    else if (overlaps(other, name) || overlaps(name, other))
      reportDiagnostic(program, {
        code: "operation-ambiguous",
        format: { name: matched, template },
        target,
      });
  }
}

/**
 * The names, in small letters, of what the protocol reads itself. In a query another letter case
 * is no credential (D18), so no operation may give it a meaning.
 */
const RESERVED = {
  query: ["@", "x-api-key", "x-platform"],
  path: /** @type {string[]} */ ([]),
  cookie: /** @type {string[]} */ ([]),
  // OpenAPI itself ignores the first three.
  header: [
    "accept authorization content-type accept-encoding access-control-request-headers",
    "access-control-request-method connection content-encoding content-length cookie expect host origin",
    "traceparent tracestate transfer-encoding x-api-key x-forwarded-for x-platform x-request-id",
  ].flatMap((names) => names.split(" ")),
};

/**
 * A parameter that the protocol reads in its own way, or not at all, would be published and have no effect.
 * @type {(program: Program, operation: Operation) => void}
 */
function checkParameters(program, { name, verb, parameters: { parameters } }) {
  const known = new Set();
  for (const { type, name: parameter, param: target } of parameters) {
    const format = { name, parameter };
    const lower = parameter.toLowerCase();
    if (RESERVED[type].includes(lower))
      reportDiagnostic(program, { code: "parameter-reserved", format, target });
    if (verb === "post" && (type === "query" || type === "path"))
      reportDiagnostic(program, { code: "command-parameter", format, target });
    const key = type === "header" ? `header ${lower}` : parameter;
    if (known.has(key)) reportDiagnostic(program, { code: "parameter-twice", format, target });
    known.add(key);
  }
}

/**
 * The header parameter of an operation that takes an `Idempotency-Key`.
 * @param {Operation} operation
 */
const idempotencyOf = ({ parameters }) =>
  parameters.parameters.find(
    ({ type, name }) => type === "header" && name.toLowerCase() === "idempotency-key",
  )?.param;

/**
 * Why an operation cannot keep what its `Idempotency-Key` promises (D25).
 * @type {(program: Program, operation: Operation) => string | null}
 */
function reasonAgainstIdempotency(program, operation) {
  const { auth, verb, answers } = operation;
  const [declared] = program.resolveTypeReference("Atpoint.Idempotency.idempotencyKey");
  const property = idempotencyOf(operation);
  if (!property) return null;
  if (verb === "get") return "a query ignores it";
  if (!originsOf(property).includes(declared))
    return "write ...Idempotency in place of a header of its own";
  if (!auth) return "the key belongs to the API key of a caller, and this operation is public";
  return answers.some((answer) => isReplayable(program, answer))
    ? null
    : "it needs CreatedOnce as its answer";
}

/**
 * A property, and those that it was spread from.
 * @type {(property: compiler.ModelProperty) => (Type | undefined)[]}
 */
const originsOf = (property) => [
  property,
  ...(property.sourceProperty ? originsOf(property.sourceProperty) : []),
];

/**
 * Whether an answer says that it is that of an earlier call.
 * @type {(program: Program, answer: Type) => boolean}
 */
const isReplayable = (program, answer) =>
  answer.kind === "Model" &&
  [...answer.properties.values()].some(
    (property) =>
      isHeader(program, property) &&
      getHeaderFieldName(program, property) === "Idempotent-Replayed",
  );

/**
 * Whether an answer is a page of a list (D26).
 * @type {(program: Program, answer: Type) => boolean}
 */
function isPage(program, answer) {
  if (answer.kind !== "Model") return false;
  const body = [...answer.properties.values()].find((property) => isBody(program, property))?.type;
  return body?.kind === "Model" && body.properties.has("nextCursor");
}

/** `NoAuth`, and the four combinations of `KeyAndPlatform`. */
const CREDENTIALS = [
  "noAuth",
  [
    "header X-API-KEY,header X-PLATFORM",
    "header X-API-KEY,query X-PLATFORM",
    "header X-PLATFORM,query X-API-KEY",
    "query X-API-KEY,query X-PLATFORM",
  ].join(" "),
];

/** Where a credential is sent. @type {(scheme: HttpAuth) => string} */
const placementOf = (scheme) =>
  scheme.type === "apiKey" ? `${scheme.in} ${scheme.name}` : scheme.type;

/**
 * The credentials of an operation are those of the protocol, and what its steps may reject with is among its answers: otherwise its
 * document would not be true.
 * @type {(program: Program, operation: Operation) => void}
 */
function checkAnswers(program, operation) {
  const { type: target, name, verb, auth, authentication, members, answers } = operation;
  if (name === "" || (verb !== "get" && verb !== "post")) return;
  const options = authentication?.options.map(({ schemes }) =>
    schemes.map(placementOf).sort().join(),
  );
  if (!CREDENTIALS.includes([...new Set(options)].sort().join(" ")))
    reportDiagnostic(program, { code: "operation-credentials", format: { name }, target });
  const why = reasonAgainstIdempotency(program, operation);
  if (why) reportDiagnostic(program, { code: "idempotency", format: { name, why }, target });
  const isKeyed = why === null && idempotencyOf(operation) !== undefined;
  const isPaged =
    members.some(({ member }) => member === "cursor") &&
    answers.some((one) => isPage(program, one));
  /** @type {[applies: boolean, names: string[], why: string][]} */
  const needed = [
    [true, ["ProtocolProblem"], "it is neither a Query nor a Command"],
    [verb === "post", ["BodyProblem"], "it has a body"],
    [auth, ["CredentialProblem"], "it needs credentials"],
    [isPaged, ["InvalidCursor"], "it is a list with a cursor"],
    [isKeyed, ["InvalidIdempotencyKey", "IdempotencyKeyReused"], "it takes an Idempotency-Key"],
  ];
  for (const [applies, names, why] of needed) {
    const missing = names.flatMap((one) => missingOf(program, one, answers)).join(", ");
    if (applies && missing)
      reportDiagnostic(program, { code: "answers-lack", format: { name, missing, why }, target });
  }
}

/** The problems of an alias of the protocol. @type {(program: Program, alias: string) => Type[]} */
function aliasedBy(program, alias) {
  const [type] = program.resolveTypeReference(`Atpoint.${alias}`);
  return type ? leavesOf(type) : [];
}

/** Which requests get the problems of an alias of the protocol, whatever their operation does. */
const COMMON = {
  ProtocolProblem: "Any request",
  BodyProblem: "A request with a body",
  CredentialProblem: "A request that needs credentials",
};

/** The problems of the protocol itself. @type {(program: Program) => { request: string, types: Type[] }[]} */
export const commonProblemsOf = (program) =>
  Object.entries(COMMON).map(([alias, request]) => ({
    request,
    types: aliasedBy(program, alias),
  }));

/**
 * The problems of an alias of the protocol that are not among these; all of them are its name.
 * @type {(program: Program, alias: string, answers: readonly Type[]) => string[]}
 */
function missingOf(program, alias, answers) {
  const all = aliasedBy(program, alias);
  const missing = all.filter((problem) => !answers.includes(problem));
  return missing.length === all.length
    ? [alias]
    : missing.flatMap((one) => (one.kind === "Model" ? one.name : []));
}

/** Whether a template, its parts taken as any text, matches a name. @type {(template: string, name: string) => boolean} */
function overlaps(template, name) {
  if (!template.includes("{")) return false;
  const texts = template.split(/\{\w+\}/).map(escapeRegExp);
  return new RegExp(`^${texts.join(".+")}$`).test(name.replaceAll(/\{\w+\}/g, "x"));
}

/** An operation is documented and called with its example. @type {(program: Program, operation: Operation) => void} */
function checkExample(program, { type: target, id: operation, verb, members }) {
  const [example] = compiler.getOpExamples(program, target);
  /** @type {(value: compiler.Value | undefined, name: string) => compiler.Value | undefined} */
  const within = (value, name) =>
    value?.valueKind === "ObjectValue" ? value.properties.get(name)?.value : undefined;
  const given =
    verb === "post" ? within(within(example?.parameters, "body"), "data") : example?.parameters;
  for (const { member, property } of members)
    if (!property.optional && !property.defaultValue && !within(given, property.name))
      reportDiagnostic(program, { code: "example-missing", format: { member, operation }, target });
}

/**
 * The suite calls an operation with these values. One of a command must come from the answer of another command, which the run
 * itself has sent: what a query lists is somebody's.
 * @type {(program: Program, operation: Operation, operations: readonly Operation[]) => void}
 */
function checkSources(program, { id, name, verb, members }, operations) {
  for (const { member, property: target, known, sources } of members) {
    const format = { member, operation: id };
    const isRecord = name.includes(`{${member}}`) || /^id$|Id$/.test(member);
    if (isRecord && sources.length === 0 && known.length === 0)
      reportDiagnostic(program, { code: "example-needed", format, target });
    for (const { operation: source } of sources) {
      const found = operations.find((other) => other.id === source);
      if (!found)
        reportDiagnostic(program, { code: "example-unknown", format: { source }, target });
      else if (verb === "post" && (source === id || found.verb === "get")) {
        const why = source === id ? "this is the command itself" : `"${source}" is no command`;
        reportDiagnostic(program, {
          code: "example-not-created",
          format: { ...format, why },
          target,
        });
      }
    }
  }
}
