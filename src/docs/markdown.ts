import MarkdownIt, { type Token } from "markdown-it";

const markdownIt = new MarkdownIt({ html: false, linkify: false });

/** The target of a link, or `null` when it has none and only its text is kept. */
export type ResolveLink = (href: string) => string | null;

/** The note at the top of a generated file is not for readers. */
const NOTE = /^<!--.*?-->\s*/s;

/** The first heading of level 1, which has no markup in it; `null` without one. Parsing the whole text for it would take half of a start. */
export const titleOf = (markdown: string): string | null => /^# (.+)$/m.exec(markdown)?.[1] ?? null;

/**
 * The HTML of CommonMark with tables, without the author's own HTML: raw HTML is shown as text. Headings get ids, images become
 * their alternative text: a page loads nothing.
 */
export function renderMarkdown(markdown: string, resolveLink: ResolveLink): string {
  const tokens = markdownIt.parse(markdown.replace(NOTE, ""), {});
  for (const token of tokens) {
    if (token.children) token.children = token.children.flatMap(inlineRule(resolveLink));
  }
  identifyHeadings(tokens);
  describeColumns(tokens);
  return markdownIt.renderer.render(tokens, markdownIt.options, {});
}

/**
 * The id of a heading: lower case, words joined by `-`; of the punctuation only the characters of names are kept: `.`, `_`, `-` and `/`.
 * So a code and a requirement are their own ids (`email-taken`, `user.list/limit`), and `user.list` differs from `UserList`.
 */
export function slug(text: string): string {
  const kept = text.toLowerCase().replace(/[^\p{L}\p{N}\s._/-]/gu, "");
  return kept.trim().replace(/\s/g, "-") || "section";
}

/** Gives each heading a unique id. */
function identifyHeadings(tokens: readonly Token[]): void {
  const ids = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const text = textOf(tokens[index + 1]);
    let id = slug(text);
    for (let count = 1; ids.has(id); count += 1) id = `${slug(text)}-${count}`;
    ids.add(id);
    token.attrSet("id", id);
  }
}

/**
 * Sets the scope of header cells; an empty one is a header of nothing and becomes a plain cell. Alignment is dropped: it is an
 * inline style, which the policy of the page forbids.
 */
function describeColumns(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type === "td_open" || token.type === "th_open") token.attrs = null;
    if (token.type !== "th_open") continue;
    const cell = tokens.slice(index, index + 3);
    const headsNothing = textOf(cell[1]) === "";
    for (const part of cell) if (headsNothing && part.type !== "inline") part.tag = "td";
    if (!headsNothing) token.attrSet("scope", "col");
  }
}

/** Removes both ends of a link without a target, and turns images into text. Links do not nest. */
function inlineRule(resolveLink: ResolveLink): (token: Token) => readonly Token[] {
  let dropped = false;
  return (token) => {
    if (token.type === "link_open") {
      const href = resolveLink(String(token.attrGet("href")));
      dropped = href === null;
      if (href !== null) token.attrSet("href", href);
    }
    if (token.type === "image") {
      token.content = textOf(token);
      token.type = "text";
    }
    return dropped && token.type.startsWith("link_") ? [] : [token];
  };
}

const textOf = (token: Token | undefined): string =>
  markdownIt.renderer.renderInlineAsText(token?.children ?? [], markdownIt.options, {});
