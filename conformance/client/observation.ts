import { excerpts, type Reply } from "./reply.ts";

/** A response as location → value. `shape #/items/*` holds types, `#/items/0/id` a value. */
export type Observation = ReadonlyMap<string, string>;

/** Framing and the clock have no meaning here; the body itself is compared. */
const FRAMING = new Set([
  ...["content-length", "transfer-encoding", "connection", "keep-alive"],
  // Equal in two responses within a second, different in a third.
  ...["date", "age", "expires"],
]);
/** Depends on the data of one deployment: the next page, the bytes of the body. */
const OF_DATA = new Set(["header/link", "header/etag"]);

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
const escapePointer = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function walk(value: unknown, pointer: string, shape: string, into: Map<string, string>): void {
  const types = new Set((into.get(`shape ${shape}`) ?? "").split("|").filter(Boolean)).add(typeOf(value));
  into.set(`shape ${shape}`, [...types].sort().join("|"));
  // An empty object or list has no member that would record it.
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    into.set(pointer, JSON.stringify(value));
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const step = escapePointer(name);
    walk(member, `${pointer}/${step}`, `${shape}/${Array.isArray(value) ? "*" : step}`, into);
  }
}

/** Splits a response into its values. */
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

/** The differences between A and B, without those between A and A: location → `A | B`. */
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
    // Of data that each deployment has of its own only the types are compared, where both have some.
    if (ofData && !(isShape && inA && inB)) continue;
    // A noisy value may be any value, but must be present.
    if (noisy && (inB || one === undefined || two === undefined)) continue;
    if (one !== other) found.set(location, excerpts(one ?? "absent", other ?? "absent").join(" | "));
  }
  return found;
}

/** The text of a document; digits are ignored, since they may be counts or times. */
function document(reply: Reply): Observation {
  const said = [...observe(reply)].filter(([location]) => location.includes("#"));
  return new Map(said.map(([location, value]) => [location, value.replace(/\d+/g, "0")]));
}

/** Whether a response equals the one received twice, except for values that vary: a time, the id of a request. */
export const isSame = (first: Reply, again: Reply, other: Reply): boolean =>
  differences(document(first), document(again), document(other), []).size === 0;
