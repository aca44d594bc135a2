import { parse } from "yaml";
import wire from "../../../generated/openapi.json" with { type: "json" };
import byOperation from "../../../generated/openapi.operations.json" with { type: "json" };
import type { Check } from "../../checks/check.ts";
import { describe, expectObject, fail } from "../../client/expect.ts";
import { excerpt, excerpts } from "../../client/reply.ts";
import { MOST_LEVELS } from "../../client/wire/json.ts";
import { codedLaw, taggedLaw } from "../../laws/representations.ts";
import { agree, type Memory, type Success, successLaw } from "../../laws/success.ts";
import type { Operation } from "../../oracle/contract.ts";
import { isObject } from "../../oracle/schema.ts";
import { CONTRACT } from "./list.ts";

/** The contract as published by a deployment (D11, D12, D32). */

type Json = Readonly<Record<string, unknown>>;

/** A member that must be an object; an empty one if it is absent. */
const member = (object: Json, name: string): Json => expectObject(object[name] ?? {});
export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(expectObject) : []);

const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)$/;
/** RFC 9512, and the types used before it. */
const YAML_TYPE = /^(application|text)\/(yaml|x-yaml|vnd\.yaml|[\w.+-]+\+yaml|vnd\.oai\.openapi)$/;

/** Cached by text: they are long, and frequent. */
const parsed = new Map<string, Json | null>();
const MOST_PARSED = 16;

/** Null if it is not a document, which `contract/served` reports. */
function documentOf({ reply, place, json }: Pick<Success, "reply" | "place" | "json">): Json | null {
  if (!place.endsWith(".yaml")) return json;
  const { text } = reply;
  if (parsed.size >= MOST_PARSED) parsed.clear();
  if (!parsed.has(text)) parsed.set(text, parsedYaml(text));
  return parsed.get(text) ?? null;
}

/** Deeper than any document: a parser would take seconds, and half a gigabyte, to give up. */
const TOO_DEEP = new RegExp(`(?:[[{]\\s{0,99}){${MOST_LEVELS}}`);

function parsedYaml(text: string): Json | null {
  if (TOO_DEEP.test(text)) return null;
  try {
    const value: unknown = parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The document of the wire, where `/api/` is the only endpoint, and the one by operation. */
const contracts = new Map<string, Json>(Object.entries({ "/openapi": wire, "/openapi.operations": byOperation }));

/**
 * The parts of a document that belong to a deployment: its servers, their addresses, and documents in addition to those of the
 * contract (D30, D32).
 */
export function expectContract(success: Pick<Success, "reply" | "place" | "contract" | "json">): void {
  const { reply, place, contract } = success;
  const [format, types] = place.endsWith(".yaml") ? (["YAML", YAML_TYPE] as const) : (["JSON", JSON_TYPE] as const);
  if (!types.test(reply.mediaType)) fail("header:content-type", `a media type of ${format}`, describe(reply));
  const document = documentOf(success) ?? fail("body", `a document in ${format}`, excerpt(reply.text));
  const isOwn = (name: unknown) =>
    Object.values(contract.operations).some(
      ({ pattern }) => pattern !== null && new RegExp(pattern).test(String(name)),
    );
  const compare = (wanted: unknown, found: unknown, pointer: string): void => {
    const left = (one: unknown) =>
      Array.isArray(one) && Array.isArray(wanted) ? one.filter((each) => wanted.includes(each) || !isOwn(each)) : one;
    const nodes = [wanted, left(found)].flatMap((node) => (Object(node) === node ? [Object(node)] : []));
    const [one, other] = nodes;
    if (nodes.length === 2 && Array.isArray(one) === Array.isArray(other)) {
      for (const name of new Set(nodes.flatMap((node) => Object.keys(node))))
        compare(one[name], other[name], `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    } else if (wanted !== found && !isElsewhere(wanted, found)) {
      const at = pointer.slice(1).replace(/(?<=^|\/)\d+(?=\/|$)/g, "*");
      const [expected, actual] = excerpts(JSON.stringify(wanted) ?? "nothing", JSON.stringify(found) ?? "nothing");
      fail(`body:/${at}`, `${expected} at #${pointer}, as the contract has it`, actual);
    }
  };
  compare({ ...contracts.get(place.replace(/\.\w+$/, "")), servers: 0 }, { ...document, servers: 0 }, "");
}

const PLACEHOLDER = "https://one.invalid/";
/** The hosts of the servers of the spec (D32). */
const PLACEHOLDERS = /\b(?:one|two)\.invalid\b/;

/** The same address on another host, in the same text. */
function isElsewhere(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== "string" || typeof found !== "string") return false;
  const [before = "", after] = wanted.split(PLACEHOLDER);
  if (after === undefined || !found.startsWith(before) || !found.endsWith(`/${after}`)) return false;
  return /^https?:\/\/[^\s"<>]+$/.test(found.slice(before.length, found.length - after.length));
}

export const serversOf = (document: Json): readonly string[] => objects(document.servers).map(({ url }) => String(url));

const servers = (success: Success, memory: Memory) => {
  const urls = serversOf(documentOf(success) ?? {});
  if (urls.length === 0) fail("body:/servers", "servers", "none");
  for (const url of urls) {
    if (!URL.canParse(url) || !/^https?:/i.test(url)) fail("body:/servers", "an absolute http address", excerpt(url));
    if (/\.invalid$|%7b/i.test(new URL(url).hostname) || /[{}<>$]/.test(url))
      fail("body:/servers", "the address of a deployment", excerpt(url));
  }
  agree(memory, "the servers", urls.join(", "), "body:/servers");
};

function placeholders({ reply }: Success): void {
  const [found] = PLACEHOLDERS.exec(reply.text) ?? [];
  if (found !== undefined) fail("body", "no placeholder for the address of a deployment", found);
}

/** The member `info.version` of the contract; the member `version` of an operation. */
function oneVersion(success: Success, memory: Memory): void {
  const [version, aspect] =
    success.operation === null
      ? ([member(documentOf(success) ?? {}, "info").version, "body:/info/version"] as const)
      : ([success.json?.version, "body:/version"] as const);
  agree(memory, "the version", String(version), aspect);
}

/** The names at `@` that a document has, by method; of a template operation whose names it does not list, the pattern. */
function namesIn(operation: Json, method: string): readonly unknown[] {
  const schema = (value: Json) => member(value, "schema");
  if (method === "POST") {
    const media = member(member(member(operation, "requestBody"), "content"), "application/json");
    const mapping = Object.keys(member(member(schema(media), "discriminator"), "mapping"));
    return mapping.length > 0 ? mapping : [member(media, "example")["@"]];
  }
  const at = objects(operation.parameters).find(({ name }) => name === "@") ?? {};
  const choices = objects(schema(at).anyOf);
  if (choices.length > 0) return choices.flatMap((one) => one.enum ?? one.pattern ?? []);
  const listed = [schema(at).enum ?? []].flat();
  return listed.length > 0 ? listed : [at.example];
}

const documentedIn = (document: Json) =>
  Object.entries(member(document, "paths")).flatMap(([path, item]) =>
    Object.entries(expectObject(item)).map(([method, value]) => {
      const operation = expectObject(value);
      return { path, operation, names: namesIn(operation, method.toUpperCase()), method: method.toUpperCase() };
    }),
  );

/**
 * The document has every operation, and none that is not served. By operation, one name represents a whole template: the first
 * name that the contract knows or, if it knows none, any name that matches the pattern.
 */
function holdsOperations(success: Success): void {
  const documented = documentedIn(documentOf(success) ?? {});
  const named = documented.flatMap(({ method, names }) => names.map((name) => `${name} by ${method}`));
  const isWire = success.place === "/openapi.json";
  const namesOf = ({ id, method, name, pattern, known: some }: Operation): readonly string[] => {
    if (pattern === null) return [name];
    const listed = isWire ? [...(success.names.get(id) ?? some)] : some.slice(0, 1);
    if (listed.length > 0) return listed;
    const fits = (one: unknown) => (isWire ? one === pattern : new RegExp(pattern).test(String(one)));
    const [own] = documented.flatMap((one) => (one.method === method ? one.names.filter(fits) : []));
    return [String(own ?? name)];
  };
  const known = Object.values(success.contract.operations).flatMap((one) =>
    namesOf(one).map((name) => `${name} by ${one.method}`),
  );
  const missing = known.filter((one) => !named.includes(one));
  const more = named.filter((one) => !known.includes(one));
  if (missing.length > 0) fail("body:/paths", "every operation", `no ${missing.join(", no ")}`);
  if (more.length > 0) fail("body:/paths", "no operation but those that are served", more.join(", "));
}

/** Each path resolves to the endpoint when its dot segments are removed, and requires one name. */
function callable(success: Success): void {
  const documented = documentedIn(documentOf(success) ?? {});
  for (const { path, operation, names } of documented) {
    const { pathname } = new URL(path, "https://h.example");
    if (pathname !== "/api/") fail("body:/paths", `${path} to be sent as /api/`, pathname);
    const at = objects(operation.parameters).find(({ name }) => name === "@") ?? member(operation, "requestBody");
    if (names.length !== 1 || at.required !== true)
      fail("body:/paths", `one name at @, that ${path} requires`, names.join() || "none");
  }
  const ids = documented.map(({ operation }) => String(operation.operationId));
  const bad = ids.filter((id, index) => !/^[A-Za-z]\w*$/.test(id) || ids.indexOf(id) !== index);
  if (bad.length > 0 || ids.length === 0)
    fail("body:/paths", "an identifier of its own as each operationId", bad.join(", ") || "none");
}

/** A response of an operation with the member `version`. */
const hasVersion = ({ operation, json }: Success) => operation !== null && json !== null && "version" in json;

/** All that report a version report the same one. */
export const versionLaw = (id: string, takes = hasVersion): Check => successLaw(id, takes, oneVersion);

const isDocument = (success: Success) => isPublished(success) && documentOf(success) !== null;
const isPublished = ({ place, operation }: Success) => operation === null && CONTRACT.includes(place);

export const contractLaws: readonly Check[] = [
  successLaw("contract/served#every-response", isPublished, expectContract, { once: true }),
  codedLaw("contract/served#codings", isPublished),
  taggedLaw("contract/etag#every-response", isPublished),
  versionLaw("contract/version#every-response", (one) => hasVersion(one) || isDocument(one)),
  successLaw("contract/servers", isDocument, servers, { once: true }),
  successLaw("contract/no-placeholders", (one) => isPublished(one) || one.operation?.pattern != null, placeholders),
  successLaw("contract/operations", (one) => isDocument(one) && one.place.endsWith(".json"), holdsOperations),
  successLaw("contract/callable", (one) => isDocument(one) && one.place === "/openapi.operations.json", callable),
];
