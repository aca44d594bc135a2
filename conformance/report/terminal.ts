import type { RunOptions } from "../run/options.ts";

/** Text in the width of a terminal, and a line that is written over. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal, which take no room.
const COLOUR = /\x1b\[\d+m/g;
const room = (text: string) => text.replace(COLOUR, "").length;

/** Each line broken at blanks, or between the members of JSON, to this width, what follows indented by `hang`. A word that is longer is broken too. */
export const wrapped = (text: string, width: number, hang: number): string =>
  text
    .split("\n")
    .flatMap((line) => lines(line, width, hang))
    .join("\n");

function lines(line: string, width: number, hang: number): string[] {
  if (room(line) <= width) return [line];
  const indent = " ".repeat(Math.min(hang, Math.floor(width / 2)));
  const all: string[] = [];
  let now = "";
  for (let word of line.split(/(?<=\S)(?= )|(?<=,)(?=["{])/)) {
    if (room(now + word) > width && now.trim() !== "") {
      all.push(now);
      [now, word] = [indent, word.trimStart()];
    }
    while (room(now + word) > width) {
      const fits = width - room(now);
      all.push(now + word.slice(0, fits));
      [now, word] = [indent, word.slice(fits)];
    }
    now += word;
  }
  return [...all, now];
}

const WORD = String.raw`(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+`;
/** An option and its value are one. */
const WORDS = new RegExp(`-\\S+ (?![-|])${WORD}|${WORD}`, "gs");

/** A shell command, broken only between its words, so that it can still be copied and run. */
export function wrappedCommand(command: string, width: number, hang: number): string {
  if (room(command) + hang <= width) return command;
  const [first = "", ...words] = command.match(WORDS) ?? [];
  let [text, column] = [first, hang + first.length];
  for (const word of words) {
    // The last two columns are for ` \`.
    const fits = column + 1 + word.length <= width - 2;
    text += fits ? ` ${word}` : ` \\\n${" ".repeat(hang)}${word}`;
    column = (fits ? column + 1 : hang) + word.length;
  }
  return text;
}

const CLEAR = "\r\x1b[K";
/** A terminal is written to no more often. */
const PAUSE_MS = 100;

/** How far a run is, as one line on a terminal, which is written over; nothing elsewhere. */
export function createProgress(write: ((text: string) => unknown) | null, now = () => performance.now()) {
  const startedAt = now();
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const ended: NonNullable<RunOptions["onProgress"]> = ({ done, total, failed }) => {
    const at = now();
    if (!write || at - shownAt < PAUSE_MS) return;
    const left = Math.ceil((((at - startedAt) / done) * (total - done)) / 1000);
    [shownAt, isShown] = [at, true];
    write(`${CLEAR}${done} of ${total}, ${failed} failed, about ${left} s left`);
  };
  /** Takes the line away, for another one. */
  const clear = () => {
    if (isShown) write?.(CLEAR);
    isShown = false;
  };
  return { ended, clear };
}
