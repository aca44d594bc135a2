import { visible } from "./text.ts";

/** XML or HTML. */
class Markup {
  constructor(readonly text: string) {}
}
export type Inside = string | number | Markup | readonly Inside[];

const NAMES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function textOf(inside: Inside): string {
  if (inside instanceof Markup) return inside.text;
  if (typeof inside === "object") return inside.map(textOf).join("\n");
  // What is visible has no character that XML cannot hold.
  return visible(`${inside}`).replace(/[&<>"']/g, (character) => NAMES[character] ?? character);
}

/** A template in which every text is escaped, for elements and attributes alike; of a list each is on a line of its own. */
export const markup = (texts: TemplateStringsArray, ...inside: Inside[]): Markup =>
  new Markup(String.raw({ raw: texts }, ...inside.map(textOf)));

/** Text that is markup already. */
export const trusted = (text: string): Markup => new Markup(text);
