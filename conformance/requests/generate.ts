import { createHash } from "node:crypto";
import type { Contract, Operation } from "../oracle/contract.ts";
import type { ModelState, Request } from "../oracle/model-state.ts";
import type { Oracle, Prediction } from "../oracle/predict.ts";
import { body } from "./body.ts";
import { credentials } from "./credentials.ts";
import { type Caller, type Mutation, plain, type Targets, written } from "./draft.ts";
import { accept, echo, fields } from "./fields.ts";
import { framing } from "./framing.ts";
import { head } from "./head.ts";
import { headers } from "./headers.ts";
import { input } from "./input.ts";
import { BY_HEAD, HARMLESS, IN_QUERY, MODES } from "./modes.ts";
import { name } from "./name.ts";
import { query, target } from "./target.ts";

/** What a run sends once. */
export interface Case {
  /**
   * The operation and the names of the rows: `user.list limit = 0 + HEAD`. The same for every
   * deployment and every key.
   */
  readonly id: string;
  readonly operation: Operation;
  readonly mutations: readonly Mutation[];
  readonly request: Request;
}

/** The rows of every operation of a contract. */
export interface Tables {
  readonly contract: Contract;
  readonly mutationsByOperation: ReadonlyMap<string, ReadonlyMap<string, Mutation>>;
}

/**
 * Whose requests they are: the caller, and an input for each operation that a right deployment
 * accepts.
 */
export interface Source {
  readonly caller: Caller;
  readonly inputs: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export const tablesOf = (
  contract: Contract,
  further: readonly RequestExtension[] = [],
): Tables => ({
  contract,
  mutationsByOperation: new Map(
    Object.values(contract.operations).map((one) => [one.id, mutationsOf(contract, one, further)]),
  ),
});

const SEPARATOR = " + ";

export const idOf = ({ id }: Operation, rows: readonly Mutation[]): string =>
  `${id} ${rows.length === 0 ? "plain" : rows.map(({ name }) => name).join(SEPARATOR)}`;

function buildCase(
  { caller, inputs }: Source,
  operation: Operation,
  rows: readonly Mutation[],
): Case {
  const draft = plain(operation, inputs.get(operation.id) ?? operation.example, caller);
  for (const { apply } of rows) apply(draft);
  return { id: idOf(operation, rows), operation, mutations: rows, request: written(draft) };
}

/**
 * The requirement that a case is sent for: that of its only row, or the one by which its response
 * is decided.
 */
export function caseRequirement(
  { mutations }: Pick<Case, "mutations">,
  { by, code }: Prediction,
): string {
  const [row, ...otherRows] = mutations.filter(({ name }) => !MODES.has(name));
  if (!row?.targets || otherRows.length > 0) return by;
  const { accepted = by, ...rejected } = row.targets;
  if (code === null) return accepted;
  // The unknown member alone is what is wrong.
  const isHarmless = mutations.includes(HARMLESS) && code === "invalid-input";
  return rejected[code] ?? (isHarmless ? accepted : by);
}

/** The case of an id; null if this contract has none, or the caller lacks the key that it takes. */
export function caseOf(
  { contract, mutationsByOperation }: Tables,
  source: Source,
  id: string,
): Case | null {
  const [, name = "", text = ""] = /^(\S+) (.*)$/s.exec(id) ?? [];
  const operation = Object.hasOwn(contract.operations, name)
    ? contract.operations[name]
    : undefined;
  const named = text === "plain" ? [] : text.split(SEPARATOR);
  const mutations = named.flatMap(
    (one) => mutationsByOperation.get(name)?.get(one) ?? MODES.get(one) ?? [],
  );
  if (!operation || mutations.length < named.length) return null;
  return createCase(source, operation, mutations);
}

/** The case of an operation with these rows; null if the caller lacks a key that one takes. */
export const createCase = (
  source: Source,
  operation: Operation,
  rows: readonly Mutation[],
): Case | null => (rows.every(canSend(source)) ? buildCase(source, operation, rows) : null);

/** Whether the caller has the key that a row takes. */
const canSend =
  ({ caller }: Source) =>
  ({ needs }: Mutation): boolean =>
    needs === undefined || needs in caller.others;

/**
 * Every case: each row alone, by HEAD, and with credentials in the query; two rows that are
 * rejected for different reasons. A command that would be carried out gets an unknown member,
 * unless its row is for that.
 */
export function* cases(
  tables: Tables,
  source: Source,
  oracle: Oracle,
  model: ModelState,
): Generator<Case> {
  const known = new Set<string>();
  for (const testCase of combined(tables, source, oracle, model)) {
    if (!known.has(testCase.id)) yield testCase;
    known.add(testCase.id);
  }
}

const kindOf = ({ method, pattern, auth }: Operation) => `${method} ${pattern !== null} ${auth}`;

function* combined(
  tables: Tables,
  source: Source,
  oracle: Oracle,
  model: ModelState,
): Generator<Case> {
  const all = Object.values(tables.contract.operations);
  const [first] = all;
  /**
   * The rows of the first operation of the same kind: of queries and commands, with a name or a
   * template, with and without a key.
   */
  const rowsOfFirst = (operation: Operation) => {
    const kin = all.find((other) => kindOf(other) === kindOf(operation));
    return kin && kin !== operation ? tables.mutationsByOperation.get(kin.id) : undefined;
  };
  for (const operation of Object.values(tables.contract.operations)) {
    const predicted = (...rows: readonly Mutation[]): readonly [Case, Prediction] => {
      const testCase = buildCase(source, operation, rows);
      return [testCase, oracle.predict(testCase.request, model)];
    };
    const harmless = ([testCase, { code, operation: carriedOut }]: readonly [
      Case,
      Prediction,
    ]): Case => {
      const { mutations, request } = testCase;
      const isCarriedOut = request.method === "POST" && code === null && carriedOut !== null;
      const isMeant = mutations.length === 0 || mutations.some(({ creates }) => creates);
      return isCarriedOut && !isMeant
        ? buildCase(source, operation, [...mutations, HARMLESS])
        : testCase;
    };
    const safe = (...rows: readonly Mutation[]): Case => harmless(predicted(...rows));
    const table = [...(tables.mutationsByOperation.get(operation.id)?.values() ?? [])].filter(
      canSend(source),
    );
    /** The first row for each way of being rejected: what a catalogue of faults would list. */
    const faults = new Map<string, Mutation>();
    yield safe();
    if (operation.method === "GET") yield safe(BY_HEAD);
    yield safe(IN_QUERY);
    const same = rowsOfFirst(operation);
    for (const mutation of table) {
      const alone = predicted(mutation);
      const [, { code, by, places = [], operation: asked }] = alone;
      const kind = `${mutation.dimension} ${by} ${code} ${places}`;
      const isFirst = code !== null && !faults.has(kind);
      const isNewFault = isFirst && asked !== null;
      if (isFirst) faults.set(kind, mutation);
      yield harmless(alone);
      // A row that is not about one operation is sent in these ways for one of a kind, and once
      // where the operation rejects it.
      if (same?.has(mutation.name) && !isNewFault) continue;
      if (operation.method === "GET") yield safe(mutation, BY_HEAD);
      if (operation.auth || mutation.dimension === "name" || isNewFault)
        yield safe(mutation, IN_QUERY);
    }
    // Paths next to the endpoint have methods and representations of their own, whatever the
    // operation.
    const further = table.filter(
      ({ dimension, name }) => dimension === "method" || name === "Accept: application/json",
    );
    if (operation === first)
      for (const path of table.filter(({ dimension }) => dimension === "path"))
        for (const otherMutation of further) yield safe(path, otherMutation);
    // Two faults at once show the order of checks, which is the same for all of a kind.
    const some = [...faults.values()];
    const isShared = (row: Mutation) => same?.has(row.name) === true;
    for (const [at, row] of some.entries())
      for (const otherRow of some.slice(at + 1))
        if (row.dimension !== otherRow.dimension && !(isShared(row) && isShared(otherRow)))
          yield safe(row, otherRow);
  }
}

/** Whether a case leaves out an optional member, and does nothing else. */
export const isWithoutOptional = ({ mutations: [row, ...otherRows] }: Case): boolean =>
  row?.optional === true && otherRows.length === 0;

/**
 * What a default run sends of the cases of a contract. Computed where the contract is generated: it
 * takes minutes.
 */
export interface Covering {
  /** The hash of the contract and its tables: the cases mean nothing with others. */
  readonly hash: string;
  /** The ids of the cases. */
  readonly cases: readonly string[];
}

export function hashOf({ contract, mutationsByOperation }: Tables): string {
  const hash = createHash("sha256").update(contract.hash);
  for (const [operation, table] of mutationsByOperation)
    hash.update(`\n${operation}\n${[...table.keys()].join("\n")}`);
  return hash.digest("hex");
}

/** What a contract does not say about the requests to its deployments. */
export interface RequestExtension {
  /** Paths that are served next to the endpoint. */
  readonly paths?: readonly string[];
  /** Further ways in which a request to an operation can vary. */
  readonly rows?: (contract: Contract, operation: Operation) => readonly Mutation[];
}

/** The requirements of a contract among those that a row is sent for. */
const targetsIn = ({ requirements }: Contract, { targets = {} }: Mutation): Targets =>
  Object.fromEntries(
    Object.entries(targets).filter(([, target]) => requirements.some(({ id }) => id === target)),
  );

/** A query ignores the key of a command. */
const keyIgnored = (row: Mutation, { method }: Operation): Mutation =>
  method === "GET" && row.dimension === "Idempotency-Key"
    ? { ...row, targets: { accepted: "http/idempotency-key-on-get" } }
    : row;

/**
 * Every way in which a request to an operation can vary, by name. No row says what is right: the
 * oracle does.
 */
function mutationsOf(
  contract: Contract,
  operation: Operation,
  further: readonly RequestExtension[],
): ReadonlyMap<string, Mutation> {
  const all = [
    ...input(contract, operation),
    ...name(contract, operation),
    ...credentials(contract, operation),
    ...query,
    ...accept(operation),
    ...body(contract, operation),
    ...fields,
    ...headers(contract, operation),
    ...echo(contract.keys.prefix),
    ...framing(contract),
    ...head(contract),
    ...target(further.flatMap(({ paths = [] }) => paths)),
    ...further.flatMap(({ rows }) => rows?.(contract, operation) ?? []),
  ]
    .filter(({ only }) => only === undefined || only === operation.method)
    .map((row) => keyIgnored(row, operation))
    .map((row) => ({ ...row, targets: targetsIn(contract, row) }));
  const rows = new Map(all.map((one) => [one.name, one]));
  if (rows.size < all.length) {
    const twice = all.filter((one) => rows.get(one.name) !== one).map((one) => one.name);
    throw new Error(`rows of ${operation.id} with the same name: ${twice.join(", ")}`);
  }
  return rows;
}
