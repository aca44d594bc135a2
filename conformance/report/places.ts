import { jsonIn } from "../http/json.ts";
import { fieldsOf } from "../oracle/world.ts";
import type { ReportedExchange, ReportedFinding } from "./json.ts";
import { quoted } from "./text.ts";

/** The part of a response that a finding is about. What is shown of the target in a title is quoted and short. */

export type Response = NonNullable<ReportedExchange["response"]>;

/** The exchange that a finding is about. */
export const exchangeOf = ({ exchanges, at }: ReportedFinding): ReportedExchange | undefined => exchanges[at];

/** A media type, a code, a name. */
export const isToken = (text: string): boolean => /^[\w.+-]{1,40}(?:\/[\w.+-]{1,40})?$/.test(text);

/** A token as it is; anything else quoted. */
export const named = (text: string): string => (text === "" || isToken(text) ? text : quoted(text));

/** An object or a list. */
type Nested = Readonly<Record<string, unknown>>;
export const isNested = (value: unknown): value is Nested => typeof value === "object" && value !== null;

const headerOf = ({ aspect }: ReportedFinding) => /^header:(.+)$/.exec(aspect)?.[1];
const isListItem = (name = "") => /^(?:\*|\d+)$/.test(name);

/** The objects that the last name of a pointer belongs to; `*` and a number are each item of a list. */
function parentsOf(json: unknown, names: readonly string[], at = ""): { at: string; value: Nested }[] {
  if (!isNested(json)) return [];
  const [name, ...rest] = names;
  if (name === undefined) return [{ at, value: json }];
  const inner = Array.isArray(json) ? Object.keys(json) : [name];
  return inner.flatMap((one) => parentsOf(json[one], rest, `${at}/${one}`));
}

/** Descriptions of a member that is not documented. */
const TOO_MANY = /additionalPropert|unevaluatedPropert|no such member/;

function memberOf(finding: ReportedFinding) {
  const { aspect, expected, actual } = finding;
  const pointer = /^body:\/(.+)$/s.exec(aspect)?.[1]?.split("/") ?? [];
  const { body } = exchangeOf(finding)?.response ?? {};
  const json = body && "text" in body ? jsonIn(Buffer.from(body.text)) : undefined;
  // If the parent object is missing, it is reported instead of the member.
  const names = pointer
    .map((_, index) => pointer.slice(0, pointer.length - index))
    .find((some) => !isListItem(some.at(-1)) && parentsOf(json, some.slice(0, -1)).length > 0);
  const name = names?.at(-1);
  if (!names || name === undefined) return null;
  const places = parentsOf(json, names.slice(0, -1));
  const missing = places.filter(({ value }) => !Object.hasOwn(value, name));
  const isTooMany = missing.length < places.length && (TOO_MANY.test(actual) || TOO_MANY.test(expected));
  return { name: named(name), places, missing, isTooMany, isListed: names.some(isListItem) };
}

/** `createdAt is missing from each item of user.list`; for a finding about the whole response, its key. */
export function titleOf(finding: ReportedFinding, key: string, place: string | null): string {
  // If the cause is the response as a whole, missing parts of it add nothing.
  if (!/(^|: )(header |body(:\/|$))/.test(key)) return key;
  const header = headerOf(finding);
  if (header !== undefined) {
    const isThere = fieldsOf(exchangeOf(finding)?.response?.fields ?? [], header).length > 0;
    return `${named(header)} is ${isThere ? "wrong in" : "missing from"} a response`;
  }
  const whose = place ?? "a response";
  if (finding.aspect === "body") return `the body of ${whose} is wrong`;
  const member = memberOf(finding);
  if (!member) return key;
  const { name, places, missing, isTooMany, isListed } = member;
  const whole = place === null ? whose : `the response of ${place}`;
  const inside = isListed ? `an item of ${whose}` : whole;
  if (isTooMany) return `${name} is in ${inside}, and not in the contract`;
  if (missing.length === 0) return `${name} is wrong in ${inside}`;
  const some = missing.length === places.length ? "each item" : `${missing.length} of ${places.length} items`;
  return `${name} is missing from ${isListed ? `${some} of ${whose}` : whole}`;
}

/** The object or the fields that are wrong, or without what is missing; empty for the whole response. */
export function placeShown(finding: ReportedFinding): string {
  const header = headerOf(finding);
  const { fields = [] } = exchangeOf(finding)?.response ?? {};
  if (header !== undefined && fields.length > 0) {
    const own = fields.filter(([name]) => name.toLowerCase() === header);
    if (own.length === 0) return `only ${fields.map(([name]) => name).join(", ")}`;
    return own.map(([name, value]) => `${name}: ${value}`).join("\n");
  }
  const { places = [], missing = [] } = memberOf(finding) ?? {};
  const first = missing[0] ?? places[0];
  return first ? `${first.at || "/"} ${JSON.stringify(first.value)}` : "";
}
