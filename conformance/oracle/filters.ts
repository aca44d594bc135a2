import { type Contract, type Match, membersOf, type Operation, type Resource } from "./contract.ts";
import { furtherOf, valuesOf } from "./lists.ts";
import { comparisonOf } from "./order.ts";
import type { ParsedRequest } from "./parsed-request.ts";
import { FREE, type Members, memberOf } from "./records.ts";
import { stringOf } from "./values.ts";

/** Which records a list has (Effects). */

/** Whether a record is in a list; null: the contract does not decide it. */
export type Filter = (item: Members) => boolean | null;

type Matches = (compared: (value: unknown) => number, value: string, sent: unknown) => boolean;
const MATCHES: Readonly<Record<Exclude<Match, "opaque" | "oneOf">, Matches>> = {
  equal: (compared, _, sent) => compared(sent) === 0,
  atLeast: (compared, _, sent) => compared(sent) >= 0,
  atMost: (compared, _, sent) => compared(sent) <= 0,
  before: (compared, _, sent) => compared(sent) < 0,
  contains: (_, value, sent) => value.includes(stringOf(sent)),
  startsWith: (_, value, sent) => value.startsWith(stringOf(sent)),
};

/** Whether one parameter selects a record. */
function isSelected(
  contract: Contract,
  operation: Operation,
  name: string,
  sent: unknown,
  item: Members,
): boolean | null {
  const { filters = {}, effect } = operation;
  const { resource = "" } = effect ?? {};
  const { volatile = [] }: Partial<Resource> = contract.resources?.[resource] ?? {};
  const filter = filters[name];
  if (!filter || filter.match === "opaque" || volatile.includes(filter.member)) return null;
  const value = memberOf(item, filter.member);
  const { [filter.member]: schema } = membersOf(contract, contract.schemas[resource] ?? {});
  if (!schema) return null;
  if (value === undefined || value === null) return false;
  const compare = comparisonOf(contract, schema);
  if (value === FREE || !compare) return null;
  const matches = MATCHES[filter.match === "oneOf" ? "equal" : filter.match];
  const isMatch = (one: unknown) => matches((other) => compare(value, other), stringOf(value), one);
  return filter.match === "oneOf" && Array.isArray(sent) ? sent.some(isMatch) : isMatch(sent);
}

/** What the list that a request reads has; null for a list of which the contract says nothing. */
export function filterOf(r: ParsedRequest): Filter | null {
  const { operation, contract } = r;
  if (operation?.effect?.kind !== "lists") return null;
  const values = valuesOf(r);
  const sent = furtherOf(operation).flatMap((name, at): [string, unknown][] =>
    values[at] === null ? [] : [[name, values[at]]],
  );
  // The part of a name or a header field may select too.
  const isOpen =
    operation.parts.length > 0 ||
    operation.headers.some(
      ({ name }) => !/^if-none-match$/i.test(name) && r.fields(name).length > 0,
    );
  return (item) => {
    const all = sent.map(([name, value]) => isSelected(contract, operation, name, value, item));
    if (all.includes(false)) return false;
    return isOpen || all.includes(null) ? null : true;
  };
}
