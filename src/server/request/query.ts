import { Problem } from "../problem.ts";

/**
 * The parameters of a query, decoded (D2). `search` is what follows the `?`, in ASCII: Node's parser rejects other bytes. Throws
 * `malformed-query` for bad percent-encoding and for what it encodes if that is not UTF-8, `parameter-repeated` for a name that occurs
 * twice, in any spelling.
 */
export function parseQuery(search: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of search.replaceAll("+", " ").split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1));
    if (parameters.has(name)) throw new Problem("parameter-repeated");
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new Problem("malformed-query", { cause });
  }
}
