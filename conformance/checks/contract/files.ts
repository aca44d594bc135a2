import { parse } from "yaml";
import wire from "../../../generated/openapi.json" with { type: "json" };
import byOperation from "../../../generated/openapi.operations.json" with { type: "json" };
import type { Api } from "../../client/api.ts";
import { describe, expectObject, expectStatus, fail } from "../../client/expect.ts";
import { operationCalled } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { shown } from "../probe.ts";

/** The published contract: the document of the wire, where `/api/` is the only endpoint, and the one by operation. */
const contracts: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["/openapi", wire],
  ["/openapi.operations", byOperation],
]);
export const DOCUMENTS = ["/openapi.json", "/openapi.operations.json"] as const;
export const FILES = [...DOCUMENTS, "/openapi.yaml", "/openapi.operations.yaml"] as const;

export type File = (typeof FILES)[number];

const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)$/;
/** RFC 9512, and what was sent before it. */
const YAML_TYPE = /^(application|text)\/(yaml|x-yaml|vnd\.yaml|[\w.+-]+\+yaml|vnd\.oai\.openapi)$/;

export const getFile = (api: Api, target: string, headers: Readonly<Record<string, string>> = {}) =>
  api.request({ method: "GET", target, headers: Object.entries(headers) });

export type Json = Readonly<Record<string, unknown>>;

/** A member that has to be an object; an empty one when it is absent. */
export const member = (object: Json, name: string): Json => expectObject(object[name] ?? {});

export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(expectObject) : []);

/** One of the files, parsed. */
export const read = async (api: Api, file: File): Promise<Json> => parsed(await getFile(api, file), file);

/** An answer with one of the files: a document in the format that its name says. */
export function parsed(reply: Reply, file: File): Json {
  expectStatus(reply, 200);
  const yaml = file.endsWith(".yaml");
  if (!(yaml ? YAML_TYPE : JSON_TYPE).test(reply.mediaType))
    fail("header:content-type", `a media type of ${yaml ? "YAML" : "JSON"}`, describe(reply));
  return expectObject(yaml ? parsedYaml(reply.text) : reply.json());
}

function parsedYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return fail("body", "a YAML document", excerpt(text));
  }
}

/**
 * The document is the contract, value by value; `servers`, the hosts of what the contract gives an address (D32), and documents
 * beside those of the contract (D30), are the deployment's.
 */
export function expectContract(document: Json, file: File): void {
  const [wanted, found] = [contracts.get(file.replace(/\.\w+$/, "")), document].map((each) => ({
    ...each,
    servers: 0,
  }));
  expectSame(wanted, found, "");
}

const PLACEHOLDER = "https://one.invalid/";

function expectSame(wanted: unknown, found: unknown, pointer: string): void {
  const nodes = [wanted, withoutOwn(found, wanted)].map(membersOf);
  const [one, other] = nodes;
  if (one && other && Array.isArray(wanted) === Array.isArray(found)) {
    for (const name of new Set(nodes.flatMap((node) => [...(node?.keys() ?? [])])))
      expectSame(one.get(name), other.get(name), `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  } else if (wanted !== found && !isElsewhere(wanted, found)) {
    const place = pointer.slice(1).replace(/(?<=^|\/)\d+(?=\/|$)/g, "*");
    fail(`body:/${place}`, `${spelled(wanted)} at #${pointer}, as the contract has it`, spelled(found));
  }
}

/** A list without names of documents that the contract's own does not have. */
function withoutOwn(found: unknown, wanted: unknown): unknown {
  if (!Array.isArray(found) || !Array.isArray(wanted)) return found;
  const isDocument = (name: unknown) => typeof name === "string" && operationCalled(name)?.id === "docs.get";
  return found.filter((one) => wanted.includes(one) || !isDocument(one));
}

const spelled = (value: unknown) =>
  typeof value === "string" ? shown(value) : excerpt(JSON.stringify(value) ?? "nothing");

const membersOf = (value: unknown) =>
  typeof value === "object" && value !== null ? new Map<string, unknown>(Object.entries(value)) : null;

/** The same address at another host, in the same text. */
function isElsewhere(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== "string" || typeof found !== "string") return false;
  const [before = "", after] = wanted.split(PLACEHOLDER);
  if (after === undefined || !found.startsWith(before) || !found.endsWith(`/${after}`)) return false;
  return /^https?:\/\/[^\s"<>]+$/.test(found.slice(before.length, found.length - after.length));
}
