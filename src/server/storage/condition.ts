import type { Knex } from "knex";
import { SafeError } from "../safe-error.ts";
import type { Driver } from "./driver.ts";
import { type Migration, type MigrationState, migrationState } from "./migrate.ts";

export interface Condition {
  /** The encoding of its text: `UTF8` or `UTF-8` when it can hold every name. */
  readonly encoding: string;
  readonly migrations: MigrationState;
  /** How far the clock of the database is ahead of ours, or behind it when negative, in milliseconds, without the time of the round trip. */
  readonly clockAheadMs: number;
  /** Null when times are read as they were written. */
  readonly timeFault: string | null;
}

const constant = "2026-02-03T04:05:06.789Z";

/** Reads a constant time by the same expression as a stored one, and with its type. */
export async function timeFault(database: Knex, time: Driver["time"]): Promise<string | null> {
  const sql = time(`coalesce((select created_at from api_keys where 1 = 0), '${constant}')`);
  const [row]: { read: string | null }[] = await database.select(database.raw(`${sql} as read`));
  return row?.read === constant ? null : `The time ${constant} is read as ${row?.read}.`;
}

async function factsOf(database: Knex, { facts }: Pick<Driver, "facts">) {
  const [row]: { encoding: string; now: string }[] = await database.select(database.raw(facts));
  if (!row) throw new Error("a select without a table has one row");
  return row;
}

export async function conditionOf(database: Knex, driver: Driver, ours: readonly Migration[]): Promise<Condition> {
  const sentAt = Date.now();
  const { encoding, now } = await factsOf(database, driver);
  const receivedAt = Date.now();
  const clock = Date.parse(now);
  const clockAheadMs = clock < sentAt ? clock - sentAt : Math.max(0, clock - receivedAt);
  const migrations = await migrationState(database, ours);
  return { encoding, migrations, clockAheadMs, timeFault: await timeFault(database, driver.time) };
}

/** Throws `SafeError` for a database that cannot hold every name. */
export async function expectUnicode({ writer, facts }: Driver): Promise<void> {
  const { encoding } = await factsOf(writer, { facts });
  if (!/^UTF-?(8|16)/.test(encoding))
    throw new SafeError(
      `The encoding of the database of DATABASE_URL is ${encoding}, which cannot hold every name: create one with the encoding UTF8.`,
    );
}
