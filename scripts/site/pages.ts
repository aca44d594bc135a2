import { readFileSync } from "node:fs";
import { join } from "node:path";
import hljs from "highlight.js/lib/common";
import { contract } from "../../generated/contract.ts";
import { publication } from "../../src/publication.ts";
import { readDocument } from "../../src/server/documents/documents.ts";
import {
  documentLinks,
  fileAddresses,
  resolveLink,
  TRY_IT,
} from "../../src/server/documents/links.ts";
import { renderMarkdown, titleOf } from "../../src/server/documents/markdown.ts";
import {
  anchor,
  contentSecurityPolicy,
  escapeHtml,
  type Link,
  page,
  policyTag,
  styleSource,
} from "../../src/server/documents/page.ts";
import { packageRoot } from "../../src/server/settings/package.ts";
import { type Section, sectionsOf } from "./search.ts";
import { siteStyle } from "./style.ts";

const root = packageRoot();
const PICTURE = "src/docs/order.svg";

/** The page of a document. */
const fileOf = (name: string): string => `${name === "README" ? "index" : name}.html`;

export const TRY_IT_FILE = "try-it.html";
export const FILES_FILE = "files.html";

/** Files of the package, by where the site has them: all in one folder. */
const addresses = (address: (name: string) => string) =>
  new Map([...fileAddresses(publication, address, ""), [`/${PICTURE}`, "order.svg"]]);
const PAGES = addresses(fileOf);
const MARKDOWN = addresses((name) => `${name}.md`);

/** Nothing from elsewhere. */
const ownStyle = `style-src ${styleSource(siteStyle)}`;
const POLICY = contentSecurityPolicy("script-src 'self'", ownStyle, "img-src 'self' data:");

/** The navigation of a page; `current` is the name of a document, or the label of another page. */
export const siteNavigation = (current: string): readonly Link[] => [
  { href: fileOf("README"), label: contract.title },
  ...documentLinks(publication, (name) => (name === TRY_IT ? TRY_IT_FILE : fileOf(name)), current),
  { href: FILES_FILE, label: "Files", group: "Build on it", current: current === "Files" },
];

/** A page of the site. */
export function sitePage(
  title: string,
  current: string,
  content: string,
  contents: readonly Link[] = [],
): string {
  const head = `${policyTag(POLICY)}<script src="site.js" defer></script>\n`;
  const assets = { style: siteStyle, head, icon: "icon.svg" };
  return page({
    title,
    navigation: siteNavigation(current),
    content,
    contents,
    headContent: assets,
  });
}

/** Every document as Markdown and as a page, and what is found in them. */
export function documentPages(server: string): {
  files: ReadonlyMap<string, string>;
  sections: readonly Section[];
} {
  const files = new Map([["order.svg", readFileSync(join(root, PICTURE), "utf8")]]);
  const sections = Object.entries(publication.documents).flatMap(([name, { label, file }]) => {
    const markdown = readDocument(join(root, file), server);
    const resolve = (href: string) => resolveLink(PAGES, file, href);
    const { html, sections } = renderMarkdown(markdown, resolve, resolve, highlight);
    const title = titleOf(markdown) ?? name;
    const named = title.startsWith(contract.title) ? title : `${title} · ${contract.title}`;
    const foot =
      "<p " +
      `class="next">${anchor({ href: `${name}.md`, label: "This document as Markdown" })}</p>`;
    files.set(`${name}.md`, inOneFolder(file, markdown));
    files.set(fileOf(name), sitePage(named, name, html + foot, sections));
    return sectionsOf(fileOf(name), label, html);
  });
  return { files, sections };
}

/**
 * The Markdown of a document with its links to other ones; of a link to another file of the
 * package, only the text is kept.
 */
const inOneFolder = (file: string, markdown: string): string =>
  markdown.replace(
    /(!?)\[((?:[^\][]|\[[^\][]*\])*)\]\(([^)\s]+)\)/g,
    (_, image: string, text: string, href: string) => {
      const address = resolveLink(MARKDOWN, file, href);
      return address === null ? text : `${image}[${text}](${address})`;
    },
  );

/**
 * Code as HTML, its parts in spans that the style colours. Punctuation, half of all spans in JSON,
 * has no colour.
 */
function highlight(code: string, language: string): string {
  if (!hljs.getLanguage(language)) return escapeHtml(code);
  const { value } = hljs.highlight(code, { language });
  return value.replace(/<span class="hljs-punctuation">(.*?)<\/span>/g, "$1");
}
