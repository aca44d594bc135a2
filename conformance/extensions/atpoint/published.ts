import { parseDocument, visit } from "yaml";
import wire from "../../../generated/openapi.json" with { type: "json" };
import byOperation from "../../../generated/openapi.operations.json" with { type: "json" };
import type { Difference, Memory } from "../../exchange.ts";
import { differing, differs, excerpt, firstOf, stringOf } from "../../laws/difference.ts";
import { agree, hasContent, isOf, law, once, type ViewLaw } from "../../laws/law.ts";
import { codedLaw, taggedLaw } from "../../laws/representations.ts";
import type { View } from "../../laws/view.ts";
import type { Contract, Operation } from "../../oracle/contract.ts";
import { isObject } from "../../oracle/schema.ts";

/** Laws for the contract as a deployment publishes it (D11, D12, D32). */

export const CONTRACT = ["", ".operations"].flatMap((by) => [
  `/openapi${by}.json`,
  `/openapi${by}.yaml`,
]);

type Json = Readonly<Record<string, unknown>>;

/** The members of an object; none of any other value. */
const objectIn = (value: unknown): Json => (isObject(value) ? value : {});
export const objectsIn = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(objectIn) : [];
const member = (object: Json, ...names: readonly string[]): Json =>
  names.reduce((one, name) => objectIn(one[name]), object);

const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)$/;
/** RFC 9512, and the types used before it. */
const YAML_TYPE = /^(application|text)\/(yaml|x-yaml|vnd\.yaml|[\w.+-]+\+yaml|vnd\.oai\.openapi)$/;
/** Deeper, and longer, than any document: a parser would take seconds, and half a gigabyte. */
const TOO_DEEP = /(?:[[{]\s{0,99}){200}/;
const MOST = 512 * 1024;

/** The object of a YAML text; null for any other, or if a member is there twice. */
function yamlIn(text: string): Json | null {
  if (text.length > MOST || TOO_DEEP.test(text)) return null;
  // The parser compares each key with all others.
  const document = parseDocument(text, { uniqueKeys: false });
  let isTwice = false;
  visit(document, {
    Map(_, { items }) {
      isTwice ||= new Set(items.map(({ key }) => String(key))).size < items.length;
    },
  });
  if (isTwice || document.errors.length > 0) return null;
  try {
    const value: unknown = document.toJS();
    // An alias within its own anchor has no end: this fails.
    JSON.stringify(value);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isYaml = ({ place }: View) => place.endsWith(".yaml");
const isContract = ({ place, operation }: View) => operation === null && CONTRACT.includes(place);
const isPublished = (view: View) => isContract(view) && hasContent(view);

const PLACEHOLDER = "https://one.invalid/";
/** The hosts of the servers of the spec (D32). */
const PLACEHOLDERS = /\b(?:one|two)\.invalid\b/;

/** The same address on another host, in the same text. */
function isElsewhere(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== "string" || typeof found !== "string") return false;
  const [before = "", after] = wanted.split(PLACEHOLDER);
  if (after === undefined || !found.startsWith(before) || !found.endsWith(`/${after}`))
    return false;
  return /^https?:\/\/[^\s"<>]+$/.test(found.slice(before.length, found.length - after.length));
}

/** The document of the wire, where `/api/` is the only endpoint, and the one by operation. */
const documents = new Map<string, Json>(
  Object.entries({ "/openapi": wire, "/openapi.operations": byOperation }),
);

/** Whether it is a name of an operation that has many: a deployment adds its own documents (D30). */
const isOfTemplate = ({ operations }: Contract, name: unknown): boolean =>
  Object.values(operations).some(
    ({ pattern }) => pattern !== null && new RegExp(pattern).test(stringOf(name)),
  );

/**
 * Where a document is not that of the contract; but for the parts that belong to a deployment: its servers, their addresses, and
 * documents in addition to those of the contract (D30, D32).
 */
export function contractDifference(view: View, document: Json | null): Difference | null {
  const { contract, place } = view;
  const [format, types] = isYaml(view)
    ? (["YAML", YAML_TYPE] as const)
    : (["JSON", JSON_TYPE] as const);
  if (!types.test(view.mediaType))
    return differs("header:content-type", `a media type of ${format}`, view.shown);
  if (!document)
    return differs("body", `a document in ${format}`, excerpt(view.text) || "an empty body");
  const compared = (wanted: unknown, found: unknown, pointer: string): Difference | null => {
    const left = (one: unknown) =>
      Array.isArray(one) && Array.isArray(wanted)
        ? one.filter((each) => wanted.includes(each) || !isOfTemplate(contract, each))
        : one;
    const nodes = [wanted, left(found)].flatMap((node) =>
      Object(node) === node ? [Object(node)] : [],
    );
    const [one, other] = nodes;
    if (nodes.length === 2 && Array.isArray(one) === Array.isArray(other))
      return firstOf(new Set(nodes.flatMap((node) => Object.keys(node))), (name) =>
        compared(
          one[name],
          other[name],
          `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        ),
      );
    if (wanted === found || isElsewhere(wanted, found)) return null;
    const [expected, actual] = [wanted, found].map((value) => JSON.stringify(value) ?? "nothing");
    const aspect = pointer === "" ? "body" : `body:${pointer}`;
    return differing(aspect, `${expected}`, `${actual}`, "as the contract has it, ");
  };
  const wanted = documents.get(place.replace(/\.\w+$/, ""));
  return compared({ ...wanted, servers: 0 }, { ...document, servers: 0 }, "");
}

export const serversOf = (document: Json): readonly string[] =>
  objectsIn(document.servers).map(({ url }) => stringOf(url));

function servers(document: Json, memory: Memory): Difference | null {
  const urls = serversOf(document);
  if (urls.length === 0) return differs("body:/servers", "servers", "none");
  const found = firstOf(urls, (url) => {
    if (!URL.canParse(url) || !/^https?:/i.test(url))
      return differs("body:/servers", "an absolute http address", excerpt(url));
    return /\.invalid$|%7b/i.test(new URL(url).hostname) || /[{}<>$]/.test(url)
      ? differs("body:/servers", "the address of a deployment", excerpt(url))
      : null;
  });
  return found ?? agree(memory, "the servers", urls.join(", "), "body:/servers");
}

function placeholders({ text }: View): Difference | null {
  const [found] = PLACEHOLDERS.exec(text) ?? [];
  return found === undefined
    ? null
    : differs("body", "no placeholder for the address of a deployment", found);
}

/** The names at `@` that a document has, by method; of a template operation whose names it does not list, the pattern. */
function namesIn(operation: Json, method: string): readonly unknown[] {
  if (method === "POST") {
    const media = member(operation, "requestBody", "content", "application/json");
    const mapping = Object.keys(member(media, "schema", "discriminator", "mapping"));
    return mapping.length > 0 ? mapping : [member(media, "example")["@"]];
  }
  const at = objectsIn(operation.parameters).find(({ name }) => name === "@") ?? {};
  const choices = objectsIn(member(at, "schema").anyOf);
  if (choices.length > 0) return choices.flatMap((one) => one.enum ?? one.pattern ?? []);
  const listed = [member(at, "schema").enum ?? []].flat();
  return listed.length > 0 ? listed : [at.example];
}

const documentedIn = (document: Json) =>
  Object.entries(member(document, "paths")).flatMap(([path, item]) =>
    Object.entries(objectIn(item)).map(([lower, value]) => {
      const [operation, method] = [objectIn(value), lower.toUpperCase()];
      return { path, operation, method, names: namesIn(operation, method).map(stringOf) };
    }),
  );

const KNOWN = "the names of documents";

/** D30: the names that a deployment has, beyond those of the contract. */
function learnNames({ object }: View, memory: Memory): null {
  const names = objectsIn(object?.items).map(({ operation }) => stringOf(operation));
  memory.set(KNOWN, names.join(" "));
  return null;
}

/**
 * The document has every operation, and none that is not served. By operation, one name represents a whole template: the first
 * name that the contract knows or, if it knows none, any name that matches the pattern.
 */
function holdsOperations(document: Json, memory: Memory, view: View): Difference | null {
  const documented = documentedIn(document);
  const named = documented.flatMap(({ method, names }) =>
    names.map((name) => `${name} by ${method}`),
  );
  const isWire = view.place === "/openapi.json";
  const namesOf = ({ method, name, pattern, known: some }: Operation): readonly string[] => {
    if (pattern === null) return [name];
    // Those of another template are not its own.
    const existing = (memory.get(KNOWN)?.split(" ") ?? some).filter((one) =>
      new RegExp(pattern).test(one),
    );
    const listed = isWire ? existing : some.slice(0, 1);
    if (listed.length > 0) return listed;
    const fits = (one: string) => (isWire ? one === pattern : new RegExp(pattern).test(one));
    const [own] = documented.flatMap((one) =>
      one.method === method ? one.names.filter(fits) : [],
    );
    return [own ?? name];
  };
  const known = Object.values(view.contract.operations).flatMap((one) =>
    namesOf(one).map((name) => `${name} by ${one.method}`),
  );
  const missing = known.filter((one) => !named.includes(one));
  // Until its list has been read, a deployment's own documents are not known.
  const mayBeOwn = (name: string) => !memory.has(KNOWN) && isOfTemplate(view.contract, name);
  const more = named.filter((one) => !known.includes(one) && !mayBeOwn(one.split(" ", 1).join()));
  if (missing.length > 0)
    return differs("body:/paths", "every operation", `no ${missing.join(", no ")}`);
  const sentence = `serves ${more.join(", ")}, which this contract does not have`;
  return more.length > 0
    ? differs("body:/paths", "the operations of this contract alone", sentence)
    : null;
}

/** Each path resolves to the endpoint when its dot segments are removed, and requires one name. */
function callable(document: Json): Difference | null {
  const documented = documentedIn(document);
  const found = firstOf(documented, ({ path, operation, names }) => {
    const base = "https://h.example";
    const pathname = URL.canParse(path, base) ? new URL(path, base).pathname : "no path";
    if (pathname !== "/api/")
      return differs("body:/paths", `${path} to be sent as /api/`, pathname);
    const at =
      objectsIn(operation.parameters).find(({ name }) => name === "@") ??
      member(operation, "requestBody");
    return names.length === 1 && at.required === true
      ? null
      : differs("body:/paths", `one name at @, that ${path} requires`, names.join() || "none");
  });
  const ids = documented.map(({ operation }) => stringOf(operation.operationId));
  const bad = ids.filter((id, index) => !/^[A-Za-z]\w*$/.test(id) || ids.indexOf(id) !== index);
  if (found || (bad.length === 0 && ids.length > 0)) return found;
  return differs(
    "body:/paths",
    "an identifier of its own as each operationId",
    bad.join(", ") || "none",
  );
}

const documentOf = (view: View): Json | null =>
  view.once("the published document", () => (isYaml(view) ? yamlIn(view.text) : view.object));
/** Of what is no document, `contract/served` alone reports a fault. */
const ofDocument =
  (check: (document: Json, memory: Memory, view: View) => Difference | null) =>
  (view: View, memory: Memory) => {
    const document = documentOf(view);
    return document && check(document, memory, view);
  };
const inJson = (view: View) => isPublished(view) && !isYaml(view);
const hasTexts = (view: View) =>
  isPublished(view) || (view.operation?.pattern != null && hasContent(view));
/** A response of an operation with the member `version`. */
const hasVersion = (view: View) =>
  view.operation !== null && hasContent(view) && view.object?.version !== undefined;
const sameVersion = (view: View, memory: Memory) =>
  agree(memory, "the version", stringOf(view.object?.version), "body:/version");
const version = ofDocument((document, memory) =>
  agree(memory, "the version", stringOf(member(document, "info").version), "body:/info/version"),
);

export const publishedLaws: readonly ViewLaw[] = [
  once(law("contract/served", isPublished, (view) => contractDifference(view, documentOf(view)))),
  codedLaw("contract/served", isContract),
  taggedLaw("contract/etag", isContract),
  once(law("contract/version", isPublished, version)),
  law("contract/version", hasVersion, sameVersion),
  law("test.health/version", hasVersion, sameVersion),
  once(law("contract/servers", isPublished, ofDocument(servers))),
  law("contract/no-placeholders", hasTexts, placeholders),
  law("contract/operations", isOf("docs.list", hasContent), learnNames),
  law("contract/operations", inJson, ofDocument(holdsOperations)),
  law(
    "contract/callable",
    (view) => view.place === "/openapi.operations.json" && inJson(view),
    ofDocument(callable),
  ),
];
