import type { Knex } from "knex";
import { SafeError } from "../log/safe-error.ts";
import { type MigrationState, migrationState } from "./migrate.ts";
import { type StoredTime, timeText } from "./time.ts";

export interface Condition {
  /** The encoding of its text: `UTF8` or `UTF-8` when it can hold every name. */
  readonly encoding: string;
  readonly migrations: MigrationState;
  /** How far the clock of the database is ahead of ours, or behind it when negative, in milliseconds, without the time of the round trip. */
  readonly clockAheadMs: number;
}

export async function conditionOf(database: Knex, facts: string): Promise<Condition> {
  const asked = Date.now();
  const [row]: { encoding: string; now: StoredTime }[] = await database.select(database.raw(facts));
  const answered = Date.now();
  if (!row) throw new Error("a select without a table has one row");
  const now = Date.parse(timeText(row.now));
  const clockAheadMs = now < asked ? now - asked : Math.max(0, now - answered);
  return { encoding: row.encoding, migrations: await migrationState(database), clockAheadMs };
}

/** Throws `SafeError` for a database that cannot hold every name. */
export async function expectUnicode(database: Knex, facts: string): Promise<void> {
  const [row]: { encoding: string }[] = await database.select(database.raw(facts));
  if (row && !/^UTF-?(8|16)/.test(row.encoding))
    throw new SafeError(
      `The database of DATABASE_URL holds text as ${row.encoding}, which cannot hold every name: make one with the encoding UTF8.`,
    );
}
