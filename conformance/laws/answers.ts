import type { Difference } from "../exchange.ts";
import { resolve, type Schema, successSchema } from "../oracle/contract.ts";
import { isDateTime, isObject } from "../oracle/schema.ts";
import { documentedDifference } from "./compare.ts";
import { differs, excerpt, firstOf } from "./difference.ts";
import { hasContent, law, type ViewLaw } from "./law.ts";
import { repeatsName } from "./problems.ts";
import type { View } from "./view.ts";

/** Laws for every success of an operation (D9). */

const JSON_TYPE = /^application\/json[ \t]*;[ \t]*charset="?utf-8"?$/i;

/** A value of a body, with the schemas that it may have. */
interface Member {
  readonly place: string;
  readonly value: unknown;
  readonly schemas: readonly Schema[];
}

/** A schema without references, and each of its alternatives. */
function alternatives({ contract }: View, given: Schema): readonly Schema[] {
  const found = [given];
  for (const one of found) {
    const schema = resolve(contract, one);
    found.push(...(schema.anyOf ?? []), ...(schema.oneOf ?? []));
  }
  return found.map((one) => resolve(contract, one));
}

/** Every value of a JSON body. */
function* membersOf(view: View, value: unknown, schemas: readonly Schema[], place = ""): Generator<Member> {
  yield { place: place === "" ? "body" : `body:${place}`, value, schemas };
  const within = (some: readonly (Schema | undefined)[]) =>
    some.flatMap((one) => (one === undefined ? [] : alternatives(view, one)));
  if (Array.isArray(value)) {
    const items = within(schemas.map((one) => one.items));
    for (const [index, item] of value.entries()) yield* membersOf(view, item, items, `${place}/${index}`);
  } else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      const others = (one: Schema) => (isObject(one.additionalProperties) ? one.additionalProperties : undefined);
      const own = within(schemas.map((one) => one.properties?.[name] ?? others(one)));
      yield* membersOf(view, member, own, `${place}/${name}`);
    }
}

const members = (view: View): Iterable<Member> => {
  const schema = view.operation && successSchema(view.operation);
  return membersOf(view, view.json, schema ? alternatives(view, schema) : []);
};

const inJson = (view: View) => view.operation !== null && hasContent(view) && !view.mediaType.startsWith("text/");
const isJson = (view: View) => inJson(view) && view.json !== undefined;

function bareObject(view: View): Difference | null {
  const { contract, operation, object } = view;
  const type = view.header("content-type") ?? "";
  if (!JSON_TYPE.test(type))
    return differs("header:content-type", "the media type application/json; charset=utf-8", type || "none");
  if (!object) return differs("body", "one JSON object in UTF-8", excerpt(view.text) || "an empty body");
  if (repeatsName(view)) return differs("body", "each member once", excerpt(view.text));
  const { required = [] } = resolve(contract, (operation && successSchema(operation)) ?? {});
  const isWhole = (value: unknown) => isObject(value) && required.every((name) => name in value);
  const [envelope] = Object.entries(object).find(([, value]) => !isWhole(object) && isWhole(value)) ?? [];
  if (envelope === undefined) return null;
  return differs("body", "a bare object, no envelope", `the response is in the member ${envelope}`);
}

/** Status, media type and text of the body are compared with the prediction. */
const asDocumented = (view: View) => view.operation && documentedDifference(view, view.operation);

const isTime = ({ schemas }: Member) => {
  const texts = schemas.filter(({ type, format }) => type === "string" || format !== undefined);
  return texts.length > 0 && texts.every(({ format }) => format === "date-time");
};
const mayBeNull = ({ schemas }: Member) =>
  schemas.some((one) => one.type === "null" || one.const === null || one.enum?.includes(null));

const inUtc = (view: View) =>
  firstOf(members(view), (member) => {
    const { place, value } = member;
    if (!isTime(member) || (value === null && mayBeNull(member))) return null;
    const isRight = typeof value === "string" && value.endsWith("Z") && isDateTime(value);
    return isRight ? null : differs(place, "a time of RFC 3339 in UTC that ends in Z", excerpt(JSON.stringify(value)));
  });

const withoutNull = (view: View) =>
  firstOf(view.text.includes("null") ? members(view) : [], (member) =>
    member.value === null && !mayBeNull(member)
      ? differs(member.place, "a member without a value to be absent", "null")
      : null,
  );

export const answerLaws: readonly ViewLaw[] = [
  law("answers/object", inJson, bareObject),
  law("answers/schema", isJson, asDocumented),
  law("answers/times", isJson, inUtc),
  law("answers/absent-not-null", isJson, withoutNull),
];
