import type { Variation } from "./draft.ts";

/** Several rows at once, drawn: exploration, and the steps of a scenario. */

/** The rows of an operation by what they change. */
export function byPart(rows: Iterable<Variation>): readonly (readonly Variation[])[] {
  const parts = new Map<string, Variation[]>();
  for (const row of rows) parts.set(row.part, [...(parts.get(row.part) ?? []), row]);
  return [...parts.values()];
}

/** Of all rows, and of those that are first in the table of their part: these are the common ones. */
const COMMON = { share: 0.3, rows: 6 };
const THREE = 0.4;

/** Two or three rows of different parts. `random` is in [0, 1). */
export function drawn(
  tables: readonly (readonly Variation[])[],
  random: () => number,
): readonly Variation[] {
  const count = Math.min(random() < THREE ? 3 : 2, tables.length);
  const chosen = new Map<readonly Variation[], Variation>();
  while (chosen.size < count) {
    const table = weighted(tables, random);
    const rows = random() < COMMON.share ? table.slice(0, COMMON.rows) : table;
    const row = rows[Math.floor(random() * rows.length)];
    if (row && !chosen.has(table)) chosen.set(table, row);
  }
  return [...chosen.values()];
}

/** A part with four times as many rows is drawn twice as often. */
function weighted(
  tables: readonly (readonly Variation[])[],
  random: () => number,
): readonly Variation[] {
  const weights = tables.map(({ length }) => Math.sqrt(length));
  let left = random() * weights.reduce((sum, one) => sum + one, 0);
  for (const [at, table] of tables.entries()) {
    left -= weights[at] ?? 0;
    if (left < 0) return table;
  }
  return [];
}
