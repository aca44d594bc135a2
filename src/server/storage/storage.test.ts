import * as fs from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { User } from "../../../generated/contract.ts";
import { openStorage, readConfig, storesOf } from "../../test/atpoint.ts";
import { databasesAndDefaults, fresh, migrated, opened as open } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { portOf } from "../../test/ports.ts";
import { sqlitePath } from "./address.ts";
import type { Page } from "./driver.ts";
import type { CreateMode } from "./sqlite-file.ts";
import type { Storage } from "./storage.ts";

const createdAt = new Date("2026-02-03T04:05:06.789Z");
const aKey = { name: "n", scopes: [], platforms: [], createdAt, expiresAt: createdAt, revokedAt: null };
const unconfirmed = expect.stringContaining("may still have happened");
const unavailable = { code: "storage-unavailable", headers: { "Retry-After": "5" } };

describe.each(databasesAndDefaults())("the storage on $name", (kind) => {
  let database: Awaited<ReturnType<typeof kind.fresh>>;
  let storage: Storage;

  beforeAll(async () => {
    database = await kind.fresh();
    storage = openStorage(readConfig({ ...patience, DATABASE_URL: database.url }));
    await storage.migrate();
  });
  afterAll(async () => {
    await storage.close();
    await database.drop();
  });

  const insert = (email: string) => storesOf(storage).users.insert({ name: "Ada", email, createdAt });

  it("migrates again without a change, and closes twice", async () => {
    const second = open(database.url);
    await second.migrate();
    await second.close();
    await second.close();
  });

  it("finds users by pattern and expression, and removes more than one statement could name, and no other", async () => {
    const { users } = storesOf(storage);
    const many = Array.from({ length: 101 }, (_, at) => `Conformance+${at}@example.com`);
    await Promise.all([...many, "conformance+x@example.com", "conformance@example.com"].map((e) => insert(e)));
    const ids = await users.idsMatching("conformance+%", /^conformance\+\d+@/);
    expect(ids).toHaveLength(101);
    expect(await users.remove(ids)).toBe(101);
    expect(await users.remove(ids)).toBe(0);
    for (const email of ["conformance+x@example.com", "conformance@example.com"])
      expect(await insert(email)).toBeNull();
  });

  it("walks every user once, ascending by id, and knows the last page", async () => {
    await Promise.all(Array.from({ length: 7 }, (_, i) => insert(`walk${i}@example.com`)));
    const all: User[] = JSON.parse((await storesOf(storage).users.page({ after: null, limit: 200 })).items);
    const walked: User[] = [];
    let page: Page;
    do {
      page = await storesOf(storage).users.page({ after: walked.at(-1)?.id ?? null, limit: 3 });
      const users: User[] = JSON.parse(page.items);
      expect(users.length).toBeLessThanOrEqual(3);
      expect(page.last).toBe(users.at(-1)?.id);
      walked.push(...users);
    } while (page.more);
    expect(walked).toEqual(all);
    const ids = walked.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(walked).toContainEqual(expect.objectContaining({ createdAt: createdAt.toISOString() }));
    expect(await storesOf(storage).users.find("walk0@example.com")).toEqual(
      walked.find(({ email }) => email === "walk0@example.com"),
    );
    const whole = await storesOf(storage).users.page({ after: null, limit: all.length });
    expect(whole).toEqual({ items: JSON.stringify(all), last: ids.at(-1), more: false });
    const none = await storesOf(storage).users.page({ after: ids.at(-1) ?? null, limit: 3 });
    expect(none).toEqual({ items: "[]", last: null, more: false });
  });

  it("creates one of many users with one e-mail address, on two services at once", async () => {
    const { url } = await fresh(kind);
    const both = [await migrated(url), open(url)];
    // The first twins open the connections, the second find them open.
    for (const email of ["ada@example.com", "bob@example.com"]) {
      const twins = Array.from({ length: 40 }, () => ({ name: "Ada", email, createdAt }));
      const created = await Promise.all(
        twins.map((user, index) => storesOf(both[index % 2] ?? storage).users.insert(user)),
      );
      expect(created.filter((user) => user !== null)).toHaveLength(1);
    }
  });

  it("keeps keys, finds them by hash and revokes them once", async () => {
    const key = { ...aKey, name: "two words", hash: "a".repeat(64), expiresAt: new Date("2027-01-01T00:00:00.001Z") };
    expect(await storage.keys.count()).toBe(0);
    const more = { scopes: ["users:read", "users:write"], platforms: ["web", "ios"] };
    const first = await storage.keys.insert({ ...key, ...more });
    const second = await storage.keys.insert({ ...key, hash: "b".repeat(64), revokedAt: createdAt });
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
    const { url } = await fresh(kind);
    const both = [await migrated(url), open(url)];
    const first = ({ keys }: Storage, index: number) =>
      keys.exclusively(async (own) => {
        if ((await own.count()) > 0) return false;
        await own.insert({ ...aKey, hash: String(index).repeat(64) });
        return true;
      });
    expect((await Promise.all(both.map(first))).sort()).toEqual([false, true]);

    const failed = Object.assign(new Error("no such folder"), { code: "ENOENT" });
    const failing = both[0]?.keys.exclusively(async (own) => {
      await own.insert({ ...aKey, hash: "f".repeat(64) });
      throw failed;
    });
    await expect(failing).rejects.toBe(failed);
    expect(await both[1]?.keys.count()).toBe(1);
  });

  it("passes a fault of ours as it is", async () => {
    const unmigrated = open((await fresh(kind)).url);
    const fault = await unmigrated.keys.list().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Error);
    expect(fault).not.toMatchObject({ code: unavailable.code });
  });
});

it.each<[string, () => Promise<string>]>([
  ["PostgreSQL rejects the connection", async () => "postgres://nobody@127.0.0.1:1/none"],
  [
    "the server accepts and sends nothing",
    async () => `postgres://nobody@127.0.0.1:${await portOf(createServer())}/none`,
  ],
  [
    "the file is no SQLite database",
    async () => {
      const { url } = await fresh();
      fs.writeFileSync(sqlitePath(url) ?? "", "this is no database, and long enough to be seen as none".repeat(20));
      return url;
    },
  ],
])("is storage-unavailable when %s", async (_, unusable) => {
  const unused = open(await unusable(), { DATABASE_TIMEOUT_MS: "50" });
  const { keys, isOurs, migrate } = unused;
  for (const call of [isOurs, keys.count, migrate, () => storesOf(unused).users.page({ after: null, limit: 1 })])
    await expect(call()).rejects.toMatchObject(unavailable);
});

describe("SQLite", () => {
  const inFolder = async () => {
    const path = `${sqlitePath((await fresh()).url)}.folder/a?b#c%41ü.sqlite`;
    return { path, storage: await migrated(`sqlite:${path}`) };
  };
  /** Moves a file away, and back. */
  const move = (path: string) => {
    fs.renameSync(path, `${path}.old`);
    return () => fs.renameSync(`${path}.old`, path);
  };

  it.each<[string, (path: string) => () => void]>([
    ["its file was moved", move],
    ["its -wal was moved", (path) => move(`${path}-wal`)],
    ["its -shm was moved", (path) => move(`${path}-shm`)],
    ["its folder was moved", (path) => move(dirname(path))],
    [
      "its file was replaced by a copy",
      (path) => {
        const giveBack = move(path);
        fs.copyFileSync(`${path}.old`, path);
        return giveBack;
      },
    ],
    [
      "a folder is in its place",
      (path) => {
        const giveBack = move(path);
        fs.mkdirSync(path);
        return () => {
          fs.rmdirSync(path);
          giveBack();
        };
      },
    ],
  ])("confirms nothing while %s, and goes on once it is back", async (_, take) => {
    const { path, storage } = await inFolder();
    const { keys, isOurs } = storage;
    const { users } = storesOf(storage);
    const insert = (name: string) => users.insert({ name, email: `${name}@example.com`, createdAt });
    const page = async () =>
      JSON.parse((await users.page({ after: null, limit: 9 })).items).map(({ name }: User) => name);
    await insert("before");
    expect(await page()).toEqual(["before"]);
    const giveBack = take(path);
    for (const _ of [1, 2]) {
      await expect(insert("meanwhile")).rejects.toMatchObject({ ...unavailable, message: unconfirmed });
      await expect(page()).rejects.toMatchObject({ ...unavailable, message: expect.not.stringContaining("happened") });
      await expect(isOurs()).rejects.toMatchObject(unavailable);
      await expect(keys.exclusively(async () => {})).rejects.toMatchObject(unavailable);
    }
    giveBack();
    await insert("after");
    expect(await page()).toEqual(["before", "after"]);
  });

  it("does not confirm a change during which the file was taken away", async () => {
    const {
      path,
      storage: { keys },
    } = await inFolder();
    const lost = keys.exclusively(async (own) => {
      await own.insert({ ...aKey, hash: "f".repeat(64) });
      fs.rmSync(path);
    });
    await expect(lost).rejects.toMatchObject({ ...unavailable, message: unconfirmed });
    expect(fs.existsSync(path)).toBe(false);
  });

  it("is looked for before a read at most every 20 ms, and at once after it was missing", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { path, storage } = await inFolder();
    const read = () => storesOf(storage).users.page({ after: null, limit: 1 });
    await read();
    const giveBack = move(path);
    vi.advanceTimersByTime(19);
    await read();
    vi.advanceTimersByTime(1);
    for (const _ of [1, 2]) await expect(read()).rejects.toMatchObject(unavailable);
    giveBack();
    await read();
    move(path);
    await expect(storage.keys.expire("none", createdAt)).rejects.toMatchObject(unavailable);
    await expect(read()).rejects.toMatchObject(unavailable);
  });

  it("keeps its file open when nothing is sent, so that no other one gets its number", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { path, storage } = await inFolder();
    const { users } = storesOf(storage);
    await storage.isOurs();
    await vi.advanceTimersByTimeAsync(120_000);
    fs.copyFileSync(path, `${path}.copy`);
    fs.rmSync(path);
    for (let i = 0; i < 9; i++) {
      fs.copyFileSync(`${path}.copy`, path);
      await expect(users.page({ after: null, limit: 1 })).rejects.toMatchObject(unavailable);
      fs.rmSync(path);
    }
  });

  it("begins with an empty one where none was, and not where one was, unless it is to", async () => {
    const { path, storage } = await inFolder();
    const url = `sqlite:${path}`;
    const opening = (mode?: CreateMode) => openStorage(readConfig({ ...patience, DATABASE_URL: url }), mode);
    await storage.close();
    for (const lose of [fs.rmSync, (file: string) => fs.writeFileSync(file, "")]) {
      lose(path);
      for (const mode of [undefined, "ifMissing", "never"] as const)
        expect(() => opening(mode)).toThrow(`DATABASE_URL names ${path}, and no database is there. There was one`);
    }
    const empty = opening("always");
    await empty.migrate();
    expect(await empty.keys.count()).toBe(0);
    await empty.close();
    await opening("ifMissing").close();

    // What an older release leaves behind when it is killed.
    fs.rmSync(`${path}-made`);
    fs.renameSync(path, `${path}-wal`);
    expect(() => opening()).toThrow("There was one");
    fs.rmSync(`${path}-wal`);
    expect(() => opening("never")).toThrow("Is that the right path");
    await opening().close();
  });

  it("rejects at once what is no file, and a folder that cannot be created", async () => {
    expect(() => open("sqlite:/dev/null")).toThrow("DATABASE_URL names /dev/null, which is not a file.");
    expect(() => open("sqlite:/proc/nothere/deep/x.sqlite")).toThrow(expect.objectContaining(unavailable));
  });

  it("makes the folder, keeps its files to their owner, and its readers cannot write", async () => {
    const url = `${(await fresh()).url}.folder/deep/atpoint.sqlite`;
    const storage = await migrated(url);
    await storesOf(storage).users.insert({ name: "Ada", email: "ada@example.com", createdAt });
    const folder = dirname(sqlitePath(url) ?? "");
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    const files = fs.readdirSync(folder);
    expect(files).toContain("atpoint.sqlite-wal");
    for (const file of files) expect(fs.statSync(`${folder}/${file}`).mode & 0o777).toBe(0o600);
  });
});
