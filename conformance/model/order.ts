import type { Operation, Schema } from "../oracle/contract.ts";

/** How the ids of a list compare (D26). */
export type Order = (one: string, other: string) => number;

/** An integer of any length: `int64` may be sent as a text. */
const byNumber: Order = (one, other) => {
  const isInteger = [one, other].every((text) => /^-?\d{16,}$/.test(text));
  return isInteger ? Number(BigInt(one) - BigInt(other)) : Number(one) - Number(other);
};

/** `<` of JavaScript compares UTF-16 units: it has U+FF5E behind U+1F600. */
const byCodePoint: Order = (one, other) => {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return (one.codePointAt(at) ?? -1) - (other.codePointAt(at) ?? -1);
};

/** The order of a list whose items have this id; null if the contract states none. */
export function orderOf({ unordered }: Operation, { type, format = "" }: Schema): Order | null {
  if (unordered) return null;
  if (type === "integer" || type === "number" || /^u?int64$/.test(format)) return byNumber;
  return type === "string" ? byCodePoint : null;
}
