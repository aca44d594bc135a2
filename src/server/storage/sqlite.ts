import { pathToFileURL } from "node:url";
import knex, { type Knex } from "knex";
import type { Database } from "sqlite3";
import type { Config } from "../settings/config.ts";
import { type Driver, quiet } from "./driver.ts";
import { type CreateMode, openSqliteFile } from "./sqlite-file.ts";
import { openStatements, sqliteDriver } from "./sqlite-statements.ts";

/** Never created by SQLite: a file that vanishes while we serve is an unavailable storage, not an empty one. */
export const sqliteConfig = (path: string): Knex.Config & { connection: { filename: string } } => ({
  ...quiet,
  client: "sqlite3",
  connection: { filename: `${pathToFileURL(path)}?mode=rw`, flags: ["OPEN_URI"] },
  useNullAsDefault: true,
});

/**
 * One writer, so that writes queue here rather than fail with SQLITE_BUSY, and readers that cannot write
 * (`query_only`: Knex cannot pass OPEN_READONLY).
 */
export function openSqlite(path: string, mode: CreateMode, settings: Config["database"]): Driver {
  sqliteDriver();
  const { service, pool, timeoutMs, migrationTimeoutMs } = settings;
  const { check, markCreated } = openSqliteFile(path, mode, service);
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
            check();
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
  const statements = openStatements(config.connection.filename, timeoutMs);
  // Never closed for being idle: as long as the file is open, `check` can distinguish it from any other.
  const writer = connect(1, 1, timeoutMs, durable);
  return {
    service,
    reader,
    writer,
    query: statements.query,
    pageReader: statements.pageReader,
    hasOneWriter: true,
    migrator: () => connect(0, 1, migrationTimeoutMs, durable),
    committed: {},
    // It was written in that form.
    time: (expression) => expression,
    // Knex begins with BEGIN, which locks nothing. A write does, and this one changes nothing.
    migrationLock: "PRAGMA user_version=0",
    ping: "PRAGMA schema_version",
    damage: "PRAGMA quick_check(1)",
    tablesOf: "select name from sqlite_master where type = 'table'",
    facts: "(select encoding from pragma_encoding) as encoding, strftime('%Y-%m-%dT%H:%M:%fZ') as now",
    cancelAt: (statement) => statement,
    check,
    markCreated,
    async close() {
      await Promise.all([reader.destroy(), statements.close()]);
      // Alone, since SQLite removes its -wal and -shm only when it closes the last connection: of two at once, neither is the last.
      await writer.destroy();
    },
  };
}
