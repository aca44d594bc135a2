import secureJson from "secure-json-parse";
import { Problem } from "../protocol/problem.ts";

// The byte order mark is kept, so that it is refused below like any other character that is not JSON.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = "\ufeff";

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [ARRAY, OBJECT, ARRAY_END, OBJECT_END] = [0x5b, 0x7b, 0x5d, 0x7d];

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
    if (isDeeper(bytes, maxDepth)) throw new SyntaxError("too deep");
    const text = utf8.decode(bytes);
    // The parser would strip the mark.
    if (text.startsWith(BYTE_ORDER_MARK)) throw new SyntaxError("byte order mark");
    return secureJson.parse(text, null, { protoAction: "error", constructorAction: "ignore" });
  } catch (cause) {
    throw new Problem("malformed-json", { cause });
  }
}

/**
 * Whether brackets outside strings nest deeper. Of the bytes, not of the value: what a later member of the same name
 * replaces counts too (D7). Stops at the limit; in UTF-8 no byte of a longer character looks like one of these.
 */
function isDeeper(bytes: Buffer, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === ARRAY || byte === OBJECT) depth++;
    else if (byte === ARRAY_END || byte === OBJECT_END) depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
