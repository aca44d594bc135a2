import type { View } from "../laws/view.ts";
import { isObject } from "../oracle/schema.ts";

/** A response as location → value. `shape #/items/*` holds types, `#/items/0/id` a value. */
type Observed = ReadonlyMap<string, string>;

/** Framing and the clock: the body itself is compared. What expires is equal in two responses within a second, not in a third. */
const FRAMING = /^(?:content-length|transfer-encoding|connection|keep-alive|date|age|expires)$/;
/** What depends on the data of one deployment: the next page, the bytes of the body. */
const OF_DATA = new Set(["header/link", "header/etag"]);

/** A time of the last or the next hour is one of a clock: it can be equal in two responses within a millisecond, not in a third. */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const HOUR_MS = 3_600_000;
const withoutClock = (text: string): string =>
  text.replace(TIME, (time) => (Math.abs(Date.parse(time) - Date.now()) < HOUR_MS ? "now" : time));

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function walk(value: unknown, pointer: string, shape: string, into: Map<string, string>): void {
  const types = new Set((into.get(`shape ${shape}`) ?? "").split("|").filter(Boolean)).add(typeOf(value));
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
export function observed(view: View): Observed {
  const seen = new Map([["status", `${view.status}`]]);
  for (const name of new Set(view.response.fields.map(([field]) => field.toLowerCase())))
    if (!FRAMING.test(name)) seen.set(`header/${name}`, view.values(name).join(", "));
  const { json } = view.response;
  if (json === undefined) seen.set("#", view.text);
  else walk(json, "#", "#", seen);
  return new Map([...seen].map(([location, value]) => [location, withoutClock(value)]));
}

const within = (pointer: string, data: readonly string[]) =>
  data.some((one) => pointer === `#${one}` || pointer.startsWith(`#${one}/`));

/** What differs between A and B, but not between A and A: by location, both. `data`: JSON pointers of what each has of its own. */
export function differing(
  a: Observed,
  again: Observed,
  b: Observed,
  data: readonly string[],
): ReadonlyMap<string, readonly [inA: string, inB: string]> {
  const found = new Map<string, readonly [string, string]>();
  for (const location of new Set([...a.keys(), ...b.keys()])) {
    const [one, two, other] = [a.get(location), again.get(location), b.get(location)];
    const isNoise = one !== two;
    const [inA, inB] = [one !== undefined || two !== undefined, other !== undefined];
    const isShape = location.startsWith("shape ");
    const isData =
      within(isShape ? location.slice("shape ".length) : location, data) || (data.length > 0 && OF_DATA.has(location));
    // Of data that each deployment has of its own only the types are compared, where both have some.
    if (isData && !(isShape && inA && inB)) continue;
    // What is noise may have any value, but must be there.
    if (isNoise && (inB || one === undefined || two === undefined)) continue;
    if (one !== other) found.set(location, [one ?? "absent", other ?? "absent"]);
  }
  return found;
}
