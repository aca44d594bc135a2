import MarkdownIt, { type Token } from "markdown-it";
import { escapeHtml, type Link } from "./page.ts";

const markdownIt = new MarkdownIt({ html: false, linkify: false });

/** The note at the top of a generated file is not for readers. */
const NOTE = /^<!--.*?-->\s*/s;

/**
 * The first heading of level 1, which has no markup in it; `null` without one. Parsing the whole
 * text for it would take half of a start.
 */
export const titleOf = (markdown: string): string | null => /^# (.+)$/m.exec(markdown)?.[1] ?? null;

/**
 * The target of a link or the address of an image, or `null` when it has none and only its text is
 * kept.
 */
type Resolve = (href: string) => string | null;

/**
 * The HTML of CommonMark with tables; raw HTML is shown as text. Headings get ids, and links to
 * themselves. Only the pages of a site have images, else their alternative text is shown, and code
 * as HTML.
 */
export function renderMarkdown(
  markdown: string,
  resolveLink: Resolve,
  resolveImage: Resolve = () => null,
  highlight: ((code: string, language: string) => string) | null = null,
): { readonly html: string; readonly sections: readonly Link[] } {
  const tokens = markdownIt.parse(markdown.replace(NOTE, ""), {});
  for (const token of tokens)
    if (token.children)
      token.children = token.children.flatMap(inlineRule(resolveLink, resolveImage));
  const sections = identifyHeadings(tokens);
  const html = markdownIt.renderer.render(tokens, { ...markdownIt.options, highlight }, {});
  // Output of a terminal has no language, a picture a paragraph of its own: both scroll, so the
  // keyboard must reach them.
  return { html: html.replace(/<pre(?=><code>)|<p(?=><img )/g, '$& tabindex="0"'), sections };
}

/** Every heading but the title has a link to itself, which the style shows when it is needed. */
markdownIt.renderer.rules.heading_close = (tokens, index) => {
  const { tag } = tokens[index] ?? {};
  const id = escapeHtml(String(tokens[index - 2]?.attrGet("id")));
  const label = escapeHtml(`Link to: ${textOf(tokens[index - 1])}`);
  return tag === "h1"
    ? "</h1>\n"
    : ` <a class="anchor" href="#${id}" aria-label="${label}">#</a></${tag}>\n`;
};

/**
 * The id of a heading: lower case, words joined by `-`; of the punctuation only the characters of
 * names are kept: `.`, `_`, `-` and `/`. So a code and a requirement are their own ids
 * (`email-taken`, `user.list/limit`), and `user.list` differs from `UserList`.
 */
export function slug(text: string): string {
  const allowed = text.toLowerCase().replace(/[^\p{L}\p{N}\s._/-]/gu, "");
  return allowed.trim().replace(/\s/g, "-") || "section";
}

/**
 * Gives each heading a unique id. Links to those of level 2, each with the bold title of the
 * paragraph below it, if there is one.
 */
function identifyHeadings(tokens: readonly Token[]): readonly Link[] {
  const ids = new Set<string>();
  const sections: Link[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const text = textOf(tokens[index + 1]);
    let id = slug(text);
    for (let count = 1; ids.has(id); count += 1) id = `${slug(text)}-${count}`;
    ids.add(id);
    token.attrSet("id", id);
    if (token.tag !== "h2") continue;
    const [first, title] =
      tokens[index + 4]?.children?.filter(
        ({ content, type }) => content !== "" || type !== "text",
      ) ?? [];
    const suffix =
      first?.type === "strong_open" && title ? `: ${title.content.replace(/\.$/, "")}` : "";
    sections.push({ href: `#${id}`, label: text + suffix });
  }
  return sections;
}

/**
 * Alignment would be an inline style, which the policy of the page forbids; an empty header cell is
 * a header of nothing.
 */
const isEmpty = (cell: Token | undefined): boolean => textOf(cell) === "";
Object.assign(markdownIt.renderer.rules, {
  table_open: () => '<div tabindex="0"><table>\n',
  table_close: () => "</table></div>\n",
  td_open: () => "<td>",
  th_open: (tokens: readonly Token[], index: number) =>
    isEmpty(tokens[index + 1]) ? "<td>" : '<th scope="col">',
  th_close: (tokens: readonly Token[], index: number) =>
    isEmpty(tokens[index - 1]) ? "</td>\n" : "</th>\n",
});

/**
 * Removes both ends of a link without a target, and turns images without an address into text.
 * Links do not nest.
 */
function inlineRule(
  resolveLink: Resolve,
  resolveImage: Resolve,
): (token: Token) => readonly Token[] {
  let dropped = false;
  return (token) => {
    if (token.type === "link_open") {
      const href = resolveLink(String(token.attrGet("href")));
      dropped = href === null;
      if (href !== null) token.attrSet("href", href);
    }
    if (token.type === "image") {
      const source = resolveImage(String(token.attrGet("src")));
      token.attrSet("src", source ?? "");
      if (source === null) Object.assign(token, { type: "text", content: textOf(token) });
    }
    return dropped && token.type.startsWith("link_") ? [] : [token];
  };
}

const textOf = (token: Token | undefined): string =>
  markdownIt.renderer.renderInlineAsText(token?.children ?? [], markdownIt.options, {});
