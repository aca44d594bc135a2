import { createHash } from "node:crypto";
import openapiTS, { astToString } from "openapi-typescript";
import type { ContractModel, OperationModel } from "./model.ts";
import { responsesOf } from "./normalise.ts";
import { type Document, PROBLEM, type Schema, schemaName } from "./openapi.ts";

export const HEADER = "// Generated from spec/ by `npm run generate`. Do not edit.\n";

const SHAPES = `
/** How a member of an input is carried: \`strings\` and \`integers\` are comma-separated lists, \`json\` is any JSON. */
export type MemberType = "string" | "integer" | "number" | "boolean" | "strings" | "integers" | "json";

/** A query parameter of a GET, or a member of \`data\` of a POST. */
export interface InputMember {
  readonly type: MemberType;
  readonly required: boolean;
}

/** What the protocol has to know of an operation. */
export interface Operation {
  /** The name without the parts of a template: \`docs.get\`. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** The name as one calls it; a part that varies stands in braces: \`docs.get.{name}\`. */
  readonly name: string;
  /** For a name with parts: the regular expression of the names, with a group for each part. */
  readonly pattern: string | null;
  readonly parts: readonly string[];
  /** What it does, in a few words. */
  readonly summary: string;
  /** Whether it needs a key and a platform. */
  readonly auth: boolean;
  readonly scope: string | null;
  readonly input: Readonly<Record<string, InputMember>>;
  /** The answers with a body that are no problems. */
  readonly answers: readonly { readonly status: number; readonly mediaTypes: readonly string[] }[];
  readonly problems: readonly ProblemCode[];
  /** A valid input: parts and query members, or the members of \`data\`. */
  /** Names of a template that every deployment serves. */
  readonly known: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  /** Where values of the input are found that exist: in the answer of another operation, by a JSON pointer; the first that is there. */
  readonly exampleFrom: Readonly<Record<string, readonly { readonly operation: string; readonly pointer: string }[]>>;
  readonly deprecation: { readonly since: string; readonly sunset: string; readonly link: string } | null;
}
`;

/** `operations.ts`: the table of the operations, the table of the problems, and the types of inputs and answers. */
export async function emitOperations(
  { document, operations, problems }: ContractModel,
  wire: Document,
): Promise<string> {
  const { title, version } = document.info;
  const hash = createHash("sha256").update(JSON.stringify(wire)).digest("hex");
  const scopes = [...new Set(operations.flatMap(({ scope }) => scope ?? []))].sort();
  const literal = (value: unknown) => JSON.stringify(value, null, 2);
  return [
    HEADER,
    "/** The contract: its title, its version, and the SHA-256 of the wire document that was generated with this file. */",
    `export const contract = ${literal({ title, version, hash })} as const;\n`,
    "/** Every problem code, with the status it is sent with (RFC 9457). */",
    `export const problems = ${literal(Object.fromEntries(problems.map(({ code, status, title, detail }) => [code, { status, title, detail }])))} as const;`,
    "\nexport type ProblemCode = keyof typeof problems;\n",
    "/** Every scope that an operation asks for. */",
    `export const scopes = ${literal(scopes)} as const;\n`,
    "export type Scope = (typeof scopes)[number];",
    SHAPES,
    "/** Every operation, by its id. */",
    `export const operations = ${literal(Object.fromEntries(operations.map((model) => [model.id, tableEntry(model)])))} as const satisfies Record<string, Operation>;`,
    "\nexport type OperationId = keyof typeof operations;\n",
    emitTypes(document, operations),
    await emitSchemas(document, operations),
  ].join("\n");
}

/** What the table has of an operation: all but what the generator alone reads. */
function tableEntry({ inputSchema: _i, bodySchema: _b, operation: _o, ...entry }: OperationModel) {
  return entry;
}

/** The input and the answers of each operation; their bodies refer to the schemas below. */
function emitTypes(document: Document, operations: readonly OperationModel[]): string {
  const lines = operations.flatMap((model) => [
    `  ${JSON.stringify(model.id)}: {`,
    `    input: schemas[${JSON.stringify(inputName(model))}];`,
    `    answer: ${answerTypes(document, model).join(" | ")};`,
    "  };",
  ]);
  const names = Object.keys(document.components.schemas).filter((name) => /^[A-Za-z]\w*$/.test(name));
  return [
    "/** The input of each operation, and each of its answers that is no problem. */",
    "export interface Types {",
    ...lines,
    "}\n",
    'type schemas = components["schemas"];',
    ...names.map((name) => `export type ${name} = schemas[${JSON.stringify(name)}];`),
    "",
  ].join("\n");
}

const inputName = ({ id }: OperationModel): string => `${id}.input`;
const answerName = ({ id }: OperationModel, status: number, type: string): string => `${id}.${status}.${type}`;

function* answersOf(
  document: Document,
  model: OperationModel,
): Generator<{ status: number; type: string; schema: Schema }> {
  for (const [status, { content = {} }] of responsesOf(document, model.operation.responses)) {
    for (const [type, { schema }] of Object.entries(content)) if (type !== PROBLEM) yield { status, type, schema };
  }
}

const answerTypes = (document: Document, model: OperationModel): string[] =>
  [...answersOf(document, model)].map(
    ({ status, type, schema }) =>
      `{ status: ${status}; mediaType: ${JSON.stringify(type)}; body: schemas[${JSON.stringify(schema.$ref ? schemaName(schema.$ref) : answerName(model, status, type))}] }`,
  );

/** openapi-typescript's exact types of the schemas, the inputs and the unnamed answers. */
async function emitSchemas(document: Document, operations: readonly OperationModel[]): Promise<string> {
  const named = Object.entries(document.components.schemas).filter(([name]) => !name.startsWith("problem."));
  const inputs = operations.map((model): [string, Schema] => [inputName(model), model.inputSchema]);
  const unnamed = operations.flatMap((model) =>
    [...answersOf(document, model)]
      .filter(({ schema }) => !schema.$ref)
      .map(({ status, type, schema }): [string, Schema] => [answerName(model, status, type), schema]),
  );
  const text = astToString(
    await openapiTS(
      {
        openapi: "3.1.0",
        info: { title: document.info.title, version: document.info.version },
        paths: {},
        components: { schemas: Object.fromEntries([...named, ...inputs, ...unnamed]) },
      } as Parameters<typeof openapiTS>[0],
      { alphabetize: false, silent: true },
    ),
  );
  const start = text.indexOf("export interface components");
  const end = text.indexOf("export type $defs");
  const schemas = text
    .slice(start, end)
    .replace(/^ {4}(responses|parameters|requestBodies|headers|pathItems): never;\n/gm, "");
  if (/\bunknown\b/.test(schemas)) throw new Error("A schema has no exact type: openapi-typescript wrote `unknown`.");
  return schemas.replace("export interface components", "interface components");
}
