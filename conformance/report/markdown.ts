import { exchangeText, visible } from "./exchange-text.ts";
import type { Report } from "./report.ts";
import { baselineLines, countsLine, type Failed, facts, failuresOf, notRun, sourceOf } from "./summary.ts";

/** The report in Markdown (GitHub's). `badge`: the address of `badgeSvg` written beside it, such as `report.md.svg`. */
export function toMarkdown(report: Report, badge: string | null = null): string {
  const failures = failuresOf(report);
  const did = report.created.length;
  return `${[
    "# Conformance report",
    ...(badge === null ? [] : [`![conformance: ${report.verdict}](<${badge}>)`]),
    `**${report.verdict}**: ${countsLine(report)}.`,
    ...list("Faults", report.faults),
    ...list("Baseline", baselineLines(report)),
    table(["Run", ""], facts(report)),
    "## By level",
    table(
      ["Level", "Passed", "Failed"],
      Object.entries(report.levels).map(([level, { passed, failed }]) => [level, String(passed), String(failed)]),
    ),
    ...(failures.length > 0 ? ["## Failures", ...failures.flatMap(failureSection)] : []),
    ...didNotRun(report),
    ...list(`Users created (${did}); no operation deletes them`, report.created),
  ].join("\n\n")}\n`;
}

function failureSection({ check, requirement, failure }: Failed): string[] {
  const { level, origin, sentence } = requirement;
  return [
    `### ${inline(check)}`,
    `${level}, ${origin}: ${inline(sentence)}`,
    inline(sourceOf(requirement)),
    fence(`expected  ${visible(failure.expected)}\ngot       ${visible(failure.actual)}`),
    ...failure.exchanges.map((exchange) => fence(exchangeText(exchange), "http")),
    "The same bytes again, and this check alone:",
    fence(`${visible(failure.curl)}\n${visible(failure.rerun)}`, "sh"),
  ];
}

function didNotRun(report: Report): string[] {
  const groups = notRun(report);
  if (groups.length === 0) return [];
  const folded = groups.map(
    ({ title, checks }) =>
      `<details><summary>${checks.length} ${inline(title)}</summary>\n\n${bullets(checks)}\n\n</details>`,
  );
  return ["## What did not run", ...folded];
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

/** Text on one line that means nothing to Markdown or HTML. */
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
