import * as compiler from "@typespec/compiler";
import { getAllHttpServices } from "@typespec/http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { reportDiagnostic } from "../library.js";
import { FORMATS } from "./formats.ts";
import { optionsOf, STORED } from "./forms.ts";
import { type Document, type Media, type Parameter, resolve, type Schema } from "./openapi.ts";

/** A value as its schema has it. */
export type Fit = (schema: Schema, value: unknown) => unknown;

/**
 * Writes each default and example of a document as its schema has it, and reports those that the
 * schema rejects, where the spec states them. The compiler checks their types alone, writes a
 * number that is sent as a text as a number.
 */
export function checkValues(program: compiler.Program, document: Document): Fit {
  const walk = new ValueWalk(program, document);
  for (const http of getAllHttpServices(program)[0].flatMap(({ operations }) => operations)) {
    const { operation: target, path, verb, parameters, responses } = http;
    const written = document.paths[path]?.[verb === "get" ? "get" : "post"];
    for (const node of written?.parameters ?? []) {
      const parameter = resolve(document, node);
      const { in: place, name } = parameter;
      const declared = parameters.parameters.find(
        (other) => other.type === place && other.name === name,
      );
      if (declared) walk.member(declared.param, parameter.schema);
      walk.examples(parameter, target);
    }
    const media = written?.requestBody?.content["application/json"];
    if (parameters.body && media) walk.media(parameters.body.type, media, target);
    for (const { type, statusCodes, responses: some } of responses)
      for (const { body } of compiler.isErrorModel(program, type) ? [] : some)
        for (const mediaType of body?.contentTypes ?? []) {
          const sent = written?.responses[String(statusCodes)]?.content?.[mediaType];
          if (body && sent) walk.media(body.type, sent, target);
        }
  }
  return (schema, value) => walk.fit(schema, value);
}

class ValueWalk {
  readonly #seen = new Set<Schema>();
  readonly #ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    unicodeRegExp: true,
    logger: false,
    ownProperties: true,
    formats: { ...FORMATS, ...STORED },
  });
  constructor(
    private readonly program: compiler.Program,
    private readonly document: Document,
  ) {}

  media(type: compiler.Type, media: Media, target: compiler.Type): void {
    this.examples(media, target);
    this.type(type, media.schema, target);
  }

  examples(holder: Media | Parameter, target: compiler.Type): void {
    const { schema, examples = {} } = holder;
    if (holder.example !== undefined)
      holder.example = this.#value("example", schema, holder.example, target);
    for (const example of Object.values(examples))
      example.value = this.#value("example", schema, example.value, target);
  }

  member(property: compiler.ModelProperty, schema: Schema): void {
    const { defaultValue } = property;
    const isText = resolve(this.document, schema).type === "string";
    // A number of JavaScript would not hold each of its digits.
    if (defaultValue?.valueKind === "NumericValue" && isText)
      schema.default = defaultValue.value.toString();
    this.#own(schema, property);
    this.type(property.type, schema, property);
  }

  /** Follows a type and the schema that was written for it; `at` is where its use is written. */
  type(type: compiler.Type, schema: Schema, at: compiler.Type): void {
    const { document } = this;
    const resolved = resolve(document, schema);
    if (this.#seen.has(resolved)) return;
    this.#seen.add(resolved);
    if (resolved !== schema) this.#own(resolved, type);
    const { properties = {}, additionalProperties, items, anyOf = [] } = resolved;
    if (type.kind === "Model") {
      const inner = items ?? additionalProperties;
      if (type.indexer && typeof inner === "object") this.type(type.indexer.value, inner, at);
      for (const property of compiler.walkPropertiesInherited(type)) {
        const { [property.name]: member } = properties;
        if (member) this.member(property, member);
      }
    }
    const options = optionsOf(type);
    for (const [index, alternative] of options.length === anyOf.length ? anyOf.entries() : [])
      this.type(options[index] ?? type, alternative, at);
  }

  /** A number that is sent as a text is one, and what is not in an input is left out. */
  fit(schema: Schema, value: unknown): unknown {
    const {
      type,
      items,
      properties = {},
      additionalProperties,
      anyOf,
    } = resolve(this.document, schema);
    if (typeof value === "number" && type === "string") return String(value);
    const fits = anyOf?.find((one) => this.#check(one, this.fit(one, value)) === null);
    if (fits) return this.fit(fits, value);
    if (Array.isArray(value)) return items ? value.map((item) => this.fit(items, item)) : value;
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).flatMap(([name, member]) => {
      const { [name]: known = additionalProperties } = properties;
      if (known === false) return [];
      return [[name, typeof known === "object" ? this.fit(known, member) : member] as const];
    });
    return Object.fromEntries(members);
  }

  /** The values of a schema itself. */
  #own(schema: Schema, target: compiler.Type): void {
    if (schema.default !== undefined)
      schema.default = this.#value("default", schema, schema.default, target);
    if (schema.examples)
      schema.examples = schema.examples.map((one) => this.#value("example", schema, one, target));
  }

  #value(what: string, schema: Schema, value: unknown, target: compiler.Type): unknown {
    const fitted = this.fit(schema, value);
    const why = this.#check(schema, fitted);
    if (why !== null) this.#report(what, why, target);
    return fitted;
  }

  /** Why a schema rejects a value; null if it does not. */
  #check(schema: Schema, value: unknown): string | null {
    const validate: ValidateFunction = this.#ajv.compile({
      ...schema,
      components: this.document.components,
    });
    if (validate(value)) return null;
    const [{ instancePath, message } = { instancePath: "", message: "is wrong" }] =
      validate.errors ?? [];
    return `${instancePath || "it"} ${message}`;
  }

  #report(what: string, why: string, target: compiler.Type): void {
    reportDiagnostic(this.program, { code: "value", format: { what, why }, target });
  }
}
