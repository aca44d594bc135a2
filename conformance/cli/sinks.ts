import { closeSync, mkdtempSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { badgeSvg } from "../report/badge.ts";
import { toHtml } from "../report/html.ts";
import { toJson } from "../report/json.ts";
import { toJUnit } from "../report/junit.ts";
import { toMarkdown } from "../report/markdown.ts";
import type { Report } from "../report/report.ts";
import type { CliOptions } from "./options.ts";

/** `report.json` for the first target, `report.2.json` for the second. */
function fileOf(file: string, index: number): string {
  if (index === 0) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.${index + 1}${ext}`);
}

interface Sink {
  readonly file: string;
  readonly render: (report: Report) => string;
}

/** The report in Markdown, and the badge that it shows in a file beside it: `report.md.svg` for `report.md`. */
function withBadge(file: string): Sink[] {
  const badge = `${file}.svg`;
  const toPage = (report: Report) => toMarkdown(report, encodeURIComponent(path.basename(badge)));
  return [
    { file: badge, render: badgeSvg },
    { file, render: toPage },
  ];
}

/** The files that were asked for, for one target. */
function sinksFor({ json, junit, markdown, html }: CliOptions, index: number): Sink[] {
  const to = (file: string | undefined) => (file === undefined ? [] : [fileOf(file, index)]);
  return [
    ...to(json).map((file) => ({ file, render: toJson })),
    ...to(junit).map((file) => ({ file, render: toJUnit })),
    ...to(html).map((file) => ({ file, render: toHtml })),
    ...to(markdown).flatMap(withBadge),
  ];
}

/** The file that has every exchange of a failed run: one that was asked for, else one of its own. Null where nothing failed. */
export function wholeReport(report: Report, { html, json, quiet }: CliOptions, index: number): string | null {
  if (report.counts.failed === 0 || quiet) return null;
  const asked = html ?? json;
  if (asked !== undefined) return fileOf(asked, index);
  // Readable by its owner alone: answers of the target are in it.
  const file = path.join(mkdtempSync(path.join(tmpdir(), "atpoint-conformance-")), "report.html");
  writeFileSync(file, toHtml(report));
  return file;
}

/** Opens every file that will be written, before anything is sent. Throws when one cannot be. */
export function openReports(options: CliOptions, targets: number): void {
  for (let index = 0; index < targets; index += 1) {
    for (const { file } of sinksFor(options, index)) closeSync(openSync(file, "a"));
  }
}

/** Writes the files that were asked for, one of each kind for each target. Returns, in words, those that could not be written. */
export function writeReports(reports: readonly Report[], options: CliOptions): string[] {
  const sinks = reports.flatMap((report, index) => sinksFor(options, index).map((sink) => ({ report, ...sink })));
  return sinks.flatMap(({ file, render, report }) => {
    const text = render(report);
    try {
      writeFileSync(file, text);
      return [];
    } catch (error) {
      // node:fs throws Errors only.
      return [`${file}: ${(error as Error).message}`];
    }
  });
}
