import type { Contract } from "../oracle/contract.ts";
import { isObject } from "../oracle/schema.ts";
import type { KnownFailure } from "../run/baseline.ts";
import type { Exception } from "../run/options.ts";
import { messageOf, parseJsonFile } from "./usage.ts";

/** The files of what is known, and accepted. */

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/**
 * Reads a JSON array of the user, each entry by `read`, which gets its name. Throws an `Error` that names the option and the file.
 */
function readEntries<T>(flag: string, file: string, read: (value: unknown, place: string) => T): readonly T[] {
  try {
    const json = parseJsonFile(file);
    if (!Array.isArray(json)) throw new Error("must be a JSON array");
    return json.map((value: unknown, index) => read(value, `entry ${index}`));
  } catch (error) {
    throw new Error(`${flag} ${file}: ${messageOf(error)}`);
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
  if (!isText(id) || !isText(reason) || !isText(until)) throw new Error(`${place} needs id, reason, until`);
  const other = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (other !== undefined) throw new Error(`${place}: ${other} is none of ${MEMBERS.join(", ")}`);
  if (of !== undefined && !isText(of)) throw new Error(`${place}: case must be a pattern on ids of cases`);
  if (!isDay(until)) throw new Error(`${place}: until must be a day, YYYY-MM-DD`);
  return { id, reason, until, ...(of !== undefined && { case: of }) };
}

/**
 * Reads `--known-failures`, a JSON array of `{id, case?, reason, until}`. Throws an `Error` with a message for the user: what is no
 * such array, an id that is no requirement of the contract, or one that is there twice for the same cases.
 */
export function readKnownFailures(file: string, { requirements }: Contract): readonly KnownFailure[] {
  const flag = "--known-failures";
  const fault = (message: string) => new Error(`${flag} ${file}: ${message}`);
  const entries = readEntries(flag, file, entryOf);
  const known = new Set(requirements.map(({ id }) => id));
  const seen = new Set<string>();
  for (const { id, case: of = "*" } of entries) {
    if (!known.has(id)) throw fault(`${id} is no requirement of the contract${id.includes("#") ? OLD : ""}`);
    if (seen.has(`${id} ${of}`)) throw fault(`${id} (${of}) is there twice`);
    seen.add(`${id} ${of}`);
  }
  return entries;
}

const OLD = '; what follows "#" is now a pattern in "case": the failing cases of a report are ids for it';

/** Reads `--exceptions`, a JSON array of `{pointer, reason}`. Throws an `Error` with a message for the user. */
export const readExceptions = (file: string): readonly Exception[] =>
  readEntries("--exceptions", file, (entry, place) => {
    const { pointer, reason } = isObject(entry) ? entry : {};
    if (!isText(pointer) || !isText(reason)) throw new Error(`${place} needs pointer, reason`);
    return { pointer, reason };
  });
