import type { Difference, Memory } from "../exchange.ts";
import { pageItemOf } from "../oracle/contract.ts";
import { differs, firstOf } from "./difference.ts";
import { law, type ViewLaw } from "./law.ts";
import type { View } from "./view.ts";

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
  /** Whether the body is the same each time: a stored representation, or a problem with the caller's id. */
  readonly isFixed: boolean;
}

function seenOf(view: View): Seen {
  const names = new Set(view.response.fields.map(([name]) => name.toLowerCase()).filter((one) => !VOLATILE.has(one)));
  const fields = Object.fromEntries([...names].map((name) => [name, view.header(name) ?? ""]));
  const isStored = "etag" in fields && !view.listed("cache-control").has("no-store");
  const hasOwnId = view.sent("X-Request-Id").length > 0;
  return { status: view.status, fields, isFixed: isStored || (view.status >= 400 && hasOwnId) };
}

const relations = (link = "") => link.match(/[<,]|rel=[^;,]*/g)?.join() ?? "";

/** Two requests with the same key differ at most in their method. */
const keyOf = ({ request: { target, fields, body, version = "1.1" } }: View) =>
  JSON.stringify([target, fields, body, version]);
/** Longer requests are not remembered. */
const MOST_REMEMBERED = 4000;

function asGet(view: View, memory: Memory): Difference | null {
  const key = keyOf(view);
  if (key.length > MOST_REMEMBERED) return null;
  const own = seenOf(view);
  const other = view.isHead ? "GET" : "HEAD";
  memory.set(`${view.request.method} ${key}`, JSON.stringify(own));
  const text = memory.get(`${other} ${key}`);
  if (text === undefined) return null;
  const twin: Seen = JSON.parse(text);
  const [head, get] = view.isHead ? [own, twin] : [twin, own];
  // A list may grow between two requests.
  const isPaged = view.operation !== null && pageItemOf(view.contract, view.operation) !== null && view.status < 300;
  if (head.status !== get.status)
    return differs("status", `the status of GET, ${get.status}`, `${head.status} to HEAD`);
  return firstOf(new Set([...Object.keys(get.fields), ...Object.keys(head.fields)]), (name) => {
    const [wanted, said] = [get.fields[name], head.fields[name]];
    const isAbsentOnce = wanted === undefined || said === undefined;
    if (wanted === said || isAllowed(name, wanted, said, isPaged)) return null;
    const difference = differs(`header:${name}`, `${name} as to GET, ${wanted ?? "none"}`, `${said ?? "none"} to HEAD`);
    if (isAbsentOnce) return difference;
    if (!DEFINED.test(name) || (name === "etag" && !get.isFixed)) return null;
    const varies = name === "content-length" && (isPaged || !get.isFixed || !head.isFixed);
    return varies && (said === "0") === (wanted === "0") ? null : difference;
  });
}

/**
 * For a chunked body, HEAD may have the length, or none (RFC 9110, 8.6). A list may grow, and of two requests in parallel the one that
 * is checked last may have been answered first: the model, which knows the items at each moment, finds a missing link.
 */
function isAllowed(name: string, wanted: string | undefined, said: string | undefined, isPaged: boolean): boolean {
  const isAbsentOnce = wanted === undefined || said === undefined;
  if (name === "content-length") return isAbsentOnce;
  return name === "link" && isPaged && (isAbsentOnce || relations(wanted) === relations(said));
}

const isGetOrHead = (view: View) => view.isPredicted && (view.isHead || view.request.method === "GET");

export const headLaws: readonly ViewLaw[] = [law("dispatch/head", isGetOrHead, asGet)];
