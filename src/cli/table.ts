/** A column is not padded beyond this, so one long value does not widen every row; nothing is cut. */
const WIDEST = 40;

/** Rows in columns as wide as necessary. The last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.min(WIDEST, Math.max(widths[at] ?? 0, cell.length));
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

/** `1 user`, `2 users`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
