import { type Contract, membersOf, type Operation, resolve, type Schema } from "./contract.ts";
import { type Members, memberOf } from "./records.ts";
import { byCodePoint, byInstant, type Comparison, stringOf } from "./values.ts";

/** How values compare, and so the items of a list (D26, Effects). */

/** An integer of any length: `int64` may be sent as a text. */
const byNumber: Comparison<unknown> = (left, right) => {
  const isLong = [left, right].every((one) => /^-?\d{16,}$/.test(stringOf(one)));
  return isLong
    ? Number(BigInt(stringOf(left)) - BigInt(stringOf(right)))
    : Number(stringOf(left)) - Number(stringOf(right));
};

/** How the values of a schema compare; null where the contract does not say it. */
export function comparisonOf(contract: Contract, schema: Schema): Comparison<unknown> | null {
  const whole = resolve(contract, schema);
  const [first, ...more] = (whole.anyOf ?? [whole]).filter((one) => one.type !== "null");
  if (!first || more.length > 0) return null;
  const { type: types, format = "" } = resolve(contract, first);
  const [type] = [types].flat().filter((one) => one !== "null");
  if (type === "integer" || type === "number" || /^u?int64$/.test(format)) return byNumber;
  if (type === "boolean") return (left, right) => Number(left === true) - Number(right === true);
  if (type !== "string") return null;
  const compare = format === "date-time" ? byInstant : byCodePoint;
  return (left, right) => compare(stringOf(left), stringOf(right));
}

const isAbsent = (value: unknown) => value === undefined || value === null;

/** A record without the member comes last. */
function byMember(
  contract: Contract,
  item: Schema,
  { member, descending }: { readonly member: string; readonly descending: boolean },
): Comparison<Members> | null {
  const { [member]: schema = {} } = membersOf(contract, item);
  const compare = comparisonOf(contract, schema);
  const sign = descending ? -1 : 1;
  return (
    compare &&
    ((left, right) => {
      const [value, otherValue] = [memberOf(left, member), memberOf(right, member)];
      if (isAbsent(value) || isAbsent(otherValue))
        return Number(isAbsent(value)) - Number(isAbsent(otherValue));
      return sign * compare(value, otherValue);
    })
  );
}

/**
 * The order of a list with these items, the last member its key; null if the contract states none.
 */
export function orderOf(
  contract: Contract,
  { unordered, order, effect }: Operation,
  item: Schema,
): Comparison<Members> | null {
  const { key = "id", volatile = [] } = contract.resources?.[effect?.resource ?? ""] ?? {};
  const members = order ?? [{ member: key, descending: false }];
  if (unordered || members.some(({ member }) => volatile.includes(member))) return null;
  const comparisons = members.map((one) => byMember(contract, item, one));
  if (comparisons.some((one) => one === null)) return null;
  return (left, right) => {
    for (const compare of comparisons) {
      const difference = compare?.(left, right) ?? 0;
      if (difference !== 0) return difference;
    }
    return 0;
  };
}
