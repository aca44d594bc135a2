import type { Knex } from "knex";
import { v7 as uuidv7 } from "uuid";
import { ExpectedError } from "../expected-error.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Database } from "./database.ts";
import type { Driver } from "./driver.ts";
import { StorageUnavailable } from "./errors.ts";
import { keyRow } from "./keys.ts";
import { type Migration, migrationState, tablesOf } from "./migrate.ts";

/** A probe costs a write and a wait for the disk, so callers share it for this time. */
const EVERY_MS = 1000;

const constant = "2026-02-03T04:05:06.789Z";

/**
 * Reads a constant time by the same expression as a stored one, and with its type. Null when it is
 * read as it was written.
 */
export async function timeFault(
  database: Knex,
  isoTimestampSql: Driver["isoTimestampSql"],
): Promise<string | null> {
  const sql = isoTimestampSql(
    `coalesce((select created_at from api_keys where 1 = 0), '${constant}')`,
  );
  const [row]: { read: string | null }[] = await database.select(database.raw(`${sql} as read`));
  return row?.read === constant ? null : `The time ${constant} is read as ${row?.read}.`;
}

/** No row is written, but everything that a row needs is tried: the table, the right, the lock. */
export async function tryTables(
  knex: Knex,
  tables: readonly string[],
  { restrictionSql }: Pick<Driver, "restrictionSql">,
) {
  for (const name of tables) {
    await knex.raw("insert into ?? select * from ?? where 1 = 0", [name, name]);
    // A key of an idempotent call that has expired is replaced.
    if (name === "idempotency_keys") await knex.raw("update ?? set id = id where 1 = 0", [name]);
    const [row]: { what: string | null }[] = await knex.select(
      knex.raw(`${restrictionSql} as what`, [name, name]),
    );
    if (row?.what)
      throw new StorageUnavailable(
        new ExpectedError(`rows of ${name} are kept from the role by ${row.what}`),
      );
  }
}

/**
 * Creates and deletes a row in one transaction, so that no other one sees it. A rollback would
 * never reach the disk.
 */
async function attempt(tx: Knex, migrations: readonly Migration[], driver: Driver): Promise<void> {
  await tryTables(tx, tablesOf(migrations), driver);
  const { missing } = await migrationState(tx, migrations);
  if (missing.length > 0) throw new ExpectedError(`migrations are not done: ${missing.join(", ")}`);
  const fault = await timeFault(tx, driver.isoTimestampSql);
  if (fault !== null) throw new ExpectedError(fault);
  // The record of a key that nobody has: every service has the table.
  const id = uuidv7();
  const now = new Date();
  const none = {
    name: "",
    scopes: [],
    platforms: [],
    createdAt: now,
    expiresAt: now,
    revokedAt: now,
  };
  await tx("api_keys").insert(keyRow(id, { hash: id, ...none }));
  await tx("api_keys").where({ id }).delete();
}

/** Implements `Storage.checkWritable`; after `forget`, the next one is a new probe. */
export function openWriteProbe(
  { transaction, read }: Database,
  driver: Driver,
  migrations: readonly Migration[],
  limitMs: number,
) {
  let last: Promise<void> | null = null;
  let startedAt = 0;
  let isRunning = false;
  const probe = async () => {
    await transaction((tx) => tx.write((knex) => attempt(knex, migrations, driver)));
    // Read after the write, which makes SQLite forget the pages that it has read before.
    // The first row of the table, and the first of its index.
    for (const name of tablesOf(migrations))
      for (const order of ["", "order by id"])
        await read((knex) => knex.raw(`select * from ${name} ${order} limit 1`));
  };
  // The timeout covers the waits for a connection and the statements; each alone has its own.
  const deadlineExceeded = () =>
    new StorageUnavailable(new ExpectedError(`the database did not respond within ${limitMs} ms`));
  return {
    run(): Promise<void> {
      if (last && (isRunning || performance.now() - startedAt < EVERY_MS)) return last;
      startedAt = performance.now();
      isRunning = true;
      last = withTimeout(limitMs, probe(), deadlineExceeded).finally(() => {
        isRunning = false;
      });
      return last;
    },
    forget() {
      last = null;
    },
  };
}
