// Lists that are filtered, or in another order than by id, on each database.
import { describe, expect, it } from "vitest";
import { databasesAndDefaults, fresh, migrated } from "../../test/databases.ts";
import { BOUND_MS } from "../../test/patience.ts";
import { pageOf } from "../resources/pages.ts";
import type { ListOptions, OrderBy } from "./driver.ts";

/** A row, and its columns in both databases. */
interface Room {
  readonly id: number;
  readonly city: string | null;
  readonly seats: number | null;
  readonly price: number | null;
  readonly open: boolean | null;
  readonly since: string | null;
}

const none = { city: null, seats: null, price: null, open: null, since: null };
const time = (ms: number) => new Date(Date.parse("2026-01-31T12:00:00.000Z") + ms).toISOString();

describe.each(databasesAndDefaults())("a list on $name", (kind) => {
  /** A table with these rows, and its lists. */
  async function rooms(rows: readonly Partial<Room>[], columns = "id integer primary key") {
    const { database } = await migrated((await fresh(kind)).url);
    // One that goes by a language, as most servers have it.
    const collation = database.hasOneWriter ? "" : 'collate "und-x-icu"';
    await database.write((knex) =>
      knex.raw(`create table rooms (${columns}, city text ${collation}, seats integer,
        price double precision, open boolean, since timestamp with time zone)`),
    );
    const all = rows.map((row, index) => ({ ...none, id: index + 1, ...row }));
    await database.write((knex) => knex("rooms").insert(all.toReversed()));
    const pages = database.pageReader<Pick<Room, "id" | "city">, Room>("rooms", {
      id: "id",
      city: "city",
    });
    const page = async (options: ListOptions<Room>, limit = 100, cursor?: string) => {
      const input = { limit, cursor };
      const deadline = performance.now() + BOUND_MS;
      const { parts } = await pageOf("room.list", input, pages.with(options), deadline);
      if (!("json" in parts)) return expect.unreachable();
      const body: { items: Partial<Room>[]; nextCursor?: string } = JSON.parse(parts.json);
      return body;
    };
    return {
      database,
      pages,
      page,
      matching: async (where: ListOptions<Room>["where"]) =>
        (await page({ where })).items.map(({ id }) => id),
      async walk(options: ListOptions<Room>, limit: number) {
        const walked: unknown[] = [];
        for (let cursor: string | undefined; ; ) {
          const { items, nextCursor } = await page(options, limit, cursor);
          walked.push(...items.map(({ id }) => id));
          if (nextCursor === undefined) return walked;
          expect(items).toHaveLength(limit);
          cursor = nextCursor;
        }
      },
    };
  }

  it.each<[string, readonly Partial<Room>[]]>([
    [
      "city",
      ["", "!", "10", "9", "B", "a", "a", "z", "é", "\uffee", "\u{1f600}", null, null].map(
        (city) => ({ city }),
      ),
    ],
    ["seats", [-12, -1, 0, 1, 9, 9, 9, 10, null].map((seats) => ({ seats }))],
    ["price", [-0.5, 0.1, 0.3, 0.1 + 0.2, 0.1 + 0.2, 1e21, null, null].map((price) => ({ price }))],
    ["open", [false, false, true, true, null, null].map((open) => ({ open }))],
    ["since", [time(-1), time(0), time(0), time(1), time(1), null].map((since) => ({ since }))],
  ])("is in the order of a column, null last, across pages: %s", async (column, rows) => {
    const { walk } = await rooms(rows);
    const name = column as Exclude<keyof Room, "id">; // one of the above
    const ids = rows.map((_, index) => index + 1);
    const valueIn = (id: number) => rows[id - 1]?.[name] ?? null;
    const descending = ids.toSorted((a, b) => {
      const [one, other] = [valueIn(a), valueIn(b)];
      if (one === other) return a - b;
      return one === null || (other !== null && ids.indexOf(a) < ids.indexOf(b)) ? 1 : -1;
    });
    for (const limit of [1, 2, 3, 50]) {
      expect(await walk({ orderBy: [name] }, limit)).toEqual(ids);
      expect(await walk({ orderBy: [{ column: name, order: "desc" }] }, limit)).toEqual(descending);
    }
  });

  it.each<[string, readonly OrderBy<Room>[], readonly number[]]>([
    ["by the id, descending", [{ column: "id", order: "desc" }], [6, 5, 4, 3, 2, 1]],
    ["by several columns", ["city", "seats"], [2, 1, 5, 3, 4, 6]],
    [
      "by columns in several directions",
      [{ column: "city", order: "desc" }, "seats", { column: "id", order: "desc" }],
      [3, 4, 2, 1, 5, 6],
    ],
  ])("is in other orders: %s", async (_, orderBy, ids) => {
    const seats = [
      { city: "a", seats: 2 },
      { city: "a", seats: 1 },
      { city: "b", seats: 1 },
    ];
    const { walk } = await rooms([...seats, { city: "b" }, { city: "a" }, {}]);
    for (const limit of [1, 2, 4]) expect(await walk({ orderBy }, limit)).toEqual(ids);
  });

  it.each<[string, readonly unknown[]]>([
    ["integer", [-1, 2, 10]],
    ["double precision", [-1.5, 0.3, 0.1 + 0.2]],
    ["timestamp with time zone", [time(0), time(1), time(2)]],
    ["boolean", [false, true]],
  ])("is in the order of columns that cannot be null, by their index: %s", async (type, values) => {
    const columns = `id text primary key, at ${type} not null`;
    const rows = values.flatMap((at, index) =>
      ["B", "a", "é"].map((letter) => ({ id: letter + index, at })),
    );
    const { walk } = await rooms(rows as object[], columns);
    const ids = rows.map(({ id }) => id);
    expect(await walk({ orderBy: ["at" as never] }, 2)).toEqual(ids);
    const order = "desc" as const;
    const orderBy = ["at" as never, "id" as const].map((column) => ({ column, order }));
    expect(await walk({ orderBy }, 2)).toEqual(ids.toReversed());
  });

  it("is unavailable while its table is missing", async () => {
    const { database, page } = await rooms([{}]);
    await database.write((knex) => knex.schema.renameTable("rooms", "others"));
    await expect(page({})).rejects.toMatchObject({ name: "StorageUnavailable" });
    await database.write((knex) => knex.schema.renameTable("others", "rooms"));
    expect((await page({})).items).toHaveLength(1);
  });

  it("has what matches all filters, and nothing for null", async () => {
    const { matching } = await rooms([
      { city: "Aa", seats: 1, open: true, since: time(0) },
      { city: "aA", seats: 2, open: false, since: time(1) },
      { city: "é%_\u{1f600}", seats: 3, open: true, since: time(2) },
      {},
    ]);
    const now = new Date(time(1));
    expect(await matching({})).toEqual([1, 2, 3, 4]);
    expect(await matching({ city: { equal: undefined }, seats: undefined })).toHaveLength(4);
    expect(await matching({ city: { equal: "aA" } })).toEqual([2]);
    expect(await matching({ city: { oneOf: ["aA", "Aa", "aa"] } })).toEqual([1, 2]);
    expect(await matching({ city: { oneOf: [] } })).toEqual([]);
    expect(await matching({ city: { contains: "A" } })).toEqual([1, 2]);
    expect(await matching({ city: { startsWith: "A" } })).toEqual([1]);
    expect(await matching({ city: { contains: "%_" } })).toEqual([3]);
    expect(await matching({ city: { startsWith: "é%_\u{1f600}" } })).toEqual([3]);
    expect(await matching({ city: { contains: "" } })).toEqual([1, 2, 3]);
    expect(await matching({ city: { atLeast: "a" } })).toEqual([2, 3]);
    expect(await matching({ city: { before: "a" } })).toEqual([1]);
    expect(await matching({ seats: { atLeast: 2, atMost: 2 } })).toEqual([2]);
    expect(await matching({ seats: { oneOf: [1, 3] }, open: { equal: true } })).toEqual([1, 3]);
    expect(await matching({ open: { equal: false } })).toEqual([2]);
    expect(await matching({ since: { before: now } })).toEqual([1]);
    expect(await matching({ since: { atLeast: now } })).toEqual([2, 3]);
    expect(await matching({ since: { equal: now } })).toEqual([2]);
  });

  it("has what a condition of Knex matches, in pages", async () => {
    const { walk, matching } = await rooms([{ seats: 1 }, { city: "x" }, { seats: 9 }, {}]);
    const where: ListOptions<Room>["where"] = (query) =>
      query.where("city", "x").orWhere("seats", ">", 1);
    expect(await walk({ where }, 1)).toEqual([2, 3]);
    expect(await walk({ where, orderBy: ["seats"] }, 1)).toEqual([3, 2]);
    expect(await matching(() => {})).toHaveLength(4);
  });

  it("leaves out members that are null, and has no others", async () => {
    const { page } = await rooms([{ city: ":null" }, {}]);
    const items = [{ id: 1, city: ":null" }, { id: 2 }];
    expect(await page({ orderBy: ["city"] })).toEqual({ items });
    expect(await page({})).toEqual({ items });
  });

  it("has free JSON as it is stored, null too", async () => {
    const free = { a: null, b: [null, ":null", "\u0000\ud800\n", 1e21, 0.1], "": { c: {} } };
    const { database } = await rooms([{ city: JSON.stringify(free) }, {}]);
    const pages = database.pageReader<{ id: number; city?: object }>("rooms", {
      id: "id",
      city: database.jsonSql("city"),
    });
    const page = await pageOf("room.list", { limit: 9 }, pages, performance.now() + BOUND_MS);
    if (!("json" in page.parts)) return expect.unreachable();
    const items = [{ id: 1, city: free }, { id: 2 }];
    expect(JSON.parse(page.parts.json)).toEqual({ items });
    expect([await pages.find(1), await pages.find(2)]).toEqual(items);
  });

  it("finds an item by its id, in a transaction too", async () => {
    const { database, pages } = await rooms([{ city: ":null" }, {}]);
    expect(await pages.find(1)).toEqual({ id: 1, city: ":null" });
    expect(await pages.find(2)).toEqual({ id: 2 });
    const inTransaction = database.transaction(async (tx) => {
      await tx.write((knex) => knex("rooms").where({ id: 2 }).update({ city: "x" }));
      return pages.find(2, tx);
    });
    expect(await inTransaction).toEqual({ id: 2, city: "x" });
    expect(await pages.find(3)).toBeNull();
  });

  it("rejects a cursor of another order, or of none", async () => {
    const { page } = await rooms([{ city: "a" }, { city: "b" }, { city: "c" }]);
    const orders: readonly ListOptions<Room>["orderBy"][] = [
      undefined,
      ["city"],
      ["seats"],
      ["city", "seats"],
      [{ column: "city", order: "desc" }],
    ];
    for (const [index, orderBy] of orders.entries()) {
      const { nextCursor } = await page({ orderBy }, 1);
      for (const [other, otherOrder] of orders.entries()) {
        const read = page({ orderBy: otherOrder }, 1, nextCursor);
        if (other === index) expect((await read).items).toHaveLength(1);
        else await expect(read).rejects.toMatchObject({ code: "invalid-cursor" });
      }
    }
  });

  it("keeps the cursor of a list by id when the list gets a filter", async () => {
    const { page } = await rooms([{}, {}, {}]);
    const { nextCursor } = await page({}, 1);
    const { items } = await page({ where: { id: { atLeast: 1 } } }, 1, nextCursor);
    expect(items).toEqual([{ id: 2 }]);
  });
});
