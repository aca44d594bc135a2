import type { PairCheck } from "../checks/check.ts";
import { Api } from "../client/api.ts";
import { type Aspect, Expectation } from "../client/expectation.ts";
import { differences, observe } from "../client/observation.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { type Exception, names } from "./exceptions.ts";
import { asking, type Judgement, judge } from "./judge.ts";

/** The aspect of a location. */
function aspectOf(location: string): Aspect {
  if (location === "status") return "status";
  if (location.startsWith("header/")) return `header:${location.slice("header/".length)}`;
  const pointer = location.replace(/^.*#\/?/, "").replace(/(?<=^|\/)\d+(?=\/|$)/g, "*");
  return pointer === "" ? "body" : `body:/${pointer}`;
}

/** Sends one probe to A, A again and B, and compares B with A; differences that an exception names are ignored. */
export async function judgePair(
  check: PairCheck,
  a: Session,
  b: Session,
  exceptions: readonly Exception[],
): Promise<Judgement> {
  const traits = { origin: "decided", rateLimited: false } as const;
  const [apiA, apiB] = [new Api(a, traits), new Api(b, traits)];
  const exchanges: Exchange[] = [];
  const excepted: string[] = [];
  const judgement = await judge(check, exchanges, async () => {
    const first = await asking(a, () => check.probe(apiA));
    const again = await check.probe(apiA);
    const other = await asking(b, () => check.probe(apiB));
    exchanges.push(first.exchange, other.exchange);
    // A contract may accept what we reject, and show its own users; a rejection is defined by the interface.
    const data = first.status < 300 ? check.data : [];
    const found = differences(observe(first), observe(again), observe(other), data);
    const [difference, ...more] = [...found].filter(([location]) => {
      const meant = exceptions.filter((exception) => names(exception, check.id, location));
      excepted.push(...meant.map(({ pointer }) => pointer));
      return meant.length === 0;
    });
    if (!difference) return;
    throw new Expectation(
      aspectOf(difference[0]),
      `the same answer from ${a.target.url} and ${b.target.url}`,
      `differences: ${[difference, ...more].map((one) => one.join(": ")).join("; ")}`,
    );
  });
  return { ...judgement, excepted };
}
