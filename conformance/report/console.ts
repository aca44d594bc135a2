import type { Cause, ReportData } from "./json.ts";
import { clauseHead, clauseRows, createdText, extentOf, factsOf, findingsOf, notRun } from "./summary.ts";
import { wrapped, wrappedCommand } from "./terminal.ts";
import { type Line, linesOf, visible, wholeText } from "./text.ts";
import { placeShown } from "./titles.ts";

/** How much is printed: only the verdict, one screen, or a finding of every requirement with its exchange, and every clause. */
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
}

/** Where the texts of a finding begin, to the right of their names. */
const COLUMN = 12;
/** Causes that are shown with an example; the same number again get a line each. */
const SHOWN_CAUSES = 5;
/** Names in one line. */
const SHOWN_NAMES = 3;
/** Maximum characters of each side of a finding, and of a line to copy. */
const SHOWN = 400;
const LONGEST_COMMAND = 1000;

const BOLD = 1;
const DIM = 2;
const RED = 31;
const GREEN = 32;
const COLOURS: Partial<Record<Line[0], number>> = { expected: GREEN, got: RED, differs: RED };

/** The report for a terminal: the verdict, the findings by cause, what did not run, and the run. */
export function toConsole(
  report: ReportData,
  { color, detail, whole, width = Number.POSITIVE_INFINITY }: Look,
): string {
  const paint: Pen["paint"] = (code, text) => (color ? `\x1b[${code}m${text}\x1b[0m` : text);
  const pen: Pen = { paint, width };
  const { verdict, summary, causes, faults, stopped, remarks, run } = report;
  const word = paint(verdict.startsWith("conformant") ? GREEN : RED, paint(BOLD, verdict));
  const first = wrapped(word + visible(summary.slice(verdict.length)), width, 2);
  const nothing = verdict === "unreachable" || verdict === "preflight failed";
  if (detail === "quiet" || nothing) return `${first}\n`;
  const created = createdText(report);
  const isVerbose = detail === "verbose";
  const facts = factsOf(report).filter(([name]) => name !== "Command");
  const blocks = [
    first + (created === "" ? "" : `\n${wrapped(visible(created), width, 2)}`),
    ...(stopped === null ? [] : [wrapped(`Stopped: ${visible(stopped)}`, width, 2)]),
    ...block("Faults of the suite:", faults, pen),
    ...block("Known failures:", report.baseline, pen),
    ...block("Remarks:", remarks, pen),
    ...(isVerbose ? causes.map((cause) => causeBlock(cause, report, pen, true)) : causeBlocks(report, pen)),
    ...(whole === null ? [] : [`Every exchange of each finding: ${visible(whole)}`]),
    ...block(
      "Did not run:",
      notRun(report).map(
        ([title, ids]) =>
          `${ids.length} ${title}${isVerbose || ids.length <= SHOWN_NAMES ? ` (${ids.join(", ")})` : ""}`,
      ),
      pen,
    ),
    ...block("Clauses:", clauseLines(report, isVerbose), pen),
    ...(isVerbose ? block("Records:", report.created, pen) : []),
    wrapped(visible(facts.map((fact) => fact.join(" ")).join(" · ")), width, 2),
    `Command ${wrappedCommand(visible(run.command), width, 2)}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function causeBlocks(report: ReportData, pen: Pen): string[] {
  const { causes } = report;
  const rest = causes.slice(SHOWN_CAUSES);
  const lines = rest.slice(0, SHOWN_CAUSES).map(({ title, requirements }) => `${title} (${named(requirements)})`);
  const further = rest.length > SHOWN_CAUSES ? [`and ${rest.length - SHOWN_CAUSES} more`] : [];
  return [
    ...causes.slice(0, SHOWN_CAUSES).map((cause) => causeBlock(cause, report, pen, false)),
    ...block("More causes:", [...lines, ...further], pen),
  ];
}

const named = (ids: readonly string[]) =>
  `${ids.slice(0, SHOWN_NAMES).join(", ")}${ids.length > SHOWN_NAMES ? " …" : ""}`;

/** A cause with its first finding; or with the first of each requirement, and its exchange. */
function causeBlock(cause: Cause, report: ReportData, pen: Pen, isVerbose: boolean): string {
  const { title, requirements } = cause;
  const { paint, width } = pen;
  const head = `${paint(RED, "FAIL")} ${paint(BOLD, visible(title))} ${paint(DIM, `(${extentOf(cause, report)})`)}`;
  const all = findingsOf(cause, report);
  const firsts = requirements.flatMap((id) => all.find(({ requirement }) => requirement === id) ?? []);
  const shown = isVerbose ? firsts : all.slice(0, 1);
  const others = requirements.slice(1);
  return [
    wrapped(head, width, 5),
    ...shown.flatMap((finding) => {
      const most = isVerbose ? Number.POSITIVE_INFINITY : SHOWN;
      const lines = linesOf(finding, report, { most, longest: LONGEST_COMMAND, place: placeShown(finding) }).map(
        (line) => lineText(line, pen),
      );
      const whole = isVerbose ? wholeText(finding) : "";
      return whole === "" ? lines : [...lines, paint(DIM, indent(whole, "  | "))];
    }),
    ...(others.length > 0 ? [field("as well", isVerbose ? others.join(", ") : named(others), pen)] : []),
  ].join("\n");
}

function lineText([name, text]: Line, pen: Pen): string {
  if (name !== "again" && name !== "alone") return field(name, text, pen);
  // Not indented line by line: blanks inside a quoted body would be sent.
  const [first = "", ...more] = text.split("\n").map((one) => wrappedCommand(one, pen.width, COLUMN));
  return [`  ${name.padEnd(COLUMN - 2)}${first}`, ...more].join("\n");
}

/** A name, and its text in a column of its own. */
function field(name: Line[0] | "as well", text: string, { paint, width }: Pen): string {
  const colour = name === "as well" ? undefined : COLOURS[name];
  const head = `  ${colour === undefined ? name : paint(colour, name)}${" ".repeat(COLUMN - 2 - name.length)}`;
  return wrapped(`${head}${indent(text, " ".repeat(COLUMN)).trimStart()}`, width, COLUMN);
}

/** With limited space only the clauses that are not kept, otherwise all of them as a table. */
function clauseLines(report: ReportData, isVerbose: boolean): readonly string[] {
  if (!isVerbose) {
    const broken = report.clauses.filter(({ failed }) => failed > 0);
    const lines = broken.map(({ clause, failed, requirements }) => `${clause} ${failed} of ${requirements}`);
    return lines.length === 0 ? [] : [`requirements that failed: ${lines.join(", ")}`];
  }
  const cells = [clauseHead, ...clauseRows(report)];
  const widths = clauseHead.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function block(title: string, lines: readonly string[], { paint, width }: Pen): string[] {
  if (lines.length === 0) return [];
  return [[paint(BOLD, title), ...lines.map((line) => wrapped(indent(visible(line)), width, 4))].join("\n")];
}

const indent = (text: string, by = "  "): string => text.replace(/^/gm, by);
