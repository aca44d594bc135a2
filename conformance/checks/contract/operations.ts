import type { Api } from "../../client/api.ts";
import { describe, expectObject, fail } from "../../client/expect.ts";
import { nameOf } from "../../client/operation.ts";
import { check } from "../check.ts";
import {
  all,
  follow,
  type Json,
  member,
  objects,
  readJson,
  readYaml,
  strings,
  yamlPaths,
  yamlValues,
} from "./files.ts";

const METHODS = ["get", "post", "put", "patch", "delete"];

/** An operation as a document has it. */
interface Documented {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  /** Whether `@` has to be sent. */
  readonly required: boolean;
  /** What `@` may be: names, and patterns of names. */
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  /** A name that fits a pattern. */
  readonly example: unknown;
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/** The operations of a document below an object of path items. */
function operationsIn(document: Json, items: Json): Documented[] {
  return Object.entries(items).flatMap(([path, item]) =>
    METHODS.filter((method) => Object.hasOwn(expectObject(item), method)).map((method) => {
      const operation = member(expectObject(item), method);
      const at = method === "post" ? atOfBody(document, operation) : atOfQuery(document, operation);
      const branches = [at.schema, ...objects(at.schema.anyOf), ...objects(at.schema.oneOf)];
      return {
        method,
        path,
        id: String(operation.operationId),
        required: at.required,
        names: branches.flatMap((branch) => [...strings(branch.enum), ...strings([branch.const])]),
        patterns: branches.flatMap((branch) => strings([branch.pattern])),
        example: at.example,
      };
    }),
  );
}

interface At {
  readonly required: boolean;
  readonly schema: Json;
  readonly example?: unknown;
}

function atOfQuery(document: Json, { parameters }: Json): At {
  const all = objects(parameters).map((parameter) => follow(document, parameter));
  const at = all.find(({ name, in: place }) => name === "@" && place === "query") ?? {};
  return { required: at.required === true, schema: follow(document, member(at, "schema")), example: at.example };
}

/** By the schema of the body, or by the discriminator of several. */
function atOfBody(document: Json, operation: Json): At {
  const content = member(follow(document, member(operation, "requestBody")), "content");
  const body = follow(document, member(member(content, "application/json"), "schema"));
  const required = strings(body.required).includes("@");
  return body.discriminator === undefined
    ? { required, schema: follow(document, member(member(body, "properties"), "@")) }
    : { required, schema: { enum: Object.keys(member(member(body, "discriminator"), "mapping")) } };
}

const inPaths = (document: Json) => operationsIn(document, member(document, "paths"));
const inItems = (document: Json) => operationsIn(document, member(member(document, "components"), "pathItems"));
const readByOperation = async (api: Api) => inPaths(await readJson(api, "/openapi.operations.json"));
const readWire = async (api: Api) =>
  inPaths(await readJson(api, "/openapi.json")).filter(({ path }) => path === "/api/");

/** Every `operationId` of a document, wherever it stands. */
function operationIds(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "operationId" && typeof inner === "string" ? [inner] : operationIds(inner),
  );
}

const takes = ({ names, patterns }: Documented, name: string) =>
  names.includes(name) || patterns.some((pattern) => new RegExp(pattern).test(name));

function expectAll(where: string, documented: readonly Documented[]): void {
  const missing = all.filter(
    (one) => !documented.some((other) => other.method === one.method.toLowerCase() && takes(other, nameOf(one))),
  );
  if (missing.length > 0)
    fail("body", `every operation in ${where}`, `no ${missing.map(({ name }) => name).join(", no ")}`);
}

/** Nothing is served under a name that has no operation. Called without credentials and input: it may refuse, but it must be known. */
async function expectServed(api: Api, { method, names, patterns, example }: Documented): Promise<void> {
  for (const name of [...names, ...(patterns.length > 0 ? strings([example]) : [])]) {
    const body = method === "get" ? {} : { body: { "@": name } };
    const reply = await api.call(name, { method: method.toUpperCase(), credentials: "none", ...body });
    if (reply.status === 405 || reply.status === 404)
      fail("body", `${name} to be served by ${method.toUpperCase()}, as the contract says`, describe(reply));
  }
}

function expectSame(what: string, one: readonly string[], other: readonly string[]): void {
  const [a, b] = [sorted(one), sorted(other)];
  if (a.join() !== b.join()) fail("body", `${what}: ${a.join(", ")}`, b.join(", ") || "none");
}

/** The published contract holds what is served, in each of its files (D11). */
export const contractOperations = [
  check("contract/operations#by-operation", {}, async (api) => {
    const documented = await readByOperation(api);
    expectAll(
      "/openapi.operations.json",
      documented.filter(({ path }) => path !== "/api/"),
    );
  }),
  check("contract/operations#wire", {}, async (api) => {
    expectAll("/openapi.json", await readWire(api));
  }),
  check("contract/operations#wire-items", {}, async (api) => {
    expectAll("components.pathItems of /openapi.json", inItems(await readJson(api, "/openapi.json")));
  }),
  check("contract/operations#wire-documents", {}, async (api) => {
    const documented = await readWire(api);
    const { items } = expectObject((await api.call("docs.list")).json());
    const missing = objects(items).flatMap(({ operation }) =>
      documented.some((one) => one.method === "get" && takes(one, String(operation))) ? [] : [String(operation)],
    );
    if (missing.length > 0) fail("body", "every document in /openapi.json", `no ${missing.join(", no ")}`);
  }),
  check("contract/operations#served-by-operation", {}, async (api) => {
    for (const documented of await readByOperation(api)) await expectServed(api, documented);
  }),
  check("contract/operations#served-wire", {}, async (api) => {
    for (const documented of await readWire(api)) await expectServed(api, documented);
  }),
  check("contract/operations#one-endpoint", {}, async (api) => {
    const paths = Object.keys(member(await readJson(api, "/openapi.json"), "paths"));
    const others = paths.filter((path) => path !== "/api/" && /^\/api/.test(path));
    if (!paths.includes("/api/") || others.length > 0)
      fail("body", "/api/ as the one endpoint of /openapi.json", paths.join(", "));
  }),
  check("contract/operations#documents-agree", {}, async (api) => {
    const at = (documented: readonly Documented[]) =>
      documented.flatMap(({ names, patterns }) => [...names, ...patterns]);
    const wire = at(inItems(await readJson(api, "/openapi.json")));
    expectSame("the operations of /openapi.operations.json in /openapi.json", at(await readByOperation(api)), wire);
  }),
  ...(["", "operations."] as const).map((name) =>
    check(`contract/operations#yaml-${name === "" ? "wire" : "by-operation"}`, {}, async (api) => {
      const json = await readJson(api, `/openapi.${name}json`);
      const yaml = await readYaml(api, `/openapi.${name}yaml`);
      expectSame("the paths of the JSON in the YAML", Object.keys(member(json, "paths")), yamlPaths(yaml));
      expectSame("the operations of the JSON in the YAML", operationIds(json), yamlValues(yaml, "operationId"));
    }),
  ),
  check("contract/callable#path", {}, async (api) => {
    for (const { path } of await readByOperation(api)) {
      const { pathname } = new URL(path, "https://h.example");
      if (pathname !== "/api/") fail("body", `${path} to be sent as /api/`, pathname);
    }
  }),
  check("contract/callable#name", {}, async (api) => {
    for (const { path, required, names, patterns, example } of await readByOperation(api)) {
      const one = names.length === 1 || (patterns.length === 1 && new RegExp(String(patterns)).test(String(example)));
      if (!one || !required)
        fail(
          "body",
          `one name at @, or a pattern and an example, that ${path} requires`,
          sorted(names).join(", ") || "none",
        );
    }
  }),
  check("contract/callable#operation-id", {}, async (api) => {
    const ids = (await readByOperation(api)).map(({ id }) => id);
    const bad = ids.filter((id, index) => !/^[A-Za-z]\w*$/.test(id) || ids.indexOf(id) !== index);
    if (bad.length > 0) fail("body", "an identifier of its own as each operationId", bad.join(", "));
  }),
];
