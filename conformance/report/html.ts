import { createHash } from "node:crypto";
import { counted } from "../client/counted.ts";
import { placeShown } from "./cause-title.ts";
import { type Cause, causesOf } from "./causes.ts";
import { clauseCells, clauseHead } from "./clause-table.ts";
import { byClause, failurePart, linksTo } from "./html-clauses.ts";
import { bullets, details, list, prose, section, table, text } from "./html-parts.ts";
import { script } from "./html-script.ts";
import { style } from "./html-style.ts";
import type { Report } from "./report.ts";
import { baselineLines, countsLine, facts, levelsOf, notRun, sourceOf } from "./summary.ts";

const scriptHash = createHash("sha256").update(script).digest("base64");
const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'`;

/** The report as one HTML file: it loads nothing, and runs no script but its own (its own policy forbids both). */
export function toHtml(report: Report): string {
  const title = `Conformance of ${report.target.url}`;
  const good = report.verdict.startsWith("conformant");
  const causes = causesOf(report);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${text(title)}</h1>
<p class="verdict"><span class="${good ? "good" : "bad"}">${text(report.verdict)}</span>: ${text(countsLine(report))}</p>
<p>${text(levelsOf(report).join(" · "))}</p>
${list("Faults", report.faults)}${list("Baseline", baselineLines(report))}
${causes.length > 0 ? section(`What failed, by its cause (${causes.length})`, causes.map(cause).join("\n")) : ""}
<div>
${filters}
${byClause(report)}
</div>
${section("Clauses", table(clauseHead, report.clauses.map(clauseCells)))}
${section("What did not run", groups(report))}
${section("The run", table(null, facts(report)))}
${list(`Users created (${report.created.length}); no operation deletes them`, report.created)}
</main>
<script>${script}</script>
</body>
</html>
`;
}

const options = (named: Readonly<Record<string, string>>) =>
  Object.entries(named)
    .map(([value, name]) => `<option value="${value}">${name}</option>`)
    .join("");

const filters = `<form hidden="">
<label>Search <input type="search" name="words"/></label>
<label>Outcome <select name="outcome">${options({ "": "all", failed: "failed", passed: "passed", open: "not judged" })}</select></label>
<label>Origin <select name="origin">${options({ "": "all", given: "given", decided: "decided" })}</select></label>
<output></output>
</form>`;

function cause({ title, failures: [first, ...more], open }: Cause): string {
  const { check, requirement, failure } = first;
  return `<article>
<h3>${prose(title)} <small>${counted(more.length + 1, "check")}</small></h3>
<p>${prose(requirement.sentence)}</p>
${failurePart(failure, placeShown(first))}
<p><small><a href="#${text(requirement.id)}">${text(check)}</a> ${text(`${requirement.level}, ${requirement.origin}, ${sourceOf(requirement)}`)}</small></p>
${foldedLinks(
  "As well",
  more.map((one) => one.check),
)}
${foldedLinks("Could not be checked for this cause", open)}
</article>`;
}

const foldedLinks = (title: string, checks: readonly string[]) =>
  checks.length > 0 ? `<details><summary>${title} (${checks.length})</summary>${linksTo(checks)}</details>` : "";

function groups(report: Report): string {
  const folded = notRun(report).map(({ title, checks }) => details(`${checks.length} ${title}`, bullets(checks)));
  return folded.join("\n") || `<p>${report.results.length > 0 ? "Everything ran." : "No check ran."}</p>`;
}
