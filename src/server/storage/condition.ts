import type { Knex } from "knex";
import { SafeError } from "../safe-error.ts";
import type { Driver } from "./driver.ts";
import { type Migration, migrationState } from "./migrate.ts";

const constant = "2026-02-03T04:05:06.789Z";

/** Reads a constant time by the same expression as a stored one, and with its type. Null when it is read as it was written. */
export async function timeFault(database: Knex, time: Driver["time"]): Promise<string | null> {
  const sql = time(`coalesce((select created_at from api_keys where 1 = 0), '${constant}')`);
  const [row]: { read: string | null }[] = await database.select(database.raw(`${sql} as read`));
  return row?.read === constant ? null : `The time ${constant} is read as ${row?.read}.`;
}

/** The encoding of its text, `UTF8` or `UTF-8` when it can hold every name, and its time. */
async function factsOf(database: Knex, { facts }: Driver) {
  const [row]: { encoding: string; now: string }[] = await database.select(database.raw(facts));
  if (!row) throw new Error("a select without a table has one row");
  return row;
}

/** What may be wrong with a database of ours. */
export async function conditionOf(database: Knex, driver: Driver, ours: readonly Migration[]) {
  const sentAt = Date.now();
  const { encoding, now } = await factsOf(database, driver);
  const receivedAt = Date.now();
  const clock = Date.parse(now);
  return {
    encoding,
    migrations: await migrationState(database, ours),
    /** How far its clock is ahead of ours, or behind when negative, without the time of the round trip. */
    clockAheadMs: clock < sentAt ? clock - sentAt : Math.max(0, clock - receivedAt),
    timeFault: await timeFault(database, driver.time),
  };
}

/** Throws `SafeError` for a database that cannot hold every name. */
export async function expectUnicode(driver: Driver): Promise<void> {
  const { encoding } = await factsOf(driver.writer, driver);
  if (!/^UTF-?(8|16)/.test(encoding))
    throw new SafeError(
      `The encoding of the database of DATABASE_URL is ${encoding}, which cannot hold every name: create one with the encoding UTF8.`,
    );
}
