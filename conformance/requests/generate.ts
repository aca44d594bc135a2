import { createHash } from "node:crypto";
import type { Contract, Operation } from "../oracle/contract.ts";
import type { Oracle, Prediction } from "../oracle/predict.ts";
import type { Request, World } from "../oracle/world.ts";
import { body, framing } from "./body.ts";
import { credentials, kindsOf } from "./credentials.ts";
import { type Caller, nameIn, pair, plain, row, type Variation, written } from "./draft.ts";
import { accept, echo, fields } from "./fields.ts";
import { head } from "./head.ts";
import { input } from "./input.ts";
import { withMeant } from "./meant.ts";
import { name, query, target } from "./target.ts";

/** What a run sends once. */
export interface Case {
  /** The operation and the names of the rows: `user.list limit = 0 + HEAD`. The same for every deployment and every key. */
  readonly id: string;
  readonly operation: Operation;
  readonly rows: readonly Variation[];
  readonly request: Request;
}

/** The rows of every operation of a contract. */
export interface Tables {
  readonly contract: Contract;
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, Variation>>;
}

/** Whose requests they are: the caller, and an input for each operation that a right deployment accepts. */
export interface Source {
  readonly caller: Caller;
  readonly inputs: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** What any request can have besides its variations: other code paths of a server. */
export const BY_HEAD = row(
  "method",
  "HEAD",
  (draft) => {
    if (draft.method === "GET") draft.method = "HEAD";
  },
  { only: "GET" },
);
const CREDENTIAL = /^x-(?:api-key|platform)$/i;
export const IN_QUERY = row("placement", "credentials in the query", (draft) => {
  const sent = draft.fields.filter(([name]) => CREDENTIAL.test(name));
  const absent = [["X-API-KEY", "x"] as const, ["X-PLATFORM", "x"] as const];
  draft.fields = draft.fields.filter((one) => !sent.includes(one));
  for (const [name, value] of sent.length > 0 || draft.operation.auth ? sent : absent)
    if (!draft.query.some((one) => nameIn(one) === name)) draft.query.push(pair(name, value));
});
/** With it a command is never carried out, and other faults are still reported. */
export const HARMLESS = row(
  "harmless",
  "an unknown member",
  (draft) => void draft.data?.push(["unknown", "1"]),
);
const MODES: ReadonlyMap<string, Variation> = new Map(
  [BY_HEAD, IN_QUERY, HARMLESS].map((one) => [one.name, one]),
);

export const tablesOf = (contract: Contract, further: readonly Further[] = []): Tables => ({
  contract,
  rows: new Map(
    Object.values(contract.operations).map((one) => [one.id, rowsOf(contract, one, further)]),
  ),
});

const SEPARATOR = " + ";

export const idOf = ({ id }: Operation, rows: readonly Variation[]): string =>
  `${id} ${rows.length === 0 ? "plain" : rows.map(({ name }) => name).join(SEPARATOR)}`;

function made({ caller, inputs }: Source, operation: Operation, rows: readonly Variation[]): Case {
  const draft = plain(operation, inputs.get(operation.id) ?? operation.example, caller);
  for (const { apply } of rows) apply(draft);
  return { id: idOf(operation, rows), operation, rows, request: written(draft) };
}

/** The requirement that a case is sent for: that of its only row, or the one by which its response is decided. */
export function requirementOf({ rows }: Pick<Case, "rows">, { by, code }: Prediction): string {
  const [row, ...others] = rows.filter(({ name }) => !MODES.has(name));
  if (!row?.of || others.length > 0) return by;
  const isOfMode = rows.includes(HARMLESS) && code === "invalid-input";
  return row.of.get(code) ?? (isOfMode ? row.of.get(null) : undefined) ?? by;
}

/** The case of an id; null if this contract has none, or the caller lacks the key that it takes. */
export function caseOf({ contract, rows }: Tables, source: Source, id: string): Case | null {
  const [, name = "", text = ""] = /^(\S+) (.*)$/s.exec(id) ?? [];
  const operation = Object.hasOwn(contract.operations, name)
    ? contract.operations[name]
    : undefined;
  const named = text === "plain" ? [] : text.split(SEPARATOR);
  const found = named.flatMap((one) => rows.get(name)?.get(one) ?? MODES.get(one) ?? []);
  if (!operation || found.length < named.length) return null;
  return found.every(canSend(source)) ? made(source, operation, found) : null;
}

/** Whether the caller has the key that a row takes. */
const canSend =
  ({ caller }: Source) =>
  ({ needs }: Variation): boolean =>
    needs === undefined || needs in caller.others;

/**
 * Every case: each row alone, by HEAD, and with credentials in the query; two rows that are rejected for different reasons. A command
 * that would be carried out gets an unknown member, unless its row is for that.
 */
export function* cases(
  tables: Tables,
  source: Source,
  oracle: Oracle,
  world: World,
): Generator<Case> {
  const known = new Set<string>();
  for (const one of combined(tables, source, oracle, world)) {
    if (!known.has(one.id)) yield one;
    known.add(one.id);
  }
}

const kindOf = ({ method, pattern, auth }: Operation) => `${method} ${pattern !== null} ${auth}`;

function* combined(tables: Tables, source: Source, oracle: Oracle, world: World): Generator<Case> {
  const all = Object.values(tables.contract.operations);
  const [first] = all;
  /** The rows of the first operation of the same kind: of queries and commands, with a name or a template, with and without a key. */
  const rowsOfFirst = (one: Operation) => {
    const kin = all.find((other) => kindOf(other) === kindOf(one));
    return kin && kin !== one ? tables.rows.get(kin.id) : undefined;
  };
  for (const operation of Object.values(tables.contract.operations)) {
    const predicted = (...rows: readonly Variation[]): readonly [Case, Prediction] => {
      const one = made(source, operation, rows);
      return [one, oracle.predict(one.request, world)];
    };
    const harmless = ([one, { code, operation: carriedOut }]: readonly [
      Case,
      Prediction,
    ]): Case => {
      const { rows, request } = one;
      const isCarriedOut = request.method === "POST" && code === null && carriedOut !== null;
      const isMeant = rows.length === 0 || rows.some(({ creates }) => creates);
      return isCarriedOut && !isMeant ? made(source, operation, [...rows, HARMLESS]) : one;
    };
    const safe = (...rows: readonly Variation[]): Case => harmless(predicted(...rows));
    const table = [...(tables.rows.get(operation.id)?.values() ?? [])].filter(canSend(source));
    /** The first row for each way of being rejected: what a catalogue of faults would list. */
    const faults = new Map<string, Variation>();
    yield safe();
    if (operation.method === "GET") yield safe(BY_HEAD);
    yield safe(IN_QUERY);
    const same = rowsOfFirst(operation);
    for (const one of table) {
      const alone = predicted(one);
      const [, { code, by, places = [], operation: asked }] = alone;
      const kind = `${one.part} ${by} ${code} ${places}`;
      const isFirst = code !== null && !faults.has(kind);
      const isNewFault = isFirst && asked !== null;
      if (isFirst) faults.set(kind, one);
      yield harmless(alone);
      // A row that is not about one operation is sent in these ways for one of a kind, and once where the operation rejects it.
      if (same?.has(one.name) && !isNewFault) continue;
      if (operation.method === "GET") yield safe(one, BY_HEAD);
      if (operation.auth || one.part === "name" || isNewFault) yield safe(one, IN_QUERY);
    }
    // Paths next to the endpoint have methods and representations of their own, whatever the operation.
    const further = table.filter(
      ({ part, name }) => part === "method" || name === "Accept: application/json",
    );
    if (operation === first)
      for (const path of table.filter(({ part }) => part === "path"))
        for (const other of further) yield safe(path, other);
    // Two faults at once show the order of checks, which is the same for all of a kind.
    const some = [...faults.values()];
    const isShared = (row: Variation) => same?.has(row.name) === true;
    for (const [at, one] of some.entries())
      for (const two of some.slice(at + 1))
        if (one.part !== two.part && !(isShared(one) && isShared(two))) yield safe(one, two);
  }
}

/** Whether a case leaves out an optional member, and does nothing else. */
export const isWithoutOptional = ({ rows: [row, ...others] }: Case): boolean =>
  row?.optional === true && others.length === 0;

/** What a default run sends of the cases of a contract. Computed where the contract is generated: it takes minutes. */
export interface Covering {
  /** Of the contract and its tables: with others it means nothing. */
  readonly hash: string;
  /** The ids of the cases. */
  readonly cases: readonly string[];
}

export function hashOf({ contract, rows }: Tables): string {
  const hash = createHash("sha256").update(contract.hash);
  for (const [operation, table] of rows)
    hash.update(`\n${operation}\n${[...table.keys()].join("\n")}`);
  return hash.digest("hex");
}

/** What a contract does not say about the requests to its deployments. */
export interface Further {
  /** Paths that are served next to the endpoint. */
  readonly paths?: readonly string[];
  /** Further ways in which a request to an operation can vary. */
  readonly rows?: (contract: Contract, operation: Operation) => readonly Variation[];
}

/** Every way in which a request to an operation can vary, by name. No row says what is right: the oracle does. */
function rowsOf(
  contract: Contract,
  operation: Operation,
  further: readonly Further[],
): ReadonlyMap<string, Variation> {
  const all = [
    ...input(contract, operation),
    ...name(contract, operation),
    ...credentials(kindsOf(contract)),
    ...query,
    ...accept(operation),
    ...body(contract),
    ...fields,
    ...echo(contract.keys.prefix),
    ...framing(contract),
    ...head(contract),
    ...target(further.flatMap(({ paths = [] }) => paths)),
    ...further.flatMap(({ rows }) => rows?.(contract, operation) ?? []),
  ]
    .filter(({ only }) => only === undefined || only === operation.method)
    .map((one) => withMeant(one, contract, operation));
  const rows = new Map(all.map((one) => [one.name, one]));
  if (rows.size < all.length) {
    const twice = all.filter((one) => rows.get(one.name) !== one).map((one) => one.name);
    throw new Error(`rows of ${operation.id} with the same name: ${twice.join(", ")}`);
  }
  return rows;
}
