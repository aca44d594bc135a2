import type { Knex } from "knex";

/** A statement of Knex. */
export interface CancellableQuery<T> extends PromiseLike<T> {
  timeout?(milliseconds: number, options: { readonly cancel: boolean }): PromiseLike<T>;
}

/** An integer, a UUID or another text. */
export type Id = string | number;

/** A value in a column of an order. */
export type OrderValue = string | number | null;

/**
 * Where a page begins: behind a row with this id or, in another order than by id, with these values
 * in the columns of that order.
 */
export type Position = Id | readonly OrderValue[];

/**
 * At most `limit` rows (1 or more) from after the position `after`: integers and times as such,
 * texts by their code points (D26).
 */
export interface ReadPage<Item = unknown> {
  /** Only a type: that of the objects in `items`. */
  readonly item?: Item;
  (
    range: { readonly after: Position | null; readonly limit: number },
    deadline?: number,
  ): Promise<Page>;
  /** The columns of the order; none when it is ascending by id. */
  readonly order?: string | undefined;
}

export interface Page {
  /** A JSON array of objects, as it is sent. */
  readonly items: string;
  /** The position of the last row; null without rows. */
  readonly last: Position | null;
  /** Whether another row follows. */
  readonly more: boolean;
}

/** The members of JSON objects, each with its column, or another expression of SQL. */
export type Members<Item = unknown> = { readonly [Member in keyof Item]-?: string };

/** What a list reads of a table, and in which order. */
export interface ListOptions<Row extends object> {
  /** What every row matches. A callback is for what `Filters` cannot express. */
  readonly where?: Filters<Row> | ((query: Knex.QueryBuilder<Row>) => unknown) | undefined;
  /** Null is last, and the id decides between rows that are equal otherwise. */
  readonly orderBy?: readonly OrderBy<Row>[] | undefined;
}

/** As in Knex: a column, or a column and its direction. */
export type OrderBy<Row extends object> =
  | ColumnOf<Row>
  | { readonly column: ColumnOf<Row>; readonly order?: "asc" | "desc" };
type ColumnOf<Row extends object> = Extract<keyof Row, string>;

/** By column. A filter without a value filters nothing, and null matches none. */
export type Filters<Row extends object> = {
  readonly [Column in keyof Row]?: Filter<NonNullable<Row[Column]>> | undefined;
};

/** Texts are compared exactly, and by their code points; a `Date` as a time is stored. */
export interface Filter<Value> {
  readonly equal?: Value | Date | undefined;
  readonly oneOf?: readonly Value[] | undefined;
  readonly atLeast?: Value | Date | undefined;
  readonly atMost?: Value | Date | undefined;
  readonly before?: Value | Date | undefined;
  readonly contains?: string | undefined;
  readonly startsWith?: string | undefined;
}

/** Where rows are read: a database, or a transaction. */
export interface Reading {
  read<T>(query: (knex: Knex) => PromiseLike<T>): Promise<T>;
}

/** The pages of a table ascending by id and, `with` options, of other lists. */
export interface Pages<Item, Row extends object> extends ReadPage<Item> {
  with(options: ListOptions<Row>): ReadPage<Item>;
  /** The item with this id, as it is in a list; null if there is none. */
  find(id: Id, tx?: Reading): Promise<Item | null>;
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
  /** See `Database`. */
  pageReader<Row extends object>(
    table: string,
    members: Readonly<Record<string, string>>,
  ): (options: ListOptions<Row>) => ReadPage;
  /** The object with these members of the row with an id. A member without a value is null. */
  findRow(
    knex: Knex,
    table: string,
    members: Readonly<Record<string, string>>,
    id: Id,
  ): PromiseLike<object | undefined>;
  /** A separate connection for migrating and moving, with a timeout of its own. */
  migrator(): Knex;
  /**
   * SQL for a time as text in the form of D9, whatever DateStyle and TimeZone the session inherits.
   */
  isoTimestampSql(expression: string): string;
  /** SQL for a text that holds JSON, as JSON: a member of a list or an item. */
  jsonSql(expression: string): string;
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
