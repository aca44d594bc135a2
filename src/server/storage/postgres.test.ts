import type { Socket } from "node:net";
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
    const driver = openDriver(
      readConfig({ ...patience, ...env, DATABASE_URL: url + options }).database,
    );
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
      await expect(unanswered).rejects.toMatchObject({ code: "storage-unavailable" });
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
      await expect(late).rejects.toMatchObject({ code: "storage-unavailable", cause: { message } });
    },
  );

  it("says that no connection was free, if that is what was waited for", async () => {
    await withMoreTime(async (milliseconds) => {
      const driver = await driverBehind((client, server) => client.pipe(server).pipe(client), {
        DATABASE_POOL: "1",
        DATABASE_TIMEOUT_MS: `${milliseconds}`,
      });
      const busy = await driver.writer.transaction();
      const waiting = withStorageErrors(() => driver.reader.raw("select 1"));
      await expect(waiting).rejects.toMatchObject({
        cause: { message: "no connection was free in time" },
      });
      await busy.rollback();
    });
  });

  it("every old connection is left after 25006, which a primary that was switched sends, at most once a second", async () => {
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
    const read = async () =>
      (await reader.raw("select pg_backend_pid() as pid, pg_sleep(0.01)")).rows[0].pid;
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

  const unconfirmed = /may still have happened/;
  it.each([
    ["BEGIN", expect.not.stringMatching(unconfirmed)],
    ['insert into "users"', expect.stringMatching(unconfirmed)],
    ["COMMIT;", expect.stringMatching(unconfirmed)],
  ])(
    "a connection that ends at %s makes a create with a key storage-unavailable, to be sent again",
    async (words, message) => {
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
      const create = () => users.insertOnce(ada, { id: "k", dataDigest: "d", since: new Date(0) });
      await expect(create()).rejects.toMatchObject({
        code: "storage-unavailable",
        message,
        headers: { "Retry-After": "5" },
      });
      expect(await create()).toMatchObject({ resource: { email: ada.email }, replayed: false });
    },
  );

  it("a database that reads times in another form fails tryWrite, and has a fault in its condition", async () => {
    const { url, run } = await fresh(kind);
    const address = `${url},pg_catalog`;
    const before = await migrated(address);
    await before.tryWrite();
    expect(await before.condition()).toMatchObject({ timeFault: null });
    await run(
      "create function to_char(timestamp, text) returns text immutable language sql return 'today'",
    );
    const fault = "The time 2026-02-03T04:05:06.789Z is read as today.";
    const storage = opened(address);
    await expect(storage.tryWrite()).rejects.toThrow(fault);
    expect(await storage.condition()).toMatchObject({ timeFault: fault });
  });

  it("a database that is read-only is not written to by a start that has nothing to migrate, and fails tryWrite", async () => {
    const { url } = await fresh(kind);
    await migrated(url);
    const storage = await migrated(`${url}%20-c%20default_transaction_read_only%3Don`);
    await expect(storage.tryWrite()).rejects.toMatchObject({ code: "storage-unavailable" });
  });
});
