import { isDeepStrictEqual } from "node:util";
import { codingOf } from "../client/coding.ts";
import { type Aspect, Expectation } from "../client/expectation.ts";
import { excerpt, excerpts, memberIn, Reply } from "../client/reply.ts";
import { decoded } from "../client/wire/content-coding.ts";
import type { Contract } from "../oracle/contract.ts";
import type { Prediction } from "../oracle/predict.ts";

const REPLAYED = "idempotent-replayed";

/** Compares a response with its prediction: throws an `Expectation` for the first difference. */

function fail(aspect: Aspect, expected: string, actual: string, said: Expectation["saidBy"] = null): never {
  throw new Expectation(aspect, expected, actual, said);
}

const received = (reply: Reply): string => {
  const code = reply.status >= 400 ? memberIn(reply.body, "code") : null;
  return `${reply.status} ${code ?? (reply.mediaType || "without a media type")}`;
};

const sorted = (list: string) =>
  list
    .split(/\s*,\s*/)
    .sort()
    .join(", ");

/** `401 credentials-missing`, and the alternatives that the contract allows. */
export function predictedText({ status, code, or = [], orStatus }: Prediction): string {
  const first = code ? `${status} ${code}` : `${status}`;
  return [first, ...or.map((one) => one ?? "a success"), ...(orStatus ? [`${orStatus}`] : [])].join(" or ");
}

/** Whether it is this relative address, below any path prefix: an address on another host begins with a scheme or two slashes. */
const isAddress = (value: string, location: string) =>
  value === location || (/^\/(?!\/)/.test(value) && value.endsWith(`/${location}`));

function withoutCoding(reply: Reply): Reply {
  const { answer } = reply.exchange;
  return !answer || codingOf(reply) === "identity" ? reply : new Reply(reply.exchange, decoded(answer));
}

/** `head`: of pipelined requests only the first is recorded, so the caller knows which were HEAD. */
export function compare(
  received: Reply,
  prediction: Prediction,
  contract: Contract,
  head = received.exchange.request.method === "HEAD",
): void {
  const reply = head ? received : withoutCoding(received);
  const code = head ? null : memberIn(reply.body, "code");
  if (isAllowed(reply, prediction, contract, code)) return;
  compareStatus(reply, prediction, head ? undefined : code);
  const { operation, allow, location, orLocation, mediaType, places } = prediction;
  if (allow !== undefined && sorted(reply.header("allow") ?? "") !== sorted(allow))
    fail("header:allow", `Allow: ${allow}`, `Allow: ${reply.header("allow") ?? "none"}`);
  if (reply.header("x-operation") !== operation?.id)
    fail("header:x-operation", `X-Operation: ${operation?.id ?? "none"}`, reply.header("x-operation") ?? "none");
  const locations = [location, orLocation].filter((one) => one !== undefined);
  if (location !== undefined && !locations.some((one) => isAddress(reply.header("location") ?? "", one)))
    fail("header:location", `Location: ${location}`, reply.header("location") ?? "none");
  if (location === undefined && reply.status < 300 && reply.header("location") !== undefined)
    fail("header:location", "no Location", reply.header("location") ?? "");
  if (mediaType && reply.mediaType !== mediaType) fail("header:content-type", mediaType, reply.mediaType || "none");
  if (prediction.code === null && reply.status < 300) compareReplay(reply, prediction);
  if (places && !head) comparePlaces(reply, places, contract.limits.faults);
}

/** The record created by the first call, marked as a replay; no other response is marked so. */
function compareReplay(reply: Reply, { replayed }: Prediction): void {
  const said = reply.header(REPLAYED);
  if (!replayed && said !== undefined) fail(`header:${REPLAYED}`, "no Idempotent-Replayed", said);
  if (!replayed) return;
  const [first, now] = [replayed.body, reply.json()];
  if (!isDeepStrictEqual(first, now)) fail("body", ...excerpts(JSON.stringify(first), JSON.stringify(now)));
  if (said !== "true") fail(`header:${REPLAYED}`, "Idempotent-Replayed: true", said ?? "none");
}

/** Whether the contract allows alternatives, and this is one. */
function isAllowed(reply: Reply, { or = [], orStatus }: Prediction, contract: Contract, code: string | null): boolean {
  if (orStatus !== undefined && reply.status === orStatus) return true;
  return or.some((one) => {
    if (one === null) return reply.status < 400;
    return reply.status === contract.problems[one]?.status && (code === one || code === null);
  });
}

function compareStatus(reply: Reply, prediction: Prediction, code: string | null | undefined): void {
  const { status } = prediction;
  const expected = predictedText(prediction);
  const isRejected = reply.status >= 400;
  // One fault is reported under one requirement: a right code with a wrong status, or a missing code, under those for all
  // problems.
  if (isRejected && code && code === prediction.code && reply.status !== status)
    fail("status", expected, received(reply), "errors/status");
  if (reply.status !== status) fail("status", expected, received(reply));
  if (prediction.code === null || code === undefined) return;
  if (code === null) fail("body:/code", expected, `${reply.status} ${excerpt(reply.text)}`, "errors/members");
  if (code !== prediction.code) fail("body:/code", expected, received(reply));
}

/** A place in a body begins with `#` and is a pointer; any other is the name of a parameter. */
function placeOf(fault: unknown): string {
  const { pointer, parameter } = Object(fault);
  const [member, place] = pointer === undefined ? ["parameter", String(parameter)] : ["pointer", String(pointer)];
  return place.startsWith("#") === (member === "pointer") ? place : `the ${member} ${place}`;
}

function comparePlaces(reply: Reply, places: readonly string[], most: number): void {
  const { errors } = Object(reply.json());
  const listed: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const named = listed.map(placeOf);
  const missing = places.filter((place) => !named.includes(place));
  const more = named.filter((place) => !places.includes(place));
  if (more.length === 0 && (missing.length === 0 || named.length >= most)) return;
  const text = (some: readonly string[]) => [...some].sort().join(", ") || "none";
  fail("body:/errors", `faults at ${text(places)}`, `faults at ${text(named)}`);
}
