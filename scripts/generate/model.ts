import { idOf, nameOf } from "../../spec/library.js";
import type { ClauseFacts, ProblemFacts, RequirementFacts, StepFacts } from "./facts.ts";
import { problemCodes, responsesOf } from "./normalise.ts";
import {
  type Deprecation,
  type Document,
  type ExampleSource,
  escapeRegExp,
  type Operation,
  type Parameter,
  PROBLEM,
  resolve,
  type Schema,
} from "./openapi.ts";

/** How the text of a query parameter, or the type of a member of `data`, is read. */
export type MemberType = "string" | "integer" | "number" | "boolean" | "strings" | "integers" | "json";

/** One operation, read out of the by-operation document. */
export interface OperationModel {
  readonly id: string;
  readonly method: "GET" | "POST";
  readonly name: string;
  readonly pattern: string | null;
  readonly parts: readonly string[];
  /** Of a template name: the names that every deployment has. */
  readonly known: readonly string[];
  readonly summary: string;
  readonly auth: boolean;
  readonly scope: string | null;
  readonly input: Readonly<Record<string, { type: MemberType; required: boolean }>>;
  /** The schema of the whole input: parts and query members, or `data`. */
  readonly inputSchema: Schema;
  /** The schema of the body of a POST. */
  readonly bodySchema: Schema | null;
  readonly answers: readonly { status: number; mediaTypes: readonly string[] }[];
  readonly problems: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  /** Where values of the input are found that exist. */
  readonly exampleFrom: Readonly<Record<string, readonly ExampleSource[]>>;
  readonly deprecation: Deprecation | null;
  readonly operation: Operation;
}

/** All that the spec says, ready to be written out. */
export interface ContractModel {
  readonly document: Document;
  readonly operations: readonly OperationModel[];
  readonly problems: readonly ProblemFacts[];
  readonly clauses: readonly ClauseFacts[];
  readonly steps: readonly StepFacts[];
  readonly requirements: readonly RequirementFacts[];
}

export function readOperations(document: Document): OperationModel[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const name = nameOf(path);
    if (name === undefined)
      throw new Error(`${path} is not the path of an operation: every operation is a Query or a Command.`);
    return (["get", "post"] as const).flatMap((method) => {
      const operation = item[method];
      return operation ? [readOperation(document, name, method, operation)] : [];
    });
  });
}

function readOperation(document: Document, name: string, method: "get" | "post", operation: Operation): OperationModel {
  const id = idOf(name);
  const operationId = id.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (operation.operationId !== operationId)
    throw new Error(`The operation "${name}" must be called "${operationId}" in the spec.`);
  const auth = !operation.security?.some((scheme) => Object.keys(scheme).length === 0);
  const scope = operation["x-scope"] ?? null;
  if (auth !== (scope !== null))
    throw new Error(`The operation "${id}" must have a @scope exactly when it needs credentials.`);
  const parameters = operation.parameters.map((parameter) => resolve(document, parameter));
  const parts = [...name.matchAll(/\{(\w+)\}/g)].map(([, part]) => part ?? "");
  const responses = responsesOf(document, operation.responses);
  const body = operation.requestBody?.content["application/json"];
  const envelope = body ? resolve(document, body.schema) : null;
  const inputSchema = envelope ? envelope.properties?.data : querySchema(parameters);
  if (!inputSchema) throw new Error(`The body of "${id}" has no member data.`);
  const members = resolve(document, inputSchema);
  return {
    id,
    method: method === "get" ? "GET" : "POST",
    name,
    pattern: parts.length > 0 ? namePattern(document, name, parameters) : null,
    parts,
    known: knownNames(name, parts, parameters),
    summary: operation.summary,
    auth,
    scope,
    input: Object.fromEntries(
      Object.entries(members.properties ?? {})
        .filter(([member]) => !parts.includes(member))
        .map(([member, schema]) => [
          member,
          {
            type: body ? bodyMemberType(resolve(document, schema)) : memberType(document, id, member, schema),
            required: members.required?.includes(member) ?? false,
          },
        ]),
    ),
    inputSchema,
    bodySchema: body?.schema ?? null,
    answers: responses.flatMap(([status, { content = {} }]) => {
      const mediaTypes = Object.keys(content).filter((type) => type !== PROBLEM);
      return mediaTypes.length > 0 ? [{ status, mediaTypes }] : [];
    }),
    problems: responses.flatMap(([, { content }]) => (content?.[PROBLEM] ? problemCodes(content[PROBLEM].schema) : [])),
    example: envelope ? exampleData(id, body?.example) : exampleInput(id, parameters),
    exampleFrom: envelope
      ? sources(Object.entries(members.properties ?? {}))
      : sources(parameters.map((one) => [one.name, one])),
    deprecation: operation["x-deprecation"] ?? null,
    operation,
  };
}

const sources = (members: readonly [string, Pick<Schema, "x-example-from">][]): OperationModel["exampleFrom"] =>
  Object.fromEntries(members.flatMap(([name, { "x-example-from": from }]) => (from ? [[name, from]] : [])));

/** The input of a GET as one closed object. */
function querySchema(parameters: readonly Parameter[]): Schema {
  const inputs = parameters.filter((parameter) => parameter.in !== "header");
  return {
    type: "object",
    properties: Object.fromEntries(
      inputs.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]),
    ),
    required: inputs.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

const SCALARS = ["string", "integer", "number", "boolean"] as const;

function memberType(document: Document, id: string, member: string, schema: Schema): MemberType {
  const { type, items } = resolve(document, schema);
  const scalar = SCALARS.find((name) => name === type);
  if (scalar) return scalar;
  const item = items ? resolve(document, items).type : undefined;
  if (type === "array" && item === "string") return "strings";
  if (type === "array" && item === "integer") return "integers";
  throw new Error(
    `The query parameter "${member}" of "${id}" has a schema that a query cannot carry: ${JSON.stringify(schema)}`,
  );
}

const bodyMemberType = ({ type }: Schema): MemberType => SCALARS.find((name) => name === type) ?? "json";

/** The regular expression of a template name, with a group for each part. */
function namePattern(document: Document, name: string, parameters: readonly Parameter[]): string {
  const source = name.split(/\{(\w+)\}/).map((text, index) => {
    if (index % 2 === 0) return escapeRegExp(text);
    const parameter = parameters.find((candidate) => candidate.in === "path" && candidate.name === text);
    const { pattern } = resolve(document, parameter?.schema ?? {});
    if (!pattern?.startsWith("^") || !pattern.endsWith("$"))
      throw new Error(`The part {${text}} of "${name}" needs an anchored @pattern.`);
    return `(${pattern.slice(1, -1)})`;
  });
  return `^${source.join("")}$`;
}

/** Each part filled in with each of its known values; none when a part has no such values. */
const knownNames = (name: string, parts: readonly string[], parameters: readonly Parameter[]): string[] =>
  parts.length === 0
    ? []
    : parts.reduce(
        (names, part) => {
          const values = parameters.find((one) => one.in === "path" && one.name === part)?.["x-known"] ?? [];
          return names.flatMap((text) => values.map((value) => text.replace(`{${part}}`, value)));
        },
        [name],
      );

function exampleData(id: string, example: unknown): Record<string, unknown> {
  const data = (example as { data?: Record<string, unknown> } | undefined)?.data;
  if (!data) throw new Error(`The operation "${id}" needs an @opExample with its body.`);
  return data;
}

function exampleInput(id: string, parameters: readonly Parameter[]): Record<string, unknown> {
  const inputs = parameters.filter((parameter) => parameter.in !== "header");
  const missing = inputs.find(({ required, example }) => required && example === undefined);
  if (missing) throw new Error(`The operation "${id}" needs an @opExample with the parameter "${missing.name}".`);
  return Object.fromEntries(
    inputs.filter(({ example }) => example !== undefined).map(({ name, example }) => [name, example]),
  );
}
