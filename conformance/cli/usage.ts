import { readFileSync } from "node:fs";
import { closestMatch } from "leven";

/** An error in how the command was used, with a message for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Converts the errors of what reads files or addresses to usage errors, behind the name of the
 * option if they lack it.
 */
export function reading<T>(read: () => T, option = ""): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(option + messageOf(error));
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
 * Parses a JSON file, with or without the byte order mark that editors write. Throws the errors of
 * node:fs and JSON.parse.
 */
export const parseJsonFile = (file: string): unknown =>
  JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
