import { closeSync, mkdtempSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
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

/** The requested report files for one target. */
function sinksFor({ json, junit, markdown, html }: CliOptions, index: number): Sink[] {
  const to = (file: string | undefined, render: Sink["render"]) =>
    file === undefined ? [] : [{ file: fileOf(file, index), render }];
  return [...to(json, toJson), ...to(junit, toJUnit), ...to(html, toHtml), ...to(markdown, toMarkdown)];
}

/** The file with every exchange of a failed run: a requested one, otherwise a new one. Null if nothing failed. */
export function wholeReport(report: Report, { html, json, quiet }: CliOptions, index: number): string | null {
  if (report.counts.failed === 0 || quiet) return null;
  const asked = html ?? json;
  if (asked !== undefined) return fileOf(asked, index);
  // Readable by its owner only: it has responses of the target.
  const file = path.join(mkdtempSync(path.join(tmpdir(), "atpoint-conformance-")), "report.html");
  writeFileSync(file, toHtml(report));
  return file;
}

/** Opens every report file for these targets before anything is sent. Throws if one cannot be opened. */
export function openReports(options: CliOptions, targets: readonly number[]): void {
  for (const index of targets) {
    for (const { file } of sinksFor(options, index)) closeSync(openSync(file, "a"));
  }
}

/**
 * Writes the requested files, one of each kind for each checked target, by its position. Returns error messages for those that
 * could not be written.
 */
export function writeReports(reports: ReadonlyMap<number, Report>, options: CliOptions): string[] {
  const sinks = [...reports].flatMap(([index, report]) =>
    sinksFor(options, index).map((sink) => ({ report, ...sink })),
  );
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
