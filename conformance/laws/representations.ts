import type { Difference, Memory } from "../exchange.ts";
import { resolve, type Schema, successSchema } from "../oracle/contract.ts";
import { isDateTime } from "../oracle/formats.ts";
import { unreadKeywords } from "../oracle/keywords.ts";
import { isObject } from "../oracle/schema.ts";
import { documentedDifference } from "./compare.ts";
import { differs, excerpt, firstOf } from "./difference.ts";
import { agree, always, hasContent, isSuccess, law, type ViewLaw } from "./law.ts";
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

/** The schema of a member; an empty one where a keyword that is not read may have it. */
function memberSchema({ contract }: View, schema: Schema, name: string): Schema | undefined {
  const { properties = {}, additionalProperties: others } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  if (typeof others === "object") return others;
  return unreadKeywords(contract, schema).length > 0 ? {} : undefined;
}

/** Every value of a JSON body. */
function* membersOf(
  view: View,
  value: unknown,
  schemas: readonly Schema[],
  place = "",
): Generator<Member> {
  yield { place: place === "" ? "body" : `body:${place}`, value, schemas };
  const within = (some: readonly (Schema | undefined)[]) =>
    some.flatMap((one) => (one === undefined ? [] : alternatives(view, one)));
  if (Array.isArray(value)) {
    const items = within(schemas.map((one) => one.items));
    for (const [index, item] of value.entries())
      yield* membersOf(view, item, items, `${place}/${index}`);
  } else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      const own = within(schemas.map((one) => memberSchema(view, one, name)));
      yield* membersOf(view, member, own, `${place}/${name}`);
    }
}

const members = (view: View): Iterable<Member> => {
  const schema = view.operation && successSchema(view.operation);
  return membersOf(view, view.json, schema ? alternatives(view, schema) : []);
};

const inJson = (view: View) =>
  view.operation !== null && hasContent(view) && !view.mediaType.startsWith("text/");
const isJson = (view: View) => inJson(view) && view.json !== undefined;

function bareObject(view: View): Difference | null {
  const { contract, operation, object } = view;
  const type = view.header("content-type") ?? "";
  if (!JSON_TYPE.test(type))
    return differs(
      "header:content-type",
      "the media type application/json; charset=utf-8",
      type || "none",
    );
  if (!object)
    return differs("body", "one JSON object in UTF-8", excerpt(view.text) || "an empty body");
  if (repeatsName(view)) return differs("body", "each member once", excerpt(view.text));
  const { required = [] } = resolve(contract, (operation && successSchema(operation)) ?? {});
  const isWhole = (value: unknown) =>
    isObject(value) && required.every((name) => Object.hasOwn(value, name));
  const [envelope] =
    Object.entries(object).find(([, value]) => !isWhole(object) && isWhole(value)) ?? [];
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
  schemas.some(
    (one) =>
      [one.type].flat().includes("null") ||
      one.const === null ||
      one.enum?.includes(null) ||
      // It says nothing, or nothing that is read.
      !(one.type || one.enum || one.anyOf || one.oneOf || one.const !== undefined),
  );

const inUtc = (view: View) =>
  firstOf(members(view), (member) => {
    const { place, value } = member;
    if (!isTime(member) || (value === null && mayBeNull(member))) return null;
    const isRight = typeof value === "string" && value.endsWith("Z") && isDateTime(value);
    return isRight
      ? null
      : differs(place, "a time of RFC 3339 in UTC that ends in Z", excerpt(JSON.stringify(value)));
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

/** Tags and content codings of any representation (D12, D31), and the length of every response (D13). */

const TAG = /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]+")$/;

/**
 * One tag for each representation, the same each time; a conditional request with it gets 304, with the same tag (RFC 9110,
 * 13.1.2 and 15.4.5).
 */
const tagged = (form: RegExp, expected: string) => {
  const check = (view: View, memory: Memory): Difference | null => {
    const { place, status } = view;
    const tag = view.values("etag").join(" and ");
    if (!form.test(tag))
      return differs("header:etag", expected, tag === "" ? "none" : excerpt(tag));
    const sent = view.sent("If-None-Match").join(", ");
    const isSent = sent === "*" || sent.includes(TAG.exec(tag)?.[1] ?? "");
    const [accept, coded] = ["Accept", "Accept-Encoding"].map((name) => view.sent(name).join(", "));
    const asked = `${place} for Accept: ${accept} and Accept-Encoding: ${coded}`;
    // Weakly, since a front weakens the tags of what it codes: the same is current that a caller without a copy would get.
    const current = () =>
      agree(memory, `what is current of ${asked}`, TAG.exec(tag)?.[1] ?? tag, "header:etag");
    if (status === 304)
      return isSent ? current() : differs("header:etag", `304 with one of ${sent}`, tag);
    if (isSent && sent !== "") return differs("status", `304, since the caller has ${tag}`, "200");
    const what = `${view.mediaType} in ${view.coding}`;
    return (
      current() ??
      agree(memory, `the ETag of ${place} as ${what}`, tag, "header:etag") ??
      agree(memory, `the ETag of ${asked}`, tag, "header:etag") ??
      (tag.startsWith("W/")
        ? null
        : agree(memory, `what ${place} is under the ETag ${tag}`, what, "header:etag"))
    );
  };
  return (id: string, of: (view: View) => boolean): ViewLaw =>
    law(id, (view) => isSuccess(view) && of(view), check);
};
export const taggedLaw = tagged(TAG, 'one ETag such as "abc"');
export const stronglyTaggedLaw = tagged(
  /^"[\x21\x23-\x7e\x80-\xff]+"$/,
  'one strong ETag such as "abc"',
);

/** Whether a caller accepts this coding (RFC 9110, 12.5.3). */
export function takes(view: View, coding: string): boolean {
  const all = view.sent("Accept-Encoding").flatMap((value) => value.toLowerCase().split(","));
  const weights = new Map(
    all.map((one) => {
      const [name = "", weight = "q=1"] = one.split(";").map((part) => part.trim());
      return [name, Number(weight.replace("q=", ""))] as const;
    }),
  );
  return (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
}

/** The content coding is one that the caller accepts, and the decoded content is the same for every caller. */
export const codedLaw = (id: string, of: (view: View) => boolean): ViewLaw =>
  law(
    id,
    (view) => hasContent(view) && of(view),
    (view, memory) => {
      const { coding, decoded } = view;
      if (coding !== "identity" && !takes(view, coding))
        return differs(
          "header:content-encoding",
          "no coding but those that the caller takes",
          coding,
        );
      if (!decoded)
        return differs(
          "body",
          `bytes in ${coding}`,
          `${view.response.body.length} bytes that are not`,
        );
      return agree(memory, `${view.place} as ${view.mediaType}`, decoded.toString("latin1"));
    },
  );

/** RFC 9110, 8.6: a response without content has no `Content-Length`, or that of the earlier 200 with the same tag. */
function noContent(view: View, memory: Memory): Difference | null {
  const [length] = view.values("content-length");
  const [tag] = view.values("etag");
  const known = `the length of what has the ETag ${tag}`;
  if (view.status === 200)
    memory.set(known, `${view.response.body.length + view.response.omitted}`);
  if (length === undefined || view.status === 200) return null;
  if (view.status === 204)
    return differs("header:content-length", "a 204 without Content-Length", length);
  const wanted = memory.get(known);
  // A representation has content: even if its 200 was not recorded, its length is not 0.
  if (wanted === undefined ? length !== "0" : length === wanted) return null;
  return differs("header:content-length", `none, or that of its 200, ${wanted ?? "not 0"}`, length);
}

const isWithoutContent = ({ status, isConnect }: View) =>
  (status === 204 || status === 304) && !isConnect;
/** Of several requests on one connection, one may be HEAD: the body of a response must be there as well. */
const isTagged = (view: View) =>
  view.status === 200 &&
  !view.isHead &&
  view.response.body.length > 0 &&
  view.values("etag").length > 0;

/** One length in digits, or chunks, which HTTP/1.0 does not have (RFC 9112, 6); no coding that the caller does not accept. */
function oneLength(view: View): Difference | null {
  const lengths = view.values("content-length");
  const coding = view.header("transfer-encoding");
  const isOne =
    lengths.length === 0 ||
    (lengths.length === 1 && coding === undefined && /^\d+$/.test(lengths[0] ?? ""));
  if (!isOne)
    return differs(
      "header:content-length",
      "one length in digits, or chunks",
      [...lengths, coding].join(", "),
    );
  if (coding !== undefined && view.request.version === "1.0")
    return differs("header:transfer-encoding", "a response without chunks to HTTP/1.0", coding);
  if (!view.isPredicted || ["", "identity"].includes(view.coding) || takes(view, view.coding))
    return null;
  return differs(
    "header:content-encoding",
    "no coding but those that the caller accepts",
    view.coding,
  );
}

export const framingLaws: readonly ViewLaw[] = [
  law("http/no-content-length", (view) => isWithoutContent(view) || isTagged(view), noContent),
  law("http/content-length", always, oneLength),
];
