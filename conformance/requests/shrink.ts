/**
 * The fewest items that still show it, each replaced by the first of `simpler` that shows it too. `shows` is called at most `most`
 * times.
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
    for (let at = 0; at < best.length; )
      if (!(await attempt([...best.slice(0, at), ...best.slice(at + size)]))) at += size;
  for (const [at, one] of best.entries())
    for (const other of simpler(one)) if (await attempt(best.with(at, other))) break;
  return best;
}
