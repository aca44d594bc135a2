import { escapeMarkup as safe } from "./escape.ts";
import { visible } from "./exchange-text.ts";

/** Parts of the HTML report. Text is escaped here; content is markup already. */

export const text = (given: string) => safe(visible(given));

/** Prose of the contract, with code in backticks. */
export const prose = (given: string) => text(given).replace(/`([^`]+)`/g, "<code>$1</code>");

export function section(title: string, content: string): string {
  return `<section>\n<h2>${text(title)}</h2>\n${content}\n</section>`;
}

/** A section of lines; nothing if there are none. */
export function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : section(title, bullets(lines));
}

export function bullets(lines: readonly string[]): string {
  return `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join("")}</ul>`;
}

export function details(summary: string, content: string, open = false): string {
  return `<details${open ? ' open=""' : ""}><summary>${text(summary)}</summary>${content}</details>`;
}

/** Names and their texts; one without a text is left out. */
export function terms(all: readonly (readonly [name: string, value: string | null])[]): string {
  const items = all.flatMap(([name, value]) => (value === null ? [] : [`<dt>${name}</dt><dd>${text(value)}</dd>`]));
  return `<dl>${items.join("")}</dl>`;
}

export const pre = (given: string) => `<pre tabindex="0">${text(given)}</pre>`;

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
