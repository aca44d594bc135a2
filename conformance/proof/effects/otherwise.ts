import type { Id, Rules, Shape, Store } from "./server.ts";

/** Others have at most so many records. */
const MOST = 30;

/** Calls from one change of theirs to the next. */
const CALLS = 7;

/**
 * The rules of a server that is right as well, and decides otherwise whatever the contract leaves
 * open: others come and go, ids are unusual, and it is busy now and then.
 */
export function otherwise(right: Rules, shape: Shape): Rules {
  const { owner, record, ownerId, state, ignoresCase } = shape;
  const others: Id[] = [];
  let [count, calls] = [0, 0];
  const newId = () => shape.otherId(++count);
  function begin({ owners, rows }: Store) {
    calls += 1;
    if (calls % CALLS !== 0) return;
    const id = newId();
    const [first] = others;
    if (others.length > MOST && first !== undefined) {
      for (const some of [owners, rows]) some.delete(first);
      others.shift();
      return;
    }
    const values = Object.values(shape.moves).map(({ to }) => to);
    const now = new Date().toISOString();
    const sample = { ...shape.sample(count), [ownerId]: id, updatedAt: now, id };
    owners.set(id, { id, name: `Other ${count}` });
    rows.set(id, { ...sample, [state.member]: values[count % values.length] });
    others.push(id);
  }
  return {
    ...right,
    newId,
    begin,
    objection(operation, { id }, { rows }) {
      const isUsed = [...rows.values()].some((row) => row[ownerId] === id);
      const isBusy =
        operation === `${owner}.delete`
          ? isUsed && calls % 2 === 0
          : operation === `${record}.update` && calls % 5 === 0;
      return isBusy ? "record-busy" : null;
    },
    /** What belongs to it goes with it. */
    remove(store, from, id) {
      right.remove(store, from, id);
      if (from === store.owners)
        for (const row of store.rows.values()) if (row[ownerId] === id) store.rows.delete(row.id);
    },
    isSame: (value, other) =>
      ignoresCase
        ? String(value).toLowerCase() === String(other).toLowerCase()
        : right.isSame(value, other),
  };
}
