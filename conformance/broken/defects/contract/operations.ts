import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { isObject, type JsonObject } from "../../look.ts";
import { withQuery } from "../../shape.ts";
import { changed, document, type File, fileAnswer, member, OPERATIONS, text, WIRE, without } from "./hooks.ts";

const of = (...variants: readonly string[]) => variants.map((one) => `contract/operations#${one}`);

/** The names of GET, in the schema of `@`. */
const names = (change: (names: readonly unknown[]) => readonly unknown[]) =>
  document(WIRE, (json) =>
    changed(json, ["paths", "/api/", "get", "parameters"], (parameters) =>
      Array.isArray(parameters)
        ? parameters.map((parameter: unknown) => {
            if (!isObject(parameter) || parameter.name !== "@") return parameter;
            const { enum: all, ...schema } = member(parameter, "schema");
            return { ...parameter, schema: { ...schema, enum: change(Array.isArray(all) ? all : []) } };
          })
        : parameters,
    ),
  );
const paths = (change: (paths: Record<string, unknown>) => Record<string, unknown>) =>
  document(OPERATIONS, (json) => ({ ...json, paths: change(member(json, "paths")) }));
/** Changes the path item of user.list, under its path. */
const userList = (change: (item: JsonObject, path: string) => Record<string, unknown>) =>
  paths(({ "/api/user.list/../": item, ...rest }) => ({
    ...rest,
    ...change(isObject(item) ? item : {}, "/api/user.list/../"),
  }));
const at = (change: (parameter: JsonObject) => JsonObject) =>
  userList((item, path) => ({
    [path]: changed(item, ["get", "parameters"], (all) =>
      (Array.isArray(all) ? all.filter(isObject) : []).map((one) => (one.name === "@" ? change(one) : one)),
    ),
  }));
const get = (name: string) => ({
  get: { operationId: "added", parameters: [{ name: "@", in: "query", required: true, schema: { enum: [name] } }] },
});
const post = (name: string) => {
  const schema = { required: ["@"], properties: { "@": { const: name } } };
  return { post: { operationId: "added", requestBody: { content: { "application/json": { schema } } } } };
};
const items = (change: (items: Record<string, unknown>) => Record<string, unknown>) =>
  document(WIRE, (json) => changed(json, ["components", "pathItems"], (value) => change(isObject(value) ? value : {})));
const instead = (file: File, other: File): Required<Pick<Defect, "answer">> =>
  fileAnswer([file], (_answer, request, { forward }) =>
    forward({ ...request, target: request.target.replace(file, other) }),
  );

export const operationDefects: readonly Defect[] = [
  caught(
    "contract/one-document-for-both",
    "Serves the document by operation at both paths.",
    of("wire", "wire-items", "one-endpoint", "documents-agree"),
    /openapi\.json/,
    instead(WIRE, OPERATIONS),
  ),
  caught(
    "contract/wire-for-both",
    "Serves the document of the wire at both paths.",
    of("by-operation"),
    /openapi\.operations\.json/,
    instead(OPERATIONS, WIRE),
  ),
  caught(
    "contract/yaml-of-the-other",
    "Serves the other document as YAML.",
    of("yaml-by-operation"),
    /paths of the JSON/,
    instead("openapi.operations.yaml", "openapi.yaml"),
  ),
  caught(
    "contract/wire-yaml-of-the-other",
    "Serves the other document as YAML.",
    of("yaml-wire"),
    /paths of the JSON/,
    instead("openapi.yaml", "openapi.operations.yaml"),
  ),
  caught(
    "contract/misses-user-create",
    "Leaves user.create out of the document by operation.",
    of("by-operation", "documents-agree", "yaml-by-operation"),
    /user\.create/,
    paths((all) => without(all, "/api/user.create/../")),
  ),
  caught(
    "contract/misses-documents",
    "Leaves docs.get out of the document by operation.",
    of("by-operation"),
    /no docs\.get\.\{name\}/,
    paths((all) => without(all, "/api/docs.get/../")),
  ),
  caught(
    "contract/other-method",
    "Documents user.create as GET.",
    of("by-operation", "served-by-operation"),
    /user\.create/,
    paths((all) => ({ ...all, "/api/user.create/../": get("user.create") })),
  ),
  caught(
    "contract/no-paths",
    "Has no paths.",
    of("by-operation", "documents-agree"),
    /every operation|operations/,
    paths(() => ({})),
  ),
  caught(
    "contract/user-delete",
    "Documents an operation that is not there.",
    of("served-by-operation"),
    /user\.delete/,
    paths((all) => ({ ...all, "/api/user.delete/../": get("user.delete") })),
  ),
  caught(
    "contract/user-update",
    "Documents an operation of POST that is not there.",
    of("served-by-operation"),
    /user\.update/,
    paths((all) => ({ ...all, "/api/user.update/../": post("user.update") })),
  ),
  caught(
    "contract/wire-misses-health",
    "Leaves test.health out of the names of GET.",
    of("wire"),
    /no test\.health/,
    names((all) => all.filter((name) => name !== "test.health")),
  ),
  caught(
    "contract/wire-misses-a-document",
    "Leaves a document that it lists out of the names of GET.",
    of("wire-documents"),
    /no docs\.get\.problems/,
    names((all) => all.filter((name) => name !== "docs.get.problems")),
  ),
  caught(
    "contract/wire-only-names",
    "Has no names of GET.",
    of("wire"),
    /no sysinfo/,
    names(() => []),
  ),
  caught(
    "contract/wire-misses-post",
    "Leaves user.create out of the bodies of POST.",
    of("wire"),
    /no user\.create/,
    document(WIRE, (json) =>
      changed(
        json,
        ["paths", "/api/", "post", "requestBody", "content", "application/json", "schema", "discriminator", "mapping"],
        () => ({}),
      ),
    ),
  ),
  caught(
    "contract/wire-adds-a-name",
    "Has a name of GET that is not served.",
    of("served-wire"),
    /user\.get/,
    names((all) => [...all, "user.get"]),
  ),
  caught(
    "contract/wire-adds-a-body",
    "Has a body of POST that is not served.",
    of("served-wire"),
    /user\.update/,
    document(WIRE, (json) =>
      changed(
        json,
        ["paths", "/api/", "post", "requestBody", "content", "application/json", "schema", "discriminator", "mapping"],
        (mapping) => ({ ...(isObject(mapping) ? mapping : {}), "user.update": "#" }),
      ),
    ),
  ),
  caught(
    "contract/wire-lists-a-post",
    "Has user.create among the names of GET.",
    of("served-wire"),
    /user\.create/,
    names((all) => [...all, "user.create"]),
  ),
  caught(
    "contract/item-missing",
    "Leaves user.list out of the operations of the wire.",
    of("wire-items", "documents-agree"),
    /user\.list/,
    items((all) => without(all, "user.list")),
  ),
  caught(
    "contract/item-added",
    "Adds an operation to the wire only.",
    of("documents-agree"),
    /user\.get/,
    items((all) => ({ ...all, "user.get": get("user.get") })),
  ),
  caught(
    "contract/path-of-an-operation",
    "Has a path for each operation in the document of the wire.",
    of("one-endpoint", "yaml-wire"),
    /sysinfo/,
    document(WIRE, (json) => changed(json, ["paths", "/api/sysinfo"], () => ({}))),
  ),
  caught(
    "contract/version-in-the-path",
    "Has the version in the path of the endpoint.",
    of("one-endpoint"),
    /\/api\/v3\//,
    document(WIRE, (json) => ({ ...json, paths: { "/api/v3/": member(member(json, "paths"), "/api/") } })),
  ),
  caught(
    "contract/stale-yaml",
    "Serves YAML from before docs.list.",
    of("yaml-by-operation"),
    /docs\.list/,
    text(["openapi.operations.yaml"], (yaml) => yaml.replaceAll("docs.list", "docs.all")),
  ),
  caught(
    "contract/stale-wire-yaml",
    "Serves YAML from before docs.list.",
    of("yaml-wire"),
    /docsList/,
    text(["openapi.yaml"], (yaml) => yaml.replaceAll("docsList", "docsAll")),
  ),
  ...(
    [
      ["at-in-the-path", "@user.list", /sent as/],
      ["name-in-the-path", "user.list", /sent as/],
      ["two-levels-up", "user.list/../../", /sent as/],
      ["escaped-dots", "user.list/%2E./x", /sent as/],
    ] as const
  ).map(([id, path, reason]) =>
    caught(
      `contract/${id}`,
      `Documents user.list at /api/${path}, which is not on the wire.`,
      ["contract/callable#path"],
      reason,
      userList((item) => ({ [`/api/${path}`]: item })),
    ),
  ),
  caught(
    "contract/name-of-many",
    "Lets user.list be called by the name of another operation.",
    ["contract/callable#name"],
    /one name at @/,
    at((parameter) => ({ ...parameter, schema: { enum: ["user.list", "docs.list"] } })),
  ),
  caught(
    "contract/name-optional",
    "Lets user.list be called without a name.",
    ["contract/callable#name"],
    /requires/,
    at((parameter) => without(parameter, "required")),
  ),
  caught(
    "contract/any-name",
    "Does not say by which name user.list is called.",
    ["contract/callable#name", ...of("by-operation", "documents-agree")],
    /one name at @|user\.list/,
    at((parameter) => ({ ...parameter, schema: { type: "string" } })),
  ),
  ...(["user.list", "docsList"] as const).map((operationId) =>
    caught(
      `contract/operation-id-${operationId.toLowerCase()}`,
      `Has ${operationId} as the operationId of user.list.`,
      ["contract/callable#operation-id"],
      /an identifier of its own/,
      userList((item, path) => ({ [path]: changed(item, ["get", "operationId"], () => operationId) })),
    ),
  ),
  caught(
    "contract/operation-not-served",
    "Does not serve docs.list, which the contract holds.",
    of("served-by-operation", "served-wire"),
    /docs\.list to be served/,
    {
      request: (request) => withQuery(request, (query) => query.get("@") === "docs.list" && query.set("@", "docs.all")),
    },
  ),
];
