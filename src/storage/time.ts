/** A time as a driver returns it: PostgreSQL a Date, SQLite the text that was stored. */
export type StoredTime = Date | string;

/** RFC 3339, UTC, milliseconds: the same from both databases (D9). The text was written that way. */
export const timeText = (stored: StoredTime): string => (typeof stored === "string" ? stored : stored.toISOString());
