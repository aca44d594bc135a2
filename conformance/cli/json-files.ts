import { readFileSync } from "node:fs";
import type { KnownFailure } from "../engine/baseline.ts";
import type { Told } from "../report/diff.ts";

/** Parses a JSON file, with or without the byte order mark that editors write. Throws the errors of node:fs and JSON.parse. */
export function parseJsonFile(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
}

/** A valid calendar day: `Date` turns 30 February into 2 March. */
function isDay(text: string): boolean {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : Number.NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** Reads a JSON file of the user; throws an Error with a message for the user. */
function readJson(flag: string, file: string): unknown {
  try {
    return parseJsonFile(file);
  } catch (error) {
    // node:fs and JSON.parse throw Errors only.
    throw new Error(`${flag} ${file}: ${(error as Error).message}`);
  }
}

/** Reads a JSON array of objects whose members are all strings; throws an Error with a message for the user. */
export function readEntries<Member extends string>(
  flag: string,
  file: string,
  members: readonly Member[],
): Readonly<Record<Member, string>>[] {
  const json = readJson(flag, file);
  if (!Array.isArray(json)) throw new Error(`${flag} ${file}: must be a JSON array`);
  return json.map((entry: unknown, index) => {
    const object =
      typeof entry === "object" && entry !== null ? new Map(Object.entries(entry)) : new Map<string, unknown>();
    const texts = members.map((member): [Member, string] => {
      const value = object.get(member);
      if (!isText(value)) throw new Error(`${flag} ${file}: entry ${index} needs ${members.join(", ")}`);
      return [member, value];
    });
    // Every member was read above.
    return Object.fromEntries(texts) as Record<Member, string>;
  });
}

/** Reads a JSON report, in this form or an older one; throws an Error with a message for the user. */
export function readReport(file: string): Told {
  const json = readJson("--diff", file);
  const isReport = typeof json === "object" && json !== null && "results" in json && Array.isArray(json.results);
  const isForm = isReport && "$schema" in json && /^urn:atpoint-conformance:report:[123]$/.test(String(json.$schema));
  if (!isForm) throw new Error(`--diff ${file}: not a report of this suite`);
  // In every form, each result has the id of its check and its outcome.
  return json as unknown as Told;
}

/** Reads `--known-failures`; throws an Error with a message for the user. */
export function readKnownFailures(file: string): KnownFailure[] {
  const flag = "--known-failures";
  const entries = readEntries(flag, file, ["id", "reason", "until"]);
  const seen = new Set<string>();
  for (const { id, until } of entries) {
    if (!isDay(until)) throw new Error(`${flag} ${file}: ${id}: until must be a day, YYYY-MM-DD`);
    if (seen.has(id)) throw new Error(`${flag} ${file}: ${id} is there twice`);
    seen.add(id);
  }
  return entries;
}
