import secureJson from "secure-json-parse";
import { Problem } from "../problem.ts";

// The byte order mark is kept, so that it is refused below like any other character that is not JSON.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = "\ufeff";

/** A string that does not end is one too, or the search would begin again at each of its escaped quotes. */
const STRING_OR_BRACKET = /"(?:[^"\\]+|\\.)*"?|[{}[\]]/gs;

/**
 * The JSON object in `bytes`. Throws `malformed-json` (D7) when they are not UTF-8 without a byte order mark, not
 * JSON, not an object, nested deeper than `maxDepth` (the object itself is level 1), or hold a member `__proto__`.
 */
export function parseJsonObject(bytes: Buffer, maxDepth: number): Record<string, unknown> {
  const value = parseSafely(bytes, maxDepth);
  if (!isObject(value)) throw new Problem("malformed-json");
  return value;
}

function parseSafely(bytes: Buffer, maxDepth: number): unknown {
  try {
    const text = utf8.decode(bytes);
    // The parser would strip the mark.
    if (text.startsWith(BYTE_ORDER_MARK) || depthOf(text) > maxDepth)
      throw new SyntaxError("byte order mark or too deep");
    return secureJson.parse(text, null, { protoAction: "error", constructorAction: "ignore" });
  } catch (cause) {
    throw new Problem("malformed-json", { cause });
  }
}

/** How deep brackets nest outside strings. Counted before parsing, which would recurse into them. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(STRING_OR_BRACKET)) {
    if (token === "{" || token === "[") deepest = Math.max(deepest, ++depth);
    else if (token === "}" || token === "]") depth--;
  }
  return deepest;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
