import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "../../test/atpoint.ts";
import { databasesUnderTest, fresh, sqlite } from "../../test/databases.ts";
import { patience, withMoreTime } from "../../test/patience.ts";
import { behindProxy } from "../../test/proxy.ts";
import { openDriver } from "./database.ts";
import { withStorageErrors } from "./errors.ts";

const kinds = databasesUnderTest();
const servers = kinds.filter((kind) => kind !== sqlite);

/** Closed when the test ends. */
function opened(url: string, env: NodeJS.ProcessEnv = patience) {
  const driver = openDriver(readConfig({ ...env, DATABASE_URL: url }).database);
  onTestFinished(() => driver.close());
  return driver;
}

describe.each(kinds)("the driver of $name", (kind) => {
  /** Two processes that migrate; the second waits as long as `env` allows. */
  async function twoMigrators(env: NodeJS.ProcessEnv = {}) {
    const { url } = await fresh(kind);
    const driver = opened(url);
    const both = [driver.migrator(), opened(url, { ...patience, ...env }).migrator()] as const;
    onTestFinished(async () => void (await Promise.all(both.map((one) => one.destroy()))));
    const first = await both[0].transaction();
    await first.raw(driver.migrationLock);
    return { first, second: () => both[1].transaction((transaction) => transaction.raw(driver.migrationLock)) };
  }

  it("waits while another process migrates, then goes on", async () => {
    const { first, second } = await twoMigrators();
    const order: string[] = [];
    const waiting = second().then(() => order.push("second"));
    order.push("first");
    await first.commit();
    await waiting;
    expect(order).toEqual(["first", "second"]);
  });

  it("gives up on a lock after its time-out, as storage-unavailable", async () => {
    const { first, second } = await twoMigrators({ MIGRATION_TIMEOUT_MS: "50" });
    await expect(withStorageErrors(second)).rejects.toMatchObject({ code: "storage-unavailable" });
    await first.rollback();
  });
});

describe.each(servers)("the driver of $name", (kind) => {
  it("drops a connection whose server has gone silent", async () => {
    let silent = false;
    const url = await behindProxy((await fresh(kind)).url, (client, server) => {
      client.pipe(server);
      server.on("data", (data) => silent || client.write(data));
    });
    await withMoreTime(async (milliseconds) => {
      const { reader } = opened(url, { DATABASE_POOL: "1", DATABASE_TIMEOUT_MS: `${milliseconds}` });
      silent = false;
      await reader.raw("select 1");
      silent = true;
      const unanswered = withStorageErrors(() => reader.raw("select 1"));
      await expect(unanswered).rejects.toMatchObject({ code: "storage-unavailable" });
      silent = false;
      await reader.raw("select 1");
    });
  });

  it("leaves every old connection after 25006, which a primary that was switched sends, at most once a second", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    // New connections are to a standby or to a primary; those that are open stay where they are.
    let isStandby = true;
    const url = await behindProxy((await fresh(kind)).url, (client, server) => {
      client.once("data", (start) => {
        server.write(isStandby ? start.toString("latin1").replace("read_only=no", "read_only=on") : start, "latin1");
        client.pipe(server).pipe(client);
      });
    });
    const { reader, writer } = opened(`${url}%20-c%20default_transaction_read_only%3Dno`);
    const read = async () => (await reader.raw("select pg_backend_pid() as pid, pg_sleep(0.01)")).rows[0].pid;
    const several = async () => new Set(await Promise.all([read(), read(), read()]));
    const write = () => writer.raw("create table made (id int)");

    const first = await several();
    await expect(write()).rejects.toMatchObject({ code: "25006" });
    const second = await several();
    expect([...second].filter((pid) => first.has(pid))).toEqual([]);
    await expect(write()).rejects.toMatchObject({ code: "25006" });
    expect(second.has(await read())).toBe(true);
    isStandby = false;
    vi.advanceTimersByTime(1000);
    await expect(write()).rejects.toMatchObject({ code: "25006" });
    await write();
    const third = await several();
    expect([...third].filter((pid) => second.has(pid))).toEqual([]);
  });
});

describe("the driver of SQLite", () => {
  it("has readers that cannot write, and a writer that is durable", async () => {
    const { reader, writer } = opened((await fresh()).url, {});
    const durable = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 5000 };
    for (const [name, value] of Object.entries(durable))
      expect(Object.values((await writer.raw(`PRAGMA ${name}`))[0])).toEqual([value]);
    const written = withStorageErrors(() => reader.raw("create table t (a)"));
    await expect(written).rejects.toMatchObject({ code: "storage-unavailable" });
  });
});
