import { firstDifference as differingText } from "../laws/difference.ts";
import { ParsedExchange } from "../laws/parsed-exchange.ts";
import type { Operation } from "../oracle/contract.ts";
import { isObject } from "../oracle/schema.ts";
import { caseOf } from "../requests/generate.ts";
import { plainExchange, sendPredicted } from "./exchange.ts";
import type { Exception } from "./options.ts";
import { smokeCases } from "./plan.ts";
import { skipReason } from "./policy.ts";
import type { Run } from "./state.ts";

/**
 * The same requests to two deployments: what differs beyond what differs between a deployment and
 * itself is a finding.
 */

export const SAME = "deployments/same";

/**
 * The parts of a success that belong to one deployment, or to the caller: only their shape is
 * compared.
 */
function ownIn({ suite: { oracle } }: Run): (operation: Operation) => readonly string[] {
  const operations = Object.values(oracle.contract.operations);
  // Their records exist on one deployment only: the contract says that callers find them there.
  const exampleSources = operations.flatMap(({ exampleFrom }) => Object.values(exampleFrom).flat());
  const sources = new Set(exampleSources.map(({ operation }) => operation));
  return ({ id, auth, exampleFrom }) => {
    const machine = oracle.operationExtensions.find(({ operation }) => operation === id)?.machine;
    const isOfRecords = auth || Object.keys(exampleFrom).length > 0 || sources.has(id);
    return machine ?? (isOfRecords ? [""] : []);
  };
}

/** A location as the aspect of a finding. */
function aspectOf(location: string): string {
  if (location === "status") return location;
  if (location.startsWith("header/")) return location.replace("/", ":");
  const pointer = location.replace(/^.*#\/?/, "").replace(/(?<=^|\/)\d+(?=\/|$)/g, "*");
  return pointer === "" ? "body" : `body:/${pointer}`;
}

/**
 * Sends the cases of a first look to `firstRun`, to it again, and to `otherRun`. Findings are those
 * of `otherRun`; returns the exceptions that were not needed.
 */
export async function compareWith(
  firstRun: Run,
  otherRun: Run,
  exceptions: readonly Exception[],
): Promise<readonly Exception[]> {
  const { results, suite, left } = otherRun;
  if (left.has(SAME)) return [];
  await firstRun.inputs.find(
    (operation, input) => plainExchange(firstRun, operation, input),
    false,
  );
  const ownOf = ownIn(otherRun);
  const used = new Set<Exception>();
  const isMeant = (id: string, location: string) => {
    const meant = exceptions.filter(
      ({ pointer }) => pointer === location || pointer === `${id} ${location}`,
    );
    for (const exception of meant) used.add(exception);
    return meant.length > 0;
  };
  const send = async (run: Run, id: string) => {
    const testCase = caseOf(suite.tables, run.source, id);
    if (!testCase) return null;
    const prediction = suite.oracle.predict(testCase.request, run.model);
    // A comparison changes nothing.
    const isHarmless = testCase.request.method !== "POST" || prediction.code !== null;
    const isLeft = !isHarmless || skipReason(run, testCase.request, prediction) !== null;
    return isLeft
      ? null
      : { made: testCase, exchange: await sendPredicted(run, testCase.request, prediction) };
  };
  for (const planned of await smokeCases(otherRun, new Map())) {
    const { id } = planned.case;
    const [first, again, last] = [
      await send(firstRun, id),
      await send(firstRun, id),
      await send(otherRun, id),
    ];
    if (!first || !again || !last) continue;
    results.plan(SAME);
    results.sent(SAME);
    const exchanges = [first.exchange, last.exchange];
    const place = { requirement: SAME, source: "pair", exchanges, at: 1, case: last.made } as const;
    const [a, b, c] = [first, again, last].map(
      ({ exchange }) =>
        exchange.response &&
        observed(new ParsedExchange(suite.oracle.contract, exchange, exchange.response)),
    );
    const { target } = firstRun.options;
    if (!a || !b || !c) {
      const { error } = (a && b ? last : first).exchange;
      const silence = {
        aspect: "connection",
        expected: "a response from both",
        actual: error ?? "none",
      };
      if (a !== null || c !== null) results.find({ ...place, ...silence });
      continue;
    }
    const isSuccess = (first.exchange.response?.status ?? 0) < 300;
    for (const [location, [inA, inB]] of pairDifferences(
      a,
      b,
      c,
      isSuccess ? ownOf(last.made.operation) : [],
    ))
      if (!isMeant(id, location))
        results.find({
          ...place,
          ...differingText(aspectOf(location), inA, inB, `as ${target.url}, `),
        });
  }
  return exceptions.filter((exception) => !used.has(exception));
}

/** A response as location → value. `shape #/items/*` holds types, `#/items/0/id` a value. */
type Observed = ReadonlyMap<string, string>;

/**
 * Framing and the clock: the body itself is compared. What expires is equal in two responses within
 * a second, not in a third.
 */
const FRAMING = /^(?:content-length|transfer-encoding|connection|keep-alive|date|age|expires)$/;
/** What depends on the data of one deployment: the next page, the bytes of the body. */
const OF_DATA = new Set(["header/link", "header/etag"]);

/**
 * A time of the last or the next hour is one of a clock: it can be equal in two responses within a
 * millisecond, not in a third.
 */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const HOUR_MS = 3_600_000;
const withoutClock = (text: string): string =>
  text.replace(TIME, (time) => (Math.abs(Date.parse(time) - Date.now()) < HOUR_MS ? "now" : time));

const typeOf = (value: unknown) =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function walk(value: unknown, pointer: string, shape: string, into: Map<string, string>): void {
  const types = new Set((into.get(`shape ${shape}`) ?? "").split("|").filter(Boolean)).add(
    typeOf(value),
  );
  into.set(`shape ${shape}`, [...types].sort().join("|"));
  const members = isObject(value) || Array.isArray(value) ? Object.entries(value) : [];
  // An empty object or list has no member that would record it.
  if (members.length === 0) into.set(pointer, JSON.stringify(value));
  for (const [name, member] of members) {
    const step = escaped(name);
    walk(member, `${pointer}/${step}`, `${shape}/${Array.isArray(value) ? "*" : step}`, into);
  }
}

/** Splits a response into its values. */
function observed(parsed: ParsedExchange): Observed {
  const seen = new Map([["status", `${parsed.status}`]]);
  for (const name of new Set(parsed.response.fields.map(([field]) => field.toLowerCase())))
    if (!FRAMING.test(name)) seen.set(`header/${name}`, parsed.values(name).join(", "));
  const { json } = parsed.response;
  if (json === undefined) seen.set("#", parsed.text);
  else walk(json, "#", "#", seen);
  return new Map([...seen].map(([location, value]) => [location, withoutClock(value)]));
}

const within = (pointer: string, data: readonly string[]) =>
  data.some((one) => pointer === `#${one}` || pointer.startsWith(`#${one}/`));

/**
 * What differs between A and B, but not between A and A: by location, both. `data`: JSON pointers
 * of what each has of its own.
 */
export function pairDifferences(
  a: Observed,
  again: Observed,
  b: Observed,
  data: readonly string[],
): ReadonlyMap<string, readonly [inA: string, inB: string]> {
  const differences = new Map<string, readonly [string, string]>();
  for (const location of new Set([...a.keys(), ...b.keys()])) {
    const [valueA, valueAgain, valueB] = [a.get(location), again.get(location), b.get(location)];
    const isNoise = valueA !== valueAgain;
    const [inA, inB] = [valueA !== undefined || valueAgain !== undefined, valueB !== undefined];
    const isShape = location.startsWith("shape ");
    const isData =
      within(isShape ? location.slice("shape ".length) : location, data) ||
      (data.length > 0 && OF_DATA.has(location));
    // Of data that each deployment has of its own only the types are compared, where both have
    // some.
    if (isData && !(isShape && inA && inB)) continue;
    // What is noise may have any value, but must be there.
    if (isNoise && (inB || valueA === undefined || valueAgain === undefined)) continue;
    if (valueA !== valueB) differences.set(location, [valueA ?? "absent", valueB ?? "absent"]);
  }
  return differences;
}
