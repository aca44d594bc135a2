import type { Socket } from "node:net";
import type { Knex } from "knex";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readConfig, storesOf } from "../../test/atpoint.ts";
import { databasesUnderTest, fresh, migrated, opened, sqlite } from "../../test/databases.ts";
import { patience, withMoreTime } from "../../test/patience.ts";
import { behindProxy } from "../../test/proxy.ts";
import { openDriver } from "./database.ts";
import { withStorageErrors } from "./errors.ts";

describe.each(databasesUnderTest().filter((kind) => kind !== sqlite))("on $name", (kind) => {
  /** A driver behind a proxy, closed when the test ends. */
  async function driverBehind(
    join: (client: Socket, server: Socket) => void,
    env: object = {},
    options = "",
  ) {
    const url = await behindProxy((await fresh(kind)).url, join);
    const driver = openDriver(readConfig({ ...patience, ...env, DATABASE_URL: url + options }));
    onTestFinished(() => driver.close());
    return driver;
  }

  it("a connection whose server has gone silent is dropped", async () => {
    await withMoreTime(async (milliseconds) => {
      let silent = false;
      const { reader } = await driverBehind(
        (client, server) => {
          client.pipe(server);
          server.on("data", (data) => silent || client.write(data));
        },
        { DATABASE_POOL: "1", DATABASE_TIMEOUT_MS: `${milliseconds}` },
      );
      await reader.raw("select 1");
      silent = true;
      const unanswered = withStorageErrors(() => reader.raw("select 1"));
      await expect(unanswered).rejects.toMatchObject({ name: "StorageUnavailable" });
      silent = false;
      await reader.raw("select 1");
    });
  });

  it.each([
    ["is cancelled", 2, "a statement reached its deadline, and was cancelled"],
    ["cannot be cancelled", 1, "a statement reached its deadline, and could not be cancelled"],
  ])(
    "says of a statement that %s at its deadline that it is that",
    async (_, connections, message) => {
      let opened = 0;
      const driver = await driverBehind((client, server) => {
        opened += 1;
        if (opened > connections) client.destroy();
        else client.pipe(server).pipe(client);
      });
      const sleep = driver.reader.raw("select pg_sleep(60)");
      const late = withStorageErrors(() => driver.cancelAt(sleep, performance.now()));
      await expect(late).rejects.toMatchObject({ name: "StorageUnavailable", cause: { message } });
    },
  );

  it("leaves every old connection after 25006, at most once a second", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    // New connections are to a standby or to a primary; those that are open stay where they are.
    let isStandby = true;
    const { reader, writer } = await driverBehind(
      (client, server) => {
        client.once("data", (start) => {
          server.write(
            isStandby ? start.toString("latin1").replace("read_only=no", "read_only=on") : start,
            "latin1",
          );
          client.pipe(server).pipe(client);
        });
      },
      {},
      "%20-c%20default_transaction_read_only%3Dno",
    );
    const readPid = async (connection: Knex) =>
      (await connection.raw("select pg_backend_pid() as pid")).rows[0].pid as number;
    // Each holds its connection until all have one: an idle one would be of no known age.
    const several = async () => {
      const transactions = await Promise.all([1, 2, 3].map(() => reader.transaction()));
      const pids = await Promise.all(transactions.map(readPid));
      await Promise.all(transactions.map((transaction) => transaction.rollback()));
      return new Set(pids);
    };
    const write = () => writer.raw("create table made (id int)");

    const first = await several();
    await expect(write()).rejects.toMatchObject({ code: "25006" });
    const second = await several();
    expect([...second].filter((pid) => first.has(pid))).toEqual([]);
    await expect(write()).rejects.toMatchObject({ code: "25006" });
    expect(second.has(await readPid(reader))).toBe(true);
    isStandby = false;
    vi.advanceTimersByTime(1000);
    await expect(write()).rejects.toMatchObject({ code: "25006" });
    await write();
    const third = await several();
    expect([...third].filter((pid) => second.has(pid))).toEqual([]);
  });

  it.each([
    ["BEGIN", false],
    ['insert into "users"', true],
    ["COMMIT;", true],
  ])(
    "a create with a key can be sent again after a connection that ends at %s",
    async (words, mayHaveHappened) => {
      const database = await fresh(kind);
      await migrated(database.url);
      let ended = false;
      const url = await behindProxy(database.url, (client, server) => {
        server.pipe(client);
        client.on("data", (data) => {
          if (ended || !data.includes(words)) return server.write(data);
          ended = true;
          return server.destroy();
        });
      });
      const { users } = storesOf(opened(url, { DATABASE_POOL: "1" }));
      const ada = { name: "Ada", email: "ada@example.com", createdAt: new Date() };
      const create = () => users.insertOnce(ada, "k");
      await expect(create()).rejects.toMatchObject({
        name: "StorageUnavailable",
        mayHaveHappened,
      });
      expect(await create()).toMatchObject({ email: ada.email });
    },
  );

  it("a database that reads times in another form fails checkWritable and diagnose", async () => {
    const { url, run } = await fresh(kind);
    const address = `${url},pg_catalog`;
    const before = await migrated(address);
    await before.checkWritable();
    expect(await before.diagnose()).toMatchObject({ timeFault: null });
    await run(
      "create function to_char(timestamp, text) returns text immutable language sql return 'today'",
    );
    const fault = "The time 2026-02-03T04:05:06.789Z is read as today.";
    const storage = opened(address);
    await expect(storage.checkWritable()).rejects.toThrow(fault);
    expect(await storage.diagnose()).toMatchObject({ timeFault: fault });
  });
});
