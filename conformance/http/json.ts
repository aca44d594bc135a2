/** Maximum nesting that is read: deeper values, which no contract has, would overflow the stack of recursive code. */
export const MOST_LEVELS = 200;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** A bracket and a brace differ in this bit only. */
const BRACE = 0x20;
const [OPENING, CLOSING] = [0x7b, 0x7d];

/** Whether a JSON text is nested more deeply than that. */
export function isTooDeep(bytes: Buffer): boolean {
  if (bytes.length <= MOST_LEVELS) return false;
  let levels = 0;
  let inText = false;
  for (let at = 0; at < bytes.length && levels <= MOST_LEVELS; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) inText = !inText;
    else if (inText && byte === BACKSLASH) at += 1;
    else if (!inText && (byte | BRACE) === OPENING) levels += 1;
    else if (!inText && (byte | BRACE) === CLOSING) levels -= 1;
  }
  return levels > MOST_LEVELS;
}

const known = new WeakMap<Buffer, unknown>();
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The JSON value of a body, read once for all laws; undefined if it is not one JSON text in UTF-8. Nobody may change it. */
export function jsonIn(bytes: Buffer): unknown {
  if (known.has(bytes)) return known.get(bytes);
  const value = read(bytes);
  known.set(bytes, value);
  return value;
}

function read(bytes: Buffer): unknown {
  if (bytes.length === 0 || isTooDeep(bytes)) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
