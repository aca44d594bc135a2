import type { Cause, ReportData } from "./json.ts";
import { clauseHead, clauseRows, extentOf, factsOf, findingsOf, MOST_CAUSES, notRun } from "./summary.ts";
import { type Line, linesOf, oneLine, wholeText } from "./text.ts";
import { placeShown } from "./titles.ts";

/** Maximum characters of a body; the JSON and the HTML report have more. */
const SHOWN = 300;

/** The report in GitHub-flavoured Markdown. */
export function toMarkdown(report: ReportData): string {
  const { verdict, summary, causes, faults, remarks, stopped, created, removal } = report;
  const groups = notRun(report);
  return `${[
    "# Conformance report",
    `**${inline(verdict)}**${inline(summary.slice(verdict.length))}`,
    ...(stopped === null ? [] : [`Stopped: ${inline(stopped)}`]),
    ...list("Faults", faults),
    ...list("Known failures", report.baseline),
    ...list("Remarks", remarks),
    table(["Run", ""], factsOf(report)),
    ...(causes.length > 0
      ? [
          "## Failures",
          ...causes.slice(0, MOST_CAUSES).flatMap((cause) => causeSection(cause, report)),
          ...moreCauses(causes),
        ]
      : []),
    "## Clauses",
    table(clauseHead, clauseRows(report)),
    ...(groups.length > 0
      ? ["## What did not run", ...groups.map(([title, ids]) => folded(`${ids.length} ${title}`, ids))]
      : []),
    ...list(`Records created (${created.length}); no operation deletes them`, created),
    ...(created.length > 0 && removal !== null ? [inline(removal)] : []),
  ].join("\n\n")}\n`;
}

const moreCauses = ({ length }: ReportData["causes"]): string[] =>
  length > MOST_CAUSES ? [`And ${length - MOST_CAUSES} more causes, which the JSON report has.`] : [];

/** A cause with one finding, its exchange, and the names of the other requirements. */
function causeSection(cause: Cause, report: ReportData): string[] {
  const { title, requirements } = cause;
  const [first] = findingsOf(cause, report);
  if (!first) return [];
  const whole = wholeText(first, SHOWN);
  const lines = linesOf(first, report, { place: placeShown(first) });
  const text = (...names: Line[0][]) => lines.filter(([name]) => names.includes(name));
  const padded = (some: readonly Line[]) => some.map(([name, one]) => `${name.padEnd(9)} ${one}`).join("\n");
  const others = requirements.slice(1);
  return [
    `### ${inline(title)} (${extentOf(cause, report)})`,
    ...text("rule", "check").map(([, one]) => inline(one)),
    fence(padded(text("expected", "got", "differs", "in"))),
    ...(whole === "" ? [] : [fence(whole, "http")]),
    "The same bytes again, and this check alone:",
    fence(
      text("again", "alone")
        .map(([, one]) => one)
        .join("\n"),
      "sh",
    ),
    ...(others.length > 0 ? [folded(`As well (${others.length})`, others)] : []),
  ];
}

const folded = (title: string, lines: readonly string[]) =>
  `<details><summary>${inline(title)}</summary>\n\n${bullets(lines)}\n\n</details>`;

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, bullets(lines)];
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${inline(line)}`).join("\n");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map((cells) => row(cells.map(inline)))].join("\n");
}

/** Text on one line without meaning to Markdown or HTML; an address in it is no link. */
const inline = (text: string): string => oneLine(text).replace(/[\\`*_{}[\]<>#|~&!]|:(?=\/\/)|(?<=\bwww)\./gi, "\\$&");

/** A code block whose fence is longer than any in its text. */
function fence(text: string, language = "text"): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}
