import type { RunOptions } from "../run/options.ts";
import type { ReportData } from "./json.ts";
import { type Line, linesOf, wholeText } from "./lines.ts";
import {
  clauseHead,
  clauseRows,
  type Example,
  examplesOf,
  factsOf,
  isUnchecked,
  limitsOf,
  notRun,
  recordedTexts,
  resultsOf,
} from "./summary.ts";
import { counted, timeText, visible } from "./text.ts";

/**
 * How much is printed: only the verdict, one screen, or a finding of every requirement with its
 * exchange, and every clause.
 */
export type Detail = "quiet" | "normal" | "verbose";

interface Look {
  /** Whether the terminal shows colours. */
  readonly color: boolean;
  readonly detail: Detail;
  /** The file that has every exchange in full; null if none was written. */
  readonly whole: string | null;
  /** The columns of the terminal; without one, nothing is wrapped. */
  readonly width?: number | undefined;
}

interface Pen {
  readonly paint: (code: number, text: string) => string;
  readonly width: number;
  readonly isVerbose: boolean;
}

/** Where the texts of a finding begin, to the right of their names. */
const COLUMN = 12;
/** Lines of a list, and causes that are shown with an example. */
const SHOWN_LINES = 5;
/** Names in one line. */
const SHOWN_NAMES = 3;
/** Maximum characters of each side of a finding, and of a line to copy. */
const SHOWN = 400;
const LONGEST_COMMAND = 1000;

const [BOLD, DIM, RED, GREEN] = [1, 2, 31, 32];
const COLOURS: Readonly<Record<string, number>> = { expected: GREEN, got: RED, differs: RED };

/**
 * The report for a terminal: the findings by cause, what did not run, and at the end, where it is
 * seen, the verdict with its numbers.
 */
export function toConsole(
  report: ReportData,
  { color, detail, whole, width = Number.POSITIVE_INFINITY }: Look,
): string {
  const paint: Pen["paint"] = (code, text) => (color ? `\x1b[${code}m${text}\x1b[0m` : text);
  const isVerbose = detail === "verbose";
  const pen: Pen = { paint, width, isVerbose };
  const { verdict, summary, stopped, run, created, removal, recorded, remarks } = report;
  const word = paint(verdict.startsWith("conformant") ? GREEN : RED, paint(BOLD, verdict));
  if (detail === "quiet" || isUnchecked(report))
    return `${wrapped(word + visible(summary.slice(verdict.length)), width, 2)}\n`;
  const line = (text: string) => wrapped(visible(text), width, 2);
  const records = [
    `Created ${counted(created.length, "record")}, which no operation deletes; each has ` +
      `${run.id} in it.`,
    ...(removal === null ? [] : [removal]),
  ];
  const facts = factsOf(report).map((fact) => fact.join(" "));
  const unrun = notRun(report).map(([title, ids]) =>
    isVerbose || ids.length <= SHOWN_NAMES ? `${title} (${ids.join(", ")})` : title,
  );
  const limits = (recorded ? recordedTexts(recorded) : limitsOf(report)).join("; ");
  const blocks = [
    ...causeBlocks(report, pen),
    ...(whole === null ? [] : [`Every exchange of each finding: ${visible(whole)}`]),
    ...block("Did not run:", isVerbose ? unrun : firstOf(unrun), pen),
    ...block("Clauses:", clauseLines(report, isVerbose), pen),
    ...(isVerbose ? [...block("Records:", created, pen), ...block("Run:", facts, pen)] : []),
    ...(created.length === 0 ? [] : [records.map(line).join("\n")]),
    ...block("Remarks:", isVerbose ? remarks : firstOf(remarks), pen),
    ...block("Known failures:", report.baseline, pen),
    ...block("Faults of the suite:", report.faults, pen),
    ...(stopped === null ? [] : [line(`Stopped: ${stopped}`)]),
    [word, ...table(resultsOf(report)).map((row) => `  ${row}`)].join("\n"),
    ...(limits === "" ? [] : [line(limits)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function causeBlocks(report: ReportData, pen: Pen): string[] {
  const examples = examplesOf(report, Number.POSITIVE_INFINITY);
  if (pen.isVerbose) return examples.map((example) => causeBlock(example, report, pen));
  const [shown, rest] = [examples.slice(0, SHOWN_LINES), examples.slice(SHOWN_LINES)];
  const lines = rest.map(({ title, requirements }) => `${title} (${some(requirements)})`);
  const first = shown.map((example) => causeBlock(example, report, pen));
  return [...first, ...block("More causes:", firstOf(lines), pen)];
}

const firstOf = (lines: readonly string[]): readonly string[] => {
  const rest = lines.length - SHOWN_LINES;
  return rest > 0 ? [...lines.slice(0, SHOWN_LINES), `and ${rest} more`] : lines;
};

const some = (ids: readonly string[]) =>
  `${ids.slice(0, SHOWN_NAMES).join(", ")}${ids.length > SHOWN_NAMES ? " …" : ""}`;

/** A cause with its first finding; or with the first of each requirement, and its exchange. */
function causeBlock(
  { title, extent, requirements, findings, first }: Example,
  report: ReportData,
  pen: Pen,
): string {
  const { paint, width, isVerbose } = pen;
  const all = findings.flatMap((at) => report.findings[at] ?? []);
  const firsts = requirements.flatMap(
    (id) => all.find(({ requirement }) => requirement === id) ?? [],
  );
  const look = { most: isVerbose ? Number.POSITIVE_INFINITY : SHOWN, longest: LONGEST_COMMAND };
  const otherIds = requirements.slice(1);
  return [
    wrapped(`${paint(RED, "FAIL")} ${paint(BOLD, visible(title))}`, width, 5),
    ...(isVerbose ? firsts : [first]).flatMap((finding) => {
      const whole = isVerbose ? wholeText(finding) : "";
      const lines = linesOf(finding, report, look).map((line) => lineText(line, pen));
      return whole === "" ? lines : [...lines, paint(DIM, indent(whole, "  | "))];
    }),
    ...(findings.length > 1 ? [lineText(["in all", extent], pen)] : []),
    ...(otherIds.length > 0
      ? [lineText(["as well", isVerbose ? otherIds.join(", ") : some(otherIds)], pen)]
      : []),
  ].join("\n");
}

/** A name, and its text in a column of its own. */
function lineText(
  [name, text]: Line | readonly ["in all" | "as well", string],
  { paint, width }: Pen,
): string {
  const colour = COLOURS[name];
  const head =
    "  " +
    `${colour === undefined ? name : paint(colour, name)}${" ".repeat(COLUMN - 2 - name.length)}`;
  // A command is not indented line by line: blanks inside a quoted body would be sent.
  return name === "again" || name === "alone"
    ? head + wrappedCommand(text, width, COLUMN)
    : wrapped(`${head}${indent(text, " ".repeat(COLUMN)).trimStart()}`, width, COLUMN);
}

/** The clauses that are not kept in a line, or all clauses as a table. */
function clauseLines(report: ReportData, isVerbose: boolean): readonly string[] {
  if (!isVerbose) {
    const broken = report.clauses.filter(({ failed }) => failed > 0);
    const lines = broken.map(
      ({ clause, failed, requirements }) => `${clause} ${failed} of ${requirements}`,
    );
    return lines.length === 0 ? [] : [`requirements that failed: ${lines.join(", ")}`];
  }
  return table([clauseHead, ...clauseRows(report)]);
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const padded = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widthOf(column)));
  return rows.map((row) => padded(row).join("  ").trimEnd());
}

function block(title: string, lines: readonly string[], { paint, width }: Pen): string[] {
  if (lines.length === 0) return [];
  return [
    [paint(BOLD, title), ...lines.map((line) => wrapped(indent(visible(line)), width, 4))].join(
      "\n",
    ),
  ];
}

const indent = (text: string, by = "  "): string => text.replace(/^/gm, by);

/** Text in the width of a terminal, and a line that is written over. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal take no room.
const COLOUR = /\x1b\[\d+m/g;
const room = (text: string) => text.replace(COLOUR, "").length;

/**
 * Each line broken at blanks, or between the members of JSON, to this width, what follows indented
 * by `hang`. A word that is longer is broken too.
 */
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
/** Before that, the time left cannot be estimated. */
const SETTLED_MS = 1000;

/** How far a run is, as one line on a terminal, which is written over; nothing elsewhere. */
export function createProgress(
  write: ((text: string) => unknown) | null,
  now = () => performance.now(),
) {
  let startedAt = 0;
  let shownAt = 0;
  let isShown = false;
  let isLimited = false;
  let share = 0;
  const remaining = (waitMs = 0) =>
    timeText(((now() - startedAt + waitMs) / share) * (1 - share) + waitMs);
  const ended: NonNullable<RunOptions["onProgress"]> = ({ done, total, failed, ...progress }) => {
    const time = now();
    if (share === 0) startedAt = time;
    share = progress.share;
    if (!write || time - startedAt < SETTLED_MS || time - shownAt < PAUSE_MS) return;
    [shownAt, isShown] = [time, true];
    write(`${CLEAR}${done} of ${total}, ${failed} failed, about ${remaining()} left`);
  };
  /** What the first wait for a 429 means for the run; null once it has been said. */
  const limited = (waitMs: number): string | null => {
    if (isLimited || share === 0) return null;
    isLimited = true;
    return (
      `the target limits requests, so this run takes about ${remaining(waitMs)} more; ` +
      "a service of your own is fast with RATE_LIMITS=off"
    );
  };
  /** Takes the line away, for another one. */
  const clear = () => {
    if (isShown) write?.(CLEAR);
    isShown = false;
  };
  return { ended, limited, clear };
}
