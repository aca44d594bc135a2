import type { ReportData, ReportedFinding } from "./json.ts";
import { exchangeText, linesOf, oneLine, visible, wholeText } from "./text.ts";
import { placeShown } from "./titles.ts";

/** Parts of the HTML report. Text is escaped here; content is markup already. */

/** Text for XML and HTML, in elements and attributes alike. Characters that XML cannot hold (lone surrogates too) become U+FFFD. */
export function escapeMarkup(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"']/g, (character) => names[character] ?? character)
    .replaceAll("\r", "&#13;");
}

/** The same inside an attribute, where a parser would turn line feeds and tabs into blanks. */
export const escapeAttribute = (text: string): string =>
  escapeMarkup(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");

export const text = (given: string): string => escapeMarkup(visible(given));

/** Prose of the contract, with code in backticks. */
export const prose = (given: string): string => text(given).replace(/`([^`]+)`/g, "<code>$1</code>");

export const section = (title: string, content: string): string =>
  `<section>\n<h2>${text(title)}</h2>\n${content}\n</section>`;

/** A section of lines; nothing if there are none. */
export const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : section(title, bullets(lines));

export const bullets = (lines: readonly string[]): string =>
  `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join("")}</ul>`;

export const details = (summary: string, content: string): string =>
  `<details><summary>${text(summary)}</summary>${content}</details>`;

const pre = (given: string): string => `<pre tabindex="0">${text(given)}</pre>`;

/** The first cell of each row is its heading; without a head, the table has none. */
export function table(head: readonly string[] | null, rows: readonly (readonly string[])[]): string {
  const top = head
    ? `<thead><tr>${head.map((cell) => `<th scope="col">${text(cell)}</th>`).join("")}</tr></thead>`
    : "";
  const lines = rows.map(([first = "", ...cells]) => {
    const rest = cells.map((cell) => `<td>${text(cell)}</td>`).join("");
    return `<tr><th scope="row">${text(first)}</th>${rest}</tr>`;
  });
  return `<div class="wide" tabindex="0"><table>${top}<tbody>\n${lines.join("\n")}\n</tbody></table></div>`;
}

const NAMES = { request: "Request", expected: "Expected", got: "Got", differs: "Differs", in: "In" } as const;
const isShown = (name: string): name is keyof typeof NAMES => name in NAMES;
const FOLDED = { again: "The same bytes again", alone: "This check alone" } as const;
const isFolded = (name: string): name is keyof typeof FOLDED => name in FOLDED;

/** Characters of the body of an earlier request. */
const SHOWN = 300;

/** The request, and expected and actual values or their differences; the exchange and the other steps are folded. */
export function findingPart(finding: ReportedFinding, report: ReportData): string {
  const { exchanges, at } = finding;
  const lines = linesOf(finding, report, { longest: Number.POSITIVE_INFINITY, place: placeShown(finding) });
  const terms = lines.flatMap(([name, one]) => (isShown(name) ? [`<dt>${NAMES[name]}</dt><dd>${text(one)}</dd>`] : []));
  const exchange = wholeText(finding, Number.POSITIVE_INFINITY);
  const whole = `The whole exchange${exchanges.length > 1 ? `: step ${at + 1} of ${exchanges.length}` : ""}`;
  const steps = exchanges.flatMap((one, index) => {
    const title = `${index + 1}. ${one.request.method} ${one.request.target}`;
    return index === at ? [] : [details(oneLine(title).slice(0, SHOWN), pre(exchangeText(one, SHOWN)))];
  });
  return [
    `<dl>${terms.join("")}</dl>`,
    ...(exchange === "" ? [] : [details(whole, pre(exchange))]),
    ...(steps.length > 0 ? [details(`The other steps (${steps.length})`, steps.join("\n"))] : []),
    ...lines.flatMap(([name, one]) => (isFolded(name) ? [details(FOLDED[name], pre(one))] : [])),
  ].join("\n");
}

/** Requirements, each a link to its place. */
export const links = (title: string, ids: readonly string[]): string =>
  ids.length === 0
    ? ""
    : details(
        `${title} (${ids.length})`,
        `<ul>${ids.map((id) => `<li><a href="#${text(id)}">${text(id)}</a></li>`).join("")}</ul>`,
      );
