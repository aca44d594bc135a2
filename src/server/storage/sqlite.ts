import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import knex, { type Knex } from "knex";
import type { Database } from "sqlite3";
import { ExpectedError } from "../expected-error.ts";
import type { DatabaseConfig } from "../settings/config.ts";
import { packageManager } from "../settings/environment.ts";
import { type Driver, silentKnex } from "./driver.ts";
import { type CreateMode, openSqliteFile } from "./sqlite-file.ts";
import { objectOf, openPages } from "./sqlite-pages.ts";

/**
 * Never created by SQLite: a file that vanishes while we serve is an unavailable storage, not an
 * empty one.
 */
export const sqliteConfig = (path: string): Knex.Config & { connection: { filename: string } } => ({
  ...silentKnex,
  client: "sqlite3",
  connection: { filename: `${pathToFileURL(path)}?mode=rw`, flags: ["OPEN_URI"] },
  useNullAsDefault: true,
});

const NPM_BUILD =
  "`npm pkg set --json allowScripts.sqlite3=true`, then `npm install sqlite3@6 && npm " +
  "rebuild sqlite3`";

/**
 * How other package managers get the binary, whose install script they skip unless it is allowed.
 */
const BUILDS: Readonly<Record<string, string>> = {
  pnpm: "`pnpm add sqlite3@6`, then `pnpm approve-builds sqlite3`",
  yarn: "`yarn add sqlite3@6`, then `yarn rebuild sqlite3` (Yarn 1: `yarn install --force`)",
  bun: "`bun add sqlite3@6`, then `bun pm trust sqlite3`",
};

/** What is wrong with a driver that failed to load with this code, and what to do about it. */
function driverRemedy(code: string): string {
  if (code === "ERR_DLOPEN_FAILED")
    return (
      "was built for another machine: `npm rebuild sqlite3`, or, where the system is too old for " +
      "that, `npm rebuild sqlite3 --build-from-source`"
    );
  const folder = import.meta.dirname;
  const fault =
    code === "MODULE_NOT_FOUND"
      ? "is not installed"
      : "has no binary, since its install script was skipped";
  if (/\s/.test(folder)) {
    const reason = "it can't be compiled in a folder whose path has a blank";
    return `${fault}: ${reason} (${folder}). Move it, and install again`;
  }
  return `${fault}: ${BUILDS[packageManager()] ?? NPM_BUILD}`;
}

/** It may be missing, or without its binary. Throws `ExpectedError` then. */
function sqliteDriver(): typeof import("sqlite3") {
  try {
    return createRequire(import.meta.url)("sqlite3");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const remedy = `its driver ${driverRemedy(code)}. Or name a PostgreSQL server.`;
    const message = `DATABASE_URL names a SQLite file, and ${remedy}`;
    throw new ExpectedError(message, { cause });
  }
}

/**
 * One writer, so that writes queue here rather than fail with SQLITE_BUSY, and readers that cannot
 * write (`query_only`: Knex cannot pass OPEN_READONLY).
 */
export function openSqlite(path: string, mode: CreateMode, settings: DatabaseConfig): Driver {
  const sqlite3 = sqliteDriver();
  const { DATABASE_TIMEOUT_MS } = settings;
  const file = openSqliteFile(path, mode, settings);
  const config = sqliteConfig(path);

  const connect = (min: number, max: number, busyMs: number, pragmas: string) =>
    knex({
      ...config,
      acquireConnectionTimeout: Math.max(DATABASE_TIMEOUT_MS, busyMs),
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
  const reader = connect(0, settings.DATABASE_POOL, DATABASE_TIMEOUT_MS, "PRAGMA query_only=ON;");
  const { filename } = config.connection;
  const pages = openPages(sqlite3, filename, DATABASE_TIMEOUT_MS, reader);
  // Never closed for being idle: as long as the file is open, `assertUnchanged` can distinguish it
  // from any other.
  const writer = connect(1, 1, DATABASE_TIMEOUT_MS, durable);
  return {
    reader,
    writer,
    readCommitted: {},
    hasOneWriter: true,
    pageReader: pages.reader,
    async findRow(knex, table, members, id) {
      const sql = `select ${objectOf(members)} as item from ${table} where ${table}.id = ?`;
      const [row]: { item: string }[] = await knex.raw(sql, [id]);
      return row && JSON.parse(row.item);
    },
    migrator: () => connect(0, 1, settings.MIGRATION_TIMEOUT_MS, durable),
    // Times are stored in this form.
    isoTimestampSql: (expression) => expression,
    jsonSql: (expression) => `json(${expression})`,
    // Knex begins with BEGIN, which locks nothing. A write does, and this one changes nothing.
    migrationLock: "PRAGMA user_version=0",
    listTablesSql: "select name from sqlite_master where type = 'table'",
    listRelationsSql: "select name from sqlite_master",
    restrictionSql: "case when ? <> ? then '' end",
    encodingSql:
      "(select encoding from pragma_encoding) as encoding, strftime('%Y-%m-%dT%H:%M:%fZ') as now",
    integritySql: "(select quick_check from pragma_quick_check limit 1)",
    cancelAt: (statement) => statement,
    assertFileUnchanged: file.assertUnchanged,
    async writeMarker() {
      // Needs the database, as `select 1` would not: the writer has each of its files open then.
      await writer.raw("PRAGMA schema_version");
      file.writeMarker();
    },
    async close() {
      await Promise.all([reader.destroy(), pages.close()]);
      // Alone, since SQLite removes its -wal and -shm only when it closes the last connection: of
      // two at once, neither is the last.
      await writer.destroy();
    },
  };
}
