import { type Check, checkAll, type Law } from "../checks/check.ts";
import { expectObject, expectSuccess, expectText, fail } from "../client/expect.ts";
import type { Aspect } from "../client/expectation.ts";
import { findOperation } from "../client/operation.ts";
import { excerpt, headTexts, Reply } from "../client/reply.ts";
import { objectIn } from "../client/wire/json.ts";
import { WORD } from "../client/word.ts";
import { type Contract, resolve, type Schema, successSchema } from "../oracle/contract.ts";
import { isDateTime, isObject } from "../oracle/schema.ts";
import { type Success, successLaw } from "./success.ts";

/** Laws for every success of an operation, and for every problem (D9, D10). */

const JSON_TYPE = /^application\/json[ \t]*;[ \t]*charset="?utf-8"?$/i;

/** A value of a body, with its schema if there is one. */
interface Member {
  readonly aspect: Aspect;
  readonly value: unknown;
  readonly schema: Schema;
}

/** Every value of a JSON body; list indices are wildcards. */
function membersOf(contract: Contract, value: unknown, given: Schema, place = ""): readonly Member[] {
  const schema = resolve(contract, given);
  const own: Member = { aspect: place === "" ? "body" : `body:/${place.slice(1)}`, value, schema };
  const inside = Array.isArray(value)
    ? value.map((each) => ["*", each, schema.items] as const)
    : Object.entries(isObject(value) ? value : {}).map(
        ([name, each]) => [name, each, schema.properties?.[name]] as const,
      );
  return [own, ...inside.flatMap(([name, each, one]) => membersOf(contract, each, one ?? {}, `${place}/${name}`))];
}

const known = new WeakMap<Success, readonly Member[]>();

function members(success: Success): readonly Member[] {
  const { json, contract, operation } = success;
  const all = known.get(success) ?? membersOf(contract, json, (operation && successSchema(operation)) ?? {});
  known.set(success, all);
  return all;
}

const isText = ({ reply }: Success) => reply.mediaType.startsWith("text/");
const ofOperation = (success: Success) => success.operation !== null;
const inJson = (success: Success) => ofOperation(success) && !isText(success);
const isObjectOfOne = (success: Success) => inJson(success) && success.json !== null;

function bareObject({ reply, operation, contract }: Success): void {
  const type = reply.header("content-type") ?? "";
  if (!JSON_TYPE.test(type))
    fail("header:content-type", "the media type application/json; charset=utf-8", type || "none");
  const body = expectObject(reply.json());
  if (reply.repeatsName) fail("body", "each member once", excerpt(reply.text));
  const { required = [] } = resolve(contract, (operation && successSchema(operation)) ?? {});
  const isWhole = (value: unknown) => isObject(value) && required.every((name) => name in value);
  const [envelope] = Object.entries(body).find(([, value]) => !isWhole(body) && isWhole(value)) ?? [];
  if (envelope !== undefined) fail("body", "a bare object, no envelope", `the response is in the member ${envelope}`);
}

function documented(success: Success): void {
  const { reply, operation } = success;
  const known = findOperation(operation?.id ?? "");
  if (!known) return;
  if (isText(success)) expectText(reply, known.id, reply.mediaType);
  else expectSuccess(reply, known.id);
}

function inUtc(success: Success): void {
  for (const { aspect, value, schema } of members(success)) {
    if (schema.format !== "date-time") continue;
    if (typeof value !== "string" || !value.endsWith("Z") || !isDateTime(value))
      fail(aspect, "a time of RFC 3339 in UTC that ends in Z", excerpt(JSON.stringify(value)));
  }
}

function withoutNull(success: Success): void {
  const found = members(success).find(({ value }) => value === null);
  if (found) fail(found.aspect, "a member without a value to be absent", "null");
}

/** Independent of what `Accept` prefers or excludes. */
const problemType: Law = (exchange, _, { predicted }) => {
  const { answer } = exchange;
  const accepts = predicted?.request.fields.some(([name]) => name.toLowerCase() === "accept");
  if (!answer || !accepts || !predicted?.prediction.code || answer.status !== predicted.prediction.status) return;
  const { mediaType } = new Reply(exchange, answer);
  if (mediaType !== "application/problem+json")
    fail("header:content-type", "a problem as application/problem+json", mediaType || "none");
};

/**
 * No problem repeats a word of its request; a request id may. A server that masks what it repeats may still show its beginning or
 * its end.
 */
const noEcho: Law = ({ request, answer }, _, { predicted }) => {
  if (!answer || answer.status < 400) return;
  const sent = predicted
    ? `${predicted.request.target} ${predicted.request.fields.join()} ${predicted.request.body}`
    : request.raw?.toString("latin1");
  const [word] = WORD.exec(sent?.toLowerCase() ?? "") ?? [];
  if (word === undefined) return;
  const find = (texts: readonly (readonly [Aspect, string])[], ...parts: readonly string[]) =>
    texts.find(([, one]) => parts.some((part) => one.toLowerCase().includes(part)));
  const head = headTexts(answer).filter(([aspect]) => aspect !== "header:x-request-id");
  const body = request.method === "HEAD" ? [] : bodyTexts(answer.body);
  const found = find(head, word) ?? find(body, word, word.slice(0, 4), word.slice(-4));
  if (found) fail(found[0], `nothing of the word ${word} of the request`, excerpt(found[1]));
};

/** A problem by its members; as a whole where it is no JSON object. */
function bodyTexts(body: Buffer): readonly (readonly [Aspect, string])[] {
  const object = objectIn(body);
  if (!object) return [["body", body.toString()]];
  const { requestId: _, ...problem } = object;
  return Object.entries(problem).map(([name, value]) => [`body:/${name}`, JSON.stringify([name, value])]);
}

export const answerLaws: readonly Check[] = [
  successLaw("answers/object", inJson, bareObject),
  successLaw("answers/schema#every-response", ofOperation, documented),
  successLaw("answers/times", isObjectOfOne, inUtc),
  successLaw("answers/absent-not-null", isObjectOfOne, withoutNull),
  checkAll("answers/problems-whatever-accept#every-response", problemType),
  checkAll("errors/no-echo#every-response", noEcho),
];
