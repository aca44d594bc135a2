/**
 * A value of a target as text. `String` fails for an object with a member `toString` of its own.
 */
export const stringOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

export type Comparison<Value> = (left: Value, right: Value) => number;

/** `<` of JavaScript compares UTF-16 units: it has U+FF5E behind U+1F600. */
export const byCodePoint: Comparison<string> = (text, otherText) => {
  let index = 0;
  while (index < text.length && text.charCodeAt(index) === otherText.charCodeAt(index)) index += 1;
  return (text.codePointAt(index) ?? -1) - (otherText.codePointAt(index) ?? -1);
};

/** A leap second is as the next one. A time may have more digits than a `Date` holds. */
function instantOf(text: string) {
  const whole = text.toUpperCase().replace(/\.\d+/, "");
  const isLeap = /:60(?=Z|[+-])/.test(whole);
  const seconds = Date.parse(isLeap ? whole.replace(":60", ":59") : whole) / MS;
  const [, fraction = ""] = /\.(\d+)/.exec(text) ?? [];
  return { seconds: seconds + Number(isLeap), fraction: fraction.padEnd(FRACTION, "0") };
}
const MS = 1000;
const FRACTION = 20;

export const byInstant: Comparison<string> = (text, otherText) => {
  const [at, otherAt] = [instantOf(text), instantOf(otherText)];
  return at.seconds - otherAt.seconds || byCodePoint(at.fraction, otherAt.fraction);
};

const TIME = /^\d{4}-\d\d-\d\dT/i;

/**
 * Whether two values of a member are the same: a time may be written in another way, and null is no
 * value. In free JSON each is as it was sent.
 */
export function isSameValue(value: unknown, other: unknown, isFree = false): boolean {
  const [one, another] = [value ?? undefined, other ?? undefined];
  if (isFree) return isSameJson(one, another);
  if (typeof one === "string" && typeof another === "string" && TIME.test(one))
    return one === another || (TIME.test(another) && byInstant(one, another) === 0);
  if (typeof one !== "object" || typeof another !== "object") return one === another;
  if (Array.isArray(one) !== Array.isArray(another)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(another)]);
  return [...names].every((name) => isSameValue(ownValue(one, name), ownValue(another, name)));
}

function isSameJson(value: unknown, other: unknown): boolean {
  const isLeaf = [value, other].some((one) => typeof one !== "object" || one === null);
  if (isLeaf || Array.isArray(value) !== Array.isArray(other)) return value === other;
  const [one, another] = [Object(value), Object(other)];
  const names = Object.keys(one);
  return (
    names.length === Object.keys(another).length &&
    names.every(
      (name) =>
        Object.hasOwn(another, name) && isSameJson(ownValue(one, name), ownValue(another, name)),
    )
  );
}

const ownValue = (value: object, name: string): unknown =>
  Object.getOwnPropertyDescriptor(value, name)?.value;

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** A key as it compares: a UUID whatever its letter case is. */
export const keyText = (key: string): string => (UUID.test(key) ? key.toLowerCase() : key);
