import type { Knex } from "knex";
import type { Config } from "../settings/config.ts";

/** How many connections of a pool are in use, how many are free, and how many callers wait for one. */
export type PoolUse = Readonly<Record<"used" | "free" | "waiting", number>>;

/** A statement of Knex. */
export interface CancellableQuery<T> extends PromiseLike<T> {
  timeout?(milliseconds: number, options: { readonly cancel: boolean }): PromiseLike<T>;
}

/** The queries of every request. SQLite prepares each once; `values` are those of the question marks. */
export interface PreparedQueries {
  readonly query: (sql: string, values: readonly (string | number)[]) => Promise<unknown[]>;
  /** Reads a table page by page; `members` are those of its JSON objects, each with its column. */
  readonly pageReader: (table: string, members: Readonly<Record<string, string>>) => ReadPage;
}

/** At most `limit` rows (1 or more) ascending by the column `id`, UUIDs, from after the id `after`. */
export type ReadPage = (
  of: { readonly after: string | null; readonly limit: number },
  deadline?: number,
) => Promise<Page>;

export interface Page {
  /** A JSON array of objects, as it is sent. */
  readonly items: string;
  /** The id of the last one; null where there is none. */
  readonly last: string | null;
  /** Whether another one follows. */
  readonly more: boolean;
}

/** What differs between databases. On PostgreSQL reader and writer are the same. */
export interface Driver extends PreparedQueries {
  /** Whose database it is, for messages. */
  readonly service: Config["database"]["service"];
  readonly reader: Knex;
  readonly writer: Knex;
  /** Whether writes are carried out one after another, by all processes. */
  readonly hasOneWriter: boolean;
  /** A separate connection for migrating and moving, with the time-out for that. */
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
  cancelAt<T>(statement: CancellableQuery<T>, deadline: number | undefined): PromiseLike<T>;
  /** Throws when the database is known to be unavailable, without a query. */
  check(): void;
  /** To be called once it is migrated and the writer connected. */
  markCreated(): void;
  /** May be called again. */
  close(): Promise<void>;
}

export function poolUse({ client }: Knex): PoolUse {
  // Knex has no type for its client; the pool is tarn's with every database, and documented.
  const pool: Readonly<Record<"numUsed" | "numFree" | "numPendingAcquires", () => number>> = client.pool;
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
}

/**
 * Nothing of what a statement holds is printed: an error's text would contain the values, and standard output belongs to the log and the
 * command line. Each failure also reaches the caller.
 */
export const quiet = {
  compileSqlOnError: false,
  log: { debug() {}, warn() {}, error() {}, deprecate() {} },
};
