import { Problem } from "../problem.ts";

/**
 * The parameters of a query, decoded (D2). `search` is what follows the `?`, in ASCII: Node's
 * parser rejects other bytes. Throws `malformed-query` for bad percent-encoding and for what it
 * encodes if that is not UTF-8, `parameter-repeated` for a name that occurs twice, in any spelling.
 */
export function parseQuery(search: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const { text, read } = decoder(search);
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = read(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : read(pair.slice(equals + 1));
    if (parameters.has(name)) throw new Problem("parameter-repeated");
    parameters.set(name, value);
  }
  return parameters;
}

/**
 * The query decoded as a whole as far as possible, which takes a tenth of the time, and what
 * remains to be done for its parts.
 */
function decoder(search: string): {
  readonly text: string;
  readonly read: (part: string) => string;
} {
  const text = search.replaceAll("+", " ");
  const decoded = text.includes("%") ? decode(text) : text;
  return SEPARATOR.test(text) ? { text, read: decode } : { text: decoded, read: (part) => part };
}

/** `&` or `=` percent-encoded: no separator once names and values are split. */
const SEPARATOR = /%(?:26|3d)/i;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new Problem("malformed-query", { cause });
  }
}
