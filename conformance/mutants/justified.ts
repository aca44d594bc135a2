/** Mutants that no check catches, because they keep the contract: pattern and reason. */
export const equivalent: readonly (readonly [RegExp, string])[] = [];

/** Checks that are not the only ones to catch any mutant, and are there all the same: pattern and reason. */
export const shared: readonly (readonly [RegExp, string])[] = [];
