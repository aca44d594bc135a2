// The part of OpenAPI 3.1 that the compiler writes and the generator reads.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  unevaluatedProperties?: Schema;
  items?: Schema;
  not?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  "x-example-from"?: ExampleSource[];
}

/** An operation and where in its answer a value stands. */
export interface ExampleSource {
  operation: string;
  pointer: string;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: "query" | "path" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  explode?: boolean;
  style?: string;
  example?: unknown;
  "x-example-from"?: ExampleSource[];
  "x-known"?: string[];
}

export interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export type Security = Record<string, string[]>[];

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags?: string[];
  deprecated?: boolean;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
  security?: Security;
  "x-scope"?: string;
  "x-deprecation"?: Deprecation;
}

export interface Deprecation {
  since: string;
  sunset: string;
  link: string;
}

export type PathItem = { get?: Operation; post?: Operation };

export interface Document {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers?: { url: string; description?: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, PathItem>;
  security?: Security;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, Response>;
    parameters?: Record<string, Parameter>;
    pathItems?: Record<string, PathItem>;
    securitySchemes: Record<string, unknown>;
  };
}

/** The media type of every problem (RFC 9457). */
export const PROBLEM = "application/problem+json";

/** The endpoint, and the paths of operations: each is the endpoint once its dot segments are removed (RFC 3986, 5.2.4). */
export const ENDPOINT = "/api/";
export const pathOf = (name: string): string => `${ENDPOINT}${name}/../`;

/** Text as a regular expression that matches just it. */
export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** What a local reference points at. */
export function resolve<T extends { $ref?: string }>(document: Document, node: T): T {
  if (node.$ref === undefined) return node;
  let found: unknown = document;
  for (const key of node.$ref.slice(2).split("/")) {
    found = (found as Record<string, unknown>)[key.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  if (found === undefined) throw new Error(`${node.$ref} points at nothing`);
  return found as T;
}

/** The name of the schema that a reference points at: `#/components/schemas/User` → `User`. */
export const schemaName = (ref: string): string => ref.slice("#/components/schemas/".length);

export const byJson = <T>(list: readonly T[]): T[] => [
  ...new Map(list.map((item) => [JSON.stringify(item), item])).values(),
];
