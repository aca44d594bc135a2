import { counted } from "../client/counted.ts";
import { placeShown } from "./cause-title.ts";
import { type Cause, causesOf } from "./causes.ts";
import { clauseCells, clauseHead } from "./clause-table.ts";
import { exchangeText, shortened, shortenedPair, visible } from "./exchange-text.ts";
import type { CheckResult, Outcome, Report } from "./report.ts";
import { requestText, sidesOf } from "./shown.ts";
import { baselineLines, countsLine, type Failed, facts, failuresOf, levelsOf, notRun, sourceOf } from "./summary.ts";
import { wrapped, wrappedCommand } from "./wrap.ts";

/** How much is printed: only the verdict, one screen, or everything about each check. */
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

type Paint = (code: number, text: string) => string;

interface Pen {
  readonly paint: Paint;
  readonly width: number;
}

/** Where the texts of a failure begin, to the right of their names. */
const COLUMN = 12;

/** Causes that are shown with an example; the same number again get a line each. */
const SHOWN_CAUSES = 5;
/** Maximum characters of a response, and of a line to copy. */
const SHOWN = 400;
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
export function renderConsole(
  report: Report,
  { color, detail, whole, width = Number.POSITIVE_INFINITY }: Look,
): string {
  const pen: Pen = { paint: painter(color), width };
  const { paint } = pen;
  const good = report.verdict.startsWith("conformant");
  const word = paint(good ? 32 : 31, paint(bold, report.verdict));
  const fit = (text: string) => wrapped(text, width, 2);
  // Nothing was checked: the reason is everything to report.
  if (report.verdict === "unreachable" || report.verdict === "preflight failed")
    return `${fit(`${word}: ${visible(report.faults.join("; "))}`)}\n`;
  const verdict = `${word}: ${countsLine(report)}`;
  if (detail === "quiet") return `${verdict}\n`;
  const blocks = [
    fit([verdict, ...removal(report, detail)].join("\n")),
    ...block("Faults:", report.faults, pen),
    ...block("Baseline:", baselineLines(report), pen),
    ...(detail === "verbose"
      ? failuresOf(report).map((failed) => failureBlock(failed, pen))
      : causeBlocks(causesOf(report), pen)),
    ...(whole === null ? [] : [`Every exchange of each failure: ${whole}`]),
    ...block(
      "Did not run:",
      notRun(report).map(({ title, checks }) => `${checks.length} ${title}${few(checks)}`),
      pen,
    ),
    ...block("Clauses:", clauseLines(report, detail), pen),
    fit(
      visible(
        [
          ...facts(report)
            .filter(([name]) => name !== "Command")
            .map((fact) => fact.join(" ")),
          ...levelsOf(report),
        ].join(" · "),
      ),
    ),
    `Command ${wrappedCommand(visible(report.run.command), width, 2)}`,
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

function causeBlocks(causes: readonly Cause[], pen: Pen): string[] {
  const shown = causes
    .slice(0, SHOWN_CAUSES)
    .map(({ title, failures: [first, ...more], open }) =>
      [
        headLine(visible(title), counted(more.length + 1, "check"), pen),
        ...exampleLines(first, pen, SHOWN),
        ...(more.length > 0 ? [field("as well", named(ids(more)), pen)] : []),
        ...(open.length > 0
          ? [field("and so", `${counted(open.length, "check")} could not be completed: ${named(open)}`, pen)]
          : []),
      ].join("\n"),
    );
  const rest = causes.slice(SHOWN_CAUSES);
  const lines = rest
    .slice(0, SHOWN_CAUSES)
    .map(({ title, failures }) => `${failures.length} ${title} (${named(ids(failures))})`);
  const further = rest.length > SHOWN_CAUSES ? [`and ${rest.length - SHOWN_CAUSES} more, in the file below`] : [];
  return [...shown, ...block("More causes:", [...lines, ...further], pen)];
}

const ids = (failures: readonly Failed[]) => failures.map(({ check }) => check);
const named = (checks: readonly string[]) => `${checks.slice(0, 3).join(", ")}${checks.length > 3 ? " …" : ""}`;

const headLine = (title: string, more: string, { paint, width }: Pen) =>
  wrapped(`${paint(31, "FAIL")} ${paint(bold, title)} ${paint(dim, more)}`.trimEnd(), width, 5);

/** A name, and its text in a column of its own. */
function field(name: string, text: string, { paint, width }: Pen, colour?: number): string {
  const head = `  ${colour === undefined ? name : paint(colour, name)}${" ".repeat(COLUMN - 2 - name.length)}`;
  return wrapped(`${head}${indent(text, " ".repeat(COLUMN)).trimStart()}`, width, COLUMN);
}

/** Cause and effect first, then the way to see it again, then where it is documented. */
function exampleLines(failed: Failed, pen: Pen, most: number): string[] {
  const { check, requirement, failure } = failed;
  const { differences, ...sides } = sidesOf(failure);
  const [expected, actual] = shortenedPair(sides.expected, sides.actual, most);
  const place = placeShown(failed);
  const guilty = failure.exchanges[failure.guilty];
  const { level, origin, sentence } = requirement;
  const line = (text: string) =>
    text.split("\n").some(({ length }) => length > LONGEST_LINE)
      ? "too long to be shown here; the report has it"
      : text;
  // Not indented line by line: blanks inside a quoted body would be sent.
  const command = (name: string, text: string) => {
    const [first = "", ...more] = text.split("\n").map((one) => wrappedCommand(visible(one), pen.width, COLUMN));
    return [`  ${name.padEnd(COLUMN - 2)}${first}`, ...more].join("\n");
  };
  return [
    ...(guilty ? [field("request", requestText(guilty), pen)] : []),
    ...(differences.length > 0
      ? [field("differs", visible(differences.join("\n")), pen, 31)]
      : [field("expected", visible(expected), pen, 32), field("got", visible(actual), pen, 31)]),
    ...(place === null ? [] : [field("in", visible(shortened(place, most)), pen)]),
    field("rule", sentence, pen),
    field("check", `${pen.paint(bold, check)} ${pen.paint(dim, `${level}, ${origin}, ${sourceOf(requirement)}`)}`, pen),
    command("again", line(failure.curl)),
    command("alone", failure.rerun),
  ];
}

/** A failure with its exchanges: the decisive one in full, the others in a line each. */
function failureBlock(failed: Failed, pen: Pen): string {
  const { exchanges, guilty } = failed.failure;
  const { paint } = pen;
  return [
    headLine(failed.check, "", pen),
    ...exampleLines(failed, pen, Number.POSITIVE_INFINITY),
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
  const kept = `${judged.length - broken.length} of ${rows.length} kept, of what was checked; all of them: --verbose`;
  return broken.length === 0 ? [kept] : [kept, `requirements not kept, by clause: ${broken.join(", ")}`];
}

function block(title: string, lines: readonly string[], { paint, width }: Pen): string[] {
  if (lines.length === 0) return [];
  return [[paint(bold, title), ...lines.map((line) => wrapped(indent(visible(line)), width, 4))].join("\n")];
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
