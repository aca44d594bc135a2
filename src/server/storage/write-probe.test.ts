import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tableNames } from "../../test/atpoint.ts";
import { damage, databasesUnderTest, fresh, keyIn, locked, migrated, opened, sqlite } from "../../test/databases.ts";
import { exitCode, logOf, spawnService } from "../../test/process.ts";
import { sqlitePath } from "./address.ts";

const kinds = databasesUnderTest();

describe.each(kinds)("tryWrite on $name", (kind) => {
  it("passes where a write would work, and leaves nothing behind", async () => {
    const { url, run } = await fresh(kind);
    await (await migrated(url)).tryWrite();
    for (const name of tableNames) expect(await run(`select * from ${name}`)).toEqual([]);
  });

  it.each([...tableNames.map((name) => `alter table ${name} rename to gone`), "delete from knex_migrations"])(
    "fails after: %s",
    async (statement) => {
      const { url, run } = await fresh(kind);
      const storage = await migrated(url);
      await run(statement);
      await expect(storage.tryWrite()).rejects.toThrow();
    },
  );

  it("fails while a table is locked", async () => {
    const { url } = await fresh(kind);
    await migrated(url);
    const lock = await locked(url);
    await expect(opened(url, { DATABASE_TIMEOUT_MS: "50" }).tryWrite()).rejects.toMatchObject({
      code: "storage-unavailable",
    });
    await lock.release();
  });

  it("is one trial for all who ask within a second", async () => {
    const { url, run } = await fresh(kind);
    const storage = await migrated(url);
    const first = storage.tryWrite();
    expect(storage.tryWrite()).toBe(first);
    await first;
    await run("alter table users rename to gone");
    expect(storage.tryWrite()).toBe(first);
    await storage.close();
    await expect(storage.tryWrite()).rejects.toThrow();
  });
});

describe.each(kinds.filter((kind) => kind !== sqlite))(
  "a database of $name that reads times in another form",
  (kind) => {
    it("fails tryWrite, and has a fault in its condition", async () => {
      const { url, run } = await fresh(kind);
      const address = `${url},pg_catalog`;
      const before = await migrated(address);
      await before.tryWrite();
      expect(await before.condition()).toMatchObject({ timeFault: null });
      await run("create function to_char(timestamp, text) returns text immutable language sql return 'today'");
      const fault = "The time 2026-02-03T04:05:06.789Z is read as today.";
      const storage = opened(address);
      await expect(storage.tryWrite()).rejects.toThrow(fault);
      expect(await storage.condition()).toMatchObject({ timeFault: fault });
    });
  },
);

describe.each(kinds.filter((kind) => kind !== sqlite))("a database of $name that is read-only", (kind) => {
  it("is not written to by a start that has nothing to migrate, and fails tryWrite", async () => {
    const { url } = await fresh(kind);
    await migrated(url);
    const storage = await migrated(`${url}%20-c%20default_transaction_read_only%3Don`);
    await expect(storage.tryWrite()).rejects.toMatchObject({ code: "storage-unavailable" });
  });
});

describe("a SQLite file", () => {
  it("is not written to by a start that has nothing to migrate", async () => {
    const { url } = await fresh();
    await (await migrated(url)).close();
    await migrated(url);
    expect(statSync(`${sqlitePath(url)}-wal`).size).toBe(0);
  });

  it.each(tableNames)("fails tryWrite when its first page of %s is overwritten", async (table) => {
    const database = await fresh();
    const storage = await migrated(database.url);
    await keyIn(storage.keys);
    await storage.close();
    await database.run("insert into idempotency_keys select id, hash, id, created_at from api_keys");
    await damage(database, table);
    await expect(opened(database.url).tryWrite()).rejects.toMatchObject({ code: "storage-unavailable" });
  });

  it("fails test.health and readiness when its disk is full", async () => {
    const { url } = await fresh();
    const storage = await migrated(url);
    const key = await keyIn(storage.keys, "system:health", "users:write");
    await storage.close();
    // In blocks of 512 bytes: room for seven pages in the -wal, and no migration.
    const { child, stdout } = spawnService({ DATABASE_URL: url, SHUTDOWN_GRACE_MS: "1" }, { before: "ulimit -f 64" });
    const log = await logOf(stdout, async (base, management) => {
      const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };
      const health = () => fetch(`${base}/api/?@=test.health`, { headers });
      expect((await health()).status).toBe(200);
      const create = async (name: number) => {
        const data = { name: "Ada", email: `${name}@example.com` };
        const body = JSON.stringify({ "@": "user.create", data });
        return (await fetch(`${base}/api/`, { method: "POST", headers, body })).status;
      };
      let created = 0;
      while ((await create(created)) === 201) created += 1;
      expect(created).toBeGreaterThan(0);
      while ((await health()).status === 200);
      expect((await fetch(`${management}/readyz`)).status).toBe(503);
      expect((await fetch(`${management}/livez`)).status).toBe(200);
      child.kill();
    });
    await exitCode(child);
    expect(log).toContain('"msg":"storage fails"');
  });
});
