import type { Difference, Memory } from "../exchange.ts";
import { resolve, type Schema, successSchema } from "../oracle/contract.ts";
import { isDateTime } from "../oracle/formats.ts";
import { isFree, unreadKeywords } from "../oracle/keywords.ts";
import { isObject } from "../oracle/schema.ts";
import { documentedDifference } from "./compare.ts";
import { differs, excerpt, firstOf } from "./difference.ts";
import { agree, always, hasContent, isSuccess, type Law, law } from "./law.ts";
import type { ParsedExchange } from "./parsed-exchange.ts";
import { repeatsName } from "./problems.ts";

/** Laws for every success of an operation (D9). */

const JSON_TYPE = /^application\/json[ \t]*;[ \t]*charset="?utf-8"?$/i;

/** A value of a body, with the schemas that it may have. */
interface Member {
  readonly place: string;
  readonly value: unknown;
  readonly schemas: readonly Schema[];
}

/** A schema without references, and each of its alternatives. */
function alternatives({ contract }: ParsedExchange, given: Schema): readonly Schema[] {
  const schemas = [given];
  for (const alternative of schemas) {
    const schema = resolve(contract, alternative);
    schemas.push(...(schema.anyOf ?? []), ...(schema.oneOf ?? []));
  }
  return schemas.map((one) => resolve(contract, one));
}

/** Whether a schema may say anything of what is within a value. */
const isOpen = ({ contract }: ParsedExchange, schema: Schema) =>
  isFree(schema) || unreadKeywords(contract, schema).length > 0;

/** The schema of a member; an empty one where nothing that is read says it. */
function memberSchema(parsed: ParsedExchange, schema: Schema, name: string): Schema | undefined {
  const { properties = {}, additionalProperties: additional } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  if (typeof additional === "object") return additional;
  return isOpen(parsed, schema) ? {} : undefined;
}

/** Every value of a JSON body. */
function* membersOf(
  parsed: ParsedExchange,
  value: unknown,
  schemas: readonly Schema[],
  place = "",
): Generator<Member> {
  yield { place: place === "" ? "body" : `body:${place}`, value, schemas };
  const within = (some: readonly (Schema | undefined)[]) =>
    some.flatMap((one) => (one === undefined ? [] : alternatives(parsed, one)));
  if (Array.isArray(value)) {
    const items = within(schemas.map((one) => one.items ?? (isOpen(parsed, one) ? {} : undefined)));
    for (const [index, item] of value.entries())
      yield* membersOf(parsed, item, items, `${place}/${index}`);
  } else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      const ownSchemas = within(schemas.map((one) => memberSchema(parsed, one, name)));
      yield* membersOf(parsed, member, ownSchemas, `${place}/${name}`);
    }
}

const members = (parsed: ParsedExchange): Iterable<Member> => {
  const schema = parsed.operation && successSchema(parsed.operation);
  return membersOf(parsed, parsed.json, schema ? alternatives(parsed, schema) : []);
};

const inJson = (parsed: ParsedExchange) =>
  parsed.operation !== null && hasContent(parsed) && !parsed.mediaType.startsWith("text/");
const isJson = (parsed: ParsedExchange) => inJson(parsed) && parsed.json !== undefined;

function bareObject(parsed: ParsedExchange): Difference | null {
  const { contract, operation, object } = parsed;
  const type = parsed.header("content-type") ?? "";
  if (!JSON_TYPE.test(type))
    return differs(
      "header:content-type",
      "the media type application/json; charset=utf-8",
      type || "none",
    );
  if (!object)
    return differs("body", "one JSON object in UTF-8", excerpt(parsed.text) || "an empty body");
  if (repeatsName(parsed)) return differs("body", "each member once", excerpt(parsed.text));
  const { required = [] } = resolve(contract, (operation && successSchema(operation)) ?? {});
  const isWhole = (value: unknown) =>
    isObject(value) && required.every((name) => Object.hasOwn(value, name));
  const [envelope] =
    Object.entries(object).find(([, value]) => !isWhole(object) && isWhole(value)) ?? [];
  if (envelope === undefined) return null;
  return differs("body", "a bare object, no envelope", `the response is in the member ${envelope}`);
}

/** Status, media type and text of the body are compared with the prediction. */
const asDocumented = (parsed: ParsedExchange) =>
  parsed.operation && documentedDifference(parsed, parsed.operation);

const isTime = ({ schemas }: Member) => {
  const texts = schemas.filter(({ type, format }) => type === "string" || format !== undefined);
  return texts.length > 0 && texts.every(({ format }) => format === "date-time");
};
const mayBeNull = ({ schemas }: Member) =>
  schemas.some(
    (schema) =>
      [schema.type].flat().includes("null") ||
      schema.const === null ||
      schema.enum?.includes(null) ||
      // It says nothing, or nothing that is read.
      !(schema.type || schema.enum || schema.anyOf || schema.oneOf || schema.const !== undefined),
  );

const inUtc = (parsed: ParsedExchange) =>
  firstOf(members(parsed), (member) => {
    const { place, value } = member;
    if (!isTime(member) || (value === null && mayBeNull(member))) return null;
    const isRight = typeof value === "string" && value.endsWith("Z") && isDateTime(value);
    return isRight
      ? null
      : differs(place, "a time of RFC 3339 in UTC that ends in Z", excerpt(JSON.stringify(value)));
  });

const withoutNull = (parsed: ParsedExchange) =>
  firstOf(parsed.text.includes("null") ? members(parsed) : [], (member) =>
    member.value === null && !mayBeNull(member)
      ? differs(member.place, "a member without a value to be absent", "null")
      : null,
  );

export const answerLaws: readonly Law[] = [
  law("answers/object", inJson, bareObject),
  law("answers/schema", isJson, asDocumented),
  law("answers/times", isJson, inUtc),
  law("answers/absent-not-null", isJson, withoutNull),
];

/**
 * Tags and content codings of any representation (D12, D31), and the length of every response
 * (D13).
 */

const TAG = /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]+")$/;

/**
 * One tag for each representation, the same each time; a conditional request with it gets 304, with
 * the same tag (RFC 9110, 13.1.2 and 15.4.5).
 */
const tagged = (form: RegExp, expected: string) => {
  const check = (parsed: ParsedExchange, memory: Memory): Difference | null => {
    const { place, status } = parsed;
    const tag = parsed.values("etag").join(" and ");
    if (!form.test(tag))
      return differs("header:etag", expected, tag === "" ? "none" : excerpt(tag));
    const sent = parsed.sent("If-None-Match").join(", ");
    const isSent = sent === "*" || sent.includes(TAG.exec(tag)?.[1] ?? "");
    const [accept, coded] = ["Accept", "Accept-Encoding"].map((name) =>
      parsed.sent(name).join(", "),
    );
    const asked = `${place} for Accept: ${accept} and Accept-Encoding: ${coded}`;
    // Weakly, since a front weakens the tags of what it codes: the same is current that a caller
    // without a copy would get.
    const current = () =>
      agree(memory, `what is current of ${asked}`, TAG.exec(tag)?.[1] ?? tag, "header:etag");
    if (status === 304)
      return isSent ? current() : differs("header:etag", `304 with one of ${sent}`, tag);
    if (isSent && sent !== "") return differs("status", `304, since the caller has ${tag}`, "200");
    const what = `${parsed.mediaType} in ${parsed.coding}`;
    return (
      current() ??
      agree(memory, `the ETag of ${place} as ${what}`, tag, "header:etag") ??
      agree(memory, `the ETag of ${asked}`, tag, "header:etag") ??
      (tag.startsWith("W/")
        ? null
        : agree(memory, `what ${place} is under the ETag ${tag}`, what, "header:etag"))
    );
  };
  return (id: string, applies: (parsed: ParsedExchange) => boolean): Law =>
    law(id, (parsed) => isSuccess(parsed) && applies(parsed), check);
};
export const taggedLaw = tagged(TAG, 'one ETag such as "abc"');
export const stronglyTaggedLaw = tagged(
  /^"[\x21\x23-\x7e\x80-\xff]+"$/,
  'one strong ETag such as "abc"',
);

/** Whether a caller accepts this coding (RFC 9110, 12.5.3). */
export function takes(parsed: ParsedExchange, coding: string): boolean {
  const all = parsed.sent("Accept-Encoding").flatMap((value) => value.toLowerCase().split(","));
  const weights = new Map(
    all.map((text) => {
      const [name = "", weight = "q=1"] = text.split(";").map((part) => part.trim());
      return [name, Number(weight.replace("q=", ""))] as const;
    }),
  );
  return (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
}

/**
 * The content coding is one that the caller accepts, and the decoded content is the same for every
 * caller.
 */
export const codedLaw = (id: string, applies: (parsed: ParsedExchange) => boolean): Law =>
  law(
    id,
    (parsed) => hasContent(parsed) && applies(parsed),
    (parsed, memory) => {
      const { coding, decoded } = parsed;
      if (coding !== "identity" && !takes(parsed, coding))
        return differs(
          "header:content-encoding",
          "no coding but those that the caller takes",
          coding,
        );
      if (!decoded)
        return differs(
          "body",
          `bytes in ${coding}`,
          `${parsed.response.body.length} bytes that are not`,
        );
      return agree(memory, `${parsed.place} as ${parsed.mediaType}`, decoded.toString("latin1"));
    },
  );

/**
 * RFC 9110, 8.6: a response without content has no `Content-Length`, or that of the earlier 200
 * with the same tag.
 */
function noContent(parsed: ParsedExchange, memory: Memory): Difference | null {
  const [length] = parsed.values("content-length");
  const [tag] = parsed.values("etag");
  const known = `the length of what has the ETag ${tag}`;
  if (parsed.status === 200)
    memory.set(known, `${parsed.response.body.length + parsed.response.omitted}`);
  if (length === undefined || parsed.status === 200) return null;
  if (parsed.status === 204)
    return differs("header:content-length", "a 204 without Content-Length", length);
  const wanted = memory.get(known);
  // A representation has content: even if its 200 was not recorded, its length is not 0.
  if (wanted === undefined ? length !== "0" : length === wanted) return null;
  return differs("header:content-length", `none, or that of its 200, ${wanted ?? "not 0"}`, length);
}

const isWithoutContent = ({ status, isConnect }: ParsedExchange) =>
  (status === 204 || status === 304) && !isConnect;
/**
 * Of several requests on one connection, one may be HEAD: the body of a response must be there as
 * well.
 */
const isTagged = (parsed: ParsedExchange) =>
  parsed.status === 200 &&
  !parsed.isHead &&
  parsed.response.body.length > 0 &&
  parsed.values("etag").length > 0;

/**
 * One length in digits, or chunks, which HTTP/1.0 does not have (RFC 9112, 6); no coding that the
 * caller does not accept.
 */
function oneLength(parsed: ParsedExchange): Difference | null {
  const lengths = parsed.values("content-length");
  const coding = parsed.header("transfer-encoding");
  const isOne =
    lengths.length === 0 ||
    (lengths.length === 1 && coding === undefined && /^\d+$/.test(lengths[0] ?? ""));
  if (!isOne)
    return differs(
      "header:content-length",
      "one length in digits, or chunks",
      [...lengths, coding].join(", "),
    );
  if (coding !== undefined && parsed.request.version === "1.0")
    return differs("header:transfer-encoding", "a response without chunks to HTTP/1.0", coding);
  if (
    !parsed.isPredicted ||
    ["", "identity"].includes(parsed.coding) ||
    takes(parsed, parsed.coding)
  )
    return null;
  return differs(
    "header:content-encoding",
    "no coding but those that the caller accepts",
    parsed.coding,
  );
}

export const framingLaws: readonly Law[] = [
  law(
    "http/no-content-length",
    (parsed) => isWithoutContent(parsed) || isTagged(parsed),
    noContent,
  ),
  law("http/content-length", always, oneLength),
];
