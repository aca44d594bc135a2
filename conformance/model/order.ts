import type { Operation, Schema } from "../oracle/contract.ts";

/** How the ids of a list compare (D26). */
export type Order = (left: string, right: string) => number;

/** An integer of any length: `int64` may be sent as a text. */
const byNumber: Order = (left, right) => {
  const isInteger = [left, right].every((text) => /^-?\d{16,}$/.test(text));
  return isInteger ? Number(BigInt(left) - BigInt(right)) : Number(left) - Number(right);
};

/** `<` of JavaScript compares UTF-16 units: it has U+FF5E behind U+1F600. */
const byCodePoint: Order = (text, otherText) => {
  let index = 0;
  while (index < text.length && text.charCodeAt(index) === otherText.charCodeAt(index)) index += 1;
  return (text.codePointAt(index) ?? -1) - (otherText.codePointAt(index) ?? -1);
};

/** The order of a list whose items have this id; null if the contract states none. */
export function orderOf({ unordered }: Operation, { type, format = "" }: Schema): Order | null {
  if (unordered) return null;
  if (type === "integer" || type === "number" || /^u?int64$/.test(format)) return byNumber;
  return type === "string" ? byCodePoint : null;
}
