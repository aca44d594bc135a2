import { shuffled } from "../run/random.ts";
import {
  BY_HEAD,
  broken,
  chance,
  create,
  IN_QUERY,
  manner,
  mode,
  OF_FIELDS,
  page,
  pick,
  some,
  type Thread,
} from "./moves.ts";
import type { Step } from "./steps.ts";

/** Threads of queries. */

/** Pages in sequence, by cursors and links; then an old cursor again, and another length. */
export const walk: Thread = (random, _, space) =>
  some(random, space.lists).flatMap((list) => {
    const from = chance(random, 0.3) ? "start" : "end";
    const limit = pick(random, [1, 2, 3]);
    const on = () => page(random, space, list, { from: -1, limit, ...(chance(random, 0.4) && { isLinked: true }) });
    const old = Math.floor(random() * 5);
    return [
      page(random, space, list, { from, limit }),
      ...Array.from({ length: 4 }, on),
      // A cursor is taken any number of times.
      ...Array.from({ length: 3 }, () => page(random, space, list, { from: old })),
      page(random, space, list, { from: Math.floor(random() * 5), isLinked: true }),
      page(random, space, list, { from }),
    ];
  });

/** The same page twice, and then as another caller may see it. */
export const twice: Thread = (random, _, space) =>
  some(random, space.lists).flatMap((list) => {
    const one = page(random, space, list, { from: pick(random, ["start", "end"]) });
    const [other = one.caller] = some(random, space.callers);
    const moved = { ...one, rows: [...one.rows, ...mode(IN_QUERY)], isKept: !one.isKept };
    return [one, one, moved, { ...one, caller: other }, one];
  });

/** A current copy, and then none again. */
export const conditions: Thread = (random, _, space) =>
  some(random, space.conditional).flatMap((operation) => {
    const one: Step = manner(random, space, operation);
    const other: Step = manner(random, space, operation);
    const current: Step = { ...one, isConditional: true };
    const head = { ...current, rows: [...one.rows, ...mode(BY_HEAD)] };
    return [one, current, one, other, current, head, one];
  });

/** Other queries, also with the caller's copy of the response. */
export const queries: Thread = (random, _, space) =>
  Array.from({ length: 5 }, () => some(random, space.queries))
    .flat()
    .map((operation): Step => {
      const how = manner(random, space, operation);
      const kind = random();
      if (kind > 0.7) return { ...how, isConditional: true };
      return kind < 0.2 ? { ...how, rows: [...how.rows, ...mode(BY_HEAD)] } : how;
    });

/** Any operation with any fault, by any caller. */
export const faulty: Thread = (random, numbers, space) => {
  const all = [...space.lists.map(({ operation }) => operation), ...space.queries];
  const wrong = Array.from({ length: 6 }, () => some(random, all))
    .flat()
    .map((operation) => broken(random, space, { ...manner(random, space, operation), from: "end" }));
  const record = numbers.next();
  const commands = Array.from({ length: 2 }, () => some(random, space.commands))
    .flat()
    .map((command) => broken(random, space, create(random, space, command, { record })));
  return shuffled([...wrong, ...commands], random);
};

/** A response is right, and for its callers alone, whatever field came with the request before. */
export const guarded: Thread = (random, _, space, nth) => {
  if (nth !== 1) return [];
  const pages = space.lists.map((list) =>
    page(random, space, list, { from: "end", limit: 2, ...chosen(list.callers) }),
  );
  const others = space.conditional.map((operation) => ({ operation, isKept: true, ...chosen(space.callers) }));
  return [...pages, ...others].flatMap((one) => {
    const { callers = [] } = space.lists.find(({ operation }) => operation === one.operation) ?? {};
    const strangers = callers.length === 0 ? [] : space.callers.filter((caller) => !callers.includes(caller));
    const start = Math.floor(random() * OF_FIELDS);
    const fields = (space.calm.get(one.operation) ?? []).filter(
      (_, at) => callers.length > 0 || (at + start) % OF_FIELDS === 0,
    );
    return fields.flatMap((row, at): Step[] => {
      const [other = one.caller] = strangers.slice(at % Math.max(1, strangers.length));
      const wanted = { ...one, rows: [row] };
      return [wanted, { ...one, caller: other }, wanted];
    });
  });
};

/** What is kept of a representation in one coding is not for those who take another, or none: in both orders. */
export const coded: Thread = (_random, _numbers, space, nth) =>
  nth !== 2
    ? []
    : space.conditional.flatMap((operation) => {
        const plain: Step = { operation, isKept: false, ...chosen(space.callers) };
        // Another target, which no other request has: here it is read with the field first.
        const other = (space.calm.get(operation) ?? []).filter(({ part }) => part === "query");
        return (space.coded.get(operation) ?? []).flatMap((row): Step[] => [
          { ...plain, rows: [...other, row] },
          { ...plain, rows: other },
          plain,
          { ...plain, rows: [row] },
        ]);
      });

const chosen = ([caller = "full"]: readonly string[]) => ({ caller, rows: [] });
