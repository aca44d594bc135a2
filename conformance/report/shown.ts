import type { Exchange } from "../client/wire/exchange.ts";
import { shortened, visible } from "./exchange-text.ts";
import type { Failure } from "./report.ts";

/** A failure in few words, for the reports that people read. */

/** Maximum characters of a request, and of each side of a finding. */
const SHOWN = 300;
/** Differences that are listed; the exchange has the others. */
const MOST = 8;

/** Fields that every request has, whatever it is about. */
const USUAL = /^(?:host|connection|content-length|user-agent|accept|accept-encoding):/i;

/** The request without its usual fields: what it takes to understand the finding, and not more. */
export function requestText({ request }: Exchange): string {
  const { method, url, headers, body, raw } = request;
  const path = url.replace(/^\w+:\/\/[^/]+/, "");
  const [head = "", ...content] = raw
    ? raw.toString("latin1").replaceAll("\r\n", "\n").split("\n\n")
    : [
        [`${method} ${path}`, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\n"),
        ...(body.length > 0 ? [body.toString()] : []),
      ];
  const [start = "", ...fields] = head.split("\n");
  const text = [start.replace(/ HTTP\/1\.1$/, ""), ...fields.filter((field) => !USUAL.test(field) || isOdd(field))];
  const rest = content.join("\n\n");
  return visible(shortened([...text, ...(rest === "" ? [] : [rest])].join("\n"), SHOWN));
}

/** A usual field with a value of its own. */
const isOdd = (field: string) => /^(?:accept|accept-encoding):\s*\S/i.test(field);

/** Quoted JSON as it was sent: `"{\"a\":1}"` is `{"a":1}`. What is cut off stays cut off. */
export function unquoted(text: string): string {
  return text.replace(/(?<=^|[\s…])"[[{](?:[^"\\]|\\.)*"/g, (quoted) => String(parsed(quoted) ?? quoted));
}

/** The value of a JSON text; undefined if it is none, as a target may send anything. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Both sides of a finding: in full, the remark of each, and where the two are JSON their differences. */
export function sidesOf({ expected, actual }: Failure): {
  readonly expected: string;
  readonly actual: string;
  readonly differences: readonly string[];
} {
  const [left, right] = [unquoted(expected), unquoted(actual)];
  const [one, other] = [jsonIn(left), jsonIn(right)];
  return { expected: left, actual: right, differences: one && other ? differencesOf(one, other) : [] };
}

/** The JSON object or list that a text is, apart from a remark in brackets; null for any other text. */
function jsonIn(text: string): object | null {
  const value = parsed(text.replace(/ \([^)]*\)$/, ""));
  return typeof value === "object" ? value : null;
}

/** A line for each place where two values differ: `/items/0/createdAt  expected "…", got nothing`. */
export function differencesOf(expected: unknown, actual: unknown): string[] {
  const all = [...differing(expected, actual, "")];
  return all.length > MOST ? [...all.slice(0, MOST), `and ${all.length - MOST} more`] : all;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function* differing(one: unknown, other: unknown, at: string): Generator<string> {
  if (isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
      yield* differing(one[name], other[name], `${at}/${name}`);
    return;
  }
  // A placeholder of an expected text, `{uuid 3}`: its form was checked.
  if (one === other || (typeof one === "string" && /^\{.*\}$/.test(one) && typeof other === "string")) return;
  const text = (value: unknown) => (value === undefined ? "nothing" : shortened(JSON.stringify(value), SHOWN));
  yield `${at || "/"}  expected ${text(one)}, got ${text(other)}`;
}
