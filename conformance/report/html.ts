import { createHash } from "node:crypto";
import { script, style } from "./html-page.ts";
import type { ReportData, ReportedFinding, ReportedRequirement } from "./json.ts";
import {
  exchangeText,
  foundBy,
  isAbout,
  type Line,
  linesOf,
  sourceOf,
  wholeText,
} from "./lines.ts";
import {
  clauseHead,
  clauseRows,
  countsOf,
  countsText,
  type Example,
  examplesOf,
  factsOf,
  notRun,
  outcomeText,
} from "./summary.ts";
import { counted, type Inside, markup, oneLine, trusted } from "./text.ts";

const scriptHash = createHash("sha256").update(script).digest("base64");
const policy = trusted(
  `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'`,
);

/**
 * Findings of one requirement that are shown, and characters of a request other than the one that a
 * finding is about.
 */
const MOST = 3;
const SHOWN = 300;
const ORIGINS = {
  given: "Given by the founding document",
  decided: "Decided by the contract",
} as const;
const OUTCOMES = ["failed", "incomplete", "known", "passed", "not selected"];
const TERMS: Partial<Record<Line[0], string>> = {
  request: "Request",
  expected: "Expected",
  got: "Got",
  differs: "Differs",
  in: "In",
  before: "Before these commands",
};
const FOLDED: Partial<Record<Line[0], string>> = {
  again: "The same bytes again",
  alone: "This check alone",
};

/**
 * The report as one HTML file: it loads nothing, and runs no script but its own (its own policy
 * forbids both).
 */
export function toHtml(report: ReportData): string {
  const { verdict, summary, causes, stopped, created, removal } = report;
  const title = `Conformance of ${report.target.url}`;
  const mark = verdict.startsWith("conformant") ? "good" : "bad";
  const examples = examplesOf(report);
  const groups = notRun(report).map(([name, ids]) => details(name, bullets(ids)));
  const removed = created.length > 0 && removal !== null ? [removal] : [];
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="verdict">
<span class="${mark}">${verdict}</span>${summary.slice(verdict.length)}
</p>
${stopped === null ? "" : markup`<p>Stopped: ${stopped}</p>`}
${[
  list("Faults", report.faults),
  list("Known failures", report.baseline),
  list("Remarks", report.remarks),
]}
${section(
  `What failed, by its cause (${examples.length} of ${causes.length})`,
  examples.map((example) => causePart(example, report)),
)}
<div>
<form hidden="">
<label>Search <input type="search" name="words"/></label>
<label>Outcome <select name="outcome">${choice(OUTCOMES)}</select></label>
<label>Origin <select name="origin">${choice(Object.keys(ORIGINS))}</select></label>
<output></output>
</form>
${(["given", "decided"] as const).map((origin) => originPart(origin, report))}
</div>
${section("Clauses", [table(clauseHead, clauseRows(report))])}
${section("What did not run", groups.length === 0 ? [markup`<p>Everything ran.</p>`] : groups)}
${section("The run", [table([], factsOf(report))])}
${list(`Records created (${created.length}); no operation deletes them`, [...removed, ...created])}
</main>
<script>${trusted(script)}</script>
</body>
</html>
`.text;
}

const section = (title: string, content: readonly Inside[]) =>
  content.length === 0 ? "" : markup`<section>\n<h2>${title}</h2>\n${content}\n</section>`;

const list = (title: string, lines: readonly string[]) =>
  section(title, lines.length === 0 ? [] : [bullets(lines)]);

const bullets = (lines: readonly Inside[]) =>
  markup`<ul>${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;

const details = (summary: string, content: Inside) =>
  markup`<details><summary>${summary}</summary>${content}</details>`;

const choice = (values: readonly string[]) =>
  ["", ...values].map(
    (value) => markup`<option value="${value}">${outcomeText(value) || "all"}</option>`,
  );

/** Prose of the contract, with code in backticks. */
const prose = (text: string) =>
  trusted(markup`${text}`.text.replace(/`([^`]+)`/g, "<code>$1</code>"));

const pre = (text: string) => markup`<pre tabindex="0">${text}</pre>`;

/** The first cell of each row is its heading. */
function table(head: readonly string[], rows: readonly (readonly string[])[]) {
  const columns = head.map((cell) => markup`<th scope="col">${cell}</th>`);
  const top = head.length === 0 ? "" : markup`<thead><tr>${columns}</tr></thead>`;
  const lines = rows.map(([first = "", ...cells]) => {
    const rest = cells.map((cell) => markup`<td>${cell}</td>`);
    return markup`<tr><th scope="row">${first}</th>${rest}</tr>`;
  });
  const body = markup`<tbody>\n${lines}\n</tbody>`;
  return markup`<div class="wide" tabindex="0"><table>${top}${body}</table></div>`;
}

function causePart({ title, extent, requirements, first }: Example, report: ReportData): Inside {
  const requirement = report.requirements.find(({ id }) => id === first.requirement);
  if (!requirement) return "";
  const { id, sentence } = requirement;
  const links = requirements.slice(1).map((other) => markup`<a href="#${other}">${other}</a>`);
  return markup`<article>
<h3>${title}</h3>
<p><small>${extent}</small></p>
<p>${prose(sentence)}</p>
${findingPart(first, report)}
<p><small><a href="#${id}">${id}</a> ${foundBy(first)}; ${sourceOf(requirement, report)}</small></p>
${links.length === 0 ? "" : details(`As well (${links.length})`, bullets(links))}
</article>`;
}

/**
 * Every requirement by clause, the given ones separate from the decided ones, each with its
 * findings.
 */
function originPart(origin: keyof typeof ORIGINS, report: ReportData): Inside {
  const ofOrigin = report.requirements.filter((one) => one.origin === origin);
  const parts = [...report.clauses, { clause: "", title: "Of no clause" }].flatMap(
    ({ clause, title }) => {
      const some = ofOrigin.filter((one) => one.clause === clause);
      const part = markup`<section class="clause">
<h3>${clause} ${title} <small>${countsText(countsOf(some))}</small></h3>
${some.map((one) => requirementPart(one, report))}
</section>`;
      return some.length === 0 ? [] : [part];
    },
  );
  return section(ORIGINS[origin], parts);
}

function requirementPart(requirement: ReportedRequirement, report: ReportData) {
  const { id, level, origin, sentence, outcome, reason, planned, sent } = requirement;
  const findings = report.findings.filter((finding) => isAbout(finding, id)).slice(0, MOST);
  const remaining = requirement.findings - findings.length;
  const parts = findings.map(
    (reportedFinding) =>
      markup`<div class="finding">
<p><code>${foundBy(reportedFinding)}</code></p>
${findingPart(reportedFinding, report)}
</div>`,
  );
  const data = markup`data-outcome="${outcome}" data-origin="${origin}"`;
  const count = `${sent} of ${counted(planned, "case")} sent`;
  return markup`<details class="requirement" id="${id}" ${data}>
<summary>
<span class="mark ${outcome}">${outcomeText(outcome)}</span>
<code>${id}</code> <small>${level}</small><br/>
${prose(sentence)}
</summary>
<p><small>${reason === null ? count : `${count}; ${reason}`}</small></p>
${remaining > 0 ? [...parts, markup`<p>And ${counted(remaining, "more finding")}.</p>`] : parts}
</details>`;
}

/**
 * The request, and expected and actual values or their differences; the exchange and the other
 * steps are folded.
 */
function findingPart(finding: ReportedFinding, report: ReportData): Inside {
  const { exchanges, at } = finding;
  const lines = linesOf(finding, report, { longest: Number.POSITIVE_INFINITY });
  const whole = wholeText(finding, Number.POSITIVE_INFINITY);
  const step = exchanges.length > 1 ? `: step ${at + 1} of ${exchanges.length}` : "";
  const steps = exchanges.flatMap((reportedExchange, index) => {
    const title = oneLine(
      `${index + 1}. ${reportedExchange.request.method} ${reportedExchange.request.target}`,
    ).slice(0, SHOWN);
    return index === at ? [] : [details(title, pre(exchangeText(reportedExchange, SHOWN)))];
  });
  const named = (names: typeof TERMS, part: (name: string, text: string) => Inside) =>
    lines.flatMap(([name, text]) => (names[name] === undefined ? [] : [part(names[name], text)]));
  return [
    markup`<dl>${named(TERMS, (name, text) => markup`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`,
    ...(whole === "" ? [] : [details(`The whole exchange${step}`, pre(whole))]),
    ...(steps.length > 0 ? [details(`The other steps (${steps.length})`, steps)] : []),
    ...named(FOLDED, (name, text) => details(name, pre(text))),
  ];
}
