/** Numbers in [0, 1) from a 32-bit seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A shuffled copy (Fisher–Yates). */
export function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last -= 1) {
    const index = Math.floor(random() * (last + 1));
    const [drawn, lastItem] = [all[index] as Item, all[last] as Item]; // Both are in the list.
    [all[index], all[last]] = [lastItem, drawn];
  }
  return all;
}

/** One of them; nothing of none. */
export const some = <Item>(random: () => number, items: readonly Item[]): readonly Item[] =>
  items.slice(Math.floor(random() * items.length)).slice(0, 1);
export const chance = (random: () => number, share: number) => random() < share;
