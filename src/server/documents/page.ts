import { createHash } from "node:crypto";
import { style } from "./style.ts";

/**
 * The source of an inline style in a `Content-Security-Policy` (CSP 3, 2.3.1): covers exactly the
 * text between the tags.
 */
export const styleSource = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * An `@`, 32 pixels wide, in the page itself: another path would be another resource (D11). A
 * bitmap, since an SVG can hold scripts.
 */
const icon =
  "data:image/png;base64," +
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAgMAAAAOFJJnAAAACVBMVEUAAAAkUMT////e3D5oAAAAAXRSTlMAQObY" +
  "ZgAAAINJREFUeNpVkMsNAzEIRMkhJaSfLSGHgLR0sPTjdMDBVBkYf5JYlvWMBzxAxFhEtwEH3Qc86THgVRLrJWLW" +
  "CAdYr1BCYBNLxrUl5FEXYmN5ewdYAC7O9Cuhi6sboAnANUF/AU8yxbHSYxWcIA3G6lNeNs4/Y1+r2/xsZze4W95D" +
  "WGP5AESYZXwJ7HHjAAAAAElFTkSuQmCC";

/** A `Content-Security-Policy` that allows these sources, and no form. */
export const contentSecurityPolicy = (...sources: readonly string[]): string =>
  ["default-src 'none'", ...sources, "base-uri 'none'", "form-action 'none'"].join("; ");

/** It has a meaning only in a header, not in a page (CSP 3, 3.3). */
export const NO_FRAMES = "; frame-ancestors 'none'";

/**
 * The policy of documents: no script, nothing from another host, only the one inline style, and
 * only pictures inside the page, as the icon.
 */
export const PAGE_HEADERS = {
  "Content-Security-Policy":
    contentSecurityPolicy(`style-src ${styleSource(style)}`, "img-src data:") + NO_FRAMES,
};

/** The policy of a page that no service sends as a header. */
export const policyTag = (policy: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">\n`;

/** A link of a page. Relative, so that it is right below any path prefix (D32). */
export interface Link {
  readonly href: string;
  readonly label: string;
  /** Links to the page itself. */
  readonly current?: boolean;
  /** The heading above it and its like. */
  readonly group?: string;
}

interface Page {
  readonly title: string;
  /** The first one links to the landing page. */
  readonly navigation: readonly Link[];
  /** HTML, already escaped. */
  readonly content: string;
  /** Its sections: of three or more, the page has a list. */
  readonly contents?: readonly Link[];
  /**
   * Another style than that of the documents, HTML for the head after it, and the address of
   * another icon.
   */
  readonly headContent?: { readonly style: string; readonly head: string; readonly icon?: string };
}

/** The HTML document of every page. Only `content` and `headContent` are taken as HTML. */
export function page({
  title,
  navigation: [home, ...links],
  content,
  contents = [],
  headContent = { style, head: "" },
}: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${headContent.icon ?? icon}">
<style>${headContent.style}</style>
${headContent.head}</head>
<body>
<a class="skip" href="#page">Skip to the text</a>
<header>
${home ? anchor(home) : ""}
</header>
<div class="columns">
${menu(links)}<div id="page">
${contentsList(contents)}<main>
${content}
</main>
</div>
</div>
</body>
</html>
`;
}

/**
 * Next to the text where there is room, else folded, without a script: hence twice, of which the
 * style shows one.
 */
function menu(links: readonly Link[]): string {
  const groups = [...new Set(links.map(({ group = "" }) => group))].map(
    (group) => `<p>${escapeHtml(group)}</p>${list(links.filter((link) => link.group === group))}`,
  );
  return `<nav class="menu" aria-label="Documents">
<details><summary>Documents</summary>${groups.join("\n")}</details>
<div>${groups.join("\n")}</div>
</nav>
`;
}

const contentsList = (sections: readonly Link[]): string =>
  sections.length < 3
    ? ""
    : `<nav aria-label="Contents"><details><summary>Contents</summary>${list(sections)}` +
      "</details></nav>\n";

/** Links as a list. */
export const list = (links: readonly Link[]): string =>
  `<ul>\n${links.map((link) => `<li>${anchor(link)}</li>`).join("\n")}\n</ul>`;

/** A link as HTML. */
export function anchor({ href, label, current = false }: Link): string {
  return (
    "<a " +
    `href="${escapeHtml(href)}"${current ? ' aria-current="page"' : ""}>${escapeHtml(label)}</a>`
  );
}

/** Text as HTML: safe between tags and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
