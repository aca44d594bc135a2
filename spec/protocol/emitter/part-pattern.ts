/**
 * A piece of a regular expression with the flag `u`: what is escaped, a class, the start of a
 * group, any other character.
 */
const PIECE = /\\.|\[(?:\\.|[^\\\]])*\]|\((?:\?(?:<[=!]?)?)?|./gsu;

/**
 * What has another meaning inside the expression of a whole name: an anchor, a named group, a
 * reference to a group.
 */
const OF_THE_WHOLE = /^(?:\^|\$|\(\?<|\\[1-9k])$/;

/**
 * The pattern of a part of a name, for a group of its own: its groups do not count; null
 * if it cannot.
 */
export function innerPattern(pattern: string): string | null {
  const [first, ...pieces] = pattern.match(PIECE) ?? [];
  const last = pieces.pop();
  if (first !== "^" || last !== "$" || pieces.some((piece) => OF_THE_WHOLE.test(piece)))
    return null;
  return pieces.map((piece) => (piece === "(" ? "(?:" : piece)).join("");
}
