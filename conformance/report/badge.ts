import { escapeMarkup } from "./escape.ts";
import type { Report } from "./report.ts";

const colours: Record<Report["verdict"], string> = {
  conformant: "#1a6b34",
  "conformant (read only)": "#1a6b34",
  "conformant (given)": "#1a6b34",
  "conformant (partial)": "#1a6b34",
  "not conformant": "#b3261e",
  incomplete: "#8a5300",
  unreachable: "#5c5f66",
  "preflight failed": "#5c5f66",
};

/** A badge as an SVG document of its own. Markdown needs it as a file: hosts of repositories show no `data:` images. */
export function badgeSvg({ contract, verdict }: Report): string {
  const left = `conformance ${contract.version}`;
  // 6.5 is the mean width of a character of this font at 11 pixels; textLength makes it exact whatever font there is.
  const [a, b] = [left, verdict].map((text) => Math.round(text.length * 6.5)) as [number, number];
  const width = a + b + 40;
  const text = (content: string, x: number, length: number) =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeMarkup(content)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${escapeMarkup(`${left}: ${verdict}`)}">
<title>${escapeMarkup(`${left}: ${verdict}`)}</title>
<rect width="${width}" height="20" rx="3" fill="#444"/>
<path d="M${a + 20} 0h${b + 17}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${b + 17}z" fill="${colours[verdict]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${text(left, 10, a)}
${text(verdict, a + 30, b)}
</g>
</svg>
`;
}
