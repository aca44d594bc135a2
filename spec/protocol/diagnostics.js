// @ts-check
// What the compiler, and an editor, reports about a spec, and what decorators keep in its state.
// JavaScript, because the TypeSpec compiler loads it as it is.
import { createTypeSpecLibrary, paramMessage } from "@typespec/compiler";

/**
 * @type {<Text extends string |
 *   import("@typespec/compiler").CallableMessage<string[]>>(text: Text) => { severity: "error",
 *   messages: { default: Text } }}
 */
const error = (text) => ({ severity: "error", messages: { default: text } });

export const $lib = createTypeSpecLibrary({
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
    effect: error(paramMessage`What "${"name"}" does cannot be so: ${"why"}.`),
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
    effects: { description: "What an operation does to records, by the operation." },
    opaque: { description: "What a command may change in any way, by the operation." },
    filters: { description: "The member that a parameter selects by, and how." },
    order: { description: "The members that a list is ordered by, by the operation." },
    unique: { description: "The code that rejects a second record with a value, by the member." },
    requires: { description: "The record that a member names, and the code without it." },
    state: { description: "The member that a command changes, from which values to which." },
    volatile: { description: "Members that change by themselves." },
    limits: { description: "The limits of HTTP itself." },
    keys: { description: "What a service calls its keys." },
    deploymentVersion: { description: "Members with the version of the deployment." },
    requestHeaders: {
      description: "Request header fields that the service reads, by the namespace.",
    },
  },
  // It has no options but the compiler's own, such as `emitter-output-dir`: any other is an error
  // with its place.
  emitter: {
    options: { type: "object", properties: {}, additionalProperties: false, required: [] },
  },
});
export const { reportDiagnostic, stateKeys } = $lib;
