import type { Knex } from "knex";
import type { DatabaseConfig } from "../settings/config.ts";
import { sqlitePath } from "./address.ts";
import type {
  CancellableQuery,
  Driver,
  Id,
  ListOptions,
  Members,
  Pages,
  Reading,
  ReadPage,
} from "./driver.ts";
import { expectTime, isConflict, StorageUnavailable, withStorageErrors } from "./errors.ts";
import { parseRow } from "./parse-rows.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { CreateMode } from "./sqlite-file.ts";

/** How stores reach the database, in a transaction or not. Each may throw `StorageUnavailable`. */
export interface Transaction extends Reading, Pick<Driver, "isoTimestampSql" | "jsonSql"> {
  /** Whether what is written is committed, or undone, together with all else in it. */
  readonly isTransaction: boolean;
  /**
   * When it throws, the change may still have happened: `mayHaveHappened` of the error says so.
   * After the deadline (of `performance.now()`) it does not begin, and a database server is sent a
   * request to cancel it.
   */
  write<T>(change: (knex: Knex) => CancellableQuery<T>, deadline?: number): Promise<T>;
  /**
   * All of `work`, done with `tx`, or nothing when it or a statement in it throws; in a
   * transaction, a part of that one. Neither it nor a change in it begins after the deadline (of
   * `performance.now()`).
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, deadline?: number): Promise<T>;
}

/** How stores reach the database outside a transaction. */
export interface Database extends Transaction, Pick<Driver, "hasOneWriter"> {
  /**
   * Reads a table page by page, ascending by the column `id`; `with`: what matches `where`, in
   * another order. `members` has each member of `Item`, the type of the JSON objects, with its
   * column; `Row` has the types of the columns.
   */
  pageReader<Item extends object, Row extends object = Item>(
    table: string,
    members: Members<Item>,
  ): Pages<Item, Row>;
  /** A transaction that no other process has at the same time. */
  withMigrationLock<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/**
 * Opens nothing yet but creates the file of SQLite where `mode` allows it: connections are opened
 * when they are needed.
 */
export function openDriver(config: DatabaseConfig, mode: CreateMode = "ifMissing"): Driver {
  const path = sqlitePath(config.DATABASE_URL);
  return path === null ? openPostgres(config) : openSqlite(path, mode, config);
}

/** The milliseconds for which a check of the file is relied on. */
const FILE_CHECK_MS = 20;

export function openDatabase(driver: Driver): Database {
  const { reader, writer, isoTimestampSql, jsonSql, hasOneWriter } = driver;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const checkFile = () => {
    checkedAt = Number.NEGATIVE_INFINITY;
    driver.assertFileUnchanged();
    checkedAt = performance.now();
  };
  const expectFile = () => {
    if (performance.now() - checkedAt >= FILE_CHECK_MS) checkFile();
  };
  const reading = <T>(query: () => PromiseLike<T>): Promise<T> =>
    withStorageErrors(() => {
      expectFile();
      return query();
    });
  const on = (queried: Knex, changed: Knex, confirm: () => void, latest?: number) => ({
    isoTimestampSql,
    jsonSql,
    read: <T>(query: (knex: Knex) => PromiseLike<T>) => reading(() => query(queried)),
    write: <T>(change: (knex: Knex) => CancellableQuery<T>, deadline = latest) =>
      withStorageErrors(async () => {
        expectFile();
        expectTime(deadline);
        const done = await driver.cancelAt(change(changed), deadline);
        confirm();
        return done;
      }, true),
  });
  // A change to a file that no longer exists is not confirmed, and one in a transaction is
  // confirmed by its commit.
  const { read, write } = on(reader, writer, checkFile);
  const transaction: Database["transaction"] = async (work, deadline) => {
    // Not by `write`, which may throw afterwards: then nothing could end it.
    const begun = await reading(() => begin(driver));
    const statements = on(begun, begun, () => {}, deadline);
    let failure: { readonly error: unknown } | undefined;
    const noteFailure = (error: unknown): never => {
      failure ??= { error };
      throw error;
    };
    const tx: Transaction = {
      ...statements,
      read: (query) => statements.read(query).catch(noteFailure),
      write: (change, latest) => statements.write(change, latest).catch(noteFailure),
      isTransaction: true,
      transaction: (part) => part(tx),
    };
    try {
      // It may have waited long for its connection.
      expectTime(deadline);
      const result = await work(tx);
      // PostgreSQL undoes a transaction with a failed statement, and reports a commit all the same.
      if (failure) throw failure.error;
      await write(async () => {
        await begun.commit();
        // `commit()` resolves whatever the database reports; this shows it.
        await begun.executionPromise;
      });
      return result;
    } catch (error) {
      // The reason of the failure says more than that the database cannot be reached for the
      // rollback.
      if (!begun.isCompleted()) await begun.rollback().catch(() => {});
      // SQLite leaves a transaction open that it could not commit, and its one connection is needed
      // for the next.
      else if (hasOneWriter) await writer.raw("ROLLBACK").catch(() => {});
      throw error;
    }
  };
  return {
    isTransaction: false,
    read,
    // A statement on its own has the isolation that the session inherits. One that failed for it
    // has changed nothing.
    write: (change, deadline) =>
      write(change, deadline).catch((error: unknown) => {
        if (!(error instanceof StorageUnavailable && isConflict(error.cause))) throw error;
        return transaction((tx) => tx.write(change, deadline), deadline);
      }),
    transaction,
    withMigrationLock: (work) =>
      transaction(async (tx) => {
        await tx.write((knex) => knex.raw(driver.migrationLock));
        return work(tx);
      }),
    isoTimestampSql,
    jsonSql,
    hasOneWriter,
    pageReader<Item extends object, Row extends object = Item>(
      table: string,
      members: Members<Item>,
    ) {
      const readerOf = driver.pageReader<Row>(table, members);
      const pages = (options: ListOptions<Row>): ReadPage<Item> => {
        const read = readerOf(options);
        const checked: ReadPage<Item> = (range, deadline) => reading(() => read(range, deadline));
        return Object.assign(checked, { order: read.order });
      };
      const find = async (id: Id, tx: Reading = { read }): Promise<Item | null> => {
        const row = await tx.read((knex) => driver.findRow(knex, table, members, id));
        return row ? parseRow(JSON.stringify(row)) : null;
      };
      return Object.assign(pages({}), { with: pages, find });
    },
  };
}

/** The same, with a deadline for what is given none. */
export const withDeadline = (database: Transaction, latest: number): Transaction => ({
  ...database,
  write: (change, deadline = latest) => database.write(change, deadline),
  transaction: (work, deadline = latest) => database.transaction(work, deadline),
});

/**
 * A transaction that has begun; throws the error of the connection when it has not. Knex returns
 * one in both cases: a statement in one that has not begun fails as "already complete", which hides
 * that the connection is lost. Its promise has the reason.
 */
async function begin({ writer, readCommitted }: Driver): Promise<Knex.Transaction> {
  const transaction = await writer.transaction(undefined, readCommitted);
  if (transaction.isCompleted()) await transaction.executionPromise;
  return transaction;
}
