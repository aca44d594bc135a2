/** A section of a page: where it is, the titles of the page and of the section, and its text. */
export type Section = readonly [href: string, page: string, heading: string, text: string];

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  "#39": "'",
};

/** The text of HTML as the renderer writes it. */
const textOf = (html: string): string =>
  html
    .replace(/<a class="anchor".*?<\/a>/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/&(\w+|#\d+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, " ")
    .trim();

/** The sections of a page, each from its heading to the next. */
export function sectionsOf(file: string, title: string, html: string): readonly Section[] {
  return html.split(/(?=<h[1-6] id=")/).map((part) => {
    const [heading = "", , id = ""] = /^<h([1-6]) id="([^"]*)">.*?<\/h\1>/.exec(part) ?? [];
    const href = heading.startsWith("<h1") ? file : `${file}#${id}`;
    return [href, title, textOf(heading), textOf(part.slice(heading.length))];
  });
}

/**
 * What the script of the site loads with the first search: a script, since a page that is opened
 * from a disk cannot fetch.
 */
export const searchIndex = (sections: readonly Section[]): string =>
  "globalThis.searchIndex = " +
  `[\n${sections.map((section) => JSON.stringify(section)).join(",\n")}\n];\n`;
