import type { Program } from "@typespec/compiler";
import * as library from "../library.js";
import type { Effects } from "./effects.ts";
import {
  type Document,
  type Operation,
  type Parameter,
  PROBLEM,
  resolve,
  type Schema,
} from "./openapi.ts";
import { innerPattern } from "./part-pattern.ts";

import type { Fit } from "./values.ts";

/**
 * The whole content of the spec, ready to be written: facts from the program, schemas from the
 * document.
 */
export function readContract(program: Program, document: Document, fit: Fit) {
  const problems = library.problemsOf(program);
  for (const { fact } of problems) {
    const schema = document.components.schemas[`problem.${fact.code}`];
    if (schema) schema.description = fact.meaning;
  }
  const stated = library.operationsOf(program);
  return {
    document,
    operations: stated.map((operation) =>
      readOperation(program, document, operation, problems, fit),
    ),
    problems: problems.map(({ fact }) => fact),
    common: library.commonProblemsOf(program).map(({ request, types }) => ({
      request,
      codes: factsOf(problems, types).map(({ code }) => code),
    })),
    clauses: library.clausesOf(program),
    requirements: library.requirementsOf(program, stated).map(({ fact }) => fact),
    steps: library.stepsOf(program),
    limits: library.limitsOf(program),
    keys: library.keysOf(program),
    resources: library.resourcesOf(program, stated),
    deploymentVersion: library.deploymentVersionOf(program, stated),
    requestHeaders: library.requestHeadersOf(program),
  };
}

type Problems = ReturnType<typeof library.problemsOf>;

/** The problems among these types, by their status. */
const factsOf = (known: Problems, types: library.Operation["answers"]) =>
  types
    .flatMap((type) => known.find(({ model }) => model === type)?.fact ?? [])
    .sort((a, b) => a.status - b.status);

export type ContractModel = ReturnType<typeof readContract>;
export type OperationModel = ReturnType<typeof readOperation>;

/**
 * An operation: `facts` is its entry in the table, the rest is for documents, types and validators.
 */
function readOperation(
  program: Program,
  document: Document,
  stated: library.Operation,
  known: Problems,
  fit: Fit,
) {
  const { id, name, verb, auth, scope, deprecation, members } = stated;
  const operation = document.paths[stated.path]?.[verb === "get" ? "get" : "post"];
  // The compiler has written each of its operations.
  if (!operation) throw new Error(`The document lacks "${id}".`);
  // Written explicitly, so that an operation means the same if it is read alone.
  operation.security ??= document.security ?? [];
  if (deprecation) operation.deprecated = true;
  operation.tags ??= [id.replace(/\..*/, "")];
  operation.parameters = operation.parameters.map((parameter) => resolve(document, parameter));
  const parameters = operation.parameters.filter((parameter) => parameter.in !== "header");
  const ofHead = operation.parameters.filter((parameter) => parameter.in === "header");
  const headers = ofHead.filter(({ name }) => name.toLowerCase() !== IDEMPOTENCY_KEY);
  const parts = parameters.flatMap((parameter) =>
    parameter.in === "path" ? [parameter.name] : [],
  );
  const bodySchema = operation.requestBody?.content["application/json"]?.schema ?? null;
  const envelope = bodySchema && resolve(document, bodySchema);
  const inputSchema = envelope?.properties?.data ?? parametersSchema(parameters);
  const { properties = {}, required = [] } = resolve(document, inputSchema);
  const problems = factsOf(known, stated.answers);
  const common = library.commonProblemsOf(program).flatMap(({ types }) => types);
  const ownAnswers = stated.answers.filter((type) => !common.includes(type));
  const invalid = operation.responses["422"]?.content?.[PROBLEM];
  const example = problems.find(({ code }) => code === "invalid-input")?.example;
  // Of its own input, in place of the one that all operations share.
  if (invalid)
    invalid.example = Object.assign({}, example, {
      errors: [faultOf(document, inputSchema, bodySchema !== null)],
    });
  const responses = responsesOf(
    operation,
    known.filter(({ fact }) => problems.includes(fact)).map(({ fact }) => fact),
  );
  const carried = (schema: Schema, needed: boolean, inBody = false) => ({
    type: memberType(document, resolve(document, schema), inBody),
    required: needed,
  });
  const facts = {
    id,
    method: verb === "get" ? ("GET" as const) : ("POST" as const),
    name,
    pattern: parts.length > 0 ? namePattern(document, name, parameters) : null,
    parts,
    known: knownNames(name, parts, (part) =>
      members.flatMap(({ member, known }) => (member === part ? known : [])),
    ),
    summary: operation.summary,
    auth,
    scope,
    input: Object.fromEntries(
      Object.entries(properties)
        .filter(([member]) => !parts.includes(member))
        .map(([member, schema]) => [
          member,
          carried(schema, required.includes(member), bodySchema !== null),
        ]),
    ),
    headers: Object.fromEntries(
      headers.map((one) => [one.name, carried(one.schema, one.required === true)]),
    ),
    answers: responses
      .map(({ status, answers }) => ({
        status,
        mediaTypes: answers.map(({ mediaType }) => mediaType),
      }))
      .filter(({ mediaTypes }) => mediaTypes.length > 0),
    problems: problems.map(({ code }) => code),
    example: fit(inputSchema, library.exampleOf(program, stated)) as Record<string, unknown>,
    exampleFrom: Object.fromEntries(
      members.flatMap(({ member, sources }) => (sources.length > 0 ? [[member, sources]] : [])),
    ),
    deprecation,
  };
  const effects: Effects = library.effectsOf(program, stated);
  if (Object.keys(effects).length > 0) operation["x-effects"] = effects;
  const headersSchema = headers.length > 0 ? parametersSchema(headers) : null;
  return {
    ...facts,
    facts,
    takesIdempotencyKey: headers.length < ofHead.length,
    ownProblems: factsOf(known, ownAnswers).map(({ code }) => code),
    decides: stated.decides,
    unordered: stated.unordered,
    effects,
    inputSchema,
    headersSchema,
    bodySchema,
    responses,
    operation,
  };
}

/** It has its own problem and step (D25), and is not validated with the other header parameters. */
const IDEMPOTENCY_KEY = "idempotency-key";

/** The responses of an operation by status; those that are not problems also by media type. */
const responsesOf = ({ responses }: Operation, problems: readonly Problems[number]["fact"][]) =>
  Object.entries(responses).map(([key, response]) => {
    const status = Number(key);
    const { [PROBLEM]: problem, ...content } = response.content ?? {};
    // The compiler describes a status by one of its problems; all of them count.
    const meanings = problems.flatMap((fact) =>
      fact.status === status ? [`\`${fact.code}\`: ${fact.meaning}`] : [],
    );
    if (problem) response.description = meanings.join("\n\n");
    const answers = Object.entries(content).map(([mediaType, media]) => ({ mediaType, ...media }));
    return { status, response, answers };
  });

/** The parameters of a query, or of a head, as one closed object. */
const parametersSchema = (parameters: readonly Parameter[]): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      description ? { ...schema, description } : schema,
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
});

/** How the text of a query parameter, or a member of `data`, is read. */
function memberType(document: Document, { type = "", items }: Schema, inBody: boolean): string {
  if (["string", "integer", "number", "boolean"].includes(type)) return type;
  return inBody ? "json" : `${items && resolve(document, items).type}s`;
}

/** The regular expression of a templated name, with a group for each part. */
function namePattern(document: Document, name: string, parameters: readonly Parameter[]): string {
  const source = name.split(/\{(\w+)\}/).map((text, index) => {
    if (index % 2 === 0) return library.escapeRegExp(text);
    const { pattern = "" } = resolve(
      document,
      parameters.find((one) => one.name === text)?.schema ?? {},
    );
    return `(${innerPattern(pattern)})`;
  });
  return `^${source.join("")}$`;
}

/** Each part filled in with each of its known values; none if a part has no such values. */
const knownNames = (
  name: string,
  parts: readonly string[],
  known: (part: string) => string[],
): string[] =>
  parts.reduce(
    (names, part) =>
      names.flatMap((text) => known(part).map((value) => text.replace(`{${part}}`, value))),
    parts.length > 0 ? [name] : [],
  );

/**
 * A missing member, a number below its limit, or a member that is not allowed. The texts are those
 * of the service.
 */
function faultOf(document: Document, input: Schema, inBody: boolean): object {
  const { properties = {}, required = [] } = resolve(document, input);
  const last = required.at(-1);
  if (inBody && last !== undefined) {
    const name = encodeURI(last.replaceAll("~", "~0").replaceAll("/", "~1")).replaceAll("#", "%23");
    return { pointer: `#/data/${name}`, detail: "is required" };
  }
  for (const [parameter, schema] of Object.entries(properties)) {
    const { minimum } = resolve(document, schema);
    if (minimum !== undefined) return { parameter, detail: `must be at least ${minimum}` };
  }
  return { pointer: "#", detail: `takes no ${inBody ? "members" : "parameters"}` };
}
