import { operations } from "../../generated/operations.ts";
import type { Api } from "../client/api.ts";
import type { CallOptions } from "../client/call.ts";
import { commands, every, guarded, type Known, nameOf, queries } from "../client/operation.ts";
import { checkPair, type PairCheck } from "./check.ts";
import { FILES } from "./contract/files.ts";
import { ENTRY, FORMATS, knownNames } from "./docs/document.ts";

/** What two operations say of the machine that they run on and of who asks; the rest of them is the interface's. */
const MACHINE: Readonly<Record<string, readonly string[]>> = {
  sysinfo: ["/clientAddress", "/runtime", "/time"],
  "test.health": ["/checks"],
};

/** Operations whose answers hold values that exist on one deployment only: where the contract says that callers find them. */
const sources = new Set(
  every.flatMap(({ exampleFrom }) =>
    Object.values(exampleFrom)
      .flat()
      .map((one) => one.operation),
  ),
);

/**
 * What of a success belongs to one deployment, so that only its shape is compared: all that a query tells for a key, or of a
 * record that has to be found. What is public is the same everywhere.
 */
function ownOf({ id, auth, exampleFrom }: Known): readonly string[] {
  const ofRecords = auth || Object.keys(exampleFrom).length > 0 || sources.has(id);
  return MACHINE[id] ?? (ofRecords ? [""] : []);
}

const pair = (variant: string, probe: PairCheck["probe"], own: readonly string[] = []) =>
  checkPair(`deployments/same#${variant}`, probe, own);

const get = (target: string, headers: Readonly<Record<string, string>> = {}): PairCheck["probe"] => {
  return (api) => api.request({ method: "GET", target, headers: Object.entries(headers) });
};

const machineOf = ({ id }: Known) => MACHINE[id] ?? [];

/** The same of each operation: a query with its example, a command with what it refuses, since a comparison only reads. */
const onEach = (
  variant: string,
  operations: readonly Known[],
  options: (api: Api, operation: Known) => CallOptions,
  own: (operation: Known) => readonly string[] = ownOf,
) =>
  operations.map((one) => {
    const input = one.method === "GET" ? one.example : { "no-such-member": 1 };
    return pair(`${one.id}-${variant}`, (api) => api.call(one.id, { input, ...options(api, one) }), own(one));
  });

const open = queries.filter(({ auth }) => !auth);
const closed = queries.filter(({ auth }) => auth);
const placed = (key: string, platform: string) => ({ key: { header: key }, platform: { header: platform } });
const form = { body: "name=a", headers: { "Content-Type": "application/x-www-form-urlencoded" } };
const preflight = {
  Origin: "https://app.example",
  "Access-Control-Request-Method": "POST",
  "Access-Control-Request-Headers": "x-api-key, x-platform, content-type",
};

/** Two deployments have the same interface (G7): the same probes to both. */
export const deployments = [
  // Answered.
  ...onEach("call", queries, () => ({})),
  ...onEach("head", queries, () => ({ method: "HEAD" })),
  ...onEach("without-credentials", open, () => ({ credentials: "none" })),
  ...onEach("in-query", closed, () => ({ credentials: "query" })),
  ...onEach("options", every, () => ({ method: "OPTIONS" }), machineOf),
  ...onEach("preflight", commands, () => ({ method: "OPTIONS", credentials: "none", headers: preflight }), machineOf),
  ...knownNames.flatMap((name) =>
    FORMATS.map((accept) =>
      pair(`${name}-${accept.replace("/", "-")}`, (api) => api.call(`docs.get.${name}`, { accept })),
    ),
  ),
  pair("compressed", get(`/api/?@=docs.get.${ENTRY}`, { "Accept-Encoding": "gzip" })),
  pair("document-not-modified", get(`/api/?@=docs.get.${ENTRY}`, { "If-None-Match": "*" })),
  pair("contract-not-modified", get(FILES[0], { "If-None-Match": "*" })),
  ...[...FILES, "/reference", "/robots.txt", "/.well-known/api-catalog"].map((path) => pair(path.slice(1), get(path))),
  pair("landing", get("/", { Accept: "application/json" }), MACHINE.sysinfo),
  pair("redirect", get("/api?@=sysinfo")),
  pair("redirect-of-post", (api) =>
    api.request({ method: "POST", target: "/api", headers: [["Content-Type", "application/json"]], body: "{}" }),
  ),

  // Refused.
  ...onEach("head", commands, () => ({ method: "HEAD" })),
  ...onEach("wrong-method", every, (_, { method }) => ({ method: method === "GET" ? "POST" : "GET" })),
  ...onEach("without-credentials", guarded, () => ({ credentials: "none" })),
  ...onEach("without-platform", guarded, (api) => ({ credentials: { key: { header: api.key } } })),
  ...onEach("invalid-key", guarded, (api) => ({ credentials: placed(api.runId, api.platform) })),
  ...onEach("invalid-platform", guarded, (api) => ({ credentials: placed(api.key, "not-a-platform") })),
  ...onEach("credential-conflict", closed, ({ key, platform, runId }) => ({
    credentials: { key: { header: key, query: runId }, platform: { header: platform } },
  })),
  ...onEach("unknown-parameter", every, (api) => ({ query: [[`p-${api.runId}`, "1"]] })),
  ...onEach("not-acceptable", every, () => ({ accept: "image/png" })),
  ...onEach("malformed-json", commands, () => ({ body: "{" })),
  ...onEach("media-type", commands, () => form),
  ...onEach("ambiguous", commands, (_, one) => ({ query: [["@", nameOf(one)]] })),
  ...onEach("unknown-member", commands, (_, one) => ({ body: { "@": nameOf(one), data: {}, "no-such-member": 1 } })),
  pair("invalid-members", (api) => api.call("user.create", { input: { name: " ", email: "not-an-address" } })),
  pair("limit", (api) => api.call("user.list", { input: { limit: 201 } }), ownOf(operations["user.list"])),
  pair("cursor", (api) => api.call("user.list", { input: { cursor: api.runId } }), ownOf(operations["user.list"])),
  pair("unknown-operation", (api) => api.call(`no.${api.runId}`)),
  pair("missing-operation", get("/api/")),
  pair("unknown-document", (api) => api.call(`docs.get.no-${api.runId}`)),
  pair("repeated-parameter", get("/api/?@=sysinfo&%40=sysinfo")),
  pair("malformed-query", get("/api/?@=%zz")),
  pair("unknown-path", (api) => get(`/no-${api.runId}`)(api)),
  ...["/api/", "/"].map((target) => pair(`delete-${target}`, (api) => api.request({ method: "DELETE", target }))),
];
