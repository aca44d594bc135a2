import type { Knex } from "knex";

/** A statement of Knex. */
export interface CancellableQuery<T> extends PromiseLike<T> {
  timeout?(milliseconds: number, options: { readonly cancel: boolean }): PromiseLike<T>;
}

/** An integer, a UUID or another text. */
export type Id = string | number;

/**
 * At most `limit` rows (1 or more) ascending by the column `id`, from after the id `after`:
 * integers as numbers, UUIDs and other texts by their code points (D26).
 */
export type ReadPage = (
  range: { readonly after: Id | null; readonly limit: number },
  deadline?: number,
) => Promise<Page>;

export interface Page {
  /** A JSON array of objects, as it is sent. */
  readonly items: string;
  /** The id of the last row; null without rows. */
  readonly last: Id | null;
  /** Whether another row follows. */
  readonly more: boolean;
}

/** What differs between databases. On PostgreSQL reader and writer are the same. */
export interface Driver {
  readonly reader: Knex;
  readonly writer: Knex;
  /**
   * Each statement in a transaction sees what others have committed, whatever the operator has set.
   * SQLite has one kind alone.
   */
  readonly readCommitted: Knex.TransactionConfig;
  /** Whether writes are carried out one after another, by all processes. */
  readonly hasOneWriter: boolean;
  /** Reads a table page by page; `members` are those of its JSON objects, each with its column. */
  pageReader(table: string, members: Readonly<Record<string, string>>): ReadPage;
  /** A separate connection for migrating and moving, with a timeout of its own. */
  migrator(): Knex;
  /**
   * SQL for a time as text in the form of D9, whatever DateStyle and TimeZone the session inherits.
   */
  isoTimestampSql(expression: string): string;
  /**
   * The statement that, first in a transaction, waits until no other process migrates and holds
   * that until the end.
   */
  readonly migrationLock: string;
  /** A query for the `name` of each table. */
  readonly listTablesSql: string;
  /** A query for the `name` of everything that shares its names with tables. */
  readonly listRelationsSql: string;
  /**
   * An expression for what keeps rows of a table, named twice as `?`, from the role, and that no
   * statement shows; null for nothing.
   */
  readonly restrictionSql: string;
  /** Expressions for the encoding of the database as `encoding`, and its time as `now`. */
  readonly encodingSql: string;
  /**
   * An expression that is `ok` unless the file is damaged. PostgreSQL finds that only when it
   * reads.
   */
  readonly integritySql: string;
  /**
   * Makes the server cancel a statement at the deadline (of `performance.now()`). On SQLite nothing
   * does: there it takes milliseconds, or waits for another process until the timeout.
   */
  cancelAt<T>(statement: CancellableQuery<T>, deadline: number | undefined): PromiseLike<T>;
  /** Throws when the file of the database is missing or another one, without a query. */
  assertFileUnchanged(): void;
  /** To be called once it is migrated. */
  writeMarker(): Promise<void>;
  /** May be called again. */
  close(): Promise<void>;
}

/** The failure reaches the caller, or another connection is opened. */
const CONNECTION_FAILED = /^(Acquire connection|Connection) error: /i;

/** Knex would print on standard output, which belongs to the log and the command line. */
const warn = (message: unknown): void => {
  if (!CONNECTION_FAILED.test(String(message))) process.emitWarning(String(message));
};

/** Nothing of what a statement holds is printed: an error's text would contain the values. */
export const silentKnex = {
  compileSqlOnError: false,
  log: { warn, error: warn, deprecate: warn },
};
