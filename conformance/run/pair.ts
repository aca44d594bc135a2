import { differing as differingText } from "../laws/difference.ts";
import { View } from "../laws/view.ts";
import { differing, observed } from "../model/observed.ts";
import type { Operation } from "../oracle/contract.ts";
import type { Prediction } from "../oracle/predict.ts";
import { type Case, caseOf } from "../requests/generate.ts";
import { reasonAgainst } from "./effects.ts";
import { plainExchange, sent } from "./exchange.ts";
import type { Exception } from "./options.ts";
import { smokeCases } from "./plan.ts";
import type { Run } from "./state.ts";

/** The same requests to two deployments: what differs beyond what differs between a deployment and itself is a finding. */

export const SAME = "deployments/same";

/** The operations whose records exist on one deployment only: where the contract says that callers find them. */
const sourcesOf = ({ suite }: Run): ReadonlySet<string> =>
  new Set(
    Object.values(suite.oracle.contract.operations).flatMap(({ exampleFrom }) =>
      Object.values(exampleFrom).flatMap((some) => some.map(({ operation }) => operation)),
    ),
  );

/** The parts of a success that belong to one deployment, or to the caller: only their shape is compared. */
function ownIn(run: Run): (operation: Operation) => readonly string[] {
  const sources = sourcesOf(run);
  return ({ id, auth, exampleFrom }) => {
    const machine = run.suite.oracle.own.find(({ operation }) => operation === id)?.machine;
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

/** What only reads, or is rejected: a comparison changes nothing. */
const isHarmless = (request: Case["request"], { code }: Prediction): boolean =>
  request.method !== "POST" || code !== null;

/**
 * Sends the cases of a first look to `one`, to it again, and to `other`. Findings are those of `other`; returns the exceptions that
 * were not needed.
 */
export async function compareWith(
  one: Run,
  other: Run,
  exceptions: readonly Exception[],
  signal: AbortSignal,
): Promise<readonly Exception[]> {
  const { results, suite, left } = other;
  if (left.has(SAME)) return [];
  await one.inputs.find((operation, input) => plainExchange(one, operation, input), false);
  const ownOf = ownIn(other);
  const used = new Set<Exception>();
  const isMeant = (id: string, location: string) => {
    const meant = exceptions.filter(({ pointer }) => pointer === location || pointer === `${id} ${location}`);
    for (const exception of meant) used.add(exception);
    return meant.length > 0;
  };
  const send = async (run: Run, id: string) => {
    const made = caseOf(suite.tables, run.source, id);
    if (!made) return null;
    const prediction = suite.oracle.predict(made.request, run.world);
    const isLeft = reasonAgainst(run, made.request, prediction) !== null || !isHarmless(made.request, prediction);
    return isLeft ? null : { made, exchange: await sent(run, made.request, prediction) };
  };
  for (const {
    case: { id },
  } of await smokeCases(other, signal, new Map())) {
    const [first, again, last] = [await send(one, id), await send(one, id), await send(other, id)];
    if (!first || !again || !last) continue;
    results.plan(SAME);
    results.sent(SAME);
    const exchanges = [first.exchange, last.exchange];
    const place = { requirement: SAME, source: "pair", exchanges, at: 1, case: last.made } as const;
    const [a, b, c] = [first, again, last].map(
      ({ exchange }) => exchange.response && observed(new View(suite.oracle.contract, exchange, exchange.response)),
    );
    const { target } = one.options;
    if (!a || !b || !c) {
      const silent = a && b ? last : first;
      const silence = {
        aspect: "connection",
        expected: "a response from both",
        actual: silent.exchange.error ?? "none",
      };
      if (!(a === null && c === null)) results.find({ ...place, ...silence });
      continue;
    }
    const isSuccess = (first.exchange.response?.status ?? 0) < 300;
    for (const [location, [inA, inB]] of differing(a, b, c, isSuccess ? ownOf(last.made.operation) : []))
      if (!isMeant(id, location))
        results.find({ ...place, ...differingText(aspectOf(location), inA, inB, `as ${target.url}, `) });
  }
  return exceptions.filter((exception) => !used.has(exception));
}
