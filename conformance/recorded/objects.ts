import { JSONParser, TokenType } from "@streamparser/json";
import { MOST_FILE } from "../http/limits.ts";

/** Where the objects of a JSON file are, and which of their members are read. */
export interface Places {
  /**
   * The names of the members in which a list of them is; empty: one follows the other, as in JSON
   * lines.
   */
  readonly list: readonly string[];
  readonly members: readonly string[];
  /** Members next to the list that each of its objects gets, if they come before it. */
  readonly beside?: readonly string[];
}

/** The members of an object that are read, and where it ends. */
interface Found {
  readonly members: Readonly<Record<string, unknown>>;
  readonly offset: number;
}

const [LINE_FEED, QUOTE, BACKSLASH] = [0x0a, 0x22, 0x5c];
const GZIP = Buffer.from([0x1f, 0x8b]);
const { LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACE, RIGHT_BRACKET, COLON, COMMA, STRING } = TokenType;
/**
 * Characters of a string that are kept: even in base64, a body of so many is longer than any that
 * is compared.
 */
const MOST_STRING = 2 * MOST_FILE;
/**
 * Without a buffer the parser decodes each character alone, and drops every byte order mark; with
 * it, those at its beginning.
 */
const BUFFER_BYTES = 64 * 1024;

/** What the parser reports, without its own terms; a control character is shown as its number. */
const textOf = (message: string): string =>
  message
    .replace(/^Unexpected [A-Z_]+ \((.*)\) in state \w+$/s, "unexpected $1")
    .replace(
      /^Unexpected "(.*)" at chunk position.*$/s,
      (_, found: string) => `unexpected ${JSON.stringify(found)}`,
    );

/**
 * A parser that collects what it finds; members that are not read are in memory only while they are
 * parsed.
 */
function createParser({ list, members, beside = [] }: Places) {
  const top = list.length === 0 ? 0 : list.length + 1;
  const pathOf = (...names: readonly string[]) => ["$", ...names].join(".");
  const parser = new JSONParser({
    paths: [
      ...members.map((name) => pathOf(...list, ...(top > 0 ? ["*"] : []), name)),
      ...beside.map((name) => pathOf(...list.slice(0, -1), name)),
    ],
    keepStack: false,
    stringBufferSize: BUFFER_BYTES,
    emitPartialTokens: true,
    ...(top === 0 && { separator: "" }),
  });
  const objects: Found[] = [];
  const faults: { readonly offset: number; readonly message: string }[] = [];
  const state = { parser, objects, faults, hasList: top === 0, isCut: false };
  /** The names of the members that are open, by their depth. */
  const names: unknown[] = [];
  let [depth, offset] = [0, 0];
  let name: unknown = null;
  let read: Record<string, unknown> = {};
  const shared: Record<string, unknown> = {};
  parser.onToken = ({ token, value, offset: at, partial }) => {
    state.isCut = partial === true && token === STRING && String(value).length > MOST_STRING;
    if (partial) return;
    offset = at;
    if (token === RIGHT_BRACE || token === RIGHT_BRACKET) depth -= 1;
    if (token === COLON) names[depth] = name;
    name = value;
    const isIn = list.every((one, index) => names[index + 1] === one);
    state.hasList ||= isIn && depth === list.length && token === LEFT_BRACKET;
    if (token === LEFT_BRACE || token === LEFT_BRACKET) depth += 1;
    else if (isIn && depth === top && token !== COMMA && token !== COLON) {
      objects.push({ members: { ...shared, ...read }, offset });
      read = {};
    }
  };
  parser.onValue = ({ key, value, stack }) => {
    const into = stack.length === list.length ? shared : read;
    into[String(key)] = value;
  };
  parser.onError = ({ message }) => {
    // The parser of tokens names no position: that of the last one.
    const [, position = offset] = /absolute position "(\d+)"/.exec(message) ?? [];
    faults.push({ offset: Number(position), message: textOf(message) });
  };
  return state;
}

/** The line on which a text that is no JSON has its first fault. */
export function faultyLineOf(text: string): number {
  const { parser, faults } = createParser({ list: ["*"], members: [] });
  const bytes = Buffer.from(text.trimEnd());
  parser.write(bytes);
  const [{ offset } = { offset: bytes.length }] = faults;
  return bytes.toString("utf8", 0, offset).split("\n").length;
}

/** Counts lines of what was parsed. */
function createPosition() {
  let [line, lineStart, passed] = [1, 0, 0];
  return {
    /** Bytes that were not parsed belong to the current line. */
    skip: (bytes: number): void => {
      lineStart -= bytes;
    },
    /** Goes to an offset, through the bytes that end there or later; `from`: where they begin. */
    lineAt: (offset: number, bytes: Uint8Array, from: number): number => {
      const some = bytes.subarray(passed - from, Math.max(offset, passed) - from);
      for (
        let index = some.indexOf(LINE_FEED);
        index >= 0;
        index = some.indexOf(LINE_FEED, index + 1)
      )
        [line, lineStart] = [line + 1, passed + index + 1];
      passed += some.length;
      return line;
    },
    columnAt: (offset: number): number => Math.max(offset - lineStart, 0) + 1,
  };
}

/**
 * The objects of a file, of which one at a time is in memory, each with the line on which it ends.
 * Throws an `Error` with the place of what is no JSON.
 */
export async function* readObjects(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  places: Places,
) {
  const state = createParser(places);
  const { parser, objects, faults } = state;
  const { skip, lineAt, columnAt } = createPosition();
  let [parsed, isEscaped] = [0, false];
  for await (const chunk of chunks) {
    if (parsed === 0 && GZIP.equals(chunk.subarray(0, 2)))
      throw new Error("the file is compressed (gzip): unpack it first");
    // A string that is too long is skipped: only its end is looked for.
    let end = 0;
    for (; state.isCut && end < chunk.length && (isEscaped || chunk[end] !== QUOTE); end += 1)
      isEscaped = !isEscaped && chunk[end] === BACKSLASH;
    skip(end);
    const bytes = chunk.subarray(end);
    if (bytes.length === 0) continue;
    parser.write(bytes);
    for (const { offset, message } of faults)
      throw new Error(
        `not JSON at line ${lineAt(offset, bytes, parsed)}, column ${columnAt(offset)}: ${message}`,
      );
    for (const { members, offset } of objects.splice(0))
      yield { members, line: lineAt(offset, bytes, parsed) };
    lineAt(parsed + bytes.length, bytes, parsed);
    parsed += bytes.length;
  }
  if (!parser.isEnded) parser.end();
  const line = lineAt(parsed, Buffer.alloc(0), parsed);
  if (faults.length > 0)
    throw new Error(`not JSON at line ${line}: the file ends in the middle of its JSON text`);
  if (!state.hasList) throw new Error(`a HAR has ${places.list.join(".")}`);
}
