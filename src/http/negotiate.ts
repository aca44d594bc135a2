import { type MediaType, parseMediaType } from "./media-type.ts";

const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** List elements; a comma inside a quoted string separates nothing. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

/**
 * The offered media type that `Accept` prefers (RFC 9110 12.5.1), the first one when it has no preference, `null` when
 * it excludes all. The most specific range decides about a type; parameters other than `q` are ignored, and so is a
 * header that is empty or breaks the grammar (D10). `offered` holds lower-case types without parameters.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | null {
  const ranges = rangesOf(accept ?? "");
  let best: string | null = null;
  let bestQuality = 0;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > bestQuality) [best, bestQuality] = [type, quality];
  }
  return best;
}

function rangesOf(accept: string): readonly MediaRange[] {
  const everything = [{ type: "*/*", quality: 1 }];
  const ranges: MediaRange[] = [];
  for (const [element] of accept.matchAll(ELEMENT)) {
    if (element.trim() === "") continue;
    const range = rangeOf(parseMediaType(element));
    if (!range) return everything;
    ranges.push(range);
  }
  return ranges.length > 0 ? ranges : everything;
}

function rangeOf(parsed: MediaType | null): MediaRange | null {
  if (!parsed) return null;
  const [weight = "1", ...others] = parsed.parameters.filter(({ name }) => name === "q").map(({ value }) => value);
  return others.length === 0 && QVALUE.test(weight) ? { type: parsed.type, quality: Number(weight) } : null;
}

function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const pattern of [type, type.replace(/\/.*/, "/*"), "*/*"]) {
    const matching = ranges.filter((range) => range.type === pattern);
    if (matching.length > 0) return Math.max(...matching.map(({ quality }) => quality));
  }
  return 0;
}
