import hljs from "highlight.js/lib/common";
import { escapeHtml } from "../../src/server/documents/page.ts";

/** Code as HTML, its parts in spans that the style of the site colours. Punctuation, half of all spans in JSON, has no colour. */
export function highlight(code: string, language: string): string {
  if (!hljs.getLanguage(language)) return escapeHtml(code);
  const { value } = hljs.highlight(code, { language });
  return value.replace(/<span class="hljs-punctuation">(.*?)<\/span>/g, "$1");
}
