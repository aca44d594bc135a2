import { type Operation, operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectObject, expectStatus, fail } from "../../client/expect.ts";
import { excerpt, type Reply } from "../../client/reply.ts";

/** The published contract: the document of the wire, where `/api/` is the only endpoint, and the one by operation. */
export const FILES = [
  "/openapi.json",
  "/openapi.yaml",
  "/openapi.operations.json",
  "/openapi.operations.yaml",
] as const;

type JsonFile = Extract<(typeof FILES)[number], `${string}.json`>;
type YamlFile = Extract<(typeof FILES)[number], `${string}.yaml`>;

export const JSON_FILES: readonly JsonFile[] = ["/openapi.json", "/openapi.operations.json"];
export const YAML_FILES: readonly YamlFile[] = ["/openapi.yaml", "/openapi.operations.yaml"];

const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)$/;
/** RFC 9512, and what was sent before it. */
const YAML_TYPE = /^(application|text)\/(yaml|x-yaml|vnd\.yaml|[\w.+-]+\+yaml|vnd\.oai\.openapi)$/;

export const all: readonly Operation[] = Object.values(operations);

export const getFile = (api: Api, target: string, headers: readonly (readonly [string, string])[] = []) =>
  api.request({ method: "GET", target, headers });

export type Json = Record<string, unknown>;

/** A member that has to be an object; an empty one when it is absent. */
export const member = (object: Json, name: string): Json => expectObject(object[name] ?? {});

export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(expectObject) : []);

/** One of the JSON files, parsed. */
export async function readJson(api: Api, file: JsonFile): Promise<Json> {
  return parseJson(await getFile(api, file));
}

export function parseJson(reply: Reply): Json {
  expectStatus(reply, 200);
  if (!JSON_TYPE.test(reply.mediaType)) fail("body", "a JSON media type", describe(reply));
  const document = expectObject(reply.json());
  if (!/^3\.\d+\.\d+$/.test(String(document.openapi))) fail("body", "an OpenAPI document", excerpt(reply.text));
  for (const name of ["info", "paths"]) expectObject(document[name]);
  return document;
}

/** One of the YAML files, as text: what the checks want to know of it stands on lines of its own. */
export async function readYaml(api: Api, file: YamlFile): Promise<string> {
  return expectYaml(await getFile(api, file));
}

export function expectYaml(reply: Reply): string {
  expectStatus(reply, 200);
  if (!YAML_TYPE.test(reply.mediaType)) fail("body", "a YAML media type", describe(reply));
  for (const name of ["openapi", "info", "paths"]) {
    if (!new RegExp(`^["']?${name}["']?:`, "m").test(reply.text))
      fail("body", `an OpenAPI document in YAML, with ${name}`, excerpt(reply.text));
  }
  return reply.text;
}

/** Every value of a `$ref`, wherever it stands. */
export function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "$ref" && typeof inner === "string" ? [inner] : references(inner),
  );
}

/** The same of a YAML document: `#` would begin a comment there, so a local reference stands in quotes. */
export const yamlReferences = (yaml: string): string[] =>
  [...yaml.matchAll(/["']?\$ref["']?\s*:\s*(["'])(#.*?)\1/g)].map(([, , reference = ""]) => reference);

/** What a local reference leads to in its document (RFC 6901); undefined when it leads nowhere. */
export function referredTo(document: Json, reference: string): unknown {
  let place: unknown = document;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, name)) return undefined;
    place = place[name as keyof typeof place];
  }
  return place;
}

/** An object, or what its `$ref` leads to. */
export const follow = (document: Json, object: Json): Json =>
  typeof object.$ref === "string" ? expectObject(referredTo(document, object.$ref)) : object;

/** The lines below a member at the top of a YAML document, up to the next one. */
export function yamlBlock(yaml: string, name: string): string {
  return new RegExp(`^["']?${name}["']?:[^\\n]*\\n((?:[ \\t-][^\\n]*(?:\\n|$)|\\r?\\n)*)`, "m").exec(yaml)?.[1] ?? "";
}

const SCALAR = `(?:"([^"\\n]*)"|'([^'\\n]*)'|([^\\s"'#][^\\n#]*?))\\s*`;

/** The values of every `name: value` line with this name. */
export function yamlValues(yaml: string, name: string): string[] {
  const lines = new RegExp(`^[ \\t]*(?:- +)?["']?${name}["']?: +${SCALAR}$`, "gm");
  return [...yaml.matchAll(lines)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}

/** The names of the paths of a YAML document, by its keys that begin with a slash. */
export function yamlPaths(yaml: string): string[] {
  return [...yamlBlock(yaml, "paths").matchAll(/^ +(?:"(\/[^"\n]*)"|'(\/[^'\n]*)'|(\/[^\n]*?)): *$/gm)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
