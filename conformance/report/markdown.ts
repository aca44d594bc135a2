import type { ReportData } from "./json.ts";
import { type Line, linesOf, padded, wholeText } from "./lines.ts";
import { clauseHead, clauseRows, type Example, examplesOf, factsOf, notRun } from "./summary.ts";
import { oneLine } from "./text.ts";

/** Maximum characters of a body; the JSON and the HTML report have more. */
const SHOWN = 300;

/** The report in GitHub-flavoured Markdown. */
export function toMarkdown(report: ReportData): string {
  const { verdict, summary, causes, stopped, created, removal } = report;
  const shown = examplesOf(report);
  const rest = causes.length - shown.length;
  const tail = rest > 0 ? [`And ${rest} more causes, which the JSON report has.`] : [];
  const groups = notRun(report).map(([title, ids]) => folded(title, ids));
  const blocks = [
    "# Conformance report",
    `**${inline(verdict)}**${inline(summary.slice(verdict.length))}`,
    ...(stopped === null ? [] : [`Stopped: ${inline(stopped)}`]),
    ...list("Faults", report.faults),
    ...list("Known failures", report.baseline),
    ...list("Remarks", report.remarks),
    table(["Run", ""], factsOf(report)),
    ...section("Failures", [...shown.flatMap((example) => causeBlocks(example, report)), ...tail]),
    ...section("Clauses", [table(clauseHead, clauseRows(report))]),
    ...section("What did not run", groups),
    ...list(`Records created (${created.length}); no operation deletes them`, created),
    ...(created.length > 0 && removal !== null ? [inline(removal)] : []),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** A cause with one finding, its exchange, and the names of the other requirements. */
function causeBlocks(
  { title, extent, requirements, first }: Example,
  report: ReportData,
): string[] {
  const lines = linesOf(first, report);
  const some = (...names: Line[0][]) => lines.filter(([name]) => names.includes(name));
  const texts = (...names: Line[0][]) => some(...names).map(([, text]) => text);
  const whole = wholeText(first, SHOWN);
  const otherIds = requirements.slice(1);
  return [
    `### ${inline(title)}`,
    extent,
    ...texts("rule", "check").map(inline),
    fence(some("got", "expected", "differs", "in").map(padded).join("\n")),
    ...(whole === "" ? [] : [fence(whole, "http")]),
    "The same bytes again, and this check alone:",
    fence(texts("before", "again", "alone").join("\n"), "sh"),
    ...(otherIds.length > 0 ? [folded(`As well (${otherIds.length})`, otherIds)] : []),
  ];
}

const folded = (title: string, lines: readonly string[]): string =>
  `<details><summary>${inline(title)}</summary>\n\n${bullets(lines)}\n\n</details>`;

const section = (title: string, blocks: readonly string[]): readonly string[] =>
  blocks.length === 0 ? [] : [`## ${title}`, ...blocks];

const list = (title: string, lines: readonly string[]): readonly string[] =>
  section(title, lines.length === 0 ? [] : [bullets(lines)]);

const bullets = (lines: readonly string[]): string =>
  lines.map((line) => `- ${inline(line)}`).join("\n");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(head),
    row(head.map(() => "---")),
    ...rows.map((cells) => row(cells.map(inline))),
  ].join("\n");
}

/** Text on one line without meaning to Markdown or HTML; an address in it is no link. */
const inline = (text: string): string =>
  oneLine(text).replace(/[\\`*_{}[\]<>#|~&!]|:(?=\/\/)|(?<=\bwww)\./gi, "\\$&");

/** A code block whose fence is longer than any in its text. */
function fence(text: string, language = "text"): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}
