import type { ReportedExchange, ReportedFinding } from "./json.ts";
import { exchangeOf, isObject, parsed, quoted } from "./text.ts";

/** The title of a cause: a finding about one member or one header as a sentence. What it has of the target is quoted and short. */

export type Response = NonNullable<ReportedExchange["response"]>;

/** A media type, a code, a name. */
export const isToken = (text: string): boolean => /^[\w.+-]{1,40}(?:\/[\w.+-]{1,40})?$/.test(text);

/** A token as it is; anything else quoted. */
export const named = (text: string): string => (text === "" || isToken(text) ? text : quoted(text));

export const fieldOf = ({ fields }: Response, name: string): string | undefined =>
  fields.find(([field]) => field.toLowerCase() === name)?.[1];

const jsonOf = (response: Response | null | undefined): unknown =>
  response && "text" in response.body ? parsed(response.body.text) : undefined;

/** Whether the cause is the response as a whole: then missing parts of it add nothing. */
const isWhole = (key: string) => !/(^|: )(header |body(:\/|$))/.test(key);

interface Place {
  readonly at: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The objects that the last name of a pointer belongs to; `*` and a number are each item of a list. */
function parentsOf(json: unknown, names: readonly string[], at = ""): Place[] {
  if (!isObject(json)) return [];
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
  const json = jsonOf(exchangeOf(finding)?.response);
  // If the parent object is missing, it is reported instead of the member.
  const names = pointer
    .map((_, index) => pointer.slice(0, pointer.length - index))
    .find((some) => !/^(?:\*|\d+)$/.test(some.at(-1) ?? "") && parentsOf(json, some.slice(0, -1)).length > 0);
  const name = names?.at(-1);
  if (!names || name === undefined) return null;
  const places = parentsOf(json, names.slice(0, -1));
  const missing = places.filter(({ value }) => !Object.hasOwn(value, name));
  const isTooMany = missing.length < places.length && (TOO_MANY.test(actual) || TOO_MANY.test(expected));
  return { name: named(name), places, missing, isTooMany, isListed: names.some((one) => /^(?:\*|\d+)$/.test(one)) };
}

/** `createdAt is missing from each item of user.list`; for a finding about the whole response, its key. */
export function titleOf(finding: ReportedFinding, key: string, place: string | null): string {
  if (isWhole(key)) return key;
  const whose = place ?? "a response";
  const header = /^header:(.+)$/.exec(finding.aspect)?.[1];
  if (header !== undefined) {
    const { response } = exchangeOf(finding) ?? {};
    const isThere = response && fieldOf(response, header) !== undefined;
    return `${named(header)} is ${isThere ? "wrong in" : "missing from"} ${place === null ? whose : `a response of ${place}`}`;
  }
  if (finding.aspect === "body") return `the body of ${whose} is wrong`;
  const member = memberOf(finding);
  if (!member) return key;
  const { name, places, missing, isTooMany, isListed } = member;
  const whole = place === null ? whose : `the response of ${place}`;
  const some = missing.length === places.length ? "each item" : `${missing.length} of ${places.length} items`;
  if (isTooMany) return `${name} is in ${isListed ? `an item of ${whose}` : whole}, and not in the contract`;
  if (missing.length > 0) return `${name} is missing from ${isListed ? `${some} of ${whose}` : whole}`;
  return `${name} is wrong in ${isListed ? `an item of ${whose}` : whole}`;
}

/** The part of the response that a finding is about: the object, or the fields; null for the whole. */
export function placeShown(finding: ReportedFinding): string | null {
  const header = /^header:(.+)$/.exec(finding.aspect)?.[1];
  const { fields = [] } = exchangeOf(finding)?.response ?? {};
  const own = fields.filter(([name]) => name.toLowerCase() === header);
  if (header !== undefined && fields.length > 0)
    return own.length > 0
      ? own.map(([name, value]) => `${name}: ${value}`).join("\n")
      : `only ${fields.map(([name]) => name).join(", ")}`;
  const member = memberOf(finding);
  const [first] = member && member.missing.length > 0 ? member.missing : (member?.places ?? []);
  return first ? `${first.at || "/"} ${JSON.stringify(first.value)}` : null;
}
