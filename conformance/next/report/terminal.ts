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
