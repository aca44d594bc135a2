import { writeFileSync } from "node:fs";
import path from "node:path";
import type { CliOptions } from "./options.ts";
import { badgeSvg } from "./report/badge.ts";
import { toHtml } from "./report/html.ts";
import { toJson } from "./report/json.ts";
import { toJUnit } from "./report/junit.ts";
import { toMarkdown } from "./report/markdown.ts";
import type { Report } from "./report/report.ts";

/** `report.json` for the first target, `report.2.json` for the second. */
function fileOf(file: string, index: number): string {
  if (index === 0) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.${index + 1}${ext}`);
}

/** The report in Markdown, and the badge that it shows in a file beside it: `report.md.svg` for `report.md`. */
function writeMarkdown(file: string, report: Report): void {
  const badge = `${file}.svg`;
  writeFileSync(badge, badgeSvg(report));
  writeFileSync(file, toMarkdown(report, encodeURIComponent(path.basename(badge))));
}

/** Writes the files that were asked for, one of each kind for each target. Throws when a file cannot be written. */
export function writeReports(reports: readonly Report[], { json, junit, markdown, html }: CliOptions): void {
  const sinks = [
    [json, toJson],
    [junit, toJUnit],
    [html, toHtml],
  ] as const;
  for (const [index, report] of reports.entries()) {
    for (const [file, render] of sinks) {
      if (file !== undefined) writeFileSync(fileOf(file, index), render(report));
    }
    if (markdown !== undefined) writeMarkdown(fileOf(markdown, index), report);
  }
}
