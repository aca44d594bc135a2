import { createHash } from "node:crypto";
import { bullets, details, findingPart, links, list, prose, section, table, text } from "./html-parts.ts";
import { script, style } from "./html-style.ts";
import type { Cause, ReportData, ReportedRequirement } from "./json.ts";
import {
  clauseHead,
  clauseRows,
  countsOf,
  countsText,
  extentOf,
  factsOf,
  findingsOf,
  MOST_CAUSES,
  notRun,
} from "./summary.ts";
import { counted, sourceOf } from "./text.ts";

const scriptHash = createHash("sha256").update(script).digest("base64");
const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'`;

/** Findings of one requirement that are shown. */
const MOST = 3;
const ORIGINS = [
  ["given", "Given by the founding document"],
  ["decided", "Decided by the contract"],
] as const;

/** The report as one HTML file: it loads nothing, and runs no script but its own (its own policy forbids both). */
export function toHtml(report: ReportData): string {
  const { verdict, summary, causes, faults, remarks, stopped, created, removal } = report;
  const title = `Conformance of ${report.target.url}`;
  const groups = notRun(report).map(([name, ids]) => details(`${ids.length} ${name}`, bullets(ids)));
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
<p class="verdict"><span class="${verdict.startsWith("conformant") ? "good" : "bad"}">${text(verdict)}</span>${text(summary.slice(verdict.length))}</p>
${stopped === null ? "" : `<p>Stopped: ${text(stopped)}</p>`}
${list("Faults", faults)}${list("Known failures", report.baseline)}${list("Remarks", remarks)}
${
  causes.length > 0
    ? section(
        `What failed, by its cause (${Math.min(causes.length, MOST_CAUSES)} of ${causes.length})`,
        causes
          .slice(0, MOST_CAUSES)
          .map((cause) => causePart(cause, report))
          .join("\n"),
      )
    : ""
}
<div>
${filters}
${ORIGINS.map(([origin, name]) => originPart(origin, name, report)).join("\n")}
</div>
${section("Clauses", table(clauseHead, clauseRows(report)))}
${section("What did not run", groups.join("\n") || "<p>Everything ran.</p>")}
${section("The run", table(null, factsOf(report)))}
${list(`Records created (${created.length}); no operation deletes them`, removal === null ? created : [removal, ...created].slice(created.length > 0 ? 0 : 1))}
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
const same = (...names: readonly string[]) => Object.fromEntries([["", "all"], ...names.map((name) => [name, name])]);

const filters = `<form hidden="">
<label>Search <input type="search" name="words"/></label>
<label>Outcome <select name="outcome">${options(same("failed", "incomplete", "known", "passed", "not selected"))}</select></label>
<label>Origin <select name="origin">${options(same("given", "decided"))}</select></label>
<output></output>
</form>`;

function causePart(cause: Cause, report: ReportData): string {
  const { title, requirements } = cause;
  const [first] = findingsOf(cause, report);
  const requirement = report.requirements.find(({ id }) => id === first?.requirement);
  if (!first || !requirement) return "";
  const { id, sentence } = requirement;
  return `<article>
<h3>${text(title)} <small>${extentOf(cause, report)}</small></h3>
<p>${prose(sentence)}</p>
${findingPart(first, report)}
<p><small><a href="#${text(id)}">${text(id)}</a> ${text(`${first.case ?? first.script ?? ""}; ${sourceOf(requirement, report)}`)}</small></p>
${links("As well", requirements.slice(1))}
</article>`;
}

/** Every requirement by clause, the given ones separate from the decided ones, each with its findings. */
function originPart(origin: ReportedRequirement["origin"], name: string, report: ReportData): string {
  const own = report.requirements.filter((one) => one.origin === origin);
  const clauses = [...report.clauses, { clause: "", title: "Of no clause" }];
  const parts = clauses.map(({ clause, title }) => {
    const some = own.filter((one) => one.clause === clause);
    if (some.length === 0) return "";
    return `<section class="clause">
<h3>${text(`${clause} ${title}`)} <small>${countsText(countsOf(some))}</small></h3>
${some.map((one) => requirementPart(one, report)).join("\n")}
</section>
`;
  });
  return own.length === 0 ? "" : `<section>\n<h2>${name}</h2>\n${parts.join("")}</section>`;
}

function requirementPart(requirement: ReportedRequirement, report: ReportData): string {
  const { id, level, origin, sentence, outcome, reason, planned, sent } = requirement;
  const name = `<span class="mark ${outcome}">${outcome}</span> <code>${text(id)}</code> <small>${level}</small>`;
  const own = report.findings.filter((finding) => finding.requirement === id).slice(0, MOST);
  const more = requirement.findings - own.length;
  const parts = [
    `<p><small>${text(`${sent} of ${counted(planned, "case")} sent${reason === null ? "" : `; ${reason}`}`)}</small></p>`,
    ...own.map(
      (one) =>
        `<div class="finding"><p><code>${text(one.case ?? one.script ?? "")}</code></p>${findingPart(one, report)}</div>`,
    ),
    ...(more > 0 ? [`<p>And ${counted(more, "more finding")}.</p>`] : []),
  ];
  return `<details class="requirement" id="${text(id)}" data-outcome="${outcome}" data-origin="${origin}"><summary>${name}<br/>${prose(sentence)}</summary>
${parts.join("\n")}
</details>`;
}
