import type { Match } from "../oracle/contract.ts";

/** Values of a filter near that of a record: some select it, and some do not. */

const swapped = (text: string): string =>
  text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();

/** Part of a text, by its characters. */
const part = (text: string, from: number, to?: number): string =>
  [...text].slice(from, to).join("");

function nearText(match: Match, text: string, otherText: string): readonly unknown[] {
  const half = Math.ceil([...text].length / 2);
  const start = part(text, 0, half);
  const inner = part(text, 1, -1) || text;
  switch (match) {
    case "equal":
      return [text, swapped(text), otherText, part(text, 0, -1), `${text}x`, "%", `${start}%`, ""];
    case "contains":
      return [inner, swapped(inner), text, `_${part(inner, 1)}`, "%", otherText, `${text}x`];
    case "startsWith":
      return [start, swapped(start), part(text, 1), text, `%${part(start, 1)}`, `${text}x`];
    default:
      return [text, otherText];
  }
}

const MS = 1000;

/** A time before or after, written with milliseconds. */
const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

const isTime = (value: string) => /^\d{4}-\d\d-\d\dT/.test(value);

export function nearValues(match: Match, value: unknown, other: unknown): readonly unknown[] {
  if (match === "opaque") return [];
  if (match === "oneOf") return [[value, other], [other, value], [value], [other]];
  if (typeof value === "number") return [value, value + 1, value - 1, other];
  if (typeof value === "boolean") return [value, !value];
  if (typeof value !== "string") return [];
  if (isTime(value))
    return [value, shifted(value, MS), shifted(value, -MS), shifted(value, 1), shifted(value, -1)];
  return nearText(match, value, typeof other === "string" ? other : value);
}
