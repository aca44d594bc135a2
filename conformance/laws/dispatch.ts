import type { Difference, Memory } from "../exchange.ts";
import { type Contract, mayChange, pageItemOf } from "../oracle/contract.ts";
import { differs, firstOf, withWord } from "./difference.ts";
import { type Law, law } from "./law.ts";
import type { ParsedExchange } from "./parsed-exchange.ts";

/** Laws for every response, however the operation is named (D3, D12). */

/** The response names the operation that the request names, and none if it is unknown. */
function named(parsed: ParsedExchange): Difference | null {
  const said = parsed.values("x-operation").join(", ");
  const expected = parsed.operation?.id;
  if (said === (expected ?? "")) return null;
  const actual = `${said || "none"} with status ${parsed.status}`;
  return differs("header:x-operation", `X-Operation: ${expected ?? "none"}`, actual);
}

/** Shorter names may be in a response by chance. */
const LEAST = 8;

/**
 * The name that no operation has; null if it may be in a response anyway: part of a known name, or
 * one between blanks or marks, or a word of the contract.
 */
function unknownName({
  contract,
  exchange: { prediction },
  reading: { name },
}: ParsedExchange): string | null {
  if (prediction?.code !== "operation-not-found" || typeof name !== "string" || name.length < LEAST)
    return null;
  const names = Object.values(contract.operations).flatMap((one) => [one.name, ...one.known]);
  const known = JSON.stringify([names, contract.problems]).toLowerCase();
  const word = name.toLowerCase().replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "");
  return known.includes(word) ? null : name.toLowerCase();
}

/** The name of an unknown operation is not in the response, in any spelling. */
function noEcho(parsed: ParsedExchange): Difference | null {
  const name = unknownName(parsed) ?? "";
  const spellings = [name, Buffer.from(name).toString("base64").slice(0, -4).toLowerCase()];
  return withWord(parsed.parts, spellings, "the name of an unknown operation not to be repeated");
}

/**
 * HEAD as GET (D5): each is compared with the last response to the same request by the other
 * method.
 */

/** Fields that differ between two responses to the same request, or belong to the connection. */
const VOLATILE = new Set([
  "date",
  "age",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "server-timing",
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
]);
/**
 * Fields that the contract defines. For any other only its presence is compared: its value may be
 * new in each response.
 */
const DEFINED = new RegExp(
  "^(?:content-|access-control-|x-|accept|referrer-|" +
    "(?:etag|link|location|allow|vary|www-authenticate|cache-control)$)",
);

/**
 * One side of a metamorphic relation: GET and HEAD of one target have the same status and fields.
 */
interface RepresentationSeen {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  /**
   * Whether the body is the same each time: a stored representation, or a problem with the caller's
   * id.
   */
  readonly isFixed: boolean;
}

function seenOf(parsed: ParsedExchange): RepresentationSeen {
  const names = new Set(
    parsed.response.fields.map(([name]) => name.toLowerCase()).filter((one) => !VOLATILE.has(one)),
  );
  const fields = Object.fromEntries([...names].map((name) => [name, parsed.header(name) ?? ""]));
  const isStored = "etag" in fields && !parsed.listed("cache-control").has("no-store");
  const hasOwnId = parsed.sent("X-Request-Id").length > 0;
  return { status: parsed.status, fields, isFixed: isStored || (parsed.status >= 400 && hasOwnId) };
}

const relations = (link = "") => link.match(/[<,]|rel=[^;,]*/g)?.join() ?? "";

/** Two requests with the same key differ at most in their method. */
const keyOf = ({ request: { target, fields, body, version = "1.1" } }: ParsedExchange) =>
  JSON.stringify([target, fields, body, version]);
/** Longer requests are not remembered. */
const MOST_REMEMBERED = 4000;

/** Whether a command may remove records. */
const mayLose = ({ operations }: Contract) => Object.values(operations).some(mayChange);

function asGet(parsed: ParsedExchange, memory: Memory): Difference | null {
  const key = keyOf(parsed);
  if (key.length > MOST_REMEMBERED) return null;
  const representationSeen = seenOf(parsed);
  const otherMethod = parsed.isHead ? "GET" : "HEAD";
  memory.set(`${parsed.request.method} ${key}`, JSON.stringify(representationSeen));
  const text = memory.get(`${otherMethod} ${key}`);
  if (text === undefined) return null;
  const twin: RepresentationSeen = JSON.parse(text);
  const [head, get] = parsed.isHead ? [representationSeen, twin] : [twin, representationSeen];
  // A list may grow between two requests.
  const isPaged =
    parsed.operation !== null &&
    pageItemOf(parsed.contract, parsed.operation) !== null &&
    parsed.status < 300;
  // What one of them found may be gone at the other.
  const mayDiffer = parsed.exchange.prediction?.or !== undefined && mayLose(parsed.contract);
  if (head.status !== get.status)
    return mayDiffer
      ? null
      : differs("status", `the status of GET, ${get.status}`, `${head.status} to HEAD`);
  // Between the two a page may have lost what it had.
  const isShrunk = isPaged && mayLose(parsed.contract);
  return firstOf(new Set([...Object.keys(get.fields), ...Object.keys(head.fields)]), (name) => {
    const [wanted, said] = [get.fields[name], head.fields[name]];
    const isAbsentOnce = wanted === undefined || said === undefined;
    // For a chunked body, HEAD may have the length, or none (RFC 9110, 8.6).
    if (wanted === said || (isAbsentOnce && name === "content-length")) return null;
    // A list may grow, and of two requests in parallel the one that is checked last may have been
    // answered first: the model, which knows the items at each moment, finds a missing link.
    if (isShrunk && (name === "link" || name === "content-length" || name === "etag")) return null;
    if (name === "link" && isPaged && (isAbsentOnce || relations(wanted) === relations(said)))
      return null;
    const difference = differs(
      `header:${name}`,
      `${name} as to GET, ${wanted ?? "none"}`,
      `${said ?? "none"} to HEAD`,
    );
    if (isAbsentOnce) return difference;
    if (!DEFINED.test(name) || (name === "etag" && !get.isFixed)) return null;
    const varies = name === "content-length" && (isPaged || !get.isFixed || !head.isFixed);
    return varies && (said === "0") === (wanted === "0") ? null : difference;
  });
}

const isGetOrHead = (parsed: ParsedExchange) =>
  parsed.isPredicted && (parsed.isHead || parsed.request.method === "GET");

export const dispatchLaws: readonly Law[] = [
  // An unpredicted rejection may come from a proxy: its own requirement reports it.
  law(
    "dispatch/x-operation",
    (parsed) => parsed.status === parsed.exchange.prediction?.status,
    named,
  ),
  law("dispatch/no-echo", (parsed) => unknownName(parsed) !== null, noEcho),
  law("dispatch/head", isGetOrHead, asGet),
];
