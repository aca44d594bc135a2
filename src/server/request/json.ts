import { isUtf8 } from "node:buffer";
import secureJson from "secure-json-parse";
import { Problem } from "../problem.ts";
import type { Config } from "../settings/config.ts";

const BYTE_ORDER_MARK = "\ufeff";

const [QUOTE, COMMA, ARRAY, BACKSLASH, ARRAY_END, OBJECT, OBJECT_END] = Buffer.from('",[\\]{}');

/**
 * How much a body may hold (D7): levels, the object itself being the first, and `{`, `[` and `,`
 * outside strings.
 */
export type JsonLimits = Pick<Config, "MAX_JSON_DEPTH" | "MAX_JSON_PARTS">;

/**
 * The JSON object in `bytes`. Throws `malformed-json` (D7) with a `detail` that names the cause.
 */
export function parseJsonObject(bytes: Buffer, limits: JsonLimits): Record<string, unknown> {
  if (!isUtf8(bytes)) throw malformed("is not UTF-8");
  const text = bytes.toString();
  if (text.startsWith(BYTE_ORDER_MARK)) throw malformed("begins with a byte order mark");
  const excess = excessOf(bytes, limits);
  if (excess !== null) throw malformed(excess);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(syntaxFault(String(cause)), cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed("is JSON, but not an object");
  if (secureJson.scan(value, SCAN) === null) throw malformed("has a member `__proto__`");
  removePrototypes(value);
  return value as Record<string, unknown>; // an object of JSON
}

/**
 * Of a value of JSON: objects have the members that were sent, and no `constructor` or `toString`
 * besides.
 */
function removePrototypes(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) Object.setPrototypeOf(value, null);
  for (const member of Object.values(value)) removePrototypes(member);
}

const malformed = (what: string, cause?: unknown): Problem =>
  new Problem("malformed-json", { detail: `The body ${what}.`, cause });

/**
 * What the engine reports, but only its position: the rest of its message may hold the caller's
 * text (D8, D20).
 */
export function syntaxFault(message: string): string {
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  return position === undefined ? "is not valid JSON" : `is not valid JSON at position ${position}`;
}

const SCAN = { protoAction: "error", constructorAction: "ignore", safe: true } as const;

/**
 * What the body has too much of, outside strings; null if nothing. Counted in the bytes, not in the
 * value: a member that a later one of the same name replaces counts too (D7). Stops at the limit;
 * in UTF-8 no byte of a longer character equals one of these.
 */
function excessOf(bytes: Buffer, { MAX_JSON_DEPTH, MAX_JSON_PARTS }: JsonLimits): string | null {
  let depth = 0;
  let tokens = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) inString = !inString;
    else if (inString) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) tokens++;
    else if (byte === ARRAY_END || byte === OBJECT_END) depth--;
    else if (byte === ARRAY || byte === OBJECT) {
      depth++;
      tokens++;
    }
    if (depth > MAX_JSON_DEPTH) return `is nested deeper than ${MAX_JSON_DEPTH} levels`;
    if (tokens > MAX_JSON_PARTS)
      return `has more than ${MAX_JSON_PARTS} of \`{\`, \`[\` and \`,\` outside strings`;
  }
  return null;
}
