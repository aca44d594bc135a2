import fs from "node:fs";
import { dirname } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { User } from "../../../generated/contract.ts";
import { openStorage, readConfig, storesOf } from "../../test/atpoint.ts";
import { fresh, keyIn, migrated } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { sqlitePath } from "./address.ts";
import { openDriver } from "./database.ts";
import { withStorageErrors } from "./errors.ts";
import type { CreateMode } from "./sqlite-file.ts";

const createdAt = new Date("2026-02-03T04:05:06.789Z");
const unavailable = { name: "StorageUnavailable" };
const pathOf = (url: string) => sqlitePath(url) ?? "";

async function inFolder() {
  const folder = `${pathOf((await fresh()).url)}.folder`;
  fs.mkdirSync(folder);
  const path = `${folder}/a?b#c%41ü.sqlite`;
  const storage = await migrated(`sqlite:${path}`);
  const { users } = storesOf(storage);
  const insert = (name: string) => users.insert({ name, email: `${name}@example.com`, createdAt });
  const read = async () =>
    JSON.parse((await users.page({ after: null, limit: 9 })).items).map(({ name }: User) => name);
  return { path, storage, insert, read };
}

/** Moves a file away, and back. */
const move = (path: string) => {
  fs.renameSync(path, `${path}.old`);
  return () => {
    fs.rmSync(path, { recursive: true, force: true });
    fs.renameSync(`${path}.old`, path);
  };
};
/** The same, with something else instead. */
const replace = (put: (path: string) => void) => (path: string) => {
  const giveBack = move(path);
  put(path);
  return giveBack;
};

it.each<[string, (path: string) => () => void]>([
  ["its file was moved", move],
  ["its -wal was moved", (path) => move(`${path}-wal`)],
  ["its -shm was moved", (path) => move(`${path}-shm`)],
  ["its folder was moved", (path) => move(dirname(path))],
  ["its file was replaced by a copy", replace((path) => fs.copyFileSync(`${path}.old`, path))],
  ["a folder is in its place", replace((path) => fs.mkdirSync(path))],
])("confirms nothing while %s, and goes on once it is back", async (_, take) => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { path, storage, insert, read } = await inFolder();
  await insert("before");
  expect(await read()).toEqual(["before"]);
  const giveBack = take(path);
  // Until it is noticed, a change may be carried out, in a file that has no name.
  await expect(insert("before")).rejects.toMatchObject({ ...unavailable, mayHaveHappened: true });
  vi.advanceTimersByTime(20);
  for (const _ of [1, 2]) {
    await expect(insert("meanwhile")).rejects.toMatchObject({
      ...unavailable,
      mayHaveHappened: true,
    });
    await expect(read()).rejects.toMatchObject({
      ...unavailable,
      mayHaveHappened: false,
    });
    await expect(storage.hasSchema()).rejects.toMatchObject(unavailable);
    await expect(storage.keys.exclusively(async () => {})).rejects.toMatchObject(unavailable);
  }
  giveBack();
  await insert("after");
  expect(await read()).toEqual(["before", "after"]);
});

it("does not confirm a change during which the file was taken away", async () => {
  const { path, storage } = await inFolder();
  const lost = storage.keys.exclusively(async (exclusiveKeys) => {
    await keyIn(exclusiveKeys);
    fs.rmSync(path);
  });
  await expect(lost).rejects.toMatchObject({ ...unavailable, mayHaveHappened: true });
  expect(fs.existsSync(path)).toBe(false);
});

it("checks its file before a read every 20 ms, and at once after it was missing", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { path, storage, read } = await inFolder();
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
  const { path, read } = await inFolder();
  await read();
  await vi.advanceTimersByTimeAsync(120_000);
  fs.copyFileSync(path, `${path}.copy`);
  fs.rmSync(path);
  for (let i = 0; i < 9; i++) {
    fs.copyFileSync(`${path}.copy`, path);
    await expect(read()).rejects.toMatchObject(unavailable);
    fs.rmSync(path);
  }
});

it("begins with an empty file where none was, and not where one was, unless it is to", async () => {
  const { path, storage } = await inFolder();
  const opening = (mode?: CreateMode) =>
    openStorage(readConfig({ ...patience, DATABASE_URL: `sqlite:${path}` }), mode);
  await storage.close();
  for (const lose of [fs.rmSync, (file: string) => fs.writeFileSync(file, "")]) {
    lose(path);
    for (const mode of [undefined, "ifMissing", "never"] as const)
      expect(() => opening(mode)).toThrow(
        `DATABASE_URL names ${path}, and no database is there. There was one`,
      );
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

it("creates no folder that is missing", async () => {
  const folder = `${pathOf((await fresh()).url)}.folder`;
  const config = readConfig({ DATABASE_URL: `sqlite:${folder}/a.sqlite` });
  for (const mode of ["never", "ifMissing", "always"] as const)
    expect(() => openStorage(config, mode)).toThrow(`/a.sqlite, and there is no folder ${folder}:`);
  expect(fs.existsSync(folder)).toBe(false);
});

it("keeps its files to their owner", async () => {
  const { path, insert } = await inFolder();
  await insert("Ada");
  const files = fs.readdirSync(dirname(path)).map((name) => `${dirname(path)}/${name}`);
  expect(files).toContain(`${path}-wal`);
  for (const file of files) expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

it("has readers that cannot write, and a writer that is durable", async () => {
  const driver = openDriver(readConfig({ DATABASE_URL: (await fresh()).url }));
  onTestFinished(() => driver.close());
  const durable = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 5000 };
  for (const [name, value] of Object.entries(durable)) {
    const [row] = await driver.writer.raw(`PRAGMA ${name}`);
    expect([name, ...Object.values(row)]).toEqual([name, value]);
  }
  const written = withStorageErrors(() => driver.reader.raw("create table t (a)"));
  await expect(written).rejects.toMatchObject({ name: "StorageUnavailable" });
});
