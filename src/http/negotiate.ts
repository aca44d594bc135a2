import { type MediaType, mediaTypeAt } from "./media-type.ts";

const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** What stands between two elements of a list: empty elements are none. */
const BETWEEN = /[ \t,]*/y;
const ANYTHING: Ranges = new Map([["*/*", 1]]);

/** The highest quality that is given to each range. */
type Ranges = ReadonlyMap<string, number>;

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

/** In one pass, which ends at what breaks the grammar: anybody may send kilobytes of this. */
function rangesOf(accept: string): Ranges {
  const ranges = new Map<string, number>();
  for (let at = 0; ; ) {
    BETWEEN.lastIndex = at;
    BETWEEN.test(accept);
    at = BETWEEN.lastIndex;
    if (at === accept.length) return ranges.size > 0 ? ranges : ANYTHING;
    const range = mediaTypeAt(accept, at);
    const quality = range && (accept[range.end] ?? ",") === "," ? qualityIn(range) : null;
    if (!range || quality === null) return ANYTHING;
    ranges.set(range.type, Math.max(quality, ranges.get(range.type) ?? 0));
    at = range.end;
  }
}

function qualityIn({ parameters }: MediaType): number | null {
  const [weight = "1", ...others] = parameters.filter(({ name }) => name === "q").map(({ value }) => value);
  return others.length === 0 && QVALUE.test(weight) ? Number(weight) : null;
}

function qualityOf(type: string, ranges: Ranges): number {
  return ranges.get(type) ?? ranges.get(type.replace(/\/.*/, "/*")) ?? ranges.get("*/*") ?? 0;
}
