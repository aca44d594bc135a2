/** Texts for all reports. What is shown here is redacted already; only then is it cut. */

/** Maximum characters of a text of the target inside a sentence. */
const QUOTED = 40;

/** What a terminal or an editor would obey, or not show; line feeds and tabs are neither. */
export const UNSEEN = /[^\P{C}\n\t]|[\u2028\u2029]/gu;

/** Text with that as escapes. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

/** Visible text on one line. */
export const oneLine = (text: string): string => visible(text).replace(/\s+/g, " ").trim();

/** A text of the target inside a sentence of ours. */
export const quoted = (text: string): string =>
  `"${oneLine(text).slice(0, QUOTED)}${oneLine(text).length > QUOTED ? "…" : ""}"`;

/** The beginning of a text, and how much is omitted. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}\n… ${text.length - most} characters more` : text;

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** `42 s`, or `12 min`. */
export const timeText = (ms: number): string =>
  ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`;

/** In the order of the first item of each group. */
export function groupedBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): [key: string, Item[]][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

/** XML or HTML. */
class Markup {
  constructor(readonly text: string) {}
}
export type Inside = string | number | Markup | readonly Inside[];

const NAMES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function textOf(inside: Inside): string {
  if (inside instanceof Markup) return inside.text;
  if (typeof inside === "object") return inside.map(textOf).join("\n");
  // What is visible has no character that XML cannot hold.
  return visible(`${inside}`).replace(/[&<>"']/g, (character) => NAMES[character] ?? character);
}

/**
 * A template in which every text is escaped, for elements and attributes alike; of a list each is
 * on a line of its own.
 */
export const markup = (texts: TemplateStringsArray, ...inside: Inside[]): Markup =>
  new Markup(String.raw({ raw: texts }, ...inside.map(textOf)));

/** Text that is markup already. */
export const trusted = (text: string): Markup => new Markup(text);
