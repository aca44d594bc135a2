import { counted } from "../client/counted.ts";
import { placeShown } from "./cause-title.ts";
import { type Cause, causesOf } from "./causes.ts";
import { clauseCells, clauseHead } from "./clause-table.ts";
import { exchangeText, shortened, shortenedPair, visible } from "./exchange-text.ts";
import type { CheckResult, Outcome, Report } from "./report.ts";
import { baselineLines, countsLine, type Failed, facts, failuresOf, levelsOf, notRun, sourceOf } from "./summary.ts";

/** How much is printed: only the verdict, one screen, or everything about each check. */
export type Detail = "quiet" | "normal" | "verbose";

interface Look {
  /** Whether the terminal shows colours. */
  readonly color: boolean;
  readonly detail: Detail;
  /** The file that has every exchange in full; null if none was written. */
  readonly whole: string | null;
}

type Paint = (code: number, text: string) => string;

/** Causes that are shown with an example; the same number again get a line each. */
const SHOWN_CAUSES = 5;
/** Maximum characters of a response, and of a line to copy. */
const SHOWN = 300;
const LONGEST_LINE = 1000;

const bold = 1;
const dim = 2;
const marks: Record<Outcome, readonly [mark: string, colour: number]> = {
  passed: ["ok  ", 32],
  failed: ["FAIL", 31],
  known: ["know", 33],
  incomplete: ["????", 33],
  "not selected": ["skip", dim],
};

/** A line for a check that ended. */
export function renderResult({ check, outcome, durationMs, reason }: CheckResult, color: boolean): string {
  const paint = painter(color);
  const [mark, colour] = marks[outcome];
  const why = reason === null ? "" : ` (${visible(reason)})`;
  return `${paint(colour, mark)} ${check} ${paint(dim, `${Math.round(durationMs)} ms${why}`)}`;
}

/** The report for a terminal: the verdict, the target, and the failures by cause. */
export function renderConsole(report: Report, { color, detail, whole }: Look): string {
  const paint = painter(color);
  const good = report.verdict.startsWith("conformant");
  const word = paint(good ? 32 : 31, paint(bold, report.verdict));
  // Nothing was checked: the reason is everything to report.
  if (report.verdict === "unreachable" || report.verdict === "preflight failed")
    return `${word}: ${visible(report.faults.join("; "))}\n`;
  const verdict = `${word}: ${countsLine(report)}`;
  if (detail === "quiet") return `${verdict}\n`;
  const blocks = [
    [verdict, ...removal(report, detail)].join("\n"),
    ...block("Faults:", report.faults, paint),
    ...block("Baseline:", baselineLines(report), paint),
    ...(detail === "verbose"
      ? failuresOf(report).map((failed) => failureBlock(failed, paint))
      : causeBlocks(causesOf(report), paint)),
    ...(whole === null ? [] : [`Every exchange of each failure: ${whole}`]),
    ...block(
      "Did not run:",
      notRun(report).map(({ title, checks }) => `${checks.length} ${title}${few(checks)}`),
      paint,
    ),
    ...block("Clauses:", clauseLines(report, detail), paint),
    visible([...facts(report).map(([name, value]) => `${name} ${value}`), ...levelsOf(report)].join(" · ")),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The users that exist now, and how to remove them. */
function removal({ created, run }: Report, detail: Detail): string[] {
  if (created.length === 0) return [];
  return [
    `Created ${counted(created.length, "user")}, which no operation deletes: addresses with conformance+${run.id}- in them.`,
    "On storage of your own, `atpoint users purge-conformance --yes` removes them.",
    ...(detail === "verbose" ? created.map((email) => indent(visible(email))) : []),
  ];
}

function causeBlocks(causes: readonly Cause[], paint: Paint): string[] {
  const shown = causes
    .slice(0, SHOWN_CAUSES)
    .map(({ title, failures: [first, ...more], open }) =>
      [
        `${paint(31, "FAIL")} ${paint(bold, visible(title))} ${paint(dim, counted(more.length + 1, "check"))}`,
        ...exampleLines(first, paint, SHOWN),
        ...(more.length > 0 ? [`  as well   ${named(ids(more))}`] : []),
        ...(open.length > 0
          ? [`  and so    ${counted(open.length, "check")} could not be completed: ${named(open)}`]
          : []),
      ].join("\n"),
    );
  const rest = causes.slice(SHOWN_CAUSES);
  const lines = rest
    .slice(0, SHOWN_CAUSES)
    .map(({ title, failures }) => `${failures.length} ${title} (${named(ids(failures))})`);
  const further = rest.length > SHOWN_CAUSES ? [`and ${rest.length - SHOWN_CAUSES} more, in the file below`] : [];
  return [...shown, ...block("More causes:", [...lines, ...further], paint)];
}

const ids = (failures: readonly Failed[]) => failures.map(({ check }) => check);
const named = (checks: readonly string[]) => `${checks.slice(0, 3).join(", ")}${checks.length > 3 ? " …" : ""}`;

function exampleLines(failed: Failed, paint: Paint, most: number): string[] {
  const { check, requirement, failure } = failed;
  const [expected, actual] = shortenedPair(failure.expected, failure.actual, most);
  const place = placeShown(failed);
  const { level, origin, sentence } = requirement;
  const line = (text: string) => (text.length > LONGEST_LINE ? "too long to be shown here; the report has it" : text);
  return [
    `  ${paint(bold, check)} ${paint(dim, `${level}, ${origin}, ${sourceOf(requirement)}`)}`,
    indent(sentence),
    indent(`${paint(32, "expected")}  ${visible(expected)}`),
    indent(`${paint(31, "got")}       ${visible(actual)}`),
    ...(place === null ? [] : [indent(`in        ${visible(shortened(place, most))}`)]),
    // Not indented line by line: blanks inside a quoted body would be sent.
    `  again     ${visible(line(failure.curl))}`,
    indent(`alone     ${visible(failure.rerun)}`),
  ];
}

/** A failure with its exchanges: the decisive one in full, the others in a line each. */
function failureBlock(failed: Failed, paint: Paint): string {
  const { exchanges, guilty } = failed.failure;
  return [
    `${paint(31, "FAIL")} ${paint(bold, failed.check)}`,
    ...exampleLines(failed, paint, Number.POSITIVE_INFINITY),
    ...exchanges.map((exchange, index) => {
      const { request, answer, error } = exchange;
      const step = `${index + 1}. ${request.method} ${request.url}: ${answer?.status ?? error ?? "no answer"}`;
      return paint(
        dim,
        index === guilty ? indent(exchangeText(exchange), "  | ") : `  ${visible(shortened(step, SHOWN))}`,
      );
    }),
  ].join("\n");
}

/** With limited space only the clauses that are not met, otherwise all of them. */
function clauseLines(report: Report, detail: Detail): string[] {
  const rows = report.clauses;
  if (detail === "verbose") {
    const cells = [[...clauseHead], ...rows.map(clauseCells)];
    const widths = clauseHead.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    return cells.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
  const judged = rows.filter((row) => row.judged > 0);
  const broken = judged
    .filter(({ failed }) => failed > 0)
    .map(({ clause, failed, judged: of }) => `${clause} ${failed}/${of}`);
  const kept = `${judged.length - broken.length} of ${rows.length} kept as far as judged; all of them: --verbose`;
  return broken.length === 0 ? [kept] : [kept, `requirements not kept, by clause: ${broken.join(", ")}`];
}

function block(title: string, lines: readonly string[], paint: Paint): string[] {
  if (lines.length === 0) return [];
  return [[paint(bold, title), ...lines.map((line) => indent(visible(line)))].join("\n")];
}

/** Names a few here; the other reports name all. */
function few(checks: readonly string[]): string {
  return checks.length > 3 ? "" : ` (${checks.join(", ")})`;
}

function indent(text: string, by = "  "): string {
  return text.replace(/^/gm, by);
}

function painter(color: boolean): Paint {
  return (code, text) => (color ? `\x1b[${code}m${text}\x1b[0m` : text);
}
