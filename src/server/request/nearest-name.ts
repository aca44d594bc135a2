import { closestMatch } from "leven";

/** Comparing longer names would cost too much. */
const MAX_LENGTH = 64;

/**
 * The known name within two edits (Levenshtein distance) of an unknown one; the first of several
 * that are as near (D3, D8).
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  // A single letter, such as `@`, is within two edits of any short name.
  const compared = known.filter(({ length }) => length > 1);
  return closestMatch(name, compared, { maxDistance: 2 });
}
