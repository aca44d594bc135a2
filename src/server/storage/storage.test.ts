import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { readConfig, storesOf } from "../../test/atpoint.ts";
import {
  databasesAndDefaults,
  databasesUnderTest,
  fresh,
  migrated,
  opened,
} from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { portOf } from "../../test/ports.ts";
import { openDatabase, openDriver } from "./database.ts";
import type { Id, Page, Position } from "./driver.ts";
import { ForeignKeyViolation, UniqueViolation } from "./errors.ts";
import { type Migration, upAsNamed } from "./migrate.ts";

const createdAt = new Date("2026-02-03T04:05:06.789Z");
const aKey = {
  name: "n",
  scopes: [],
  platforms: [],
  createdAt,
  expiresAt: createdAt,
  revokedAt: null,
};
const unavailable = { name: "StorageUnavailable" };

describe.each(databasesAndDefaults())("the storage on $name", (kind) => {
  /** A new database that two services use. */
  async function shared() {
    const { url } = await fresh(kind);
    return [await migrated(url), opened(url)] as const;
  }
  const ada = (email: string) => ({ name: "Ada", email, createdAt });

  it.each<[string, (collation: string) => string, readonly Id[]]>([
    [
      "integers as numbers",
      () => "integer",
      [-12, -1, 0, ...Array.from({ length: 12 }, (_, at) => at + 1)],
    ],
    [
      "texts by code points",
      (of) => `text ${of}`,
      ["", "!", "10", "9", "B", "a", "z", "é", "\uffee", "\u{1f600}"],
    ],
  ])("reads pages of any ids: %s", async (_, type, ids) => {
    const { database } = (await shared())[0];
    // One that goes by a language, as most servers have it.
    const collation = database.hasOneWriter ? "" : 'collate "und-x-icu"';
    await database.write((knex) =>
      knex.raw(`create table things (id ${type(collation)} primary key)`),
    );
    await database.write((knex) => knex("things").insert(ids.toReversed().map((id) => ({ id }))));
    const read = database.pageReader("things", { id: "id" });
    const walked: Id[] = [];
    for (let [after, isMore]: [Position | null, boolean] = [null, true]; isMore; ) {
      const { items, last, more: hasMore }: Page = await read({ after, limit: 3 });
      walked.push(...JSON.parse(items).map(({ id }: { id: Id }) => id));
      [after, isMore] = [last, hasMore];
      expect(last).toBe(walked.at(-1));
    }
    expect(walked).toEqual(ids);
  });

  it("removes more users than one statement names, and no other", async () => {
    const { users } = storesOf((await shared())[0]);
    const many = Array.from({ length: 101 }, (_, at) => `Conformance+${at}@example.com`);
    const similarEmails = ["conformance+x@example.com", "conformance@example.com"];
    await Promise.all([...many, ...similarEmails].map((email) => users.insert(ada(email))));
    const ids = await users.idsMatching("conformance+%", /^conformance\+\d+@/);
    expect([ids.length, await users.remove(ids), await users.remove(ids)]).toEqual([101, 101, 0]);
    for (const email of similarEmails) expect(await users.insert(ada(email))).toBeNull();
  });

  it("creates one of many users with one e-mail address, on two services at once", async () => {
    const both = (await shared()).map((storage) => storesOf(storage).users);
    // The first twins open the connections, the second find them open.
    for (const email of ["ada@example.com", "bob@example.com"]) {
      const twins = Array.from({ length: 20 }, () => both.map((users) => users.insert(ada(email))));
      expect((await Promise.all(twins.flat())).filter((user) => user !== null)).toHaveLength(1);
    }
  });

  it("does all that is to be done exclusively one at a time", async () => {
    const first = (await shared()).map(({ keys }, index) =>
      keys.exclusively(async (exclusiveKeys) => {
        if ((await exclusiveKeys.count()) > 0) return false;
        await exclusiveKeys.insert({ ...aKey, hash: String(index) });
        return true;
      }),
    );
    expect((await Promise.all(first)).sort()).toEqual([false, true]);
  });
});

describe.each(databasesUnderTest())("the database of $name", (kind) => {
  const driverOf = (url: string) => openDriver(readConfig({ ...patience, DATABASE_URL: url }));

  it("fails a transaction that cannot be confirmed, and frees its connection", async () => {
    const { url } = await fresh(kind);
    await migrated(url);
    const driver = driverOf(url);
    const { transaction, write } = openDatabase(driver);
    // What it refers to is looked for at the commit.
    const orphan = {
      id: "x",
      data_digest: "y",
      user_id: "01890a5d-ac96-774b-bcce-b302099a8057",
      created_at: createdAt,
    };
    const insert = () =>
      transaction((tx) => tx.write((knex) => knex("idempotency_keys").insert(orphan)));
    await expect(insert()).rejects.toThrow();
    await expect(insert()).rejects.toThrow();
    expect(await write((knex) => knex("idempotency_keys").delete())).toBe(0);
    await driver.close();
  });

  it("tells violations of constraints, and undoes a transaction with one", async () => {
    const { database } = await migrated((await fresh(kind)).url);
    const { write, transaction } = database;
    await write((knex) =>
      knex.schema
        .createTable("rooms", (table) => {
          table.integer("id").primary();
          table.text("name").unique();
        })
        .createTable("bookings", (table) => table.integer("room_id").references("rooms.id")),
    );
    await write((knex) => knex("rooms").insert({ id: 1, name: "a" }));
    await write((knex) => knex("bookings").insert({ room_id: 1 }));
    const taken = write((knex) => knex("rooms").insert({ id: 2, name: "a" }));
    await expect(taken).rejects.toBeInstanceOf(UniqueViolation);
    const absent = write((knex) => knex("bookings").insert({ room_id: 2 }));
    await expect(absent).rejects.toBeInstanceOf(ForeignKeyViolation);
    const inUse = write((knex) => knex("rooms").delete());
    await expect(inUse).rejects.toBeInstanceOf(ForeignKeyViolation);
    const caught = transaction(async (tx) => {
      await tx.write((knex) => knex("rooms").insert({ id: 3, name: "c" }));
      await tx.write((knex) => knex("rooms").insert({ id: 4, name: "a" })).catch(() => {});
    });
    await expect(caught).rejects.toBeInstanceOf(UniqueViolation);
    expect(await database.read((knex) => knex("rooms").select("id"))).toEqual([{ id: 1 }]);
  });

  it("is given up on after MIGRATION_TIMEOUT_MS while another process migrates", async () => {
    const { url } = await fresh(kind);
    const { migrate } = opened(url, { MIGRATION_TIMEOUT_MS: "50" });
    await opened(url).database.withMigrationLock(() =>
      expect(migrate()).rejects.toMatchObject(unavailable),
    );
  });

  it("takes a migration only if it creates exactly the tables that it names", async () => {
    const driver = driverOf((await fresh(kind)).url);
    const up = (tables: string[], change: Migration["up"]) =>
      upAsNamed(driver.writer, { name: "900-test", tables, up: change }, driver.listTablesSql);
    const create = (name: string) => (database: typeof driver.writer) =>
      database.schema.createTable(name, (table) => void table.uuid("id").primary());
    await up(["notes"], create("notes"));
    await up([], (database) =>
      database.schema.alterTable("notes", (table) => void table.text("text")),
    );
    await expect(up([], create("tags"))).rejects.toThrow(
      "The migration 900-test creates tags, and its `tables`",
    );
    await expect(up(["gone"], async () => {})).rejects.toThrow("creates no table");
    await driver.close();
  });
});

it("is storage-unavailable when the server accepts and sends nothing", async () => {
  const url = `postgres://nobody@127.0.0.1:${await portOf(createServer())}/none`;
  const storage = opened(url, { DATABASE_TIMEOUT_MS: "50" });
  const page = () => storesOf(storage).users.page({ after: null, limit: 1 });
  for (const call of [storage.hasSchema, storage.keys.count, storage.migrate, page])
    await expect(call()).rejects.toMatchObject(unavailable);
});
