import MarkdownIt, { type Token } from "markdown-it";

/**
 * What a document has, one after the other: words, `h:` before those of a heading, each block of
 * code as a whole behind `c:`, where a list begins with another number, and addresses behind `@`.
 */

/** Raw HTML is not looked at: a page may leave it out, or show it as text. */
const markdownIt = new MarkdownIt({ html: true });

/** The words of a text, with the mark of where they are. */
export const wordsIn = (text: string, mark = ""): readonly string[] =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => mark + word);

/** Each block of code is the same, but for lines without anything at its end. */
export const codeOf = (text: string): string => `c:${text.trimEnd()}`;

/** Where a numbered list begins, if it is not with 1. */
export const startOf = (first = "1"): readonly string[] => (first === "1" ? [] : [`from ${first}`]);

/**
 * The address of a link to another host, or in the page; of others a page may have another form, or
 * none.
 */
export const linkTo = (address: string): readonly string[] =>
  /^(?:https?:|#)/.test(address) ? [`@${address}`] : [];

function ofInline({ children }: Token, mark: string): readonly string[] {
  return (children ?? []).flatMap(({ type, content, ...token }) => {
    if (type === "link_open")
      return linkTo(String(token.attrs?.find(([name]) => name === "href")?.[1]));
    if (type === "code_inline") return wordsIn(content, `${mark}code:`);
    return type === "text" ? wordsIn(content, mark) : [];
  });
}

export const contentOfMarkdown = (markdown: string): readonly string[] =>
  markdownIt.parse(markdown, {}).flatMap((token, index, all) => {
    if (token.type === "fence" || token.type === "code_block") return [codeOf(token.content)];
    if (token.type === "ordered_list_open") return startOf(token.attrGet("start")?.toString());
    if (token.type !== "inline") return [];
    return ofInline(token, all[index - 1]?.type === "heading_open" ? "h:" : "");
  });
