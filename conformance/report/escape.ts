/** Text for XML and HTML, in elements and attributes alike. Characters that XML cannot hold (lone surrogates too) become U+FFFD. */
export function escapeMarkup(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"']/g, (character) => names[character] ?? character)
    .replaceAll("\r", "&#13;");
}

/** The same inside an attribute, where a parser would turn line feeds and tabs into blanks. */
export function escapeAttribute(text: string): string {
  return escapeMarkup(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
