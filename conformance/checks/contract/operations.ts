import type { Operation } from "../../../generated/operations.ts";
import type { Api } from "../../api.ts";
import { check } from "../../check.ts";
import { describe, expectObject, fail } from "../../expect.ts";
import { all, type Json, member, readJson, readYaml, strings, VIRTUAL, yamlPaths, yamlValues } from "./files.ts";

const METHODS = ["get", "post", "put", "patch", "delete"];

/** An operation as a document has it. */
interface Documented {
  readonly method: string;
  /** As one calls it; a part that varies stands in braces. */
  readonly name: string;
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/** The operations of the document by operation. */
function byPath({ paths }: Json): Documented[] {
  return Object.entries(expectObject(paths)).flatMap(([path, item]) =>
    path.startsWith(VIRTUAL)
      ? METHODS.filter((method) => Object.hasOwn(expectObject(item), method)).map((method) => ({
          method,
          name: path.slice(VIRTUAL.length),
        }))
      : [],
  );
}

/** What `@` may be on a GET, by its schema: names, and patterns of names. */
function atOfGet(document: Json): { names: string[]; patterns: string[] } {
  const parameters = member(member(member(document, "paths"), "/api/"), "get").parameters;
  const list = Array.isArray(parameters) ? parameters.map(expectObject) : [];
  const schema = member(list.find(({ name, in: place }) => name === "@" && place === "query") ?? {}, "schema");
  const branches = [
    schema,
    ...[schema.anyOf, schema.oneOf].flatMap((some) => (Array.isArray(some) ? some.map(expectObject) : [])),
  ];
  return {
    names: branches.flatMap((branch) => [...strings(branch.enum), ...strings([branch.const])]),
    patterns: branches.flatMap((branch) => strings([branch.pattern])),
  };
}

/** What `@` may be on a POST, by the discriminator of its body. */
function atOfPost(document: Json): string[] {
  const body = member(member(member(member(document, "paths"), "/api/"), "post"), "requestBody");
  const schema = member(member(member(body, "content"), "application/json"), "schema");
  return Object.keys(member(member(schema, "discriminator"), "mapping"));
}

/** Every `operationId` of a document, wherever it stands. */
function operationIds(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "operationId" && typeof inner === "string" ? [inner] : operationIds(inner),
  );
}

function expectAll(where: string, has: (operation: Operation) => boolean): void {
  const missing = all.filter((operation) => !has(operation)).map(({ name }) => name);
  if (missing.length > 0) fail(`every operation in ${where}`, `no ${missing.join(", no ")}`);
}

/** The name of an operation that one can call: parts that vary get the example's, or any, value. */
function callable(name: string): string {
  const example = all.find((operation) => operation.name === name)?.example ?? {};
  return name.replace(/\{(\w+)\}/g, (_, part: string) => String(example[part] ?? "README"));
}

/** Nothing is served under a name that has no operation. Called without credentials and input: it may refuse, but it must be known. */
async function expectServed(api: Api, { method, name }: Documented): Promise<void> {
  const called = callable(name);
  const body = method === "get" ? {} : { body: { "@": called } };
  const reply = await api.call(called, { method: method.toUpperCase(), credentials: "none", ...body });
  if (reply.status === 405 || reply.status === 404)
    fail(`${name} to be served by ${method.toUpperCase()}, as the contract says`, describe(reply));
}

function expectSame(what: string, one: readonly string[], other: readonly string[]): void {
  const [a, b] = [sorted(one), sorted(other)];
  if (a.join() !== b.join()) fail(`${what}: ${a.join(", ")}`, b.join(", ") || "none");
}

/** The published contract holds what is served, in each of its files (D11). */
export const contractOperations = [
  check("contract/operations#by-operation", {}, async (api) => {
    const documented = byPath(await readJson(api, "/openapi.operations.json"));
    expectAll("/openapi.operations.json", ({ name, method }) =>
      documented.some((one) => one.name === name && one.method === method.toLowerCase()),
    );
  }),
  check("contract/operations#wire", {}, async (api) => {
    const document = await readJson(api, "/openapi.json");
    const { names, patterns } = atOfGet(document);
    const posts = atOfPost(document);
    expectAll("/openapi.json", ({ method, name }) =>
      method === "POST"
        ? posts.includes(name)
        : names.includes(name) || patterns.some((pattern) => new RegExp(pattern).test(callable(name))),
    );
  }),
  check("contract/operations#wire-items", {}, async (api) => {
    const items = member(member(await readJson(api, "/openapi.json"), "components"), "pathItems");
    const ids = operationIds(items);
    expectAll("components.pathItems of /openapi.json", ({ id }) => ids.includes(id));
  }),
  check("contract/operations#served-by-operation", {}, async (api) => {
    for (const documented of byPath(await readJson(api, "/openapi.operations.json")))
      await expectServed(api, documented);
  }),
  check("contract/operations#served-wire", {}, async (api) => {
    const document = await readJson(api, "/openapi.json");
    for (const name of atOfGet(document).names) await expectServed(api, { method: "get", name });
    for (const name of atOfPost(document)) await expectServed(api, { method: "post", name });
  }),
  check("contract/operations#one-endpoint", {}, async (api) => {
    const paths = Object.keys(member(await readJson(api, "/openapi.json"), "paths"));
    const others = paths.filter((path) => path !== "/api/" && /^\/api/.test(path));
    if (!paths.includes("/api/") || others.length > 0)
      fail("/api/ as the one endpoint of /openapi.json", paths.join(", "));
  }),
  check("contract/operations#documents-agree", {}, async (api) => {
    const wire = operationIds(member(member(await readJson(api, "/openapi.json"), "components"), "pathItems"));
    const ids = operationIds((await readJson(api, "/openapi.operations.json")).paths);
    expectSame("the operations of /openapi.operations.json in /openapi.json", ids, wire);
  }),
  check("contract/operations#yaml-by-operation", {}, async (api) => {
    const json = await readJson(api, "/openapi.operations.json");
    const yaml = await readYaml(api, "/openapi.operations.yaml");
    expectSame("the paths of the JSON in the YAML", Object.keys(member(json, "paths")), yamlPaths(yaml));
    expectSame("the operations of the JSON in the YAML", operationIds(json), yamlValues(yaml, "operationId"));
  }),
  check("contract/operations#yaml-wire", {}, async (api) => {
    const json = await readJson(api, "/openapi.json");
    const yaml = await readYaml(api, "/openapi.yaml");
    expectSame("the paths of the JSON in the YAML", Object.keys(member(json, "paths")), yamlPaths(yaml));
    expectSame("the operations of the JSON in the YAML", operationIds(json), yamlValues(yaml, "operationId"));
  }),
];
