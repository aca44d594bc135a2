import { isDeepStrictEqual } from "node:util";

/**
 * A value of a target as text. `String` fails for an object with a member `toString` of its own.
 */
export const stringOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

const TIME = /^\d{4}-\d\d-\d\dT/;

/** Whether two values of a record are the same: a time may be written in another way. */
export function isSameValue(value: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(value ?? undefined, other ?? undefined)) return true;
  if (typeof value !== "string" || typeof other !== "string") return false;
  return TIME.test(value) && TIME.test(other) && Date.parse(value) === Date.parse(other);
}
