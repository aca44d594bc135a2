import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { ContractData } from "./emit-contract.ts";
import type { ContractModel, OperationModel } from "./model.ts";
import { type Schema, schemaName } from "./openapi.ts";

export const HEADER = "// Generated from spec/ by `npm run generate`. Do not edit.\n";
export const literal = (value: unknown): string => JSON.stringify(value, null, 2);

/**
 * `contract.ts`: the contract as one value, which a service is given, and the types of inputs and
 * responses.
 */
export async function emitModule(model: ContractModel, data: ContractData): Promise<string> {
  const { title, version, hash, limits, keys, problems, scopes, steps } = data;
  const operations = Object.fromEntries(
    model.operations.map(({ id, facts, takesIdempotencyKey, ownProblems }) => [
      id,
      { ...facts, takesIdempotencyKey, ownProblems },
    ]),
  );
  const facts = literal({
    title,
    version,
    hash,
    limits,
    keys,
    problems,
    scopes,
    steps,
    operations,
  });
  return [
    HEADER,
    'import { validators } from "./validators.ts";\n',
    `export const contract = ${facts.replace(/\n}$/, ",\n  validators,\n}")} as const;\n`,
    "export type OperationId = keyof typeof contract.operations;",
    "export type ProblemCode = keyof typeof contract.problems;\n",
    await emitTypes(model),
  ].join("\n");
}

/** `commands.ts`: only what a client must know at run time: it is sent to browsers. */
export function emitCommands({ operations }: ContractModel): string {
  const patterns = operations
    .filter(({ facts }) => facts.method === "POST")
    .map(({ id }) => id.replaceAll(".", "\\."));
  return [
    HEADER,
    "/** The names that are called by POST. */",
    `export const command = /^(?:${patterns.join("|")})$/;\n`,
  ].join("\n");
}

/** Names that the file declares or uses itself. */
const TAKEN = new Set(["Types", "OperationId", "ProblemCode", "Record"]);

/**
 * Before the name of a member that every object has: a library of openapi-typescript looks names up
 * in an object.
 */
const MARK = "~own~";

/** A schema, or schemas by their names, with such members marked. */
function marked(value: unknown, byName = false): unknown {
  if (Array.isArray(value)) return value.map((item) => marked(item));
  if (typeof value !== "object" || value === null) return value;
  const mark = (name: unknown) => (String(name) in Object.prototype ? `${MARK}${name}` : name);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (byName) return [mark(key), marked(member)];
      if (key === "required" && Array.isArray(member)) return [key, member.map(mark)];
      return [key, marked(member, key === "properties")];
    }),
  );
}

/**
 * The input and the responses of each operation, and openapi-typescript's exact types of the
 * schemas that they refer to.
 */
async function emitTypes({
  document: { components, info },
  operations,
}: ContractModel): Promise<string> {
  const typeOf = (name: string) => `schemas[${JSON.stringify(name)}]`;
  // Of responses without a name in the spec.
  const unnamed: Record<string, Schema> = {};
  const inputs = Object.fromEntries(
    operations.map(({ id, inputSchema }) => [`${id}.input`, inputSchema]),
  );
  const headers = Object.fromEntries(
    operations.flatMap(({ id, headersSchema }) =>
      headersSchema ? [[`${id}.headers`, headersSchema]] : [],
    ),
  );
  const answerTypes = ({ id, responses }: OperationModel) =>
    responses.flatMap(({ status, answers }) =>
      answers.map(({ mediaType, schema }) => {
        const name = schema.$ref ? schemaName(schema.$ref) : `${id}.${status}.${mediaType}`;
        if (!schema.$ref) unnamed[name] = schema;
        return (
          `{ status: ${status}; mediaType: ${JSON.stringify(mediaType)}; body: ` +
          `${typeOf(name)} }`
        );
      }),
    );
  const types = operations.flatMap((model) => [
    `  ${JSON.stringify(model.id)}: {`,
    `    input: ${typeOf(`${model.id}.input`)};`,
    "    headers: " +
      `${model.headersSchema ? typeOf(`${model.id}.headers`) : "Record<string, never>"};`,
    `    answer: ${answerTypes(model).join(" | ")};`,
    `    problem: ${model.ownProblems.map((code) => JSON.stringify(code)).join(" | ") || "never"};`,
    "  };",
  ]);
  const named = Object.entries(components.schemas).filter(([name]) => !name.startsWith("problem."));
  const schemas = { ...Object.fromEntries(named), ...inputs, ...headers, ...unnamed };
  // The compiler writes OpenAPI 3.1; `Schema` has the part that we read.
  const source = {
    openapi: "3.1.0",
    info,
    paths: {},
    components: { schemas: marked(schemas, true) },
  } as OpenAPI3;
  const text = astToString(await openapiTS(source, { alphabetize: false, silent: true }));
  const exact = text
    .slice(text.indexOf("export interface components"), text.indexOf("export type $defs"))
    .replaceAll(MARK, "")
    .replace("export interface", "interface")
    .replace(/^ {4}(responses|parameters|requestBodies|headers|pathItems): never;\n/gm, "");
  // No word of the language begins with a capital letter. A schema with another name is found by
  // its operation.
  const names = Object.keys(components.schemas).filter(
    (name) => /^[A-Z]\w*$/.test(name) && !TAKEN.has(name),
  );
  return [
    "/** Of each operation: its input, its header parameters, its answers that are no problems, " +
      "and the codes of its own problems. */",
    "export interface Types {",
    ...types,
    "}\n",
    'type schemas = components["schemas"];',
    ...names.map((name) => `export type ${name} = ${typeOf(name)};`),
    "",
    exact,
  ].join("\n");
}
