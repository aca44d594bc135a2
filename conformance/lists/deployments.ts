import { checkPair, type PairCheck } from "../checks/check.ts";
import { faultsOf, hostile, sendFaulty } from "../checks/faults.ts";
import type { Api } from "../client/api.ts";
import type { CallOptions } from "../client/call.ts";
import { type Callable, commands, every, queries } from "../client/operation.ts";
import { contract } from "../contract.ts";
import { CONTRACT as FILES } from "./published/list.ts";

const { known = [], answers: [{ mediaTypes: FORMATS } = { mediaTypes: [] }] = [] } =
  contract.operations["docs.get"] ?? {};

/** Members of two operations that describe their machine or the caller; all others are part of the interface. */
const MACHINE: Readonly<Record<string, readonly string[]>> = {
  sysinfo: ["/clientAddress", "/runtime", "/time"],
  "test.health": ["/checks"],
};

/** Callables whose responses hold values that exist on one deployment only: where the contract says that callers find them. */
const sources = new Set(
  every.flatMap(({ exampleFrom }) =>
    Object.values(exampleFrom)
      .flat()
      .map((one) => one.operation),
  ),
);

/**
 * The parts of a success that belong to one deployment, so that only their shape is compared: responses that need a key, or are
 * about a record that has to be looked up. Public ones are the same everywhere.
 */
function ownOf({ id, auth, exampleFrom }: Callable): readonly string[] {
  const ofRecords = auth || Object.keys(exampleFrom).length > 0 || sources.has(id);
  return MACHINE[id] ?? (ofRecords ? [""] : []);
}

const pair = (variant: string, probe: PairCheck["probe"], own: readonly string[] = []) =>
  checkPair(`deployments/same#${variant}`, probe, own);

const get = (target: string, headers: Readonly<Record<string, string>> = {}): PairCheck["probe"] => {
  return (api) => api.request({ method: "GET", target, headers: Object.entries(headers) });
};

const machineOf = ({ id }: Callable) => MACHINE[id] ?? [];

/** The same for each operation: a query with its example, a command with a rejected input. */
const onEach = (
  variant: string,
  operations: readonly Callable[],
  options: (api: Api, operation: Callable) => CallOptions,
  own: (operation: Callable) => readonly string[] = ownOf,
) =>
  operations.map((one) => {
    const input = one.method === "GET" ? one.example : { "no-such-member": 1 };
    return pair(`${one.id}-${variant}`, (api) => api.call(one.id, { input, ...options(api, one) }), own(one));
  });

const open = queries.filter(({ auth }) => !auth);
const closed = queries.filter(({ auth }) => auth);
/** A comparison only reads. */
const steps = contract.steps.map(({ step }) => step).filter((step) => !hostile.includes(step));
const preflight = {
  Origin: "https://app.example",
  "Access-Control-Request-Method": "POST",
  "Access-Control-Request-Headers": "x-api-key, x-platform, content-type",
};

/** Two deployments have the same interface (G7): the same probes to both. */
export const deployments = [
  // Accepted requests.
  ...onEach("call", queries, () => ({})),
  ...onEach("head", queries, () => ({ method: "HEAD" })),
  ...onEach("without-credentials", open, () => ({ credentials: "none" })),
  ...onEach("in-query", closed, () => ({ credentials: "query" })),
  ...onEach("options", every, () => ({ method: "OPTIONS" }), machineOf),
  ...onEach("preflight", commands, () => ({ method: "OPTIONS", credentials: "none", headers: preflight }), machineOf),
  ...known.flatMap((name) =>
    FORMATS.map((accept) =>
      pair(`${name.replace("docs.get.", "")}-${accept.replace("/", "-")}`, (api) => api.call(name, { accept })),
    ),
  ),
  pair("compressed", get(`/api/?@=docs.get.README`, { "Accept-Encoding": "gzip" })),
  pair("document-not-modified", get(`/api/?@=docs.get.README`, { "If-None-Match": "*" })),
  pair("contract-not-modified", get("/openapi.json", { "If-None-Match": "*" })),
  ...[...FILES, "/reference", "/robots.txt", "/.well-known/api-catalog"].map((path) => pair(path.slice(1), get(path))),
  pair("landing", get("/", { Accept: "application/json" }), MACHINE.sysinfo),
  pair("redirect", get("/api?@=sysinfo")),
  pair("redirect-of-post", (api) =>
    api.request({ method: "POST", target: "/api", headers: [["Content-Type", "application/json"]], body: "{}" }),
  ),

  // Rejected requests.
  ...onEach("head", commands, () => ({ method: "HEAD" })),
  ...every.flatMap((operation) =>
    faultsOf(operation, steps).map((one, at) =>
      pair(`${operation.id}-${one.step}-${at}`, (api) => sendFaulty(api, one), ownOf(operation)),
    ),
  ),
  pair("invalid-members", (api) => api.call("user.create", { input: { name: " ", email: "not-an-address" } })),
  pair("limit", (api) => api.call("user.list", { input: { limit: 201 } }), [""]),
  ...["/api/", "/"].map((target) => pair(`delete-${target}`, (api) => api.request({ method: "DELETE", target }))),
];
