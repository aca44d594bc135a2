/**
 * A time of RFC 3339, as an input has it. A `Date` has no second 60: it is the next one here, as on
 * the clocks of computers.
 */
export function instantOf(text: string): Date {
  const isLeap = text.includes(":60");
  const instant = Date.parse(text.toUpperCase().replace(":60", ":59"));
  return new Date(isLeap ? instant + 1000 : instant);
}
