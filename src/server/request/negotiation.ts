const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED =
  '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';
const TYPE = new RegExp(`[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*`, "y");
const CODING = new RegExp(`[ \\t]*(${TOKEN})[ \\t]*`, "y");
/**
 * Nothing between two semicolons is allowed. Blanks belong to the item before them, so the grammar
 * is unambiguous.
 */
const PARAMETER = new RegExp(`;[; \\t]*(?:(${TOKEN})=(?:(${TOKEN})|(${QUOTED}))[ \\t]*)?`, "y");

/** A media type, media range or content coding: names in lower case, values without quotes. */
interface MediaType {
  readonly type: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Reads an element, by default a media type, by the grammar of RFC 9110 8.3.1 and 5.6.6, with
 * blanks around it, and returns where it ends; null where none begins. Each byte is read once; the
 * caller decides what may follow an element.
 */
function elementAt(
  text: string,
  start: number,
  form = TYPE,
): (MediaType & { readonly end: number }) | null {
  form.lastIndex = start;
  const type = form.exec(text)?.[1];
  if (type === undefined) return null;
  let end = form.lastIndex;
  const parameters: { name: string; value: string }[] = [];
  while (text[end] === ";") {
    PARAMETER.lastIndex = end;
    const [whole = ";", name, token, quoted = ""] = PARAMETER.exec(text) ?? [];
    end += whole.length;
    if (name !== undefined)
      parameters.push({
        name: name.toLowerCase(),
        value: token ?? quoted.slice(1, -1).replace(/\\(.)/g, "$1"),
      });
  }
  return { type: type.toLowerCase(), parameters, end };
}

/** The media type of the text, and `null` for anything else. */
export function parseMediaType(text: string): MediaType | null {
  const read = elementAt(text, 0);
  return read?.end === text.length ? read : null;
}

const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** What separates two elements of a list: empty elements are ignored. */
const BETWEEN = /[ \t,]*/y;
const ANYTHING: Ranges = new Map([["*/*", 1]]);

/** The highest quality of each range. */
type Ranges = ReadonlyMap<string, number>;

/**
 * The offered media type that `Accept` prefers (RFC 9110 12.5.1), the first one when it has no
 * preference, `null` when it excludes all. The most specific range decides about a type; parameters
 * other than `q` are ignored, and so is a header that is empty or breaks the grammar (D10).
 * `offered` holds lower-case types without parameters.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | null {
  // Sent by most clients that have no preference.
  if (accept === undefined || accept === "*/*") return offered[0] ?? null;
  const ranges = rangesOf(accept);
  let best: string | null = null;
  let bestQuality = 0;
  for (const type of offered) {
    const quality =
      ranges.get(type) ?? ranges.get(type.replace(/\/.*/, "/*")) ?? ranges.get("*/*") ?? 0;
    if (quality > bestQuality) [best, bestQuality] = [type, quality];
  }
  return best;
}

/**
 * In one pass, which ends at the first violation of the grammar: any client may send kilobytes of
 * this.
 */
function rangesOf(accept: string): Ranges {
  const ranges = new Map<string, number>();
  for (let position = 0; ; ) {
    BETWEEN.lastIndex = position;
    BETWEEN.test(accept);
    position = BETWEEN.lastIndex;
    if (position === accept.length) return ranges.size > 0 ? ranges : ANYTHING;
    const range = elementAt(accept, position);
    const quality = range && (accept[range.end] ?? ",") === "," ? qualityIn(range) : null;
    if (!range || quality === null) return ANYTHING;
    ranges.set(range.type, Math.max(quality, ranges.get(range.type) ?? 0));
    position = range.end;
  }
}

function qualityIn({ parameters }: MediaType): number | null {
  const [weight = "1", ...otherWeights] = parameters
    .filter(({ name }) => name === "q")
    .map(({ value }) => value);
  return otherWeights.length === 0 && QVALUE.test(weight) ? Number(weight) : null;
}

/**
 * The weight that `Accept-Encoding` gives to each coding (RFC 9110 12.5.3); an element that breaks
 * the grammar counts for nothing.
 */
export function codingWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(",")) {
    const coding = elementAt(element, 0, CODING);
    if (coding?.end !== element.length || coding.parameters.some(({ name }) => name !== "q"))
      continue;
    const weight = qualityIn(coding);
    if (weight !== null) weights.set(coding.type, weight);
  }
  return weights;
}
