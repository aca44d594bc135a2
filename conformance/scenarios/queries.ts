import { IN_QUERY } from "../requests/generate.ts";
import { shuffled } from "../run/random.ts";
import { byHead, chosen, OF_FIELDS, type Step, type Thread } from "./steps.ts";

/** Threads of queries. */

/** A cursor that is none meets each other fault, and each caller who may not have the list. */
export const metByCursor: Thread = ({ space, nth }) =>
  (nth === 1 ? space.lists : []).flatMap(({ operation, callers, cursor }): readonly Step[] => {
    if (!cursor) return [];
    const one = {
      operation,
      caller: callers[0] ?? "full",
      isKept: true,
      rows: [cursor],
      from: "start",
    } as const;
    const faults = [...(space.faults.get(operation)?.values() ?? [])].filter(
      ({ part }) => part !== cursor.part,
    );
    const strangers = space.callers.filter((caller) => !callers.includes(caller));
    return [
      ...faults.map((fault): Step => ({ ...one, rows: [cursor, fault] })),
      ...strangers.map((caller): Step => ({ ...one, caller })),
    ];
  });

/** Pages in sequence, by cursors and links; then an old cursor again, and another length: of each list in one scenario. */
export const walk: Thread = (moves) => {
  const share = moves.space.lists.filter((_, at) => moves.hasShare(at));
  return (share.length > 0 ? share : moves.some(moves.space.lists)).flatMap((list) => {
    const from = moves.chance(0.3) ? "start" : "end";
    const limit = moves.pick([1, 2, 3]);
    const on = () =>
      moves.page(list, { from: -1, limit, ...(moves.chance(0.4) && { isLinked: true }) });
    const old = Math.floor(moves.random() * 5);
    return [
      moves.page(list, { from, limit }),
      ...Array.from({ length: 4 }, on),
      // A cursor is taken any number of times.
      ...Array.from({ length: 3 }, () => moves.page(list, { from: old })),
      moves.page(list, { from: Math.floor(moves.random() * 5), isLinked: true }),
      moves.page(list, { from }),
    ];
  });
};

/** The same page twice, and then as another caller may see it. */
export const twice: Thread = (moves) =>
  moves.some(moves.space.lists).flatMap((list) => {
    const one = moves.page(list, { from: moves.pick(["start", "end"]) });
    const [caller = one.caller] = moves.some(moves.space.callers);
    const moved = { ...one, rows: [...one.rows, IN_QUERY], isKept: !one.isKept };
    return [one, one, moved, { ...one, caller }, one];
  });

/** A current copy, and then none again. */
export const conditions: Thread = (moves) =>
  moves.some(moves.space.conditional).flatMap((operation) => {
    const one = moves.manner(operation);
    const other = moves.manner(operation);
    const current: Step = { ...one, isConditional: true };
    return [one, current, one, other, current, byHead(current), one];
  });

/** Other queries, also with the caller's copy of the response. */
export const queries: Thread = (moves) =>
  Array.from({ length: 5 }, () => moves.some(moves.space.queries))
    .flat()
    .map((operation) => {
      const how = moves.manner(operation);
      const kind = moves.random();
      if (kind > 0.7) return { ...how, isConditional: true };
      return kind < 0.2 ? byHead(how) : how;
    });

/** Any operation with any fault, by any caller. */
export const faulty: Thread = (moves) => {
  const { lists, queries: others, commands, faults } = moves.space;
  const several = <Item>(length: number, items: readonly Item[]) =>
    Array.from({ length }, () => moves.some(items)).flat();
  const broken = (step: Step): Step => ({
    ...step,
    rows: [...step.rows, ...moves.some([...(faults.get(step.operation)?.values() ?? [])])],
  });
  const wrong = several(6, [...lists.map(({ operation }) => operation), ...others]).map(
    (operation) => broken({ ...moves.manner(operation), from: "end" }),
  );
  const record = moves.next();
  const created = several(2, commands).map((command) => broken(moves.create(command, { record })));
  return shuffled([...wrong, ...created], moves.random);
};

/** A response is right, and for its callers alone, whatever field came with the request before. */
export const guarded: Thread = (moves) => {
  const { space, random, nth } = moves;
  if (nth !== 1) return [];
  const pages = space.lists.map((list) => moves.page(list, { limit: 2, ...chosen(list.callers) }));
  const others = space.conditional.map((operation) => ({
    operation,
    isKept: true,
    ...chosen(space.callers),
  }));
  return [...pages, ...others].flatMap((one) => {
    const { callers = [] } = space.lists.find(({ operation }) => operation === one.operation) ?? {};
    const strangers =
      callers.length === 0 ? [] : space.callers.filter((caller) => !callers.includes(caller));
    const start = Math.floor(random() * OF_FIELDS);
    const fields = (space.calm.get(one.operation) ?? []).filter(
      (_, at) => callers.length > 0 || (at + start) % OF_FIELDS === 0,
    );
    return fields.flatMap((row, at): Step[] => {
      const [caller = one.caller] = strangers.slice(at % Math.max(1, strangers.length));
      const wanted = { ...one, rows: [row] };
      return [wanted, { ...one, caller }, wanted];
    });
  });
};
