import { execFileSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import sqlite3 from "sqlite3";

export interface Filled {
  readonly file: string;
  /** Of a key with every scope that a row needs. */
  readonly key: string;
  /** The id of the user at nine tenths of the way. */
  readonly deep: string;
}

/**
 * A SQLite database as the service creates it, with a key and this many users, whose ids are as
 * ordered as the service's.
 */
export async function filledDatabase(folder: string, users: number): Promise<Filled> {
  const file = path.join(folder, "users.sqlite");
  const cli = (...words: string[]) =>
    execFileSync(process.execPath, ["dist/src/cli.js", ...words], {
      cwd: path.resolve(import.meta.dirname, "../.."),
      env: { ...process.env, DATABASE_URL: `sqlite:${file}` },
      encoding: "utf8",
    });
  cli("migrate");
  const scopes = "users:read,users:write";
  const key = cli(
    "keys",
    "create",
    "--name",
    "bench",
    "--scopes",
    scopes,
    "--platforms",
    "web",
    "--json",
  );
  const database = new sqlite3.Database(file);
  await promisify<string, void>(database.exec.bind(database))(
    `with recursive count(n) as (select 1 union all select n + 1 from count where n < ${users})
     insert into users select printf('01900000-0000-7000-8000-%012x', n), 'User ' || n, 'user' || n
       || '@example.com',
     'user' || n || '@example.com', '2026-01-31T12:00:00.000Z' from count;
     pragma wal_checkpoint(truncate);`,
  );
  await promisify<void>(database.close.bind(database))();
  const deep = Math.floor(users * 0.9).toString(16);
  return {
    file,
    key: JSON.parse(key).key,
    deep: `01900000-0000-7000-8000-${deep.padStart(12, "0")}`,
  };
}
