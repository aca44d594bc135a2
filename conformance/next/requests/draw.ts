import type { Variation } from "./draft.ts";

/** Several rows at once, drawn: exploration, and the steps of a scenario. */

/** The rows of an operation by what they change. */
export function byPart(rows: Iterable<Variation>): readonly (readonly Variation[])[] {
  const parts = new Map<string, Variation[]>();
  for (const row of rows) parts.set(row.part, [...(parts.get(row.part) ?? []), row]);
  return [...parts.values()];
}

/** Rows of different parts; the common ones, first in their table, as often as all others together. `random` is in [0, 1). */
export function drawn(tables: readonly (readonly Variation[])[], random: () => number): readonly Variation[] {
  const chosen = new Map<string, Variation>();
  const count = 1 + Math.floor(random() * random() * 8);
  for (let n = 0; n < count; n++) {
    const table = tables[Math.floor(random() * tables.length)] ?? [];
    const most = random() < 0.5 ? Math.min(6, table.length) : table.length;
    const row = table[Math.floor(random() * most)];
    if (row) chosen.set(row.part, row);
  }
  return [...chosen.values()];
}
