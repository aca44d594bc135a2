/**
 * A target is hostile: nothing of a response is parsed, and little is kept, before it is bounded.
 */

const MIB = 1024 * 1024;
/** Bytes of a response: the largest right one is the contract, with 200 KiB. */
export const MOST_BODY = MIB;
/** Bytes of a file that a page loads: a viewer of the contract has 1.5 MiB. */
export const MOST_FILE = 4 * MIB;
/** Bytes of a head on a socket; Node's client has its own limit. */
export const MOST_HEAD = 64 * 1024;
/**
 * Levels of a JSON text: deeper values, which no contract has, overflow the stack of recursive
 * code.
 */
const MOST_LEVELS = 200;
/**
 * Values in a JSON text: an empty list takes two bytes there, and more than a hundred when it is
 * parsed.
 */
const MOST_VALUES = 50_000;

export const tooLong = (most: number): string =>
  `a response of more than ${most / MIB} MiB, of which no more was read`;
export const HEAD_TOO_LONG = [
  `a response whose head has more than ${MOST_HEAD / 1024} KiB`,
  "of which no more was read",
].join(", ");
/** Whether there was a response, and too much of it. */
export const isTooLong = (error: string | null): boolean =>
  error?.includes("of which no more was read") === true;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** A bracket and a brace differ in this bit only. */
const BRACE = 0x20;
const [OPENING, CLOSING] = [0x7b, 0x7d];

/**
 * Whether the text of a JSON value may be parsed: it has neither too many levels nor too many
 * values.
 */
export function mayBeParsed(bytes: Buffer): boolean {
  if (bytes.length <= MOST_LEVELS) return true;
  let levels = 0;
  let values = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    const opens = (byte | BRACE) === OPENING;
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (opens) levels += 1;
    else if ((byte | BRACE) === CLOSING) levels -= 1;
    if (opens || byte === COMMA) values += 1;
    if (levels > MOST_LEVELS || values > MOST_VALUES) return false;
  }
  return true;
}

/** Where a string ends that begins here: at a quote behind an even number of backslashes. */
function endOfString(bytes: Buffer, start: number): number {
  for (
    let index = bytes.indexOf(QUOTE, start + 1);
    index >= 0;
    index = bytes.indexOf(QUOTE, index + 1)
  ) {
    let before = index - 1;
    while (bytes[before] === BACKSLASH) before -= 1;
    if ((index - before) % 2 === 1) return index;
  }
  return bytes.length;
}
