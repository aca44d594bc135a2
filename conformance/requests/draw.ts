import type { Mutation } from "./draft.ts";

/** Several rows at once, drawn: exploration, and the steps of a scenario. */

/** The rows of an operation by what they change. */
export function byPart(rows: Iterable<Mutation>): readonly (readonly Mutation[])[] {
  const parts = new Map<string, Mutation[]>();
  for (const row of rows) parts.set(row.dimension, [...(parts.get(row.dimension) ?? []), row]);
  return [...parts.values()];
}

/**
 * Of all rows, and of those that are first in the table of their part: these are the common ones.
 */
const COMMON = { share: 0.3, rows: 6 };
const THREE = 0.4;

/** Two or three rows of different parts. `random` is in [0, 1). */
export function drawn(
  tables: readonly (readonly Mutation[])[],
  random: () => number,
): readonly Mutation[] {
  const count = Math.min(random() < THREE ? 3 : 2, tables.length);
  const chosen = new Map<readonly Mutation[], Mutation>();
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
  tables: readonly (readonly Mutation[])[],
  random: () => number,
): readonly Mutation[] {
  const weights = tables.map(({ length }) => Math.sqrt(length));
  let remaining = random() * weights.reduce((sum, one) => sum + one, 0);
  for (const [at, table] of tables.entries()) {
    remaining -= weights[at] ?? 0;
    if (remaining < 0) return table;
  }
  return [];
}
