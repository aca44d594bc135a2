import { readFileSync } from "node:fs";
import path from "node:path";

/** As much of JSON Schema as the published document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly Parameter[];
            readonly requestBody?: Content;
            readonly responses: Readonly<Record<string, Content>>;
          }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const file = path.resolve(import.meta.dirname, "../../generated/openapi.operations.json");
// Generated beside the validators, and linted against OpenAPI's own schema.
const document = JSON.parse(readFileSync(file, "utf8")) as Document;

/** An operation as the document has it, at the path of its own: `/api/user.list/../`. */
const call = (id: string) => Object.values(document.paths[`/api/${id}/../`] ?? {})[0];

/** What a reference leads to, with what stands beside it. */
export function resolved({ $ref, ...beside }: Schema): Schema {
  const named = $ref === undefined ? undefined : document.components.schemas[$ref.replace(/^.*\//, "")];
  return named ? { ...resolved(named), ...beside } : beside;
}

/** The JSON of an operation's answer. */
export const answerSchema = (id: string, status: number): Schema | null =>
  call(id)?.responses[String(status)]?.content?.["application/json"]?.schema ?? null;

export const problemSchema = (code: string): Schema => ({ $ref: `#/problem.${code}` });

/** What an operation takes, by member: query parameters, or the members of `data`. */
export function inputSchemas(id: string): Readonly<Record<string, Schema & { readonly needed: boolean }>> {
  const { parameters = [], requestBody } = call(id) ?? {};
  const body = requestBody?.content?.["application/json"]?.schema;
  const data = body && resolved(resolved(body).properties?.data ?? {});
  const required = new Set(data?.required);
  return Object.fromEntries([
    ...parameters.flatMap(({ name, in: place, schema }) =>
      place === "query" && name !== "@" ? [[name, { ...resolved(schema), needed: false }]] : [],
    ),
    ...Object.entries(data?.properties ?? {}).map(([name, schema]) => [
      name,
      { ...resolved(schema), needed: required.has(name) },
    ]),
  ]);
}

/** Whether a text is more than an address or a code: blanks and signs may stand in it. */
export const isFree = (pattern: string | undefined): boolean =>
  pattern === undefined || new RegExp(pattern, "u").test("a <b> & 'c'");

export interface Node {
  /** `/items/*\/id`; empty for the whole. */
  readonly pointer: string;
  readonly schema: Schema;
}

/** Every place of a schema, the whole first. */
export function nodes(schema: Schema, pointer = ""): Node[] {
  const whole = resolved(schema);
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = whole;
  const inner = [
    ...Object.entries(properties).flatMap(([name, member]) => nodes(member, `${pointer}/${name}`)),
    ...(items ? nodes(items, `${pointer}/*`) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => nodes(one, pointer)),
  ];
  const all = [{ pointer, schema: whole }, ...inner];
  return all.filter(({ pointer: one }, index) => all.findIndex((each) => each.pointer === one) === index);
}
