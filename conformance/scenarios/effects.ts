import { type Operation, takesIdempotencyKey } from "../oracle/contract.ts";
import { shuffled } from "../run/random.ts";
import type { Command, List, ResourceCatalog } from "./catalog.ts";
import type { Changed, Scenario, Step, StepGenerator, Thread } from "./steps.ts";

/**
 * What records go through: they are created, read, listed, changed and removed, and commands on
 * them are rejected.
 */

/** Pages that follow one another. */
const PAGES = 3;

/** The steps about one resource. `names`: what its operations call their key. */
class Life {
  constructor(
    readonly generator: StepGenerator,
    readonly resource: ResourceCatalog,
    readonly creator: Command,
  ) {}

  /** A call of an operation that names a record by its number. */
  call(operation: Operation, record: number | null, partial: Partial<Step> = {}): Step {
    const { key } = operation.effect ?? {};
    const callers = this.generator.catalog.callersOf.get(operation) ?? [];
    const names = record === null || key === undefined ? {} : { [key]: record };
    return {
      operation,
      caller: callers[0] ?? "full",
      rows: [],
      isKept: true,
      ...partial,
      names: { ...names, ...partial.names },
    };
  }

  create(record: number, partial: Partial<Step> = {}): Step {
    return { ...this.call(this.creator.operation, null, partial), record };
  }

  /** Reads a record in each way. */
  look(...records: readonly number[]): readonly Step[] {
    return records.flatMap((record) => this.resource.reads.map((one) => this.call(one, record)));
  }

  page({ operation, most }: List, partial: Partial<Step> = {}): Step {
    return this.call(operation, null, { from: "start", limit: most, ...partial });
  }

  pages(partial: Partial<Step> = {}): readonly Step[] {
    return this.resource.lists.flatMap((list) => [
      this.page(list, partial),
      ...Array.from({ length: PAGES }, () => this.page(list, { from: -1, ...partial })),
    ]);
  }

  /** All commands that change a record, on one. */
  commandsOn(record: number): readonly Step[] {
    const { updates, moves, deletes } = this.resource;
    return [...updates, ...moves, ...deletes].map((one) => this.call(one, record));
  }
}

/** The values of a filter near those of two records, alone and with another filter. */
function filtered(life: Life, record: number, other: number): readonly Step[] {
  const { generator, resource } = life;
  return resource.lists.flatMap((list) => {
    const { filters = {} } = list.operation;
    const names = Object.keys(filters);
    const alone = names.flatMap((parameter, at) =>
      Array.from({ length: FORMS }, (_, form) => form)
        .filter((form) => generator.hasShare(form + at))
        .map((form) => life.page(list, { filters: [{ parameter, record, other, form }] })),
    );
    const both = names.slice(1).map((parameter, at) =>
      life.page(list, {
        filters: [
          { parameter, record, other, form: 0 },
          { parameter: names[at] ?? parameter, record: at % 2 ? other : record, other, form: 0 },
        ],
      }),
    );
    // Each record alone, by all that it has, and page by page.
    const walked = names.slice(0, 2).flatMap((parameter): readonly Step[] => {
      const filters = [{ parameter, record, other, form: 0 }];
      const first = life.page(list, { filters, limit: 1 });
      return [first, { ...first, from: -1 }, { ...first, from: -1 }];
    });
    return [...alone, ...both, ...walked];
  });
}

/** The forms of a filter's value. */
const FORMS = 8;

/** The members of an update that name no record. */
const changeable = ({ effect, input, requires = {} }: Operation): readonly string[] =>
  Object.keys(input).filter((name) => name !== effect?.key && !Object.hasOwn(requires, name));

/** One member is changed at a time, then several, and none; a null removes it. */
function changed(life: Life, record: number, other: number): readonly Step[] {
  const { generator, resource } = life;
  return resource.updates.flatMap((operation) => {
    const members = changeable(operation);
    const update = (changes: Step["changes"], more: Partial<Step> = {}) => [
      life.call(operation, record, { changes, ...more }),
      ...life.look(record),
    ];
    const next = (name: string): readonly [string, Changed] => [name, generator.next()];
    const each = members.flatMap((name) => [
      ...update(Object.fromEntries([next(name)])),
      ...update({ [name]: null }),
      ...generator.some(life.pages()),
    ]);
    const faults = [...(generator.catalog.faults.get(operation)?.values() ?? [])];
    const rejected = generator.some(faults).flatMap((fault) => [
      life.call(operation, record, {
        changes: Object.fromEntries(members.map(next)),
        rows: [fault],
      }),
      ...life.look(record),
    ]);
    const unique = resource.unique.filter((name) => members.includes(name));
    const conflicts = unique.flatMap((name) => [
      ...update({ [name]: { of: other } }),
      ...update({ [name]: { of: record } }),
      ...update({ [name]: { of: other, written: "swapped" } }),
      ...update({ [name]: { of: other, written: "padded" } }),
    ]);
    const keyed = takesIdempotencyKey(operation)
      ? (() => {
          const key = generator.next();
          const first = life.call(operation, record, {
            changes: Object.fromEntries(members.slice(0, 1).map(next)),
            key,
          });
          return [
            first,
            ...update(Object.fromEntries(members.slice(0, 1).map(next))),
            first,
            ...life.look(record),
          ];
        })()
      : [];
    return [
      ...update(Object.fromEntries(members.map(next))),
      ...each,
      ...update({}),
      ...rejected,
      ...conflicts,
      ...keyed,
      ...life.look(other),
    ];
  });
}

/** Commands that take a record in some states alone, in any order. */
function moved(life: Life, record: number, other: number): readonly Step[] {
  const { generator, resource } = life;
  const all = [...resource.moves, ...resource.moves];
  return [record, other].flatMap((one) =>
    shuffled(all, generator.random).flatMap((operation) => {
      const key = takesIdempotencyKey(operation) ? { key: generator.next() } : {};
      const move = life.call(operation, one, key);
      return [move, ...life.look(one), ...("key" in key ? [move] : [])];
    }),
  );
}

/** What is removed is gone, from every list, and its values are free. */
function removed(life: Life, record: number, kept: number): readonly Step[] {
  const { generator, resource } = life;
  return resource.deletes.flatMap((operation) => {
    const key = takesIdempotencyKey(operation) ? { key: generator.next() } : {};
    const again = resource.unique.map((name) => ({ [name]: { of: record } }));
    const renewed = again.map((changes) => {
      const number = generator.next();
      return [life.create(number, { changes }), ...life.look(number)];
    });
    const walk = resource.lists.map((list) => life.page(list, { limit: 1 }));
    return [
      ...walk,
      life.call(operation, record, key),
      ...resource.lists.flatMap((list) =>
        Array.from({ length: PAGES }, () => life.page(list, { from: -1 })),
      ),
      ...life.look(record, kept),
      ...life.pages(),
      // A replay, where it has a key, and otherwise an absent record.
      life.call(operation, record, key),
      ...life.commandsOn(record),
      ...renewed.flat(),
      ...life.look(kept),
    ];
  });
}

/** A command that names a record of another resource, which is there, is removed, or never was. */
function required(life: Life): readonly Step[] {
  const { generator, resource, creator } = life;
  const { operation } = creator;
  return Object.entries(operation.requires ?? {}).flatMap(([member, { resource: name }]) => {
    const other = generator.catalog.resources.find((one) => one.name === name);
    if (!other?.creator) return [];
    const there = new Life(generator, other, other.creator);
    const [needed, gone, record] = [generator.next(), generator.next(), generator.next()];
    const absent = generator.catalog.absentRows.get(operation)?.get(member);
    return [
      there.create(needed),
      life.create(record, { names: { [member]: needed } }),
      ...life.look(record),
      ...resource.lists.flatMap(({ operation: list }) =>
        Object.entries(list.filters ?? {}).flatMap(([parameter, filter]) =>
          filter.member === member
            ? [life.call(list, null, { from: "start", names: { [parameter]: needed } })]
            : [],
        ),
      ),
      ...other.deletes.flatMap((remove) => [
        there.create(gone),
        there.call(remove, gone),
        life.create(generator.next(), { names: { [member]: gone } }),
        ...resource.updates.flatMap((update) =>
          Object.hasOwn(update.requires ?? {}, member)
            ? [gone, needed].flatMap((one) => [
                life.call(update, record, { names: { [member]: one } }),
                ...life.look(record),
              ])
            : [],
        ),
      ]),
      ...(absent ? [{ ...life.create(generator.next()), rows: [absent] }] : []),
      ...life.pages(),
    ];
  });
}

/** Two members of a record that an update changes, each by a call of its own. */
function twoUpdates(life: Life, record: number): readonly Step[] {
  const { generator, resource } = life;
  return resource.updates.flatMap((operation) => {
    const members = changeable(operation).filter((name) => !operation.input[name]?.required);
    return shuffled(members, generator.random)
      .slice(0, 2)
      .map((name) => life.call(operation, record, { changes: { [name]: generator.next() } }));
  });
}

/** Commands that compete for one record, and what they have left. */
export function contested(generator: StepGenerator, round: number): Scenario {
  return generator.catalog.resources.flatMap((resource): Scenario => {
    const { creator, moves, deletes, updates } = resource;
    if (!creator || moves.length + deletes.length + updates.length === 0) return [];
    const life = new Life(generator, resource, creator);
    const record = generator.next();
    const twice = (operation: Operation) => [
      life.call(operation, record),
      life.call(operation, record),
    ];
    const kinds = [
      () => twoUpdates(life, record),
      () => generator.some(moves).flatMap(twice),
      () => [...generator.some(deletes).flatMap(twice), ...twoUpdates(life, record).slice(0, 1)],
    ];
    const race = kinds[round % kinds.length]?.() ?? [];
    return [
      life.create(record),
      [...race, ...life.look(record)],
      ...life.look(record),
      ...life.pages(),
    ];
  });
}

/** Whether more can happen to a record than that it is created and listed, as other threads try. */
const hasMore = ({ reads, updates, moves, deletes, lists }: ResourceCatalog): boolean =>
  [reads, updates, moves, deletes].some(({ length }) => length > 0) ||
  lists.some(({ operation }) => operation.filters !== undefined || operation.order !== undefined);

/** The lives of some records of each resource. */
export const lives: Thread = (generator) =>
  generator.catalog.resources.flatMap((resource) => {
    const { creator } = resource;
    if (!creator || !hasMore(resource)) return [];
    const life = new Life(generator, resource, creator);
    const [first, second] = [generator.next(), generator.next()];
    const [third, fourth] = [generator.next(), generator.next()];
    return [
      ...[first, second, third, fourth].map((record) => life.create(record)),
      ...life.look(first, second),
      ...life.pages({ limit: 2 }),
      ...filtered(life, first, second),
      ...required(life),
      ...moved(life, third, fourth),
      ...changed(life, first, second),
      ...life.pages({ limit: 2 }),
      ...removed(life, third, first),
      // In another state than the first.
      ...filtered(life, fourth, first),
      ...life.look(first, second, fourth),
    ];
  });
