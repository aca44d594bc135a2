import { readFileSync } from "node:fs";
import { closestMatch } from "leven";
import { faultyLineOf } from "../recorded/objects.ts";

/** An error in how the command was used, with a message for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EISDIR: "is a folder",
  EACCES: "you have no permission",
};

/** Why a file cannot be read or written, without its name. */
export const fileMessageOf = (error: unknown): string =>
  FILE_ERRORS[Object(error).code] ?? messageOf(error);

/**
 * Converts the errors of what reads files or addresses to usage errors, behind the name of the
 * option if they lack it.
 */
export function reading<T>(read: () => T, option = ""): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(option + fileMessageOf(error));
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
 * node:fs, and an `Error` that names the line of what is no JSON: it quotes nothing of the file,
 * which may hold keys.
 */
export function parseJsonFile(file: string): unknown {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`not JSON at line ${faultyLineOf(text)}`);
  }
}
