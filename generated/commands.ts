// Generated from spec/ by `npm run generate`. Do not edit.

/** The names that are called by POST. */
export const command = /^(?:user\.create)$/;
