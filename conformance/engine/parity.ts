import type { PairCheck } from "../checks/check.ts";
import { Api } from "../client/api.ts";
import { type Aspect, Expectation } from "../client/expectation.ts";
import { excerpt, type Reply } from "../client/reply.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { type Exception, names } from "./exceptions.ts";
import { asking, type Judgement, judge } from "./judge.ts";

/** An answer as what can differ: location → value. `shape #/items/*` holds types, `#/items/0/id` a value. */
export type Observation = ReadonlyMap<string, string>;

/** Framing and the clock, not meaning; the body itself is compared. */
const FRAMING = new Set([
  ...["content-length", "transfer-encoding", "connection", "keep-alive"],
  // Two answers within a second have the same, and a third one another.
  ...["date", "age", "expires"],
]);
/** Follows from the data of one deployment: the next page, the bytes of the body. */
const OF_DATA = new Set(["header/link", "header/etag"]);

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
const escapePointer = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function walk(value: unknown, pointer: string, shape: string, into: Map<string, string>): void {
  const types = new Set((into.get(`shape ${shape}`) ?? "").split("|").filter(Boolean)).add(typeOf(value));
  into.set(`shape ${shape}`, [...types].sort().join("|"));
  // An empty object or list has no member that would show it is there.
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    into.set(pointer, JSON.stringify(value));
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const step = escapePointer(name);
    walk(member, `${pointer}/${step}`, `${shape}/${Array.isArray(value) ? "*" : step}`, into);
  }
}

/** Takes an answer apart. */
export function observe(reply: Reply): Observation {
  const seen = new Map<string, string>([["status", String(reply.status)]]);
  for (const name of new Set(reply.headers.map(([field]) => field.toLowerCase()))) {
    if (!FRAMING.has(name)) seen.set(`header/${name}`, reply.headerValues(name).join(", "));
  }
  try {
    walk(reply.json(), "#", "#", seen);
  } catch {
    // A text: one value.
    seen.set("#", reply.text);
  }
  return seen;
}

const within = (pointer: string, data: readonly string[]) =>
  data.some((one) => pointer === `#${one}` || pointer.startsWith(`#${one}/`));

/** What differs between A and B beyond what differs between A and A: location → `A | B`. */
export function differences(
  a: Observation,
  again: Observation,
  b: Observation,
  data: readonly string[],
): Map<string, string> {
  const found = new Map<string, string>();
  for (const location of new Set([...a.keys(), ...b.keys()])) {
    const [one, two, other] = [a.get(location), again.get(location), b.get(location)];
    const noisy = one !== two;
    const [inA, inB] = [one !== undefined || two !== undefined, other !== undefined];
    const isShape = location.startsWith("shape ");
    const ofData =
      within(isShape ? location.slice("shape ".length) : location, data) || (data.length > 0 && OF_DATA.has(location));
    // Of one deployment's own data only the types are held against each other, where both have some.
    if (ofData && !(isShape && inA && inB)) continue;
    // A noisy value may be any value, but it has to be there.
    if (noisy && (inB || one === undefined || two === undefined)) continue;
    if (one !== other) found.set(location, `${excerpt(one ?? "absent")} | ${excerpt(other ?? "absent")}`);
  }
  return found;
}

/** What a location speaks of. */
function aspectOf(location: string): Aspect {
  if (location === "status") return "status";
  if (location.startsWith("header/")) return `header:${location.slice("header/".length)}`;
  const pointer = location.replace(/^.*#\/?/, "").replace(/(?<=^|\/)\d+(?=\/|$)/g, "*");
  return pointer === "" ? "body" : `body:/${pointer}`;
}

/** Sends one probe to A, A again and B, and judges B by A; differences that an exception names are passed over. */
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
    const found = differences(observe(first), observe(again), observe(other), check.data);
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
