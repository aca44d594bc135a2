import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { isObject } from "../../look.ts";
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
            const branches = member(parameter, "schema").anyOf;
            const anyOf = (Array.isArray(branches) ? branches : []).map((branch: unknown) =>
              isObject(branch) && Array.isArray(branch.enum) ? { ...branch, enum: change(branch.enum) } : branch,
            );
            return { ...parameter, schema: { anyOf } };
          })
        : parameters,
    ),
  );
const paths = (change: (paths: Record<string, unknown>) => Record<string, unknown>) =>
  document(OPERATIONS, (json) => ({ ...json, paths: change(member(json, "paths")) }));
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
    paths((all) => without(all, "/api/@user.create")),
  ),
  caught(
    "contract/misses-documents",
    "Leaves docs.get out of the document by operation.",
    of("by-operation"),
    /no docs\.get\.\{name\}/,
    paths((all) => without(all, "/api/@docs.get.{name}")),
  ),
  caught(
    "contract/other-method",
    "Documents user.create as GET.",
    of("by-operation", "served-by-operation"),
    /user\.create/,
    paths((all) => ({ ...all, "/api/@user.create": { get: member(member(all, "/api/@user.create"), "post") } })),
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
    paths((all) => ({ ...all, "/api/@user.delete": { get: { operationId: "user.delete", responses: {} } } })),
  ),
  caught(
    "contract/user-update",
    "Documents an operation of POST that is not there.",
    of("served-by-operation"),
    /user\.update/,
    paths((all) => ({ ...all, "/api/@user.update": { post: { operationId: "user.update", responses: {} } } })),
  ),
  caught(
    "contract/wire-misses-health",
    "Leaves test.health out of the names of GET.",
    of("wire"),
    /no test\.health/,
    names((all) => all.filter((name) => name !== "test.health")),
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
    items((all) => ({ ...all, "user.get": { get: { operationId: "user.get" } } })),
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
    /docs\.list/,
    text(["openapi.yaml"], (yaml) => yaml.replaceAll("docs.list", "docs.all")),
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
