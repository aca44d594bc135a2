import { closestMatch } from "leven";
import type { Check } from "../checks/check.ts";

/** An error in how the command was used, with a message for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Converts the errors of readers of files or addresses to usage errors. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // Readers throw Errors only: their own, and those of node:fs and JSON.parse.
    throw new UsageError((error as Error).message);
  }
}

/** Maximum letters that a misspelt id may have wrong. */
const MISSPELT = 4;

/** `word`, and the id of a check or requirement that it probably means. */
export function meant(word: string, checks: readonly Check[]): string {
  const ids = checks.flatMap(({ id, requirement }) => [id, requirement]);
  const closest = closestMatch(word, ids, { maxDistance: MISSPELT });
  return closest === undefined ? word : `${word} (did you mean ${closest}?)`;
}
