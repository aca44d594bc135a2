const LETTERS = "qxzjkvw";

/**
 * A word that no deployment knows as a key, a platform or a name; a response has neither the word nor four of its letters by chance.
 */
export const canaryOf = (runId: string): string =>
  `zq${[...runId.slice(0, 10)].map((each) => LETTERS[each.charCodeAt(0) % LETTERS.length]).join("")}`;

/** The canary of any run. */
export const CANARY = /zq[qxzjkvw]{10}/;
