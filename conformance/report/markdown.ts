import { type Cause, causesOf } from "./causes.ts";
import { clauseCells, clauseHead } from "./clause-table.ts";
import { exchangeText, visible } from "./exchange-text.ts";
import type { Report } from "./report.ts";
import { sidesOf } from "./shown.ts";
import { baselineLines, countsLine, facts, levelsOf, notRun, sourceOf } from "./summary.ts";

/** Maximum characters of a body; the JSON and the HTML report have all of it. */
const SHOWN = 300;

/** The report in GitHub-flavoured Markdown. */
export function toMarkdown(report: Report): string {
  const causes = causesOf(report);
  const did = report.created.length;
  return `${[
    "# Conformance report",
    `**${report.verdict}**: ${countsLine(report)}.`,
    ...list("Faults", report.faults),
    ...list("Baseline", baselineLines(report)),
    table(["Run", ""], facts(report)),
    levelsOf(report).join(" · "),
    ...(causes.length > 0 ? ["## Failures", ...causes.flatMap(causeSection)] : []),
    "## Clauses",
    table(clauseHead, report.clauses.map(clauseCells)),
    ...didNotRun(report),
    ...list(`Users created (${did}); no operation deletes them`, report.created),
  ].join("\n\n")}\n`;
}

/** A cause with one example, its exchange, and the names of all other checks that it explains. */
function causeSection({ title, failures: [first, ...more], open }: Cause): string[] {
  const { check, requirement, failure } = first;
  const { level, origin, sentence } = requirement;
  const guilty = failure.exchanges[failure.guilty];
  const { expected, actual, differences } = sidesOf(failure);
  return [
    `### ${inline(title)}`,
    `${inline(check)}. ${level}, ${origin}: ${inline(sentence)}`,
    inline(sourceOf(requirement)),
    fence(visible(differences.length > 0 ? differences.join("\n") : `expected  ${expected}\ngot       ${actual}`)),
    ...(guilty ? [fence(exchangeText(guilty, SHOWN), "http")] : []),
    "The same bytes again, and this check alone:",
    fence(`${visible(failure.curl)}\n${visible(failure.rerun)}`, "sh"),
    ...(more.length > 0
      ? [
          folded(
            `${more.length} more`,
            more.map((one) => one.check),
          ),
        ]
      : []),
    ...(open.length > 0 ? [folded(`${open.length} could not be checked for this cause`, open)] : []),
  ];
}

const folded = (title: string, lines: readonly string[]) =>
  `<details><summary>${inline(title)}</summary>\n\n${bullets(lines)}\n\n</details>`;

function didNotRun(report: Report): string[] {
  const groups = notRun(report);
  if (groups.length === 0) return [];
  return ["## What did not run", ...groups.map(({ title, checks }) => folded(`${checks.length} ${title}`, checks))];
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, bullets(lines)];
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${inline(line)}`).join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map((cells) => row(cells.map(inline)))].join("\n");
}

/** Text on one line without meaning to Markdown or HTML. */
function inline(text: string): string {
  return visible(text)
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]<>#|~&!]/g, "\\$&");
}

/** A code block whose fence is longer than any in its text. */
function fence(text: string, language = "text"): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}
