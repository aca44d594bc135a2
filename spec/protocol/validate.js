// @ts-check
// What a spec must be for its document to be true, and for the suite to try it.
import * as compiler from "@typespec/compiler";
import { checkAnswers, completeAnswers } from "./answers.js";
import { reportDiagnostic, stateKeys } from "./diagnostics.js";
import { checkEffects } from "./effects.js";
import { problemsOf, rejectedBy } from "./problems.js";
import { exampleOf } from "./samples.js";
import {
  clauseMembersOf,
  deploymentVersionOf,
  escapeRegExp,
  membersOf,
  operationsOf,
  requirementsOf,
} from "./stated.js";

/**
 * @typedef {compiler.Program} Program
 * @typedef {compiler.Type} Type
 * @typedef {import("./stated.js").Operation} Operation
 */

/** Called by the compiler when everything is checked. @param {Program} program */
export function $onValidate(program) {
  for (const operation of operationsOf(program)) completeAnswers(program, operation);
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
    checkEffects(program, operation);
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
  }
  for (const { target, used } of steps)
    for (const code of used)
      if (!codes.includes(code))
        reportDiagnostic(program, { code: "problem-unknown", format: { code }, target });
}

/**
 * Two operations of one name, or a name that the template of another matches, would make a request
 * ambiguous.
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
 * A parameter that the protocol reads in its own way, or not at all, would be published and have no
 * effect.
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
 * Whether a template, its parts taken as any text, matches a name.
 * @type {(template: string, name: string) => boolean}
 */
function overlaps(template, name) {
  if (!template.includes("{")) return false;
  const texts = template.split(/\{\w+\}/).map(escapeRegExp);
  return new RegExp(`^${texts.join(".+")}$`).test(name.replaceAll(/\{\w+\}/g, "x"));
}

/**
 * An operation is documented and called with its example.
 * @type {(program: Program, operation: Operation) => void}
 */
function checkExample(program, stated) {
  const { type: target, id: operation, members } = stated;
  const example = exampleOf(program, stated);
  for (const { member, property } of members)
    if (!property.optional && !property.defaultValue && !Object.hasOwn(example, member))
      reportDiagnostic(program, { code: "example-missing", format: { member, operation }, target });
}

/**
 * The suite calls an operation with these values. One of a command must come from the answer of
 * another command, which the run
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
