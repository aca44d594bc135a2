import { type Check, checkAll, type Law } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import type { Aspect } from "../client/expectation.ts";
import { memberIn } from "../client/reply.ts";
import type { Answer } from "../client/wire/exchange.ts";
import { pageItemOf } from "../oracle/contract.ts";
import type { Request } from "../oracle/world.ts";

/** HEAD as GET (D5): each is compared with the last response to the same request by the other method. */

/** Fields that differ between two responses to the same request, or belong to the connection. */
const VOLATILE = new Set([
  ...["date", "age", "connection", "keep-alive", "transfer-encoding", "server-timing", "x-request-id"],
  ...["ratelimit", "ratelimit-policy", "retry-after"],
]);
/** Fields that the contract defines. For any other only its presence is compared: its value may be new in each response. */
const DEFINED =
  /^(?:content-|access-control-|x-|etag$|link$|location$|allow$|vary$|accept|www-authenticate$|cache-control$|referrer-)/;

interface Seen {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the length of the body is the same each time, for the same method. */
  readonly isFixed: boolean;
}

function seenOf({ status, headers, body }: Answer, request: Request): Seen {
  const fields: Record<string, string> = {};
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (!VOLATILE.has(lower)) fields[lower] = lower in fields ? `${fields[lower]}, ${value}` : value;
  }
  // `sysinfo` (D27) and the landing page (D29) name the method.
  const namesMethod = memberIn(body, "requestMethod") !== null || /^\/(?:\?|$)/.test(request.target);
  const hasOwnId = request.fields.some(([name]) => /^x-request-id$/i.test(name));
  return { status, fields, isFixed: !namesMethod && ("etag" in fields || (status >= 400 && hasOwnId)) };
}

const relations = (link = "") => link.match(/[<,]|rel=[^;,]*/g)?.join() ?? "";

/** Two requests with the same key differ at most in their method. */
export const keyOf = ({ target, fields: headers, body, version }: Request) =>
  JSON.stringify([target, headers, body, version]);
/** Longer requests are not remembered. */
const MOST_REMEMBERED = 4000;

const asGet: Law = ({ answer }, _, { predicted, memory }) => {
  const method = predicted?.request.method;
  if (!answer || !predicted || (method !== "GET" && method !== "HEAD")) return;
  const { request, prediction, contract } = predicted;
  const { operation } = prediction;
  // A list may grow between two requests.
  const isPaged = operation !== null && pageItemOf(contract, operation) !== null && answer.status < 300;
  const key = keyOf(request);
  if (key.length > MOST_REMEMBERED) return;
  const own = seenOf(answer, request);
  memory.set(`${method} ${key}`, JSON.stringify(own));
  const text = memory.get(`${method === "HEAD" ? "GET" : "HEAD"} ${key}`);
  if (text === undefined) return;
  const other = JSON.parse(text) as Seen; // Written above.
  const [head, get] = method === "HEAD" ? [own, other] : [other, own];
  if (head.status !== get.status) fail("status", `the status of GET, ${get.status}`, `${head.status} to HEAD`);
  for (const name of new Set([...Object.keys(get.fields), ...Object.keys(head.fields)])) {
    const aspect: Aspect = `header:${name}`;
    const [wanted, value] = [get.fields[name], head.fields[name]];
    // A list may grow, and of two requests in parallel the one that is judged last may have been answered first. The model, which
    // knows the items at each moment, finds a missing link.
    const isAbsentOnce = wanted === undefined || value === undefined;
    if (name === "link" && isPaged && (isAbsentOnce || relations(wanted) === relations(value))) continue;
    // For a chunked body, HEAD may have the length, or none (RFC 9110, 8.6).
    const isOptional = name === "content-length" && isAbsentOnce;
    if (wanted === value || isOptional) continue;
    if (isAbsentOnce) fail(aspect, `${name} as to GET, ${wanted ?? "absent"}`, `${value ?? "none"} to HEAD`);
    if (!DEFINED.test(name)) continue;
    if (name === "etag" && !get.isFixed) continue;
    const isLength = name === "content-length" && (isPaged || !get.isFixed || !head.isFixed);
    if (isLength && (value === "0") === (wanted === "0")) continue;
    fail(aspect, `${name} as to GET, ${wanted}`, `${value} to HEAD`);
  }
};

export const headLaws: readonly Check[] = [checkAll("dispatch/head", asGet)];
