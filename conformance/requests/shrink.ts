/**
 * Delta debugging (Zeller and Hildebrandt): the fewest items that still show a fault, each replaced
 * by the first of `simpler` that shows it too. `shows` is called at most `most` times.
 */
export async function shrunk<Item>(
  items: readonly Item[],
  shows: (items: readonly Item[]) => Promise<boolean>,
  simpler: (item: Item) => readonly Item[] = () => [],
  most = 500,
): Promise<readonly Item[]> {
  let best = items;
  let tries = 0;
  const attempt = async (candidate: readonly Item[]) => {
    if (tries++ >= most || !(await shows(candidate))) return false;
    best = candidate;
    return true;
  };
  // Halves first, then single items: a long scenario shrinks in few requests.
  for (
    let size = Math.ceil(best.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let index = 0; index < best.length; )
      if (!(await attempt([...best.slice(0, index), ...best.slice(index + size)]))) index += size;
  for (const [at, item] of best.entries())
    for (const candidate of simpler(item)) if (await attempt(best.with(at, candidate))) break;
  return best;
}
