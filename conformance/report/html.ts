import { createHash } from "node:crypto";
import type { ReportData, ReportedFinding, ReportedRequirement } from "./json.ts";
import { exchangeText, foundBy, type Line, linesOf, sourceOf, wholeText } from "./lines.ts";
import {
  clauseHead,
  clauseRows,
  countsOf,
  countsText,
  type Example,
  examplesOf,
  factsOf,
  notRun,
} from "./summary.ts";
import { counted, type Inside, markup, oneLine, trusted } from "./text.ts";

/** The style of the HTML report: light and dark, contrast of at least 4.5 to 1, from the width of a phone upwards. */
const style = `
:root { color-scheme: light; --text: #1b1c1f; --back: #fff; --soft: #f1f2f4; --line: #c9ccd2; --bad: #a3160f; --good: #14602c; --open: #5a5e66; --link: #0b4fa8; }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --text: #e7e8eb; --back: #17181b; --soft: #24262b; --line: #474b53; --bad: #ff9d94; --good: #7fdc9b; --open: #a9adb6; --link: #9cc4ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; } h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
p { margin: .25rem 0; } small { font-weight: 400; font-size: .85rem; color: var(--open); } a { color: var(--link); } code { font-size: .9em; }
[hidden] { display: none !important; }
.verdict { font-size: 1.2rem; font-weight: 600; } .good, .mark.passed { color: var(--good); } .bad, .mark.failed { color: var(--bad); } .mark.incomplete, .mark.known, .mark.not { color: var(--open); }
.mark { font-weight: 600; font-size: .85rem; }
form { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .75rem 0; margin-top: 2rem; background: var(--back); border-bottom: 1px solid var(--line); }
input, select { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--open); border-radius: 4px; padding: .2rem .4rem; max-width: 100%; }
output { font-size: .85rem; color: var(--open); }
table { border-collapse: collapse; font-size: .9rem; } th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; }
.wide { overflow-x: auto; } thead th, thead ~ tbody tr > * { overflow-wrap: normal; } thead ~ tbody td:nth-child(2) { min-width: 8rem; } thead ~ tbody td:last-child { min-width: 12rem; }
article { border-left: 4px solid var(--bad); padding: .25rem 0 .25rem 1rem; margin: 1.5rem 0; }
.clause { margin: 1.25rem 0; } .requirement { border-top: 1px solid var(--line); scroll-margin-top: 5rem; } .finding { margin: .5rem 0 .75rem 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0; } dt { font-weight: 600; } dd { margin: 0; white-space: pre-wrap; font: .85rem/1.6 ui-monospace, monospace; }
pre { background: var(--soft); padding: .75rem; margin: .25rem 0; white-space: pre-wrap; font-size: .85rem; border-radius: 4px; }
summary { cursor: pointer; padding: .35rem 0; } summary:focus-visible, pre:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 40rem) { dl { display: block; } dt { margin-top: .5rem; } form { position: static; } table, .wide .wide { overflow-x: auto; } thead th { font-size: .75rem; } th, td { padding-right: .4rem; } .finding { margin-left: 0; } }
@media print { form { display: none; } body { max-width: none; padding: 0; font-size: 10pt; } details, article { break-inside: avoid; } }
`;

/** The script of the HTML report: it hides what does not match the search and the filters. The page is complete without it. */
const script = `
const form = document.querySelector("form");
const requirements = [...document.querySelectorAll(".requirement")];
const texts = new Map(requirements.map((one) => [one, one.textContent.toLowerCase()]));
function filter() {
  const { words, outcome, origin } = Object.fromEntries(new FormData(form));
  const wanted = words.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const one of requirements)
    one.hidden = !(wanted.every((word) => texts.get(one).includes(word)) && ["", one.dataset.outcome].includes(outcome) && ["", one.dataset.origin].includes(origin));
  for (const part of document.querySelectorAll(".clause")) part.hidden = !part.querySelector(".requirement:not([hidden])");
  const shown = requirements.filter((one) => !one.hidden).length;
  document.querySelector("output").value = shown + " of " + requirements.length + " requirements";
}
form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter();
function show() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.matches("details")) { form.reset(); filter(); target.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", show);
show();
addEventListener("beforeprint", () => { for (const one of requirements) if (one.dataset.outcome === "failed") one.open = true; });
`;

const scriptHash = createHash("sha256").update(script).digest("base64");
const policy = trusted(
  `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'`,
);

/** Findings of one requirement that are shown, and characters of a request other than the one that a finding is about. */
const MOST = 3;
const SHOWN = 300;
const ORIGINS = {
  given: "Given by the founding document",
  decided: "Decided by the contract",
} as const;
const OUTCOMES = ["failed", "incomplete", "known", "passed", "not selected"];
const TERMS: Partial<Record<Line[0], string>> = {
  ...{ request: "Request", expected: "Expected", got: "Got", differs: "Differs", in: "In" },
};
const FOLDED: Partial<Record<Line[0], string>> = {
  again: "The same bytes again",
  alone: "This check alone",
};

/** The report as one HTML file: it loads nothing, and runs no script but its own (its own policy forbids both). */
export function toHtml(report: ReportData): string {
  const { verdict, summary, causes, stopped, created, removal } = report;
  const title = `Conformance of ${report.target.url}`;
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
<span class="${verdict.startsWith("conformant") ? "good" : "bad"}">${verdict}</span>${summary.slice(verdict.length)}
</p>
${stopped === null ? "" : markup`<p>Stopped: ${stopped}</p>`}
${[list("Faults", report.faults), list("Known failures", report.baseline), list("Remarks", report.remarks)]}
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
  ["", ...values].map((value) => markup`<option value="${value}">${value || "all"}</option>`);

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
  return markup`<div class="wide" tabindex="0"><table>${top}<tbody>\n${lines}\n</tbody></table></div>`;
}

function causePart({ title, extent, requirements, first }: Example, report: ReportData): Inside {
  const requirement = report.requirements.find(({ id }) => id === first.requirement);
  if (!requirement) return "";
  const { id, sentence } = requirement;
  const others = requirements.slice(1).map((other) => markup`<a href="#${other}">${other}</a>`);
  return markup`<article>
<h3>${title} <small>${extent}</small></h3>
<p>${prose(sentence)}</p>
${findingPart(first, report)}
<p><small><a href="#${id}">${id}</a> ${foundBy(first)}; ${sourceOf(requirement, report)}</small></p>
${others.length === 0 ? "" : details(`As well (${others.length})`, bullets(others))}
</article>`;
}

/** Every requirement by clause, the given ones separate from the decided ones, each with its findings. */
function originPart(origin: keyof typeof ORIGINS, report: ReportData): Inside {
  const own = report.requirements.filter((one) => one.origin === origin);
  const parts = [...report.clauses, { clause: "", title: "Of no clause" }].flatMap(
    ({ clause, title }) => {
      const some = own.filter((one) => one.clause === clause);
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
  const own = report.findings.filter((finding) => finding.requirement === id).slice(0, MOST);
  const more = requirement.findings - own.length;
  const parts = own.map(
    (one) =>
      markup`<div class="finding"><p><code>${foundBy(one)}</code></p>${findingPart(one, report)}</div>`,
  );
  return markup`<details class="requirement" id="${id}" data-outcome="${outcome}" data-origin="${origin}">
<summary>
<span class="mark ${outcome}">${outcome}</span> <code>${id}</code> <small>${level}</small><br/>${prose(sentence)}
</summary>
<p><small>${sent} of ${counted(planned, "case")} sent${reason === null ? "" : `; ${reason}`}</small></p>
${more > 0 ? [...parts, markup`<p>And ${counted(more, "more finding")}.</p>`] : parts}
</details>`;
}

/** The request, and expected and actual values or their differences; the exchange and the other steps are folded. */
function findingPart(finding: ReportedFinding, report: ReportData): Inside {
  const { exchanges, at } = finding;
  const lines = linesOf(finding, report, { longest: Number.POSITIVE_INFINITY });
  const whole = wholeText(finding, Number.POSITIVE_INFINITY);
  const step = exchanges.length > 1 ? `: step ${at + 1} of ${exchanges.length}` : "";
  const steps = exchanges.flatMap((one, index) => {
    const title = oneLine(`${index + 1}. ${one.request.method} ${one.request.target}`).slice(
      0,
      SHOWN,
    );
    return index === at ? [] : [details(title, pre(exchangeText(one, SHOWN)))];
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
