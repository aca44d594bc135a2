import { readFileSync } from "node:fs";
import { closestMatch } from "leven";

/** An error in how the command was used, with a message for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Converts the errors of what reads files or addresses to usage errors. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Maximum letters that a misspelt id may have wrong. */
const MISSPELT = 4;

/** `word`, and the id that it probably means. */
export function meant(word: string, ids: readonly string[]): string {
  const closest = closestMatch(word, ids, { maxDistance: MISSPELT });
  return closest === undefined ? word : `${word} (did you mean ${closest}?)`;
}

/**
 * Reads a JSON array of the user, each entry by `read`, which gets its name. Throws an `Error` that names the option and the file.
 */
export function readEntries<T>(flag: string, file: string, read: (value: unknown, place: string) => T): readonly T[] {
  try {
    const json = parseJsonFile(file);
    if (!Array.isArray(json)) throw new Error("must be a JSON array");
    return json.map((value: unknown, index) => read(value, `entry ${index}`));
  } catch (error) {
    throw new Error(`${flag} ${file}: ${messageOf(error)}`);
  }
}

/** Parses a JSON file, with or without the byte order mark that editors write. Throws the errors of node:fs and JSON.parse. */
export const parseJsonFile = (file: string): unknown => JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
