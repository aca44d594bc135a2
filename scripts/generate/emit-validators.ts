import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { HEADER } from "./emit-operations.ts";
import type { ContractModel } from "./model.ts";
import { responsesOf } from "./normalise.ts";
import type { Document, Schema } from "./openapi.ts";

/**
 * What the formats mean. AJV's standalone code inlines regular expressions; a format that stands beside its own `pattern`,
 * or that says only how a number is kept, needs none. An unknown format is refused by AJV's strict mode.
 */
const FORMATS = {
  "date-time":
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  int32: true,
  int64: true,
  double: true,
  float: true,
} as const;

const RANGES: Record<string, readonly [number, number]> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
};

const SHAPES = `
/** One fault that a validator found, as AJV tells it. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
  /** The schema that the keyword stands in; only of inputs. */
  readonly parentSchema?: { readonly properties?: Record<string, unknown> };
}

/** Says whether a value fits; the faults of the last call are in \`errors\`. */
export interface Validate {
  (value: unknown): boolean;
  errors?: ValidationError[] | null;
}

export interface OperationValidators {
  /** The input of a GET: parts and query members, already of their types. Fills in defaults. */
  readonly query: Validate | null;
  /** The whole JSON body of a POST. */
  readonly body: Validate | null;
  /** By status and media type: \`200 application/json\`. Closed: a member that is not documented does not fit. */
  readonly answers: Readonly<Record<string, Validate>>;
}
`;

/** `validators.ts`: AJV standalone code for every input and every answer; nothing is compiled at run time. */
export async function emitValidators({ document, operations }: ContractModel): Promise<string> {
  const inputs = new Validators(document, false);
  const answers = new Validators(document, true);
  const table = operations.map((model) => {
    const query = model.method === "GET" ? inputs.add(model.inputSchema) : null;
    const body = model.bodySchema ? inputs.add(model.bodySchema) : null;
    const entries = responsesOf(document, model.operation.responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(
        ([type, { schema }]) => `      ${JSON.stringify(`${status} ${type}`)}: ${answers.add(schema)},`,
      ),
    );
    return [
      `  ${JSON.stringify(model.id)}: {`,
      `    query: ${query},`,
      `    body: ${body},`,
      "    answers: {",
      ...entries,
      "    },",
      "  },",
    ].join("\n");
  });
  const code = `${await inputs.compile("input")}\n${await answers.compile("answer")}`;
  return [
    HEADER,
    "// @ts-nocheck",
    'import type { OperationId } from "./operations.ts";',
    SHAPES,
    code,
    "export const validators: Readonly<Record<OperationId, OperationValidators>> = {",
    ...table,
    "};",
    "",
  ].join("\n");
}

/** The validators of one kind; equal schemas share one. */
class Validators {
  readonly #document: Document;
  readonly #closed: boolean;
  readonly #schemas = new Map<string, Schema>();

  constructor(document: Document, closed: boolean) {
    this.#document = document;
    this.#closed = closed;
  }

  /** The name of the validator of a schema. */
  add(schema: Schema): string {
    const key = JSON.stringify(schema);
    this.#schemas.set(key, schema);
    return `${this.#closed ? "answer" : "input"}${[...this.#schemas.keys()].indexOf(key)}`;
  }

  async compile(prefix: string): Promise<string> {
    const ajv = new Ajv2020({
      code: { source: true, esm: true },
      strict: true,
      strictTypes: false,
      // An input is told all its faults; of an answer the first is enough.
      allErrors: !this.#closed,
      verbose: !this.#closed,
      inlineRefs: false,
      useDefaults: !this.#closed,
      unicodeRegExp: true,
      formats: FORMATS,
    });
    ajv.addVocabulary(["discriminator", "x-example-from", "x-known"]);
    ajv.addSchema({
      $id: "components",
      $defs: Object.fromEntries(
        Object.entries(this.#document.components.schemas).map(([name, schema]) => [name, this.#prepare(schema)]),
      ),
    });
    const names = [...this.#schemas.values()].map((schema, index) => {
      const name = `${prefix}${index}`;
      ajv.addSchema({ ...(this.#prepare(schema) as object), $id: name });
      return name;
    });
    const source = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
    // AJV writes require() for its own run-time helpers even in ESM; bundled, the code stands alone.
    const bundle = await build({
      stdin: { contents: source, resolveDir: import.meta.dirname, loader: "js" },
      bundle: true,
      format: "iife",
      globalName: `${prefix}s`,
      platform: "neutral",
      mainFields: ["main"],
      target: "es2022",
      write: false,
      minify: true,
      legalComments: "none",
    });
    const text = bundle.outputFiles.map((file) => file.text).join("");
    // AJV's helpers keep their own source in a string, 'require(…)…': only a call outside of one is a fault.
    if (/\b(require|eval|Function)\(/.test(text.replaceAll(/'require\([^']*'/g, "")))
      throw new Error("The validators do not stand alone.");
    return `${text}const { ${names.join(", ")} } = ${prefix}s;\n`;
  }

  /** A schema as AJV has to see it: references into `components`, ranges of integer formats, answers closed. */
  #prepare(schema: Schema): Schema {
    const visit = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(visit);
      if (typeof value !== "object" || value === null) return value;
      const node = Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          key,
          key === "examples" || key === "default" ? member : visit(member),
        ]),
      );
      if (typeof node.$ref === "string") node.$ref = node.$ref.replace("#/components/schemas/", "components#/$defs/");
      const range = typeof node.format === "string" ? RANGES[node.format] : undefined;
      if (range) {
        node.minimum ??= range[0];
        node.maximum ??= range[1];
      }
      if (this.#closed && node.type === "object" && node.properties && node.additionalProperties === undefined)
        node.additionalProperties = false;
      if (this.#closed && Array.isArray(node.allOf))
        throw new Error(`A composed schema cannot be closed: ${JSON.stringify(value)}`);
      return node;
    };
    return visit(schema) as Schema;
  }
}
