import { IN_QUERY } from "../requests/modes.ts";
import { shuffled } from "../run/random.ts";
import { byHead, chosen, OF_FIELDS, type Step, type Thread } from "./steps.ts";

/** Threads of queries. */

/** A cursor that is none meets each other fault, and each caller who may not have the list. */
export const metByCursor: Thread = ({ catalog, nth }) =>
  (nth === 1 ? catalog.lists : []).flatMap(({ operation, callers, cursor }): readonly Step[] => {
    if (!cursor) return [];
    const step = {
      operation,
      caller: callers[0] ?? "full",
      isKept: true,
      rows: [cursor],
      from: "start",
    } as const;
    const faults = [...(catalog.faults.get(operation)?.values() ?? [])].filter(
      ({ dimension }) => dimension !== cursor.dimension,
    );
    const strangers = catalog.callers.filter((caller) => !callers.includes(caller));
    return [
      ...faults.map((fault): Step => ({ ...step, rows: [cursor, fault] })),
      ...strangers.map((caller): Step => ({ ...step, caller })),
    ];
  });

/**
 * Pages in sequence, by cursors and links; then an old cursor again, and another length: of each
 * list in one scenario.
 */
export const walk: Thread = (generator) => {
  const share = generator.catalog.lists.filter((_, at) => generator.hasShare(at));
  return (share.length > 0 ? share : generator.some(generator.catalog.lists)).flatMap((list) => {
    const from = generator.chance(0.3) ? "start" : "end";
    const limit = generator.pick([1, 2, 3]);
    const on = () =>
      generator.page(list, { from: -1, limit, ...(generator.chance(0.4) && { isLinked: true }) });
    const old = Math.floor(generator.random() * 5);
    return [
      generator.page(list, { from, limit }),
      ...Array.from({ length: 4 }, on),
      // A cursor is taken any number of times.
      ...Array.from({ length: 3 }, () => generator.page(list, { from: old })),
      generator.page(list, { from: Math.floor(generator.random() * 5), isLinked: true }),
      generator.page(list, { from }),
    ];
  });
};

/** One page, read twice, and then by another caller. */
export const twice: Thread = (generator) =>
  generator.some(generator.catalog.lists).flatMap((list) => {
    const step = generator.page(list, { from: generator.pick(["start", "end"]) });
    const [caller = step.caller] = generator.some(generator.catalog.callers);
    const moved = { ...step, rows: [...step.rows, IN_QUERY], isKept: !step.isKept };
    return [step, step, moved, { ...step, caller }, step];
  });

/** A current copy, and then none again. */
export const conditions: Thread = (generator) =>
  generator.some(generator.catalog.conditional).flatMap((operation) => {
    const step = generator.manner(operation);
    const otherStep = generator.manner(operation);
    const current: Step = { ...step, isConditional: true };
    return [step, current, step, otherStep, current, byHead(current), step];
  });

/** Other queries, also with the caller's copy of the response. */
export const queries: Thread = (generator) =>
  Array.from({ length: 5 }, () => generator.some(generator.catalog.queries))
    .flat()
    .map((operation) => {
      const how = generator.manner(operation);
      const kind = generator.random();
      if (kind > 0.7) return { ...how, isConditional: true };
      return kind < 0.2 ? byHead(how) : how;
    });

/** Any operation with any fault, by any caller. */
export const faulty: Thread = (generator) => {
  const { lists, queries: catalogQueries, commands, faults } = generator.catalog;
  const several = <Item>(length: number, items: readonly Item[]) =>
    Array.from({ length }, () => generator.some(items)).flat();
  const broken = (step: Step): Step => ({
    ...step,
    rows: [...step.rows, ...generator.some([...(faults.get(step.operation)?.values() ?? [])])],
  });
  const wrong = several(6, [...lists.map(({ operation }) => operation), ...catalogQueries]).map(
    (operation) => broken({ ...generator.manner(operation), from: "end" }),
  );
  const record = generator.next();
  const created = several(2, commands).map((command) =>
    broken(generator.create(command, { record })),
  );
  return shuffled([...wrong, ...created], generator.random);
};

/** A response is right, and for its callers alone, whatever field came with the request before. */
export const guarded: Thread = (generator) => {
  const { catalog, random, nth } = generator;
  if (nth !== 1) return [];
  const pages = catalog.lists.map((list) =>
    generator.page(list, { limit: 2, ...chosen(list.callers) }),
  );
  const conditional = catalog.conditional.map((operation) => ({
    operation,
    isKept: true,
    ...chosen(catalog.callers),
  }));
  return [...pages, ...conditional].flatMap((step) => {
    const { callers = [] } =
      catalog.lists.find(({ operation }) => operation === step.operation) ?? {};
    const strangers =
      callers.length === 0 ? [] : catalog.callers.filter((caller) => !callers.includes(caller));
    const start = Math.floor(random() * OF_FIELDS);
    const fields = (catalog.benignMutations.get(step.operation) ?? []).filter(
      (_, at) => callers.length > 0 || (at + start) % OF_FIELDS === 0,
    );
    return fields.flatMap((row, index): Step[] => {
      const [caller = step.caller] = strangers.slice(index % Math.max(1, strangers.length));
      const wanted = { ...step, rows: [row] };
      return [wanted, { ...step, caller }, wanted];
    });
  });
};
