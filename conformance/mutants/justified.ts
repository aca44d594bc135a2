/** Mutants that no check catches, because they keep the contract: pattern and reason. */
export const equivalent: readonly (readonly [RegExp, string])[] = [
  [/ (drops|repeats|stops the clock of|writes ISO in) Date$/, "no requirement speaks of Date"],
  [
    / repeats (X-Content-Type-Options|Referrer-Policy|Cache-Control|Access-Control-Expose-Headers)$/,
    "a proxy may send the same field once more: it means what it meant",
  ],
  [/^sysinfo 200 changes \/time$/, "a clock may be off by a thousandth of a second"],
  [/ changes \/(title|detail)$/, "title and detail of a problem are free texts"],
  [/ sets (Strict-Transport-Security|X-Runtime): /, "a deployment may say more than the contract asks for"],
];

/** Mutants that break the contract, or may, and that no check has been seen to catch: pattern, and what would have to be judged. */
export const open: readonly (readonly [RegExp, string])[] = [
  [
    / and carries out user\.create$/,
    "a right answer to a call that creates beside it: the state is read after refusals only",
  ],
  [/^answers to no id have one id: /, "one id for all answers of a kind: too few of each are compared"],
  [/ always says the same in X-Request-Id$/, "one id for all refusals with a code: too few of each are compared"],
  [/^compressed .* Content-Security-Policy$/, "the policy of a page that was asked for compressed"],
  [/^docs\.list 200 .* (ETag|Vary|Cache-Control)$/, "no requirement says whether the list of documents may be kept"],
  [
    / (adds a charset to Content-Type|sets Content-Encoding: gzip)$/,
    "refusals that are read from the bytes of a connection",
  ],
  [/ has a byte more than announced$/, "the length of what few checks read to its end"],
  [
    /^the landing page as application\/json .* X-Operation$/,
    "whether the landing page names the operation that it answers as",
  ],
  [/^the caller's address /, "the caller's address, which a check cannot know from outside"],
  [/^sysinfo 200 believes Accept-Version$/, "a version by a header that nobody sends"],
  [/^user\.create 201 changes \/createdAt$/, "a time that is off by a second"],
  [/^Accept: takes an odd one for anything$/, "an Accept that is no media range at all"],
];

/** Checks that have been seen to catch no mutant: pattern, and why they stay. */
export const unproven: readonly (readonly [RegExp, string])[] = [
  [
    /^errors\/nothing-leaks#each-code$/,
    "no mutant yet leaks a cause for one code only; #all-answers catches the others",
  ],
];

/** Whether a mutant keeps the contract. */
export const isEquivalent = (id: string): boolean => equivalent.some(([pattern]) => pattern.test(id));
/** Whether nobody is expected to catch a mutant. */
export const isJustified = (id: string): boolean => isEquivalent(id) || open.some(([pattern]) => pattern.test(id));
