/** Text in the width of a terminal, and a line that is written over. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal, which take no room.
const COLOUR = /\x1b\[\d+m/g;
const room = (text: string) => text.replace(COLOUR, "").length;

/** Each line broken at blanks, or between the members of JSON, to this width, what follows indented by `hang`. A word that is longer is broken too. */
export function wrapped(text: string, width: number, hang: number): string {
  return text
    .split("\n")
    .flatMap((line) => lines(line, width, hang))
    .join("\n");
}

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

/** A shell command, broken only between its words, so that it can still be copied and run. */
export function wrappedCommand(command: string, width: number, hang: number): string {
  if (room(command) + hang <= width) return command;
  // An option and its value are one.
  const words = command.match(new RegExp(`-\\S+ (?![-|])${WORD}|${WORD}`, "gs")) ?? [];
  let [text, column] = ["", hang];
  for (const word of words) {
    const first = text === "";
    // The last two columns are for ` \`.
    if (!first && column + 1 + word.length > width - 2) [text, column] = [`${text} \\\n${" ".repeat(hang)}`, hang];
    else if (!first) [text, column] = [`${text} `, column + 1];
    text += word;
    column += word.length;
  }
  return text;
}

/** How far a run is: work that is done, all of it, and the requirements that have failed. */
export interface Done {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

const CLEAR = "\r\x1b[K";
/** A terminal is written to no more often. */
const PAUSE_MS = 100;

/** One line on a terminal, which is written over; nothing elsewhere. */
export class Progress {
  private shownAt = Number.NEGATIVE_INFINITY;
  private isShown = false;

  constructor(
    private readonly write: ((text: string) => unknown) | null,
    private readonly now: () => number = () => performance.now(),
    private readonly startedAt = now(),
  ) {}

  ended({ done, total, failed }: Done): void {
    const now = this.now();
    if (!this.write || now - this.shownAt < PAUSE_MS) return;
    const left = Math.ceil((((now - this.startedAt) / done) * (total - done)) / 1000);
    this.shownAt = now;
    this.isShown = true;
    this.write(`${CLEAR}${done} of ${total}, ${failed} failed, about ${left} s left`);
  }

  /** Takes the line away, for another one. */
  clear(): void {
    if (this.isShown) this.write?.(CLEAR);
    this.isShown = false;
  }
}
