import { describe, expect, it } from "vitest";
import { tableNames } from "../../test/atpoint.ts";
import {
  damage,
  databasesUnderTest,
  fresh,
  keyIn,
  locked,
  migrated,
  opened,
} from "../../test/databases.ts";
import { exitCode, logOf, spawnService } from "../../test/process.ts";

describe.each(databasesUnderTest())("checkWritable on $name", (kind) => {
  it("passes without a trace where a write would work, and fails elsewhere", async () => {
    const { url, run } = await fresh(kind);
    await (await migrated(url)).checkWritable();
    const fails = () => expect(opened(url).checkWritable()).rejects.toThrow();
    for (const name of tableNames) {
      expect(await run(`select * from ${name}`)).toEqual([]);
      await run(`alter table ${name} rename to gone`);
      await fails();
      await run(`alter table gone rename to ${name}`);
    }
    await opened(url).checkWritable();
    await run("delete from knex_migrations");
    await fails();
  });

  it("fails while a table is locked", async () => {
    const { url } = await fresh(kind);
    await migrated(url);
    const lock = await locked(url);
    await expect(opened(url, { DATABASE_TIMEOUT_MS: "50" }).checkWritable()).rejects.toMatchObject({
      name: "StorageUnavailable",
    });
    await lock.release();
  });

  it("is one trial for all who ask within a second", async () => {
    const { url, run } = await fresh(kind);
    const storage = await migrated(url);
    const first = storage.checkWritable();
    expect(storage.checkWritable()).toBe(first);
    await first;
    await run("alter table users rename to gone");
    expect(storage.checkWritable()).toBe(first);
    await storage.close();
    await expect(storage.checkWritable()).rejects.toThrow();
  });
});

it.each(tableNames)("fails on SQLite when the first page of %s is overwritten", async (table) => {
  const database = await fresh();
  const storage = await migrated(database.url);
  await keyIn(storage.keys);
  await storage.close();
  const columns = "idempotency_keys (id, data_digest, user_id, created_at)";
  await database.run(`insert into ${columns} select id, hash, id, created_at from api_keys`);
  await damage(database, table);
  await expect(opened(database.url).checkWritable()).rejects.toMatchObject({
    name: "StorageUnavailable",
  });
});

it("fails test.health and readiness on SQLite when the disk is full", async () => {
  const { url } = await fresh();
  const storage = await migrated(url);
  const key = await keyIn(storage.keys, "system:health", "users:write");
  await storage.close();
  // In blocks of 512 bytes: room for seven pages in the -wal, and no migration.
  const { child, stdout } = spawnService(
    { DATABASE_URL: url, SHUTDOWN_GRACE_MS: "1" },
    { before: "ulimit -f 64" },
  );
  const log = await logOf(stdout, async (base, management) => {
    const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };
    const health = async () => (await fetch(`${base}/api/?@=test.health`, { headers })).status;
    expect(await health()).toBe(200);
    const create = async (name: number) => {
      const body = JSON.stringify({
        "@": "user.create",
        data: { name: "Ada", email: `${name}@example.com` },
      });
      return (await fetch(`${base}/api/`, { method: "POST", headers, body })).status;
    };
    let created = 0;
    while ((await create(created)) === 201) created += 1;
    expect(created).toBeGreaterThan(0);
    while ((await health()) === 200);
    expect((await fetch(`${management}/readyz`)).status).toBe(503);
    expect((await fetch(`${management}/livez`)).status).toBe(200);
    child.kill();
  });
  await exitCode(child);
  expect(log).toContain('"msg":"storage fails"');
});
