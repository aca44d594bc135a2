import {
  accessSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Contract } from "../oracle/contract.ts";
import { isObject } from "../oracle/schema.ts";
import { toHtml } from "../report/html.ts";
import { type ReportData, toJson } from "../report/json.ts";
import { toJUnit } from "../report/junit.ts";
import { toMarkdown } from "../report/markdown.ts";
import type { Exception, KnownFailure } from "../run/options.ts";
import { fileMessageOf, parseJsonFile, reading } from "./usage.ts";

const FORMATS = {
  json: toJson,
  junit: toJUnit,
  html: toHtml,
  markdown: toMarkdown,
} as const;

/** The files of the reports, by their option. */
export type ReportFiles = Readonly<Partial<Record<keyof typeof FORMATS, string>>>;

const isFormat = (name: string): name is keyof ReportFiles => name in FORMATS;
const entries = (files: ReportFiles) =>
  Object.entries(files).flatMap(([format, file]) => (isFormat(format) ? [{ format, file }] : []));

/**
 * Opens every file before anything is sent. Throws a `UsageError` that names the option of one that
 * cannot be written.
 */
export function openFiles(files: ReportFiles): void {
  for (const { format, file } of entries(files)) {
    const folder = path.dirname(file);
    reading(() => accessSync(folder), `--${format} ${folder}: `);
    reading(() => closeSync(openSync(file, "a")), `--${format} ${file}: `);
  }
}

/** Writes the files; returns a message for each that could not be written. */
export function writeFiles(report: ReportData, files: ReportFiles): readonly string[] {
  return entries(files).flatMap(({ format, file }) => {
    try {
      writeFileSync(file, FORMATS[format](report));
      return [];
    } catch (error) {
      return [`--${format} ${file}: ${fileMessageOf(error)}`];
    }
  });
}

/**
 * Writes the HTML report for which there is no option where programs keep such files, readable by
 * its owner only: it has responses of the target. Returns its path; null if it cannot be written.
 */
export function writeDefault(report: ReportData, env: NodeJS.ProcessEnv): string | null {
  const { XDG_CACHE_HOME, HOME } = env;
  const cache =
    XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)
      ? XDG_CACHE_HOME
      : HOME && path.join(HOME, ".cache");
  if (!cache) return null;
  const folder = path.join(cache, "atpoint-conformance");
  const [file, draft] = [
    path.join(folder, "report.html"),
    path.join(folder, `report.${process.pid}.html`),
  ];
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
  const numbered = entries(files).map(({ format, file }) => {
    const { dir, name, ext } = path.parse(file);
    return [format, index === 0 ? file : path.join(dir, `${name}.${index + 1}${ext}`)];
  });
  return Object.fromEntries(numbered);
}

/** The files of what is known, and accepted. */

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "";

/**
 * Reads a JSON array of the user, each entry by `read`, which gets its name. Throws an `Error` that
 * names the option and the file.
 */
function readEntries<T>(
  flag: string,
  file: string,
  read: (value: unknown, place: string) => T,
): readonly T[] {
  try {
    const json = parseJsonFile(file);
    if (!Array.isArray(json)) throw new Error("must be a JSON array");
    return json.map((value: unknown, index) => read(value, `entry ${index}`));
  } catch (error) {
    throw new Error(`${flag} ${file}: ${fileMessageOf(error)}`);
  }
}

/** A calendar day (RFC 3339, 5.6 and 5.7): `Date` turns 30 February into 2 March. */
function isDay(text: string): boolean {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : Number.NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const MEMBERS = ["id", "case", "reason", "until"];

function entryOf(value: unknown, place: string): KnownFailure {
  if (!isObject(value)) throw new Error(`${place} is no object`);
  const { id, case: of, reason, until } = value;
  if (!isText(id) || !isText(reason) || !isText(until))
    throw new Error(`${place} needs id, reason, until`);
  const unknownMember = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknownMember !== undefined)
    throw new Error(`${place}: ${unknownMember} is none of ${MEMBERS.join(", ")}`);
  if (of !== undefined && !isText(of))
    throw new Error(`${place}: case must be a pattern on ids of cases`);
  if (!isDay(until)) throw new Error(`${place}: until must be a day, YYYY-MM-DD`);
  return { id, reason, until, ...(of !== undefined && { case: of }) };
}

/**
 * Reads `--known-failures`, a JSON array of `{id, case?, reason, until}`. Throws an `Error` with a
 * message for the user: what is no such array, an id that is no requirement of the contract, or one
 * that is there twice for the same cases.
 */
export function readKnownFailures(
  file: string,
  { requirements }: Contract,
): readonly KnownFailure[] {
  const flag = "--known-failures";
  const fault = (message: string) => new Error(`${flag} ${file}: ${message}`);
  const entries = readEntries(flag, file, entryOf);
  const known = new Set(requirements.map(({ id }) => id));
  const seen = new Set<string>();
  for (const { id, case: of = "*" } of entries) {
    if (!known.has(id))
      throw fault(`${id} is no requirement of the contract${id.includes("#") ? OLD : ""}`);
    if (seen.has(`${id} ${of}`)) throw fault(`${id} (${of}) is there twice`);
    seen.add(`${id} ${of}`);
  }
  return entries;
}

const OLD =
  '; what follows "#" is now a pattern in "case": the failing cases of a report are ids for it';

/**
 * Reads `--exceptions`, a JSON array of `{pointer, reason}`. Throws an `Error` with a message for
 * the user.
 */
export const readExceptions = (file: string): readonly Exception[] =>
  readEntries("--exceptions", file, (entry, place) => {
    const { pointer, reason } = isObject(entry) ? entry : {};
    if (!isText(pointer) || !isText(reason)) throw new Error(`${place} needs pointer, reason`);
    return { pointer, reason };
  });
