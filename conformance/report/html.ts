import { escapeMarkup as safe } from "./escape.ts";
import { exchangeText, visible } from "./exchange-text.ts";
import { style } from "./html-style.ts";
import type { CheckResult, Report } from "./report.ts";
import { baselineLines, countsLine, type Failed, facts, failuresOf, notRun, seconds, sourceOf } from "./summary.ts";

/** The report as one HTML file: no script, nothing from elsewhere (its own policy forbids both). */
export function toHtml(report: Report): string {
  const failures = failuresOf(report);
  const title = `Conformance of ${report.target.url}`;
  const good = report.verdict.startsWith("conformant");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${safe(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${safe(title)}</h1>
<p class="verdict"><span class="${good ? "good" : "bad"}">${safe(report.verdict)}</span>: ${safe(countsLine(report))}</p>
${list("Faults", report.faults)}${list("Baseline", baselineLines(report))}
${section("The run", table(null, facts(report)))}
${section("By level", table(["Level", "Passed", "Failed"], levels(report)))}
${failures.length > 0 ? section(`Failures (${failures.length})`, failures.map(article).join("\n")) : ""}
${section("What did not run", groups(report))}
${section("All checks", details(`Outcome of each (${report.results.length})`, table(["Check", "Level", "Outcome", "Duration"], report.results.map(row))))}
${list(`Users created (${report.created.length}); no operation deletes them`, report.created)}
</main>
</body>
</html>
`;
}

function article({ check, requirement, failure }: Failed): string {
  const { level, origin, sentence } = requirement;
  const exchanges = failure.exchanges.map((exchange, index) =>
    details(`Exchange ${index + 1}: ${exchange.request.method} ${exchange.request.url}`, pre(exchangeText(exchange))),
  );
  return `<article>
<h3>${safe(check)}</h3>
<p>${safe(`${level}, ${origin}: ${sentence}`)}</p>
<p>${safe(sourceOf(requirement))}</p>
<dl><dt>Expected</dt><dd>${safe(visible(failure.expected))}</dd><dt>Got</dt><dd>${safe(visible(failure.actual))}</dd></dl>
${exchanges.join("\n")}
${details("The same bytes again", pre(failure.curl))}
${details("This check alone", pre(failure.rerun))}
</article>`;
}

function groups(report: Report): string {
  const folded = notRun(report).map(({ title, checks }) => details(`${checks.length} ${title}`, bullets(checks)));
  return folded.join("\n") || `<p>${report.results.length > 0 ? "Everything ran." : "No check ran."}</p>`;
}

function levels({ levels }: Report): string[][] {
  return Object.entries(levels).map(([level, { passed, failed }]) => [level, String(passed), String(failed)]);
}

function row({ check, requirement, outcome, durationMs }: CheckResult): string[] {
  return [check, requirement.level, outcome, seconds(durationMs)];
}

function section(title: string, content: string): string {
  return `<section>\n<h2>${safe(title)}</h2>\n${content}\n</section>`;
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : section(title, bullets(lines));
}

function bullets(lines: readonly string[]): string {
  return `<ul>${lines.map((line) => `<li>${safe(visible(line))}</li>`).join("")}</ul>`;
}

function details(summary: string, content: string): string {
  return `<details><summary>${safe(visible(summary))}</summary>${content}</details>`;
}

function pre(text: string): string {
  return `<pre>${safe(visible(text))}</pre>`;
}

/** The first cell of each row is its heading; without a head, the table has none. */
function table(head: readonly string[] | null, rows: readonly (readonly string[])[]): string {
  const top = head
    ? `<thead><tr>${head.map((cell) => `<th scope="col">${safe(cell)}</th>`).join("")}</tr></thead>`
    : "";
  const lines = rows.map(([first = "", ...cells]) => {
    const rest = cells.map((cell) => `<td>${safe(visible(cell))}</td>`).join("");
    return `<tr><th scope="row">${safe(visible(first))}</th>${rest}</tr>`;
  });
  return `<table>${top}<tbody>\n${lines.join("\n")}\n</tbody></table>`;
}
