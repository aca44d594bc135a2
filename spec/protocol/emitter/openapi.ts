// The part of OpenAPI 3.1 that the compiler writes and the generator reads.

export interface Schema {
  $ref?: string;
  type?: string;
  title?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: "query" | "path" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
  examples?: Examples;
}

type Examples = Record<string, { summary?: string; value: unknown }>;

export interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Examples;
}

export interface Response {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags?: string[];
  deprecated?: boolean;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
  /** What it does to records. */
  "x-effects"?: object;
}

export type PathItem = { [Verb in "get" | "post"]?: Operation };

export interface Document {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, PathItem>;
  security?: Record<string, string[]>[];
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

/** The target of a local reference. */
export function resolve<T extends { $ref?: string }>(document: Document, node: T): T {
  if (node.$ref === undefined) return node;
  let target: unknown = document;
  for (const key of node.$ref.slice(2).split("/"))
    target = (target as Record<string, unknown>)[key];
  if (target === undefined) throw new Error(`${node.$ref} points at nothing`);
  return target as T;
}

const SCHEMAS = "#/components/schemas/";

/** The name of the schema that a reference points at: `#/components/schemas/User` → `User`. */
export const schemaName = (ref: string): string => ref.slice(SCHEMAS.length);

/** The reference that points at the schema of a name. */
export const schemaRef = (name: string): string => SCHEMAS + name;
