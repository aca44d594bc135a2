import type { Answer } from "../client/wire/exchange.ts";
import { jsonIn } from "../client/wire/json.ts";
import type { Failed } from "./summary.ts";

/** Describes a finding about one member or one header in a sentence, with its place in the response. */

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

const answerOf = ({ failure }: Failed): Answer | null => failure.exchanges[failure.guilty]?.answer ?? null;

interface Place {
  readonly at: string;
  readonly value: Json;
}

/** The objects that the last name of a pointer belongs to; `*` is each item of a list. */
function parentsOf(json: unknown, names: readonly string[], at = ""): Place[] {
  if (!isObject(json)) return [];
  const [name, ...rest] = names;
  if (name === undefined) return [{ at, value: json }];
  const inner = name === "*" ? Object.keys(json) : [name];
  return inner.flatMap((one) => parentsOf(json[one], rest, `${at}/${one}`));
}

/** Descriptions of an undocumented member. */
const TOO_MANY = /additionalPropert|unevaluatedPropert|no such member/;

function memberOf(failed: Failed) {
  const { aspect, expected, actual } = failed.failure;
  const answer = answerOf(failed);
  const pointer = /^body:\/(.+)$/.exec(aspect)?.[1]?.split("/") ?? [];
  const json = answer && jsonIn(answer.body);
  // If the parent object is missing, it is reported instead of the member.
  const names = pointer
    .map((_, index) => pointer.slice(0, pointer.length - index))
    .find((some) => some.at(-1) !== "*" && parentsOf(json, some.slice(0, -1)).length > 0);
  const name = names?.at(-1);
  if (!names || name === undefined) return null;
  const places = parentsOf(json, names.slice(0, -1));
  const missing = places.filter(({ value }) => !Object.hasOwn(value, name));
  const isTooMany = missing.length < places.length && (TOO_MANY.test(actual) || TOO_MANY.test(expected));
  return { name, places, missing, isTooMany, isListed: names.includes("*") };
}

/** `createdAt` is missing from each item of user.list; null for a finding about anything else. */
export function sentenceOf(failed: Failed, place: string | null): string | null {
  const { aspect } = failed.failure;
  const whose = place ?? "a response";
  const header = /^header:(.+)$/.exec(aspect)?.[1];
  if (header !== undefined) {
    const isThere = answerOf(failed)?.headers.some(([name]) => name.toLowerCase() === header);
    return `\`${header}\` is ${isThere ? "wrong in" : "missing from"} ${place === null ? whose : `a response of ${place}`}`;
  }
  if (aspect === "body") return `the body of ${whose} is wrong`;
  const member = memberOf(failed);
  if (!member) return null;
  const { name, places, missing, isTooMany, isListed } = member;
  const whole = place === null ? whose : `the response of ${place}`;
  const some = missing.length === places.length ? "each item" : `${missing.length} of ${places.length} items`;
  if (isTooMany) return `\`${name}\` is in ${isListed ? `an item of ${whose}` : whole}, and not in the contract`;
  if (missing.length > 0) return `\`${name}\` is missing from ${isListed ? `${some} of ${whose}` : whole}`;
  return `\`${name}\` is wrong in ${isListed ? `an item of ${whose}` : whole}`;
}

/** The part of the response that a finding is about: the object, or the fields; null for the whole. */
export function placeShown(failed: Failed): string | null {
  const header = /^header:(.+)$/.exec(failed.failure.aspect)?.[1];
  const { headers = [] } = answerOf(failed) ?? {};
  const fields = headers.filter(([name]) => name.toLowerCase() === header);
  if (header !== undefined && headers.length > 0)
    return fields.length > 0
      ? fields.map(([name, value]) => `${name}: ${value}`).join("\n")
      : `only ${headers.map(([name]) => name).join(", ")}`;
  const member = memberOf(failed);
  const [first] = member && member.missing.length > 0 ? member.missing : (member?.places ?? []);
  return first ? `${first.at || "/"} ${JSON.stringify(first.value)}` : null;
}
