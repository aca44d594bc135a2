import type { ParsedRequest } from "./parsed-request.ts";

/** Content negotiation (D10; RFC 9110, 12.5.1). */

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const RANGE = new RegExp(
  `^(${TOKEN}/${TOKEN})[ \\t]*((?:;[; \\t]*(?:${TOKEN}=(?:${TOKEN}|${QUOTED})[ \\t]*)?)*)$`,
);
const PARAMETER = new RegExp(`;[; \\t]*(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")`, "g");
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** An element of a list: commas in quotes do not end it. */
const ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;

/**
 * The preferred of these media types, the first one without a preference; null if `Accept` excludes
 * all.
 */
export function mediaTypeFor(r: ParsedRequest, offered: readonly string[]): string | null {
  const [first = null] = offered;
  const ranges = rangesOf(r);
  if (ranges === null || ranges.size === 0) return first;
  const quality = (type: string) =>
    ranges.get(type) ?? ranges.get(type.replace(/\/.*/, "/*")) ?? ranges.get("*/*") ?? 0;
  const best = Math.max(...offered.map(quality));
  if (r.points.holds("Accept excludes every representation", best <= 0)) return null;
  return offered.find((type) => quality(type) === best) ?? first;
}

/** The highest weight of each range; null if the field is malformed, and so ignored. */
function rangesOf(r: ParsedRequest): ReadonlyMap<string, number> | null {
  const ranges = new Map<string, number>();
  const elements = r.fields("Accept").join(",").match(ELEMENT) ?? [];
  for (const element of elements
    .map((one) => one.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((one) => one !== "")) {
    const weight = weightOf(r, element);
    if (weight !== null) ranges.set(weight.type, Math.max(weight.q, ranges.get(weight.type) ?? 0));
    else if (r.points.holds("a malformed Accept is ignored", true)) return null;
  }
  return ranges;
}

function weightOf(
  r: ParsedRequest,
  element: string,
): { readonly type: string; readonly q: number } | null {
  const [, type, parameters = ""] = RANGE.exec(element) ?? [];
  if (type === undefined) return null;
  const weights = [...parameters.matchAll(PARAMETER)]
    .filter(([, name]) => name?.toLowerCase() === "q")
    .map(([, , token, quoted]) => token ?? quoted?.replace(/\\(.)/g, "$1") ?? "");
  const [weight = "1", ...otherWeights] = weights;
  if (otherWeights.length > 0 || !r.points.form("a weight", weight, WEIGHT)) return null;
  return { type: type.toLowerCase(), q: Number(weight) };
}
