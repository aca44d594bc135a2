import type { Knex } from "knex";
import { SafeError } from "../log/safe-error.ts";
import type { Driver } from "./driver.ts";
import { type MigrationState, migrationState } from "./migrate.ts";

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

/** Reads a constant time by the same expression as `createdAt` of a user, and with its type. */
export async function timeFault(database: Knex, time: Driver["time"]): Promise<string | null> {
  const sql = time(`coalesce((select created_at from users where 1 = 0), '${constant}')`);
  const [row]: { read: string | null }[] = await database.select(database.raw(`${sql} as read`));
  return row?.read === constant ? null : `The time ${constant} is read as ${row?.read}.`;
}

export async function conditionOf(database: Knex, { facts, time }: Driver): Promise<Condition> {
  const asked = Date.now();
  const [row]: { encoding: string; now: string }[] = await database.select(database.raw(facts));
  const answered = Date.now();
  if (!row) throw new Error("a select without a table has one row");
  const now = Date.parse(row.now);
  const clockAheadMs = now < asked ? now - asked : Math.max(0, now - answered);
  const migrations = await migrationState(database);
  return { encoding: row.encoding, migrations, clockAheadMs, timeFault: await timeFault(database, time) };
}

/** Throws `SafeError` for a database that cannot hold every name. */
export async function expectUnicode(database: Knex, facts: string): Promise<void> {
  const [row]: { encoding: string }[] = await database.select(database.raw(facts));
  if (row && !/^UTF-?(8|16)/.test(row.encoding))
    throw new SafeError(
      `The encoding of the database of DATABASE_URL is ${row.encoding}, which cannot hold every name: create one with the encoding UTF8.`,
    );
}
