import { isDeepStrictEqual } from "node:util";
import { _ } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { HEADER } from "./emit-module.ts";
import { FORMATS } from "./formats.ts";
import { STORED } from "./forms.ts";
import type { ContractModel } from "./model.ts";
import { WHOLE, withOneFault } from "./one-fault.ts";
import type { Document, Schema } from "./openapi.ts";

/**
 * `validators.ts`: AJV standalone code for every input and every response that is no problem;
 * nothing is compiled at run time.
 */
export async function emitValidators({ document, operations }: ContractModel): Promise<string> {
  const inputs: Schema[] = [];
  const answers: Schema[] = [];
  const table = operations.map(
    ({ id, method, inputSchema, headersSchema, bodySchema, responses }) => {
      const query = method === "GET" ? `input${place(inputs, inputSchema)}` : null;
      const body = bodySchema ? `input${place(inputs, bodySchema)}` : null;
      const headers = headersSchema ? `input${place(inputs, headersSchema)}` : null;
      const entries = responses.flatMap(({ status, answers: bodies }) =>
        bodies.map(
          ({ mediaType, schema }) =>
            `  ${JSON.stringify(`${status} ${mediaType}`)}: answer${place(answers, schema)},`,
        ),
      );
      const lines = [
        `query: ${query},`,
        `body: ${body},`,
        `headers: ${headers},`,
        "answers: {",
        ...entries,
        "},",
      ];
      return [`  ${JSON.stringify(id)}: {`, ...lines.map((line) => `    ${line}`), "  },"].join(
        "\n",
      );
    },
  );
  return [
    HEADER,
    "// @ts-nocheck",
    `${await compile(document, "input", inputs)}\n${await compile(document, "answer", answers)}`,
    "export const validators = {",
    ...table,
    "};",
    "",
  ].join("\n");
}

/** The index of a schema in the list; equal schemas share one validator. */
function place(schemas: Schema[], schema: Schema): number {
  const index = schemas.findIndex((other) => isDeepStrictEqual(other, schema));
  return index < 0 ? schemas.push(schema) - 1 : index;
}

async function compile(
  document: Document,
  kind: "input" | "answer",
  schemas: readonly Schema[],
): Promise<string> {
  const isInput = kind === "input";
  const ajv = new Ajv2020({
    code: { source: true, esm: true, formats: _`require("./formats.ts").FORMATS` },
    strict: true,
    strictTypes: false,
    // All faults of an input are reported; for a response the first is enough.
    allErrors: isInput,
    verbose: isInput,
    // Callers get our own texts about an input: `faultText`.
    messages: !isInput,
    inlineRefs: false,
    useDefaults: isInput,
    // A member may be named as what every object has: `constructor`.
    ownProperties: true,
    unicodeRegExp: true,
    formats: { ...FORMATS, ...STORED },
  });
  ajv.addVocabulary(["discriminator"]);
  if (isInput) ajv.addKeyword(WHOLE);
  ajv.addSchema({
    $id: "components",
    $defs: prepare(document, document.components.schemas, isInput, true),
  });
  const names = schemas.map((schema, index) => {
    ajv.addSchema({ ...(prepare(document, schema, isInput) as Schema), $id: `${kind}${index}` });
    return `${kind}${index}`;
  });
  const source = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  // AJV writes require() for its own run-time helpers even in ESM; bundled, the code has no
  // dependency.
  const bundle = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: "js" },
    bundle: true,
    format: "iife",
    globalName: `${kind}s`,
    platform: "neutral",
    mainFields: ["main"],
    target: "es2022",
    write: false,
    minify: true,
    legalComments: "none",
    metafile: true,
  });
  const text = bundle.outputFiles.map((file) => file.text).join("");
  if (Object.values(bundle.metafile.outputs).some(({ imports }) => imports.length > 0))
    throw new Error("The validators do not stand alone.");
  return `${text}const { ${names.join(", ")} }: Record<string, any> = ${kind}s;\n`;
}

/**
 * Schemas as AJV needs them: references into `components`, inputs with the faults of D8, responses
 * closed. The keys of `byName` are names, which may be spelled as a keyword.
 */
function prepare(document: Document, value: unknown, isInput: boolean, byName = false): unknown {
  if (Array.isArray(value)) return value.map((item) => prepare(document, item, isInput));
  if (typeof value !== "object" || value === null) return value;
  const node: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      !byName && (key === "examples" || key === "default")
        ? member
        : prepare(document, member, isInput, !byName && key === "properties"),
    ]),
  );
  if (byName) return node;
  if (typeof node.$ref === "string")
    node.$ref = node.$ref.replace("#/components/schemas/", "components#/$defs/");
  if (isInput) return withOneFault(document, value, node);
  if (node.type === "object") node.additionalProperties ??= false;
  return node;
}
