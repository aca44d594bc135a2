import { connect, createServer } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "../config.ts";
import { databasesUnderTest, fresh, sqlite } from "../test/databases.ts";
import { patience, withMoreTime } from "../test/patience.ts";
import { portOf } from "../test/ports.ts";
import { databaseName, sqlitePath } from "./address.ts";
import { openDriver } from "./database.ts";
import { withStorageErrors } from "./errors.ts";

const kinds = databasesUnderTest();

describe.each(kinds)("the driver of $name", (kind) => {
  it("waits while another process migrates, then goes on", async () => {
    const database = await fresh(kind);
    const { database: config } = readConfig({ ...patience, DATABASE_URL: database.url });
    const [one, two] = [openDriver(config).migrator(), openDriver(config).migrator()];
    const { migrationLock } = openDriver(config);
    const order: string[] = [];
    const first = await one.transaction();
    await first.raw(migrationLock);
    const waiting = two.transaction(async (second) => {
      await second.raw(migrationLock);
      order.push("second");
    });
    order.push("first");
    await first.commit();
    await waiting;
    expect(order).toEqual(["first", "second"]);
    await Promise.all([one.destroy(), two.destroy()]);
  });

  it("gives up on a lock after its time-out, as storage-unavailable", async () => {
    const database = await fresh(kind);
    const open = (env: NodeJS.ProcessEnv) =>
      openDriver(readConfig({ ...patience, ...env, DATABASE_URL: database.url }).database);
    // The first has time: on PostgreSQL it may have to wait for another test that migrates.
    const driver = open({});
    const [one, two] = [driver.migrator(), open({ MIGRATION_TIMEOUT_MS: "50" }).migrator()];
    const first = await one.transaction();
    await first.raw(driver.migrationLock);
    const refused = withStorageErrors(() => two.transaction((second) => second.raw(driver.migrationLock)));
    await expect(refused).rejects.toMatchObject({ code: "storage-unavailable" });
    await first.rollback();
    await Promise.all([one.destroy(), two.destroy()]);
  });
});

describe.each(kinds.filter((kind) => kind !== sqlite))("the driver of $name", (kind) => {
  it("drops a connection whose server has gone silent", async () => {
    const database = await fresh(kind);
    const target = new URL(database.url);
    const { hostname, port } = target;
    let silent = false;
    const proxy = createServer((client) => {
      const server = connect(Number(port || 5432), hostname);
      client.pipe(server);
      server.on("data", (data) => silent || client.write(data));
      for (const socket of [client, server]) socket.on("error", () => {}).on("close", () => server.destroy());
    });
    target.host = `127.0.0.1:${await portOf(proxy)}`;
    await withMoreTime(async (milliseconds) => {
      const env = { DATABASE_URL: target.href, DATABASE_POOL: "1", DATABASE_TIMEOUT_MS: `${milliseconds}` };
      const { reader } = openDriver(readConfig(env).database);
      onTestFinished(() => reader.destroy());
      silent = false;
      await reader.raw("select 1");
      silent = true;
      const unanswered = withStorageErrors(() => reader.raw("select 1"));
      await expect(unanswered).rejects.toMatchObject({ code: "storage-unavailable" });
      silent = false;
      await reader.raw("select 1");
    });
  });
});

describe.each(kinds.filter((kind) => kind !== sqlite))("the driver of $name, whose primary is switched", (kind) => {
  it("leaves every old connection after 25006, at most once a second", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const target = new URL((await fresh(kind)).url);
    const { hostname, port } = target;
    // New connections are to a standby or to a primary; those that are open stay where they are.
    let isStandby = true;
    const proxy = createServer((client) => {
      const server = connect(Number(port || 5432), hostname);
      client.once("data", (start) => {
        server.write(isStandby ? start.toString("latin1").replace("read_only=no", "read_only=on") : start, "latin1");
        client.pipe(server).pipe(client);
      });
      for (const socket of [client, server]) socket.on("error", () => {}).on("close", () => server.destroy());
    });
    target.host = `127.0.0.1:${await portOf(proxy)}`;
    const url = `${target.href}%20-c%20default_transaction_read_only%3Dno`;
    const { reader, writer } = openDriver(readConfig({ ...patience, DATABASE_URL: url }).database);
    onTestFinished(() => reader.destroy());
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

describe("an address of PostgreSQL", () => {
  const opening = (url: string) => openDriver(readConfig({ DATABASE_URL: url }).database);

  it.each([
    "postgres://a:5432,b:5432/db",
    "postgres://u:p@a,b/db",
    "postgres:///db?host=a,b",
    "postgres://u:p,w@a:1,b/db?application_name=x",
  ])("names several hosts: %s", (url) => {
    expect(() => opening(url)).toThrow("names several hosts, and the driver connects to one");
  });

  it.each(["postgres://u:p,a/b@h/db", "postgres://u:p,a@b@h:x/db"])("is no URL: %s", (url) => {
    expect(() => opening(url)).toThrow("is no URL: in a password");
  });

  it.each([
    "postgres://u:p,w@127.0.0.1:1/db",
    "postgres://127.0.0.1:1/db?options=-c%20search_path%3Da,b",
    "postgres://u@%2Ftmp%2Fa,b/db",
  ])("has one host: %s", async (url) => {
    await opening(url).close();
  });
});

describe("the driver of SQLite", () => {
  it("has readers that cannot write, and a writer that is durable", async () => {
    const database = await fresh();
    const { reader, writer } = openDriver(readConfig({ DATABASE_URL: database.url }).database);
    const durable = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 5000 };
    for (const [name, value] of Object.entries(durable))
      expect(Object.values((await writer.raw(`PRAGMA ${name}`))[0])).toEqual([value]);
    await expect(withStorageErrors(() => reader.raw("create table t (a)"))).rejects.toMatchObject({
      code: "storage-unavailable",
    });
    await Promise.all([reader.destroy(), writer.destroy()]);
  });
});

describe("sqlitePath", () => {
  it("is null for another kind of database", () => {
    expect(sqlitePath("sqlite:data/a.sqlite")).toBe("data/a.sqlite");
    expect(sqlitePath("postgres://host/a")).toBeNull();
  });
});

describe("databaseName", () => {
  it.each([
    ["sqlite:/a b/c.sqlite", "sqlite:/a b/c.sqlite"],
    [
      "postgres://ada:s3cret@db.example.com/atpoint?options=-csearch_path%3Db",
      "postgres://db.example.com:5432/atpoint",
    ],
    ["postgresql://[::1]:5433/a%20b?password=s3cret", "postgres://[::1]:5433/a%20b"],
    ["postgres:///atpoint?host=/tmp&user=ada", "postgres://%2Ftmp:5432/atpoint"],
  ])("of %s is %s", (url, name) => {
    expect(databaseName(url)).toBe(name);
  });
});
