import secureJson from "secure-json-parse";
import { Problem } from "../protocol/problem.ts";

// The byte order mark is kept, so that it is rejected below like any other character that is not JSON.
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
    const text = utf8.decode(bytes);
    // The parser would remove the mark.
    if (text.startsWith(BYTE_ORDER_MARK)) throw new SyntaxError("byte order mark");
    if (hasMoreBrackets(text, maxDepth) && isDeeper(bytes, maxDepth)) throw new SyntaxError("too deep");
    if (!mayHoldProto(text)) return JSON.parse(text);
    return secureJson.parse(text, null, { protoAction: "error", constructorAction: "ignore" });
  } catch (cause) {
    throw new Problem("malformed-json", { cause });
  }
}

const OPENING = ["{", "["];

/** Whether the text has more opening brackets: otherwise it cannot nest deeper. Native searches, since most bodies have few. */
function hasMoreBrackets(text: string, most: number): boolean {
  let found = 0;
  for (const bracket of OPENING)
    for (let at = text.indexOf(bracket); at >= 0 && found <= most; at = text.indexOf(bracket, at + 1)) found++;
  return found > most;
}

/**
 * Whether a member may be named `__proto__`, literally or escaped: a closer look needs a regular expression. Searched by the end
 * of the name, since a native search is fast when the first character is rare.
 */
const mayHoldProto = (text: string): boolean => text.includes("\\") || text.includes('proto__"');

/**
 * Whether brackets outside strings nest deeper. Counted in the bytes, not in the value: a member that a later one of the same name
 * replaces counts too (D7). Stops at the limit; in UTF-8 no byte of a longer character equals one of these.
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
