import { parseDocument, visit } from "yaml";
import wire from "../../../generated/openapi.json" with { type: "json" };
import byOperation from "../../../generated/openapi.operations.json" with { type: "json" };
import {
  agree,
  type Contract,
  codedLaw,
  type Difference,
  differs,
  excerpt,
  firstDifference,
  firstOf,
  hasContent,
  isObject,
  isOf,
  type Law,
  law,
  type Memory,
  type Operation,
  once,
  type ParsedExchange,
  stringOf,
  taggedLaw,
} from "../../extension.ts";
import { objectsIn } from "../documents/laws.ts";

/** Laws for the contract as a deployment publishes it (D11, D12, D32). */

export const CONTRACT = ["", ".operations"].flatMap((by) => [
  `/openapi${by}.json`,
  `/openapi${by}.yaml`,
]);

type Json = Readonly<Record<string, unknown>>;

/** The members of an object; none of any other value. */
const objectIn = (value: unknown): Json => (isObject(value) ? value : {});
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

const isYaml = ({ place }: ParsedExchange) => place.endsWith(".yaml");
const isContract = ({ place, operation }: ParsedExchange) =>
  operation === null && CONTRACT.includes(place);
const isPublished = (parsed: ParsedExchange) => isContract(parsed) && hasContent(parsed);

const PLACEHOLDER = "https://one.invalid/";
/** The hosts of the servers of the spec (D32). */
const PLACEHOLDERS = /\b(?:one|two)\.invalid\b/;

/** The text with its addresses on another host. */
function isElsewhere(wanted: unknown, served: unknown): boolean {
  if (typeof wanted !== "string" || typeof served !== "string") return false;
  const [before = "", after] = wanted.split(PLACEHOLDER);
  if (after === undefined || !served.startsWith(before) || !served.endsWith(`/${after}`))
    return false;
  return /^https?:\/\/[^\s"<>]+$/.test(served.slice(before.length, served.length - after.length));
}

/** The document of the wire, where `/api/` is the only endpoint, and the one by operation. */
const documents = new Map<string, Json>(
  Object.entries({ "/openapi": wire, "/openapi.operations": byOperation }),
);

/**
 * Whether it is a name of an operation that has many: a deployment adds its own documents (D30).
 */
const isOfTemplate = ({ operations }: Contract, name: unknown): boolean =>
  Object.values(operations).some(
    ({ pattern }) => pattern !== null && new RegExp(pattern).test(stringOf(name)),
  );

/**
 * Where a document is not that of the contract; but for the parts that belong to a deployment: its
 * servers, their addresses, and documents in addition to those of the contract (D30, D32).
 */
export function contractDifference(
  parsed: ParsedExchange,
  document: Json | null,
): Difference | null {
  const { contract, place } = parsed;
  const [format, types] = isYaml(parsed)
    ? (["YAML", YAML_TYPE] as const)
    : (["JSON", JSON_TYPE] as const);
  if (!types.test(parsed.mediaType))
    return differs("header:content-type", `a media type of ${format}`, parsed.shown);
  if (!document)
    return differs("body", `a document in ${format}`, excerpt(parsed.text) || "an empty body");
  const differenceIn = (wanted: unknown, served: unknown, pointer: string): Difference | null => {
    const left = (value: unknown) =>
      Array.isArray(value) && Array.isArray(wanted)
        ? value.filter((each) => wanted.includes(each) || !isOfTemplate(contract, each))
        : value;
    const nodes = [wanted, left(served)].flatMap((node) =>
      Object(node) === node ? [Object(node)] : [],
    );
    const [wantedNode, servedNode] = nodes;
    if (nodes.length === 2 && Array.isArray(wantedNode) === Array.isArray(servedNode))
      return firstOf(new Set(nodes.flatMap((node) => Object.keys(node))), (name) =>
        differenceIn(
          wantedNode[name],
          servedNode[name],
          `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        ),
      );
    if (wanted === served || isElsewhere(wanted, served)) return null;
    const [expected, actual] = [wanted, served].map((value) => JSON.stringify(value) ?? "nothing");
    const aspect = pointer === "" ? "body" : `body:${pointer}`;
    return firstDifference(aspect, `${expected}`, `${actual}`, "as the contract has it, ");
  };
  const wanted = documents.get(place.replace(/\.\w+$/, ""));
  return differenceIn({ ...wanted, servers: 0 }, { ...document, servers: 0 }, "");
}

export const serversOf = (document: Json): readonly string[] =>
  objectsIn(document.servers).map(({ url }) => stringOf(url));

function servers(document: Json, memory: Memory): Difference | null {
  const urls = serversOf(document);
  if (urls.length === 0) return differs("body:/servers", "servers", "none");
  const difference = firstOf(urls, (url) => {
    if (!URL.canParse(url) || !/^https?:/i.test(url))
      return differs("body:/servers", "an absolute http address", excerpt(url));
    return /\.invalid$|%7b/i.test(new URL(url).hostname) || /[{}<>$]/.test(url)
      ? differs("body:/servers", "the address of a deployment", excerpt(url))
      : null;
  });
  return difference ?? agree(memory, "the servers", urls.join(", "), "body:/servers");
}

function placeholders({ text }: ParsedExchange): Difference | null {
  const [placeholder] = PLACEHOLDERS.exec(text) ?? [];
  return placeholder === undefined
    ? null
    : differs("body", "no placeholder for the address of a deployment", placeholder);
}

/**
 * The names at `@` that a document has, by method; of a template operation whose names it does not
 * list, the pattern.
 */
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
function learnNames({ object }: ParsedExchange, memory: Memory): null {
  const names = objectsIn(object?.items).map(({ operation }) => stringOf(operation));
  memory.set(KNOWN, names.join(" "));
  return null;
}

/**
 * The document has every operation, and none that is not served. By operation, one name represents
 * a whole template: the first name that the contract knows or, if it knows none, any name that
 * matches the pattern.
 */
function holdsOperations(
  document: Json,
  memory: Memory,
  parsed: ParsedExchange,
): Difference | null {
  const documented = documentedIn(document);
  const named = documented.flatMap(({ method, names }) =>
    names.map((name) => `${name} by ${method}`),
  );
  const isWire = parsed.place === "/openapi.json";
  const namesOf = ({ method, name, pattern, known: some }: Operation): readonly string[] => {
    if (pattern === null) return [name];
    // A template does not own the names of another template.
    const existing = (memory.get(KNOWN)?.split(" ") ?? some).filter((text) =>
      new RegExp(pattern).test(text),
    );
    const listed = isWire ? existing : some.slice(0, 1);
    if (listed.length > 0) return listed;
    const fits = (one: string) => (isWire ? one === pattern : new RegExp(pattern).test(one));
    const [documentedName] = documented.flatMap((entry) =>
      entry.method === method ? entry.names.filter(fits) : [],
    );
    return [documentedName ?? name];
  };
  const known = Object.values(parsed.contract.operations).flatMap((operation) =>
    namesOf(operation).map((name) => `${name} by ${operation.method}`),
  );
  const missing = known.filter((one) => !named.includes(one));
  // Until its list has been read, a deployment's own documents are not known.
  const mayBeOwn = (name: string) => !memory.has(KNOWN) && isOfTemplate(parsed.contract, name);
  const extra = named.filter((one) => !known.includes(one) && !mayBeOwn(one.split(" ", 1).join()));
  if (missing.length > 0)
    return differs("body:/paths", "every operation", `no ${missing.join(", no ")}`);
  const sentence = `serves ${extra.join(", ")}, which this contract does not have`;
  return extra.length > 0
    ? differs("body:/paths", "the operations of this contract alone", sentence)
    : null;
}

/** Each path resolves to the endpoint when its dot segments are removed, and requires one name. */
function callable(document: Json): Difference | null {
  const documented = documentedIn(document);
  const difference = firstOf(documented, ({ path, operation, names }) => {
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
  if (difference || (bad.length === 0 && ids.length > 0)) return difference;
  return differs(
    "body:/paths",
    "an identifier of its own as each operationId",
    bad.join(", ") || "none",
  );
}

const documentOf = (parsed: ParsedExchange): Json | null =>
  parsed.once("the published document", () =>
    isYaml(parsed) ? yamlIn(parsed.text) : parsed.object,
  );
/** A response that is no document is a fault of `contract/served` alone. */
const ofDocument =
  (check: (document: Json, memory: Memory, parsed: ParsedExchange) => Difference | null) =>
  (parsed: ParsedExchange, memory: Memory) => {
    const document = documentOf(parsed);
    return document && check(document, memory, parsed);
  };
const inJson = (parsed: ParsedExchange) => isPublished(parsed) && !isYaml(parsed);
const hasTexts = (parsed: ParsedExchange) =>
  isPublished(parsed) || (parsed.operation?.pattern != null && hasContent(parsed));
/** A response of an operation with the member `version`. */
const hasVersion = (parsed: ParsedExchange) =>
  parsed.operation !== null && hasContent(parsed) && parsed.object?.version !== undefined;
const sameVersion = (parsed: ParsedExchange, memory: Memory) =>
  agree(memory, "the version", stringOf(parsed.object?.version), "body:/version");
const version = ofDocument((document, memory) =>
  agree(memory, "the version", stringOf(member(document, "info").version), "body:/info/version"),
);

export const publishedLaws: readonly Law[] = [
  once(
    law("contract/served", isPublished, (parsed) => contractDifference(parsed, documentOf(parsed))),
  ),
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
    (parsed) => parsed.place === "/openapi.operations.json" && inJson(parsed),
    ofDocument(callable),
  ),
];
