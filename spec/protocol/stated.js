// @ts-check
// What a spec states, read from the compiler: operations, clauses, requirements, steps.
import * as compiler from "@typespec/compiler";
import { getAllHttpServices, isVisible, Visibility } from "@typespec/http";
import { getExtensions } from "@typespec/openapi";
import { stateKeys } from "./diagnostics.js";
import { creationOf } from "./records.js";

const { getDoc, getSummary } = compiler;

/**
 * @typedef {compiler.Program} Program
 * @typedef {compiler.Type} Type
 * @typedef {{ clause: string, level: "MUST" | "SHOULD" | "MAY", sentences: Record<string, string>,
 *   node: compiler.DiagnosticTarget }} Stated
 * @typedef {{ since: string, sunset: string, link: string }} Deprecation
 * @typedef {{ operation: string, pointer: string }} Source
 * @typedef {{ targetBytes: number, headBytes: number, headFields: number, bodyBytes: number,
 *   bodyDepth: number, bodyParts: number, faults: number }} Limits
 * @typedef {ReturnType<typeof operationsOf>[number]} Operation
 * @typedef {{ file: string, line: number }} Location
 * @typedef {{ id: string, level: string, origin: string, clause: string, profile: string,
 *   sentence: string, operation: string | null, location: Location | null }} Requirement
 */

/** Text as a regular expression that matches just it. @param {string} text */
export const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Every operation, in the order of the spec. @param {Program} program */
export function operationsOf(program) {
  const operations = declaredIn(program);
  return operations.map((operation) => ({
    ...operation,
    members: operation.members.map((member) =>
      member.sources.length > 0 || member.known.length > 0
        ? member
        : { ...member, sources: creationOf(program, operations, operation, member) },
    ),
  }));
}

/** Every operation as it is written. @param {Program} program */
const declaredIn = (program) =>
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
        /**
         * Its input by the names that are sent: parts and query parameters, or the members of
         * `data`.
         */
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
 * A member of an input: the values that every deployment has, and where one is found, from the
 * first place to the last.
 * @type {(program: Program, member: string, property: compiler.ModelProperty) => { member: string,
 *   property: compiler.ModelProperty, known: string[], sources: Source[] }}
 */
const memberOf = (program, member, property) => {
  const [known = [], sources = []] = [stateKeys.known, stateKeys.exampleFrom].map((key) =>
    program.stateMap(key).get(property),
  );
  return { member, property, known, sources };
};

/** What a type may be. @type {(type: Type) => Type[]} */
export const leavesOf = (type) =>
  type.kind === "Union"
    ? [...type.variants.values()].flatMap((variant) => leavesOf(variant.type))
    : [type];

/** The limits of HTTP itself, as the protocol states them. @type {(program: Program) => Limits} */
export const limitsOf = (program) => [...program.stateMap(stateKeys.limits).values()][0];

/**
 * The keys of the service, as `@keys` states them.
 * @type {(program: Program) => { realm: string, prefix: string }}
 */
export const keysOf = (program) =>
  [...program.stateMap(stateKeys.keys).values()][0] ?? { realm: "api", prefix: "key_" };

/**
 * Where the version of a deployment is: the member with `@deploymentVersion` in a query without
 * input, a public one if there is one.
 * @type {(program: Program, operations: readonly Operation[]) => { operation: string,
 *   pointer: string } | null}
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
 * A text of the library in the words of the service: `{realm}` and `{keyPrefix}` are those of
 * `@keys`.
 * @type {(program: Program) => (text: string) => string}
 */
export function wordsOf(program) {
  const { realm, prefix } = keysOf(program);
  return (text) => text.replaceAll("{realm}", realm).replaceAll("{keyPrefix}", prefix);
}

/**
 * The members of an enum of the protocol.
 * @type {(program: Program, name: string) => compiler.EnumMember[]}
 */
export function membersOf(program, name) {
  const [type] = program.resolveTypeReference(`Atpoint.${name}`);
  return type?.kind === "Enum" ? [...type.members.values()] : [];
}

/**
 * The clauses of all enums, the protocol's first: those of one letter together, by their numbers.
 * @param {Program} program
 */
export function clauseMembersOf(program) {
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

/**
 * Where a requirement is stated: a file relative to the folder of the spec, and a line, the first
 * is 1.
 * @type {(program: Program, node: compiler.DiagnosticTarget, id: string) => Location | null}
 */
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

/**
 * Every requirement, in the order of the clauses, and where it is stated.
 * @type {(program: Program, operations: readonly Operation[]) => { node: compiler.DiagnosticTarget,
 *   fact: Requirement }[]}
 */
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

/**
 * Who may call an operation, as `@useAuth` has it.
 * @type {(operation: Operation) => Stated["sentences"]}
 */
function access({ id, name, auth }) {
  const shown = `\`${name.replaceAll(/\{(\w+)\}/g, "<$1>")}\``;
  if (!auth) return { [`${id}/public`]: `${shown} works without credentials.` };
  return {
    [`${id}/credentials`]: `${shown} needs an API key and a platform.`,
    [`${id}/placements`]: `${shown} takes the key and the platform each as a header or as a query parameter, in all four combinations.`,
  };
}
