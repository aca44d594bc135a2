import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import knex, { type Knex } from "knex";
import type { Database } from "sqlite3";
import { SafeError } from "../safe-error.ts";
import type { Config } from "../settings/config.ts";
import { type Driver, knexSettings } from "./driver.ts";
import { type CreateMode, openSqliteFile } from "./sqlite-file.ts";
import { openPages } from "./sqlite-pages.ts";

/** Never created by SQLite: a file that vanishes while we serve is an unavailable storage, not an empty one. */
export const sqliteConfig = (path: string): Knex.Config & { connection: { filename: string } } => ({
  ...knexSettings,
  client: "sqlite3",
  connection: { filename: `${pathToFileURL(path)}?mode=rw`, flags: ["OPEN_URI"] },
  useNullAsDefault: true,
});

const allow = "`npm pkg set --json allowScripts.sqlite3=true`";

/** By the code of the failure. npm 12 skips the script that gets or compiles the binary, unless the root package allows it. */
const driverFailures: Readonly<Record<string, string>> = {
  MODULE_NOT_FOUND: `is not installed: ${allow}, then \`npm install sqlite3@6\``,
  ERR_DLOPEN_FAILED:
    "was built for another machine: `npm rebuild sqlite3`, or, where the system is too old for that, `npm rebuild sqlite3 --build-from-source`",
};

/** It may be missing, or without its binary. Throws `SafeError` then. */
function sqliteDriver(): typeof import("sqlite3") {
  try {
    return createRequire(import.meta.url)("sqlite3");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const noBinary = `has no binary, since its install script was skipped: ${allow}, then \`npm rebuild sqlite3\``;
    const how = driverFailures[code] ?? noBinary;
    const message = `DATABASE_URL names a SQLite file, and its driver ${how}. Or name a PostgreSQL server.`;
    throw new SafeError(message, { cause });
  }
}

/**
 * One writer, so that writes queue here rather than fail with SQLITE_BUSY, and readers that cannot write
 * (`query_only`: Knex cannot pass OPEN_READONLY).
 */
export function openSqlite(path: string, mode: CreateMode, settings: Config["database"]): Driver {
  const sqlite3 = sqliteDriver();
  const { service, pool, timeoutMs, migrationTimeoutMs } = settings;
  const file = openSqliteFile(path, mode, service);
  const config = sqliteConfig(path);

  const connect = (min: number, max: number, busyMs: number, pragmas: string) =>
    knex({
      ...config,
      acquireConnectionTimeout: Math.max(timeoutMs, busyMs),
      pool: {
        min,
        max,
        afterCreate(connection: Database, done: (error: unknown) => void) {
          try {
            file.assertUnchanged();
          } catch (error) {
            return done(error);
          }
          connection.configure("busyTimeout", busyMs);
          connection.exec(`PRAGMA foreign_keys=ON; ${pragmas}`, done);
        },
      },
    });
  const durable = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;";
  const reader = connect(0, pool, timeoutMs, "PRAGMA query_only=ON;");
  const pages = openPages(sqlite3, config.connection.filename, timeoutMs);
  // Never closed for being idle: as long as the file is open, `assertUnchanged` can distinguish it from any other.
  const writer = connect(1, 1, timeoutMs, durable);
  return {
    reader,
    writer,
    transactions: {},
    hasOneWriter: true,
    pageReader: pages.reader,
    migrator: () => connect(0, 1, migrationTimeoutMs, durable),
    // It was written in that form.
    time: (expression) => expression,
    // Knex begins with BEGIN, which locks nothing. A write does, and this one changes nothing.
    migrationLock: "PRAGMA user_version=0",
    tablesOf: "select name from sqlite_master where type = 'table'",
    relations: "select name from sqlite_master",
    restriction: "case when ? <> ? then '' end",
    facts: "(select encoding from pragma_encoding) as encoding, strftime('%Y-%m-%dT%H:%M:%fZ') as now",
    soundness: "(select quick_check from pragma_quick_check limit 1)",
    cancelAt: (statement) => statement,
    assertFileUnchanged: file.assertUnchanged,
    async markCreated() {
      // Needs the database, as `select 1` would not: the writer has each of its files open then.
      await writer.raw("PRAGMA schema_version");
      file.markCreated();
    },
    async close() {
      await Promise.all([reader.destroy(), pages.close()]);
      // Alone, since SQLite removes its -wal and -shm only when it closes the last connection: of two at once, neither is the last.
      await writer.destroy();
    },
  };
}
