import { type OperationId, operations } from "../../generated/operations.ts";
import type { Api } from "../client/api.ts";
import type { CallOptions } from "../client/call.ts";
import { checkPair } from "./check.ts";
import { knownNames } from "./docs/document.ts";

/**
 * Two deployments have the same interface (G7): the same probes to both. What belongs to one of them, its users, its
 * address and its machine, is data.
 */
const DATA: { readonly [Id in OperationId]?: readonly string[] } = {
  sysinfo: ["/clientAddress", "/runtime", "/time"],
  "test.health": ["/checks"],
  "user.list": ["/items", "/nextCursor"],
};

const ids = Object.values(operations).map(({ id }) => id);
const get = (target: string, headers: readonly (readonly [string, string])[] = []) => {
  return (api: Api) => api.request({ method: "GET", target, headers });
};

/** What a command refuses, whatever it takes: a comparison only reads. */
const REFUSED = { "no-such-member": 1 };

/** A call of each operation, or of those that a condition picks; with its example where nothing is changed by that. */
const onEach = (
  variant: string,
  options: (api: Api, id: OperationId) => CallOptions,
  where: (id: OperationId) => boolean = () => true,
) =>
  ids.filter(where).map((id) =>
    checkPair(
      `deployments/same#${id}-${variant}`,
      (api) =>
        api.call(id, {
          input: operations[id].method === "GET" ? operations[id].example : REFUSED,
          ...options(api, id),
        }),
      DATA[id] ?? [],
    ),
  );

const isGet = (id: OperationId) => operations[id].method === "GET";
const isGuarded = (id: OperationId) => operations[id].auth;
const invalidKey = (api: Api) => ({ key: { header: "not-a-key" }, platform: { header: api.platform } });
const invalidPlatform = (api: Api) => ({ key: { header: api.key }, platform: { header: "not-a-platform" } });

const formats: readonly string[] = operations["docs.get"].answers[0].mediaTypes;
const slug = (mediaType: string) => mediaType.replace("/", "-");

export const deployments = [
  ...onEach("call", () => ({}), isGet),
  ...onEach("head", () => ({ method: "HEAD" })),
  ...onEach("options", () => ({ method: "OPTIONS" })),
  ...onEach("wrong-method", (_, id) => ({ method: isGet(id) ? "POST" : "GET" })),
  ...onEach("without-credentials", () => ({ credentials: "none" })),
  ...onEach("without-platform", (api) => ({ credentials: { key: { header: api.key } } }), isGuarded),
  ...onEach("invalid-key", (api) => ({ credentials: invalidKey(api) }), isGuarded),
  ...onEach("invalid-platform", (api) => ({ credentials: invalidPlatform(api) }), isGuarded),
  ...onEach("in-query", () => ({ credentials: "query" }), isGuarded),
  ...onEach("unknown-parameter", () => ({ query: [["no-such-parameter", "1"]] })),
  ...onEach("not-acceptable", () => ({ accept: "image/png" })),
  ...knownNames.flatMap((name) =>
    formats.map((accept) =>
      checkPair(`deployments/same#${name}-${slug(accept)}`, (api) => api.call(`docs.get.${name}`, { accept })),
    ),
  ),
  checkPair("deployments/same#compressed", (api) =>
    api.call("docs.get.README", { headers: { "Accept-Encoding": "gzip" } }),
  ),
  ...["/openapi.json", "/openapi.yaml", "/openapi.operations.json", "/openapi.operations.yaml"].map((target) =>
    checkPair(`deployments/same#${target.slice(1)}`, get(target)),
  ),
  ...["/reference", "/robots.txt", "/.well-known/api-catalog"].map((target) =>
    checkPair(`deployments/same#${target.slice(1)}`, get(target)),
  ),
  checkPair("deployments/same#landing", get("/", [["Accept", "application/json"]]), DATA.sysinfo),
  checkPair("deployments/same#limit", (api) => api.call("user.list", { input: { limit: 201 } })),
  checkPair("deployments/same#cursor", (api) => api.call("user.list", { input: { cursor: "not-a-cursor" } })),
  checkPair("deployments/same#malformed-json", (api) => api.call("user.create", { body: "{" })),
  checkPair("deployments/same#media-type", (api) =>
    api.call("user.create", { body: "name=a", headers: { "Content-Type": "application/x-www-form-urlencoded" } }),
  ),
  checkPair("deployments/same#unknown-operation", (api) => api.call("no.such.operation")),
  checkPair("deployments/same#missing-operation", (api) => api.call("", { rawQuery: "" })),
  checkPair("deployments/same#unknown-document", (api) => api.call("docs.get.no-such-document")),
  checkPair("deployments/same#unknown-path", get("/no-such-path")),
  checkPair("deployments/same#redirect", get("/api?@=sysinfo")),
  checkPair("deployments/same#redirect-of-post", (api) =>
    api.request({ method: "POST", target: "/api", headers: [["Content-Type", "application/json"]], body: "{}" }),
  ),
  checkPair("deployments/same#unknown-method", (api) => api.request({ method: "DELETE", target: "/api/" })),
  checkPair("deployments/same#wrong-method-of-a-page", (api) => api.request({ method: "DELETE", target: "/" })),
  checkPair("deployments/same#repeated-parameter", get("/api/?@=sysinfo&%40=sysinfo"), DATA.sysinfo),
  checkPair("deployments/same#malformed-query", get("/api/?@=%zz")),
  checkPair("deployments/same#ambiguous-operation", (api) =>
    api.call("user.create", { rawQuery: "@=user.create", body: { "@": "user.create", data: {} } }),
  ),
  checkPair("deployments/same#credential-conflict", (api) =>
    api.call("user.list", {
      credentials: { key: { header: api.key, query: "not-a-key" }, platform: { header: api.platform } },
    }),
  ),
  checkPair("deployments/same#unknown-member", (api) =>
    api.call("user.create", { body: { "@": "user.create", data: { "no-such-member": 1 }, "no-such-member": 1 } }),
  ),
  checkPair("deployments/same#invalid-members", (api) =>
    api.call("user.create", { body: { "@": "user.create", data: { name: " ", email: "not-an-address" } } }),
  ),
  checkPair("deployments/same#document-not-modified", (api) =>
    api.call("docs.get.README", { headers: { "If-None-Match": "*" } }),
  ),
  checkPair("deployments/same#contract-not-modified", get("/openapi.json", [["If-None-Match", "*"]])),
  checkPair("deployments/same#preflight", (api) =>
    api.call("user.create", {
      method: "OPTIONS",
      credentials: "none",
      headers: {
        Origin: "https://app.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-api-key, x-platform, content-type",
      },
    }),
  ),
];
