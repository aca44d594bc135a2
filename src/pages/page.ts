import { createHash } from "node:crypto";
import { style } from "./style.ts";

/** The source of an inline style in a `Content-Security-Policy` (CSP 3, 2.3.1): covers exactly what stands between the tags. */
export const styleSource = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The `Content-Security-Policy` of HTML answers: no script, no form, no frame, nothing from elsewhere, and only the one inline style. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${styleSource(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A link of a page. Relative, so that it holds under any path prefix (D32). */
export interface Link {
  readonly href: string;
  readonly label: string;
  /** Leads to the page itself. */
  readonly current?: boolean;
}

interface Page {
  readonly title: string;
  /** The first one leads home. */
  readonly navigation: readonly Link[];
  /** HTML, already escaped. */
  readonly content: string;
  /** Another style than that of the documents, and HTML for the head behind it. */
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
