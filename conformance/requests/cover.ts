import type { Contract } from "../oracle/contract.ts";
import type { Prediction } from "../oracle/predict.ts";
import { CREDENTIALS } from "../oracle/reading.ts";
import type { World } from "../oracle/world.ts";
import type { Suite } from "../run/state.ts";
import { kindsOf } from "./credentials.ts";
import type { Caller } from "./draft.ts";
import {
  type Case,
  type Covering,
  cases,
  hashOf,
  IN_QUERY,
  isWithoutOptional,
  requirementOf,
  type Source,
} from "./generate.ts";
import { mutationsOf, trialsOf } from "./points.ts";

/** How many cases decide each point: one alone may be left out by what a run may not send. */
const TIMES = 2;

/** Cases from which those of a point are chosen: 200 take half as long again, and nine fewer of 1,970 are chosen. */
const MOST_CANDIDATES = 60;

/**
 * The cases that decide each point of the oracle in each scope at least twice where two exist, and each way in which an operation
 * accepts or rejects by each method. What it is of is a deployment that holds the examples of the contract.
 */
export function coveringOf({ oracle, tables, paths }: Pick<Suite, "oracle" | "tables" | "paths">): Covering {
  const { source, world } = sampleOf(oracle.contract, paths);
  const all = [...cases(tables, source, oracle, world)];
  const at = new Map(all.map(({ request }, index) => [request, index]));
  const requests = all.map(({ request }) => request);
  const wanted: number[][] = [];
  for (const [, some, shows] of mutationsOf(oracle, world, trialsOf(oracle, world, requests)))
    wanted.push(first(MOST_CANDIDATES, some, shows).flatMap(({ request }) => at.get(request) ?? []));
  const sides = new Map<string, number[]>();
  for (const [index, one] of all.entries()) {
    const side = sideOf(one, oracle.predict(one.request, world));
    const same = sides.get(side);
    if (same) same.push(index);
    else sides.set(side, [index]);
  }
  const optional = all.flatMap((one, index) => (isWithoutOptional(one) ? [index] : []));
  const chosen = [...choose([...wanted, ...sides.values()]), ...alwaysOf(all), ...optional];
  const ids = [...new Set(chosen)].sort((a, b) => a - b).flatMap((index) => all[index]?.id ?? []);
  return { hash: hashOf(tables), cases: ids };
}

/** The first so many that have the property. */
function first<One>(most: number, all: readonly One[], has: (one: One) => boolean): readonly One[] {
  const some: One[] = [];
  for (const one of all) {
    if (some.length === most) break;
    if (has(one)) some.push(one);
  }
  return some;
}

/** What no rule reads: each such row once for the first operation, and once for one of the others, in turn. */
function alwaysOf(all: readonly Case[]): readonly number[] {
  const at = new Map<string, number[]>();
  for (const [index, { rows }] of all.entries()) {
    const [row, ...more] = rows.filter(({ part }) => part !== "harmless");
    if (row?.always && more.length === 0) at.set(row.name, [...(at.get(row.name) ?? []), index]);
  }
  return [...at.values()].flatMap(([first = 0, ...others], nth) => [
    first,
    ...others.slice(nth % others.length).slice(0, 1),
  ]);
}

/** Rows of these parts are about the credentials and their place. */
const OF_CALLER: readonly string[] = [...CREDENTIALS, IN_QUERY.part];

function sideOf(one: Case, prediction: Prediction): string {
  const { by, code, status } = prediction;
  const requirement = requirementOf(one, prediction);
  // Each operation may check credentials in its own way, whatever the row is sent for.
  const isOfCaller = code !== null && by.startsWith("credentials/");
  const ofCaller = isOfCaller ? one.rows.filter(({ part }) => OF_CALLER.includes(part)) : [];
  // What another row is sent for is the same whatever the operation.
  const place = requirement === by || isOfCaller ? one.operation.id : "";
  const parts = ofCaller.map(({ part, needs = "" }) => `${part} ${needs}`);
  return `${place} ${one.request.method} ${requirement} ${code ?? status} ${parts}`;
}

/** Greedy: next comes the case that is in most of these sets that still want one. */
function choose(sets: readonly (readonly number[])[]): number[] {
  const left = sets.map(({ length }) => Math.min(length, TIMES));
  const setsOf = new Map<number, number[]>();
  for (const [set, members] of sets.entries())
    for (const member of members) {
      const own = setsOf.get(member);
      if (own) own.push(set);
      else setsOf.set(member, [set]);
    }
  const gain = (member: number) => (setsOf.get(member) ?? []).filter((set) => (left[set] ?? 0) > 0).length;
  // By how many they are in. That only gets less, so one that is looked at again is put further down, or chosen.
  const byGain: number[][] = [];
  const put = (member: number, worth: number) => {
    const same = byGain[worth];
    if (same) same.push(member);
    else byGain[worth] = [member];
  };
  for (const member of setsOf.keys()) put(member, gain(member));
  const chosen: number[] = [];
  for (let worth = byGain.length - 1; worth > 0; worth -= 1)
    for (const member of byGain[worth] ?? []) {
      const now = gain(member);
      if (now < worth) put(member, now);
      else {
        chosen.push(member);
        for (const set of setsOf.get(member) ?? []) left[set] = (left[set] ?? 0) - 1;
      }
    }
  return chosen;
}

/** A deployment that holds the examples of its contract, and nothing else, and a caller with these kinds of other keys. */
export function sampleOf(
  contract: Contract,
  paths: readonly string[],
  { host = "127.0.0.1:1", kinds = kindsOf(contract) } = {},
) {
  const operations = Object.values(contract.operations);
  const keyOf = (kind: string) =>
    `atp_${Buffer.from(host + kind)
      .toString("hex")
      .padEnd(48, "0a1b2c3d")
      .slice(0, 48)}`;
  const credentials = (kind: string) => ({ key: keyOf(kind), platform: kind === "otherPlatform" ? "another" : "web" });
  const scopesOf = (kind: string) =>
    kind === "noScopes" ? [] : contract.scopes.filter((one) => one === kind || !contract.scopes.includes(kind));
  const caller: Caller = {
    ...{ host, ...credentials("full"), canary: "zqxzjkvwqxzj" },
    others: Object.fromEntries(kinds.map((kind) => [kind, credentials(kind)])),
  };
  const names = operations.flatMap(({ id, pattern, name, example, parts: [part = ""] }) =>
    pattern === null
      ? []
      : [[id, new Set([example[part], "another"].map((one) => name.replace(`{${part}}`, String(one))))] as const],
  );
  const world: World = {
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
    ...{ cursors: new Map(), tags: new Map(), created: new Map(), taken: new Map() },
  };
  const source: Source = { caller, inputs: new Map(operations.map(({ id, example }) => [id, example])) };
  return { source, world };
}
