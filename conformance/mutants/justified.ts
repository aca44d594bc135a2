/** Mutants that no check catches, because they keep the contract: pattern and reason. */
export const equivalent: readonly (readonly [RegExp, string])[] = [
  [/ (drops|repeats|stops the clock of|writes ISO in) Date$/, "no requirement speaks of Date"],
  [
    / repeats (X-Content-Type-Options|Referrer-Policy|Cache-Control|Access-Control-Expose-Headers)$/,
    "a proxy may send the same field once more: it means what it meant",
  ],
  [/^sysinfo 200 changes \/time$/, "a clock may be off by a thousandth of a second"],
  [/ sets (Strict-Transport-Security|X-Runtime): /, "a deployment may say more than the contract asks for"],
];

/** Whether a mutant keeps the contract. */
export const isEquivalent = (id: string): boolean => equivalent.some(([pattern]) => pattern.test(id));
