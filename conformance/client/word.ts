const LETTERS = "qxzjkvw";

/**
 * A word of a run: no deployment knows it as a key, a platform or a name, and a response has neither the word nor four of its
 * letters by chance.
 */
export const wordOf = ({ runId }: { readonly runId: string }): string =>
  `zq${[...runId.slice(0, 10)].map((each) => LETTERS[each.charCodeAt(0) % LETTERS.length]).join("")}`;

/** The word of any run. */
export const WORD = /zq[qxzjkvw]{10}/;
