import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { databasesUnderTest, sqlite } from "../test/databases.ts";
import { sqlitePath } from "./driver.ts";
import { openStorage, type Storage } from "./storage.ts";

const createdAt = new Date("2026-02-03T04:05:06.789Z");
const open = (url: string, env: NodeJS.ProcessEnv = {}) => openStorage(readConfig({ ...env, DATABASE_URL: url }));
const away = { code: "storage-unavailable", status: 503, headers: { "Retry-After": "5" } };

describe.each(databasesUnderTest())("the storage on $name", (kind) => {
  let database: Awaited<ReturnType<typeof kind.fresh>>;
  let storage: Storage;

  beforeAll(async () => {
    database = await kind.fresh();
    storage = open(database.url);
    await storage.migrate();
  });
  afterAll(async () => {
    await storage.close();
    await database.drop();
  });

  const insert = (email: string, name = "Ada") => storage.stores.users.insert({ name, email, createdAt });

  it("migrates again without a change, answers a ping and closes twice", async () => {
    const second = open(database.url);
    await second.migrate();
    await second.ping();
    await second.close();
    await second.close();
  });

  it("keeps a user as it was sent, under a UUIDv7", async () => {
    const sent = { name: "Zoë 🦊 O'Neil", email: "Zoe.O'Neil@Example.com" };
    const user = await insert(sent.email, sent.name);
    expect(user).toEqual({
      ...sent,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      createdAt: "2026-02-03T04:05:06.789Z",
    });
    const { users } = await storage.stores.users.page({ after: null, limit: 200 });
    expect(users).toContainEqual(user);
  });

  it("refuses an e-mail that is taken in another case", async () => {
    expect(await insert("once@example.com")).not.toBeNull();
    expect(await insert("ONCE@example.COM")).toBeNull();
  });

  it("lets one of many simultaneous inserts of an e-mail through", async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => insert("race@example.com")));
    expect(all.filter((user) => user !== null)).toHaveLength(1);
  });

  it("purges by pattern and nothing else", async () => {
    await Promise.all(
      ["conformance+1@example.com", "Conformance+2@example.com", "conformance@example.com"].map((e) => insert(e)),
    );
    expect(await storage.stores.users.purge("conformance+%@example.com")).toBe(2);
    expect(await storage.stores.users.purge("conformance+%@example.com")).toBe(0);
    expect(await insert("conformance@example.com")).toBeNull();
  });

  it("walks every user once, ascending by id, and knows the last page", async () => {
    await Promise.all(Array.from({ length: 7 }, (_, i) => insert(`walk${i}@example.com`)));
    const all = (await storage.stores.users.page({ after: null, limit: 200 })).users;
    const walked = [];
    let page: Awaited<ReturnType<typeof storage.stores.users.page>>;
    do {
      page = await storage.stores.users.page({ after: walked.at(-1)?.id ?? null, limit: 3 });
      expect(page.users.length).toBeLessThanOrEqual(3);
      walked.push(...page.users);
    } while (page.more);
    expect(walked).toEqual(all);
    const ids = walked.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(await storage.stores.users.page({ after: null, limit: all.length })).toEqual({ users: all, more: false });
    expect(await storage.stores.users.page({ after: ids.at(-1) ?? null, limit: 3 })).toEqual({
      users: [],
      more: false,
    });
  });

  it("keeps keys, finds them by hash and revokes them once", async () => {
    const key = {
      name: "two words",
      hash: "a".repeat(64),
      createdAt,
      expiresAt: new Date("2027-01-01T00:00:00.001Z"),
      revokedAt: null,
    };
    expect(await storage.keys.count()).toBe(0);
    const first = await storage.keys.insert({
      ...key,
      scopes: ["users:read", "users:write"],
      platforms: ["web", "ios"],
    });
    const second = await storage.keys.insert({
      ...key,
      hash: "b".repeat(64),
      scopes: [],
      platforms: [],
      revokedAt: createdAt,
    });
    expect(await storage.keys.list()).toEqual([first, second]);
    expect(await storage.keys.findByHash(first.hash)).toEqual(first);
    expect(await storage.keys.findByHash("c".repeat(64))).toBeNull();
    expect(await storage.keys.count()).toBe(2);

    const at = new Date("2026-05-05T05:05:05.500Z");
    expect(await storage.keys.revoke(first.id, at)).toBe(true);
    expect(await storage.keys.revoke(first.id, new Date())).toBe(false);
    expect(await storage.keys.revoke("01890000-0000-7000-8000-000000000000", at)).toBe(false);
    expect((await storage.keys.findByHash(first.hash))?.revokedAt).toEqual(at);
  });

  it("does all that is to be done exclusively, or nothing, one at a time", async () => {
    const { url, drop } = await kind.fresh();
    const both = [open(url), open(url)];
    await both[0]?.migrate();
    const key = { name: "n", scopes: [], platforms: [], createdAt, expiresAt: createdAt, revokedAt: null };
    const first = ({ keys }: Storage, index: number) =>
      keys.exclusively(async (own) => {
        if ((await own.count()) > 0) return false;
        await own.insert({ ...key, hash: String(index).repeat(64) });
        return true;
      });
    expect((await Promise.all(both.map(first))).sort()).toEqual([false, true]);

    const failed = Object.assign(new Error("no such folder"), { code: "ENOENT" });
    const failing = both[0]?.keys.exclusively(async (own) => {
      await own.insert({ ...key, hash: "f".repeat(64) });
      throw failed;
    });
    await expect(failing).rejects.toBe(failed);
    expect(await both[1]?.keys.count()).toBe(1);
    await Promise.all(both.map((storage) => storage.close()));
    await drop();
  });

  it("passes a fault of ours as it is", async () => {
    const empty = await kind.fresh();
    const unmigrated = open(empty.url);
    const fault = await unmigrated.keys.list().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Error);
    expect(fault).not.toMatchObject({ code: away.code });
    await unmigrated.close();
    await empty.drop();
  });
});

describe("a storage that is away", () => {
  it("is storage-unavailable when PostgreSQL refuses the connection", async () => {
    const storage = open("postgres://nobody@127.0.0.1:1/none");
    await expect(storage.ping()).rejects.toMatchObject(away);
    await expect(storage.stores.users.page({ after: null, limit: 1 })).rejects.toMatchObject(away);
    await expect(storage.migrate()).rejects.toMatchObject(away);
    await storage.close();
  });

  it("is storage-unavailable when the server accepts and says nothing", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const storage = open(`postgres://nobody@127.0.0.1:${port}/none`, { DATABASE_TIMEOUT_MS: "50" });
    await expect(storage.ping()).rejects.toMatchObject(away);
    await expect(storage.keys.count()).rejects.toMatchObject(away);
    await storage.close();
    silent.close();
  });

  it("is storage-unavailable when the SQLite file is no database", async () => {
    const database = await sqlite.fresh();
    writeFileSync(
      sqlitePath(database.url) ?? "",
      "this is not a database, and long enough to be seen as none".repeat(20),
    );
    const storage = open(database.url);
    await expect(storage.keys.count()).rejects.toMatchObject(away);
    await expect(storage.migrate()).rejects.toMatchObject(away);
    await storage.close();
    await database.drop();
  });
});

describe("SQLite", () => {
  it("is storage-unavailable once its file has vanished, and does not make another one", async () => {
    const database = await sqlite.fresh();
    const path = `${sqlitePath(database.url)}.a?b#c%41/ü.sqlite`;
    const storage = open(`sqlite:${path}`);
    await storage.migrate();
    rmSync(path);
    await expect(storage.ping()).rejects.toMatchObject(away);
    await expect(storage.keys.count()).rejects.toMatchObject(away);
    await expect(storage.stores.users.insert({ name: "a", email: "a@b.c", createdAt })).rejects.toMatchObject(away);
    await expect(storage.keys.exclusively(async () => {})).rejects.toMatchObject(away);
    expect(existsSync(path)).toBe(false);
    await storage.close();
    await database.drop();
  });

  it("makes the folder, keeps its files to their owner, and its readers cannot write", async () => {
    const database = await sqlite.fresh();
    const storage = open(`${database.url}.folder/deep/atpoint.sqlite`);
    await storage.migrate();
    await storage.stores.users.insert({ name: "Ada", email: "ada@example.com", createdAt });
    const folder = dirname(`${sqlitePath(database.url)}.folder/deep/atpoint.sqlite`);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder);
    expect(files).toContain("atpoint.sqlite-wal");
    for (const file of files) expect(statSync(`${folder}/${file}`).mode & 0o777).toBe(0o600);
    await storage.close();
    await database.drop();
  });
});
