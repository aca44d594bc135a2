import { checkPair, type PairCheck } from "../checks/check.ts";
import { faultsOf, hostile, sendFaulty } from "../checks/faults.ts";
import type { Api } from "../client/api.ts";
import type { CallOptions } from "../client/call.ts";
import { type Callable, commands, every, paged, queries, queryOf, simplest } from "../client/operation.ts";
import { contract } from "../contract.ts";
import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { ours } from "./ours.ts";
import { CONTRACT as FILES } from "./published/list.ts";

/** Members of an operation that describe its machine or the caller; all others are part of the interface. */
const machineOf = ({ id }: Callable) => ours.own.find(({ operation }) => operation === id)?.machine;

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
function ownOf(operation: Callable): readonly string[] {
  const { id, auth, exampleFrom } = operation;
  const ofRecords = auth || Object.keys(exampleFrom).length > 0 || sources.has(id);
  return machineOf(operation) ?? (ofRecords ? [""] : []);
}

export const pair = (variant: string, probe: PairCheck["probe"], own: readonly string[] = []) =>
  checkPair(`deployments/same#${variant}`, probe, own);

export const get = (target: string, headers: Readonly<Record<string, string>> = {}): PairCheck["probe"] => {
  return (api) => api.request({ method: "GET", target, headers: Object.entries(headers) });
};

const onlyMachine = (operation: Callable) => machineOf(operation) ?? [];

/** A member that no command has. */
const REJECTED = { "no-such-member": 1 };

/** The same for each operation: a query with its example, a command with a rejected input. */
const onEach = (
  variant: string,
  operations: readonly Operation[],
  options: (api: Api, operation: Operation) => CallOptions,
  own: (operation: Callable) => readonly string[] = ownOf,
) =>
  operations.map((one) => {
    const input = one.method === "GET" ? one.example : REJECTED;
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
  ...onEach("options", every, () => ({ method: "OPTIONS" }), onlyMachine),
  ...onEach("preflight", commands, () => ({ method: "OPTIONS", credentials: "none", headers: preflight }), onlyMachine),
  ...open.flatMap((one) =>
    one.known.flatMap((name) => [
      ...mediaTypesOf(one).map((accept) =>
        pair(`${name}-${accept.replace("/", "-")}`, (api) => api.call(name, { accept })),
      ),
      pair(`${name}-compressed`, get(`/api/?@=${name}`, { "Accept-Encoding": "gzip" })),
      pair(`${name}-not-modified`, get(`/api/?@=${name}`, { "If-None-Match": "*" })),
    ]),
  ),
  pair("contract-not-modified", get("/openapi.json", { "If-None-Match": "*" })),
  ...[...FILES, "/reference", "/robots.txt", "/.well-known/api-catalog"].map((path) => pair(path.slice(1), get(path))),
  pair("redirect", get(`/api?${queryOf(simplest, simplest.example)}`)),
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
  ...onEach(
    "blank-members",
    commands,
    (_, { input }) => ({
      input: { ...Object.fromEntries(Object.keys(input).map((name) => [name, " "])), ...REJECTED },
    }),
    () => [],
  ),
  ...onEach("limit", paged, (api, { id, schema }) => ({
    input: { ...api.required(id), limit: (schema.properties?.limit?.maximum ?? 0) + 1 },
  })),
  ...["/api/", "/"].map((target) => pair(`delete-${target}`, (api) => api.request({ method: "DELETE", target }))),
];
