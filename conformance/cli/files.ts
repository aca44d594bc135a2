import { chmodSync, closeSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { toHtml } from "../report/html.ts";
import { type ReportData, toJson } from "../report/json.ts";
import { toJUnit } from "../report/junit.ts";
import { toMarkdown } from "../report/markdown.ts";
import { toSarif } from "../report/sarif.ts";
import { messageOf, reading } from "./usage.ts";

const FORMATS = { json: toJson, junit: toJUnit, html: toHtml, markdown: toMarkdown, sarif: toSarif } as const;

/** The files of the reports, by their option. */
export type ReportFiles = Readonly<Partial<Record<keyof typeof FORMATS, string>>>;

const isFormat = (name: string): name is keyof ReportFiles => name in FORMATS;
const entries = (files: ReportFiles) =>
  Object.entries(files).flatMap(([format, file]) => (isFormat(format) ? [{ format, file }] : []));

/** Opens every file before anything is sent. Throws a `UsageError` that names the option of one that cannot be written. */
export function openFiles(files: ReportFiles): void {
  for (const { format, file } of entries(files)) reading(() => closeSync(openSync(file, "a")), `--${format} ${file}: `);
}

/** Writes the files; returns a message for each that could not be written. */
export function writeFiles(report: ReportData, files: ReportFiles): readonly string[] {
  return entries(files).flatMap(({ format, file }) => {
    try {
      writeFileSync(file, FORMATS[format](report));
      return [];
    } catch (error) {
      return [`--${format} ${file}: ${messageOf(error)}`];
    }
  });
}

/**
 * Writes the HTML report for which there is no option where programs keep such files, readable by its owner only: it has responses of
 * the target. Returns its path; null if it cannot be written.
 */
export function writeDefault(report: ReportData, env: NodeJS.ProcessEnv): string | null {
  const { XDG_CACHE_HOME, HOME } = env;
  const cache = XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : HOME && path.join(HOME, ".cache");
  if (!cache) return null;
  const folder = path.join(cache, "atpoint-conformance");
  const [file, draft] = [path.join(folder, "report.html"), path.join(folder, `report.${process.pid}.html`)];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    writeFileSync(draft, toHtml(report), { mode: 0o600 });
    renameSync(draft, file);
    return file;
  } catch {
    return null;
  }
}

/** `report.json` for the first target, `report.2.json` for the second. */
export function filesOf(files: ReportFiles, index: number): ReportFiles {
  const own = entries(files).map(({ format, file }) => {
    const { dir, name, ext } = path.parse(file);
    return [format, index === 0 ? file : path.join(dir, `${name}.${index + 1}${ext}`)];
  });
  return Object.fromEntries(own);
}
