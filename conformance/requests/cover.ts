import { type Contract, createsRecord, mediaTypesOf } from "../oracle/contract.ts";
import type { ModelState } from "../oracle/model-state.ts";
import { CREDENTIALS } from "../oracle/parsed-request.ts";
import type { Oracle, Prediction } from "../oracle/predict.ts";
import { kindsOf } from "./credentials.ts";
import type { Caller } from "./draft.ts";
import {
  type Case,
  type Covering,
  caseRequirement,
  cases,
  hashOf,
  isWithoutOptional,
  type Source,
  type Tables,
} from "./generate.ts";
import { HARMLESS, IN_QUERY } from "./modes.ts";
import { mutationsOf, trialsOf } from "./point-mutants.ts";
import { sampleRecords } from "./sample-records.ts";

/** How many cases decide each point: one alone may be left out by what a run may not send. */
const TIMES = 2;

/**
 * Cases from which those of a point are chosen: 200 take half as long again, and nine fewer of
 * 1,970 are chosen.
 */
const MOST_CANDIDATES = 60;

interface CoveringOptions {
  readonly oracle: Oracle;
  readonly tables: Tables;
  /** Paths that are served next to the endpoint. */
  readonly paths: readonly string[];
}

/**
 * The cases that decide each point of the oracle in each scope at least twice where two exist, and
 * each way in which an operation accepts or rejects by each method. What it is of is a deployment
 * that holds the examples of the contract.
 */
export function coveringOf({ oracle, tables, paths }: CoveringOptions): Covering {
  const { source, model } = sampleOf(oracle.contract, paths);
  const all = [...cases(tables, source, oracle, model)];
  const given = new Set([
    ...alwaysOf(all),
    ...all.filter((one) => isWithoutOptional(one) || isOfRightValue(one, oracle, model)),
  ]);
  // These come first among the candidates of each point, so that few others are needed.
  const sorted = [...given, ...all.filter((one) => !given.has(one))];
  const of = new Map(sorted.map((one) => [one.request, one]));
  const wanted: Case[][] = [];
  const trials = trialsOf(oracle, model, of.keys());
  for (const [, some, shows] of mutationsOf(oracle, model, trials))
    wanted.push(
      first(MOST_CANDIDATES, some, shows).flatMap(({ request }) => of.get(request) ?? []),
    );
  const sides = new Map<string, Case[]>();
  for (const testCase of sorted) {
    const prediction = oracle.predict(testCase.request, model);
    for (const side of [sideOf(testCase, prediction), ...orderOf(testCase, prediction)]) {
      const same = sides.get(side);
      if (same) same.push(testCase);
      else sides.set(side, [testCase]);
    }
  }
  const chosen = new Set(choose([...wanted, ...sides.values()], given));
  return { hash: hashOf(tables), cases: all.filter((one) => chosen.has(one)).map(({ id }) => id) };
}

/** The first so many that have the property. */
function first<One>(
  most: number,
  all: readonly One[],
  has: (item: One) => boolean,
): readonly One[] {
  const some: One[] = [];
  for (const item of all) {
    if (some.length === most) break;
    if (has(item)) some.push(item);
  }
  return some;
}

/**
 * Rows of these parts are of one operation, or one of a few ways to be rejected in each of them:
 * points decide which are sent.
 */
const OF_OPERATION = /^(?:input|header|unknown|name|data|x-api-key|x-platform|harmless)\b/i;

const isCredential = (part: string) => CREDENTIALS.some((name) => name === part);

/**
 * Each row of what all operations have in common, once for a query and once for a command, in turn.
 */
function alwaysOf(all: readonly Case[]): readonly Case[] {
  const byRow = new Map<string, Case[]>();
  for (const testCase of all) {
    const [row, ...otherRows] = testCase.mutations.filter(
      ({ dimension }) => dimension !== "harmless",
    );
    if (!row || otherRows.length > 0 || !(row.always || !OF_OPERATION.test(row.dimension)))
      continue;
    // Public operations read no credentials.
    if (isCredential(row.dimension) && !testCase.operation.auth) continue;
    // Where an operation has several media types, rules of its own choose one.
    const isChosen = row.dimension === "Accept" && mediaTypesOf(testCase.operation).length > 1;
    const name = `${testCase.operation.method} ${isChosen} ${row.name}`;
    byRow.set(name, [...(byRow.get(name) ?? []), testCase]);
  }
  return [...byRow.values()].flatMap((some, nth) => some.slice(nth % some.length).slice(0, 1));
}

/** Rows of these parts are about one value of an input. */
const OF_VALUE = /^(?:input|header) /;

/**
 * Whether an input has another right value, and nothing else is about it: of a command no record is
 * needed to see whether it is taken.
 */
function isOfRightValue(
  { mutations: [row, ...otherRows], operation, request }: Case,
  oracle: Oracle,
  model: ModelState,
): boolean {
  if (!row || !OF_VALUE.test(row.dimension) || otherRows.some((one) => one !== HARMLESS))
    return false;
  // Their values are in the records that a run creates, and are compared there.
  if (createsRecord(operation)) return false;
  const { code, places } = oracle.predict(request, model);
  return (
    code === null || (otherRows.length > 0 && places?.every((place) => place === UNKNOWN) === true)
  );
}

/** Where an unknown member of the data is reported. */
const UNKNOWN = "#/data";

/** Rows of these parts are about the credentials and their place. */
const OF_CALLER: readonly string[] = [...CREDENTIALS, IN_QUERY.dimension];

/** What is rejected before its input is looked at, which is wrong too. */
function orderOf({ mutations }: Case, { by, step }: Prediction): readonly string[] {
  const isUnknown =
    mutations.length > 1 && mutations.some(({ dimension }) => dimension.startsWith("unknown"));
  return isUnknown && step !== "validateInput" ? [`an unknown input and ${by}`] : [];
}

function sideOf(testCase: Case, prediction: Prediction): string {
  const { by, code, status } = prediction;
  const requirement = caseRequirement(testCase, prediction);
  // Each operation may check credentials in its own way, whatever the row is sent for.
  const isOfCaller = requirement.startsWith("credentials/");
  const ofCaller = isOfCaller
    ? testCase.mutations.filter(({ dimension }) => OF_CALLER.includes(dimension))
    : [];
  // What another row is sent for is the same whatever the operation.
  const place = requirement === by || isOfCaller ? testCase.operation.id : "";
  const parts = ofCaller.map(({ dimension, needs = "" }) => `${dimension} ${needs}`);
  return `${place} ${testCase.request.method} ${requirement} ${code ?? status} ${parts}`;
}

/**
 * Greedy set cover: in addition to the given ones comes the case that is in most of these sets that
 * still want one.
 */
function choose(sets: readonly (readonly Case[])[], given: Iterable<Case>): readonly Case[] {
  const left = sets.map(({ length }) => Math.min(length, TIMES));
  const setsOf = new Map<Case, number[]>();
  for (const [set, members] of sets.entries())
    for (const member of members) {
      const memberSets = setsOf.get(member);
      if (memberSets) memberSets.push(set);
      else setsOf.set(member, [set]);
    }
  const chosen: Case[] = [];
  const take = (member: Case) => {
    chosen.push(member);
    for (const set of setsOf.get(member) ?? []) left[set] = (left[set] ?? 0) - 1;
    setsOf.delete(member);
  };
  for (const testCase of given) take(testCase);
  const gain = (member: Case) =>
    (setsOf.get(member) ?? []).filter((set) => (left[set] ?? 0) > 0).length;
  // By how many they are in. That only gets less, so one that is looked at again is put further
  // down, or chosen.
  const byGain: Case[][] = [];
  const put = (member: Case, worth: number) => {
    const same = byGain[worth];
    if (same) same.push(member);
    else byGain[worth] = [member];
  };
  for (const member of setsOf.keys()) put(member, gain(member));
  for (let worth = byGain.length - 1; worth > 0; worth -= 1)
    for (const member of byGain[worth] ?? []) {
      const now = gain(member);
      if (now < worth) put(member, now);
      else take(member);
    }
  return chosen;
}

/**
 * A deployment that holds the examples of its contract, and nothing else, and a caller with these
 * kinds of other keys.
 */
export function sampleOf(
  contract: Contract,
  paths: readonly string[],
  { host = "127.0.0.1:1", kinds = kindsOf(contract) } = {},
) {
  const operations = Object.values(contract.operations);
  const keyOf = (kind: string) =>
    `${contract.keys.prefix}${Buffer.from(host + kind)
      .toString("hex")
      .padEnd(48, "0a1b2c3d")
      .slice(0, 48)}`;
  const credentials = (kind: string) => ({
    key: keyOf(kind),
    platform: kind === "otherPlatform" ? "another" : "web",
  });
  const scopesOf = (kind: string) =>
    kind === "noScopes"
      ? []
      : contract.scopes.filter((one) => one === kind || !contract.scopes.includes(kind));
  const caller: Caller = {
    host,
    ...credentials("full"),
    canary: "zqxzjkvwqxzj",
    others: Object.fromEntries(kinds.map((kind) => [kind, credentials(kind)])),
  };
  const names = operations.flatMap(({ id, pattern, effect, name, example, parts: [part = ""] }) =>
    pattern === null || effect
      ? []
      : [
          [
            id,
            new Set(
              [example[part], "another"].map((one) => name.replace(`{${part}}`, String(one))),
            ),
          ] as const,
        ],
  );
  const model: ModelState = {
    keys: new Map(
      ["full", ...kinds].map((kind) => [
        keyOf(kind),
        {
          scopes: scopesOf(kind),
          platforms: [credentials(kind).platform],
          valid: kind !== "expired" && kind !== "revoked",
        },
      ]),
    ),
    platforms: ["web", "another"],
    files: new Set(paths),
    names: new Map(names),
    records: sampleRecords(contract),
    cursors: new Map(),
    tags: new Map(),
    created: new Map(),
    taken: new Map(),
  };
  const source: Source = {
    caller,
    inputs: new Map(operations.map(({ id, example }) => [id, example])),
  };
  return { source, model };
}
