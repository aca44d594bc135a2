import { parse } from "yaml";
import type { Api } from "../../client/api.ts";
import { describe, expectObject, expectStatus, fail } from "../../client/expect.ts";
import { excerpt, type Reply } from "../../client/reply.ts";

/** The published contract: the document of the wire, where `/api/` is the only endpoint, and the one by operation. */
export const WIRE = ["/openapi.json", "/openapi.yaml"] as const;
export const BY_OPERATION = ["/openapi.operations.json", "/openapi.operations.yaml"] as const;
export const FILES = [...WIRE, ...BY_OPERATION] as const;

type File = (typeof FILES)[number];

const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)$/;
/** RFC 9512, and what was sent before it. */
const YAML_TYPE = /^(application|text)\/(yaml|x-yaml|vnd\.yaml|[\w.+-]+\+yaml|vnd\.oai\.openapi)$/;

export const getFile = (api: Api, target: string, headers: Readonly<Record<string, string>> = {}) =>
  api.request({ method: "GET", target, headers: Object.entries(headers) });

export type Json = Record<string, unknown>;

/** A member that has to be an object; an empty one when it is absent. */
export const member = (object: Json, name: string): Json => expectObject(object[name] ?? {});

export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(expectObject) : []);

/** One of the files, parsed. */
export const read = async (api: Api, file: File): Promise<Json> => parsed(await getFile(api, file), file);

/** An answer with one of the files: an OpenAPI document in the format that its name says. */
export function parsed(reply: Reply, file: File): Json {
  expectStatus(reply, 200);
  const yaml = file.endsWith(".yaml");
  if (!(yaml ? YAML_TYPE : JSON_TYPE).test(reply.mediaType))
    fail("header:content-type", `a media type of ${yaml ? "YAML" : "JSON"}`, describe(reply));
  const document = expectObject(yaml ? parsedYaml(reply.text) : reply.json());
  if (!/^3\.\d+\.\d+$/.test(String(document.openapi)))
    fail("body:/openapi", "an OpenAPI document", excerpt(reply.text));
  for (const name of ["info", "paths"]) expectObject(document[name]);
  return document;
}

function parsedYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return fail("body", "a YAML document", excerpt(text));
  }
}

/** Every text under a member of this name, wherever it stands. */
export function valuesOf(name: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && typeof inner === "string" ? [inner] : valuesOf(name, inner),
  );
}

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
