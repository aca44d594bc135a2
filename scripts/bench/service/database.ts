import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import path from "node:path";
import sqlite3 from "sqlite3";

/** The parts of a UUIDv7 that increase, so that ids are as ordered as those of the service. */
const ID = "printf('01900000-0000-7000-8000-%012x', n)";

export interface Filled {
  readonly url: string;
  /** Of a key with every scope. */
  readonly key: string;
  /** The id of the user at nine tenths of the way. */
  readonly deep: string;
}

/** Creates the tables, and a key with every scope. */
export function keyIn(url: string): string {
  const cli = (...words: string[]) =>
    execFileSync(process.execPath, ["dist/src/cli.js", ...words], {
      cwd: path.resolve(import.meta.dirname, "../../.."),
      env: { ...process.env, DATABASE_URL: url },
      encoding: "utf8",
    });
  cli("migrate");
  const scopes = "system:health,users:read,users:write";
  return JSON.parse(cli("keys", "create", "--name", "bench", "--scopes", scopes, "--platforms", "web", "--json")).key;
}

/** A SQLite database as the service creates it, with this many users. */
export async function filledDatabase(folder: string, users: number): Promise<Filled> {
  const url = `sqlite:${path.join(folder, `users-${users}.sqlite`)}`;
  const key = keyIn(url);
  await run(
    fileOf(url),
    `with recursive count(n) as (select 1 union all select n + 1 from count where n < ${users})
     insert into users select ${ID}, 'User ' || n, 'user' || n || '@example.com', 'user' || n || '@example.com',
     '2026-01-31T12:00:00.000Z' from count;
     pragma wal_checkpoint(truncate);`,
  );
  return {
    url,
    key,
    deep: `01900000-0000-7000-8000-${Math.floor(users * 0.9)
      .toString(16)
      .padStart(12, "0")}`,
  };
}

export const fileOf = (url: string): string => url.slice("sqlite:".length);

/** Another file with the same content: peers do not share a lock. */
export function copyOf(url: string, name: string): string {
  const copy = `${fileOf(url)}-${name}.sqlite`;
  copyFileSync(fileOf(url), copy);
  return copy;
}

function run(file: string, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file);
    database.exec(sql, (error) => database.close(() => (error ? reject(error) : resolve())));
  });
}
