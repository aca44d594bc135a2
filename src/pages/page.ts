import { createHash } from "node:crypto";
import { style } from "./style.ts";

/** The source of an inline style in a `Content-Security-Policy` (CSP 3, 2.3.1): covers exactly the text between the tags. */
export const styleSource = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** An `@`, 32 pixels wide, in the page itself: another path would be another resource (D11). A bitmap, since an SVG can hold scripts. */
const icon =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAgMAAAAOFJJnAAAACVBMVEUAAAAkUMT////e3D5oAAAAAXRSTlMAQObYZgAAAINJREFUeNpVkMsNAzEIRMkhJaSfLSGHgLR0sPTjdMDBVBkYf5JYlvWMBzxAxFhEtwEH3Qc86THgVRLrJWLWCAdYr1BCYBNLxrUl5FEXYmN5ewdYAC7O9Cuhi6sboAnANUF/AU8yxbHSYxWcIA3G6lNeNs4/Y1+r2/xsZze4W95DWGP5AESYZXwJ7HHjAAAAAElFTkSuQmCC";

/**
 * The `Content-Security-Policy` of HTML responses: no script, no form, no frame, nothing from another host, only the one inline style, and
 * only pictures inside the page, such as the icon: a hash cannot name one.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${styleSource(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A link of a page. Relative, so that it is right below any path prefix (D32). */
export interface Link {
  readonly href: string;
  readonly label: string;
  /** Links to the page itself. */
  readonly current?: boolean;
}

interface Page {
  readonly title: string;
  /** The first one links to the landing page. */
  readonly navigation: readonly Link[];
  /** HTML, already escaped. */
  readonly content: string;
  /** Another style than that of the documents, and HTML for the head after it. */
  readonly own?: { readonly style: string; readonly head: string };
}

/** The HTML document of every page. Only `content` and `own` are taken as HTML. */
export function page({ title, navigation, content, own = { style, head: "" } }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
<style>${own.style}</style>
${own.head}</head>
<body>
<header><nav aria-label="Documents"><ul>
${navigation.map(navigationItem).join("\n")}
</ul></nav></header>
<main>
${content}
</main>
</body>
</html>
`;
}

/** A link as HTML. */
export function anchor({ href, label, current = false }: Link): string {
  return `<a href="${escapeHtml(href)}"${current ? ' aria-current="page"' : ""}>${escapeHtml(label)}</a>`;
}

/** Text as HTML: safe between tags and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const navigationItem = (link: Link): string => `<li>${anchor(link)}</li>`;
