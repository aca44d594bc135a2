import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import knex, { type Knex } from "knex";
import type { Client as PostgresConnection } from "pg";
import type { Database as SqliteConnection } from "sqlite3";
import { NIL } from "uuid";
import type { Config } from "../config.ts";
import { SafeError } from "../log/safe-error.ts";
import { type Making, openSqliteFile } from "./sqlite-file.ts";
import { openStatements, type Questions, sqliteDriver } from "./statements.ts";
import { unavailable } from "./unavailable.ts";

/** How many connections of a pool are in use, how many are free, and how many callers wait for one. */
export type PoolUse = Readonly<Record<"used" | "free" | "waiting", number>>;

/** A statement of Knex. */
export interface Asked<T> extends PromiseLike<T> {
  timeout?(milliseconds: number, options: { readonly cancel: boolean }): PromiseLike<T>;
}

/** What the stores need of a database. On PostgreSQL reader and writer are the same. */
export interface Driver extends Questions {
  readonly reader: Knex;
  readonly writer: Knex;
  readonly hasOneWriter: boolean;
  /** A separate connection for migrating and restoring, with the time-out for that. */
  migrator(): Knex;
  /** The kind of transaction in which each statement sees what others have committed: an operator may set another default. */
  readonly committed: Knex.TransactionConfig;
  /** SQL for a time as text in the form of D9, whatever DateStyle and TimeZone the session inherits. */
  time(expression: string): string;
  /** The statement that, first in a transaction, waits until no other process migrates and holds that until the end. */
  readonly migrationLock: string;
  /** A statement that needs the database: on SQLite, `select 1` would not. */
  readonly ping: string;
  /** A query that returns `ok` alone unless the file is damaged. PostgreSQL finds that only when it reads. */
  readonly damage: string;
  /** A query for the `name` of each table. */
  readonly tablesOf: string;
  /** Expressions for two members of `Condition`: `encoding` and `now`. */
  readonly facts: string;
  /**
   * Makes the server cancel a statement at the deadline (of `performance.now()`). On SQLite nothing does: there it takes milliseconds, or
   * waits for another process until the time-out.
   */
  until<T>(asked: Asked<T>, deadline: number | undefined): PromiseLike<T>;
  /** Throws when the database is known to be unavailable, without a query. */
  check(): void;
  /** To be called once it is migrated and the writer connected. */
  keep(): void;
  /** May be called again. */
  close(): Promise<void>;
}

/** The path of a `sqlite:PATH` address, or null for another kind. */
export function sqlitePath(url: string): string | null {
  return url.startsWith("sqlite:") ? url.slice("sqlite:".length) : null;
}

/** The place that a URL names, without user and password: two URLs of the same place are one database. A path, or part of a file name. */
export function databasePlace(url: string): string {
  const path = sqlitePath(url);
  if (path !== null) return existsSync(path) ? realpathSync(path) : resolve(path);
  const { host, port, database = "" } = judgeAddress(url);
  // They may choose a schema.
  const options = new URL(url).searchParams.get("options") ?? "";
  return [host, port, database, options]
    .filter((part) => part !== "")
    .map(encodeURIComponent)
    .join("-");
}

/** The database that a URL names, as operators read it: without user, password and options. */
export function databaseName(url: string): string {
  if (sqlitePath(url) !== null) return `sqlite:${databasePlace(url)}`;
  const { host, port, database = "" } = judgeAddress(url);
  return `postgres://${isIPv6(host) ? `[${host}]` : encodeURIComponent(host)}:${port}/${encodeURIComponent(database)}`;
}

export function openDriver(config: Config["database"], making: Making = "first"): Driver {
  const path = sqlitePath(config.url);
  return path === null ? openPostgres(config) : openSqlite(path, making, config);
}

export function poolUse({ client }: Knex): PoolUse {
  // Knex has no type for its client; the pool is tarn's with every database, and documented.
  const pool: Readonly<Record<"numUsed" | "numFree" | "numPendingAcquires", () => number>> = client.pool;
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
}

/** Silences what Knex would print: each failure also reaches the caller, and standard output belongs to the log and the command line. */
export const quiet = { debug() {}, warn() {}, error() {}, deprecate() {} };

/**
 * One writer, so that writes queue here rather than fail with SQLITE_BUSY, and readers that cannot write
 * (`query_only`: Knex cannot pass OPEN_READONLY).
 */
function openSqlite(path: string, making: Making, { pool, timeoutMs, migrationTimeoutMs }: Config["database"]): Driver {
  sqliteDriver();
  const { check, keep } = openSqliteFile(path, making);
  // Never created by SQLite: a file that vanishes while we serve is an unavailable storage, not an empty one.
  const filename = `${pathToFileURL(path)}?mode=rw`;

  const connect = (min: number, max: number, busyMs: number, pragmas: string) =>
    knex({
      client: "sqlite3",
      connection: { filename, flags: ["OPEN_URI"] },
      useNullAsDefault: true,
      // An error's text would contain the statement with its values, and the log holds no personal data.
      compileSqlOnError: false,
      log: quiet,
      acquireConnectionTimeout: Math.max(timeoutMs, busyMs),
      pool: {
        min,
        max,
        afterCreate(connection: SqliteConnection, done: (error: unknown) => void) {
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
  const [reader, statements] = [
    connect(0, pool, timeoutMs, "PRAGMA query_only=ON;"),
    openStatements(filename, timeoutMs),
  ];
  const durable = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;";
  // Never closed for being idle: as long as the file is open, `check` can distinguish it from any other.
  const writer = connect(1, 1, timeoutMs, durable);
  return {
    reader,
    writer,
    ask: statements.ask,
    pages: statements.pages,
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
    until: (asked) => asked,
    check,
    keep,
    async close() {
      await Promise.all([reader.destroy(), statements.close()]);
      // Alone, since SQLite removes its -wal and -shm only when it closes the last connection: of two at once, neither is the last.
      await writer.destroy();
    },
  };
}

/** Any number that nothing else in the database uses as an advisory lock. */
const advisoryLock = 4_022_303_003;

/** Several hosts with ports, as libpq accepts them, and no password with a comma. */
const severalPorts = /^\w+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^@]*$/;

const severalHosts =
  "DATABASE_URL names several hosts, and the driver connects to one: name the one that accepts writes, or a proxy in front of them.";

/** `pg` parses the address only when it connects, and then reports neither what is wrong nor where. */
function judgeAddress(connectionString: string): PostgresConnection {
  // Loaded where it is used, as Knex does: on SQLite nothing needs it.
  const { Client }: typeof import("pg") = createRequire(import.meta.url)("pg");
  let client: PostgresConnection;
  try {
    client = new Client({ connectionString });
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof URIError)) throw unavailable(cause);
    const noUrl = "DATABASE_URL is no URL: in a password, @ : / ? # % have to be percent-encoded.";
    throw new SafeError(severalPorts.test(connectionString) ? severalHosts : noUrl, { cause });
  }
  // The path of a socket may have a comma.
  if (/^[^/].*,/.test(client.host)) throw new SafeError(severalHosts);
  return client;
}

/**
 * A server that has become a standby rejects writes with 25006, and goes on answering reads: no connection that was opened before that
 * is used again. At most once a second, so that a server that is read-only on purpose is not reconnected to for every write.
 */
function countSwitches() {
  const openedAt = new WeakMap<object, number>();
  let count = 0;
  let notedAt = Number.NEGATIVE_INFINITY;
  return {
    opened: (connection: object) => void openedAt.set(connection, count),
    isCurrent: (connection: object) => openedAt.get(connection) === count,
    note() {
      if (performance.now() - notedAt < 1000) return;
      notedAt = performance.now();
      count++;
    },
  };
}

const time = (expression: string) => `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function openPostgres({ url, pool, timeoutMs, migrationTimeoutMs }: Config["database"]): Driver {
  judgeAddress(url);
  const switches = countSwitches();
  const connect = (max: number, statementMs: number) =>
    knex({
      client: "pg",
      compileSqlOnError: false,
      connection: {
        connectionString: url,
        application_name: "atpoint",
        connectionTimeoutMillis: timeoutMs,
        // The server cancels a slow statement; the client gives up on a server that is silent.
        statement_timeout: statementMs,
        query_timeout: statementMs + 500,
        keepAlive: true,
      },
      log: quiet,
      acquireConnectionTimeout: timeoutMs,
      pool: {
        min: 0,
        max,
        afterCreate(connection: PostgresConnection, done: (error: unknown) => void) {
          switches.opened(connection);
          done(null);
        },
        // A query that the client gave up on still blocks its connection, for as long as the server stays silent.
        validate: (connection: PostgresConnection) =>
          switches.isCurrent(connection) && (!("readyForQuery" in connection) || connection.readyForQuery === true),
      },
    }).on("query-error", ({ code }: { code?: unknown }) => code === "25006" && switches.note());
  const both = connect(pool, timeoutMs);
  const until: Driver["until"] = (asked, deadline) => {
    if (deadline === undefined || !asked.timeout) return asked;
    // Knex treats 0 as no limit.
    return asked.timeout(Math.max(1, Math.ceil(deadline - performance.now())), { cancel: true });
  };
  const ask = async (sql: string, values: readonly (string | number)[]) => (await both.raw(sql, values)).rows;
  return {
    reader: both,
    writer: both,
    ask,
    pages(table, members) {
      const columns = Object.entries(members).map(([name, column]) => `${column} as "${name}"`);
      const sql = `select ${columns.join(", ")} from ${table} where id > ? order by id limit ?`;
      return async ({ after, limit }, deadline) => {
        const { rows } = await until(both.raw(sql, [after ?? NIL, limit + 1]), deadline);
        const page: { readonly id: string }[] = rows.slice(0, limit);
        return { items: JSON.stringify(page), last: page.at(-1)?.id ?? null, more: rows.length > limit };
      };
    },
    hasOneWriter: false,
    migrator: () => connect(1, migrationTimeoutMs),
    committed: { isolationLevel: "read committed" },
    time,
    migrationLock: `select pg_advisory_xact_lock(${advisoryLock})`,
    ping: "select 1",
    damage: "select 'ok' as quick_check",
    tablesOf: "select tablename as name from pg_tables where schemaname = current_schema()",
    facts: `current_setting('server_encoding') as encoding, ${time("clock_timestamp()")} as now`,
    until,
    check() {},
    keep() {},
    close: () => both.destroy(),
  };
}
