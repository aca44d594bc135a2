import type { Knex } from "knex";
import { SafeError } from "../log/safe-error.ts";
import { timeFault } from "./condition.ts";
import type { PooledDatabase } from "./database.ts";
import { migrationState } from "./migrate.ts";

/** A probe costs a write and a wait for the disk, so callers share it for this time. */
const EVERY_MS = 1000;

/** What it tries: every table, with the one of a row that it creates and deletes. */
interface Probed {
  readonly tables: readonly string[];
  readonly table: string;
  readonly newRow: () => { readonly id: string };
}

interface WriteProbe {
  run(): Promise<void>;
  /** The next one is a new probe. */
  forget(): void;
}

/** Creates and deletes a row in one transaction, so that no other one sees it. A rollback would never reach the disk. */
async function attempt(tx: Knex, { tables, table, newRow }: Probed, time: PooledDatabase["time"]): Promise<void> {
  // No row is written, but everything that a row needs is tried: the table, the right, the lock.
  for (const name of tables) await tx.raw("insert into ?? select * from ?? where 1 = 0", [name, name]);
  const { missing } = await migrationState(tx);
  if (missing.length > 0) throw new SafeError(`migrations are not done: ${missing.join(", ")}`);
  const fault = await timeFault(tx, time);
  if (fault !== null) throw new SafeError(fault);
  const row = newRow();
  await tx(table).insert(row);
  await tx(table).where({ id: row.id }).delete();
}

/** Implements `Storage.tryWrite`; `inTime` applies the time-out of the whole. */
export function openWriteProbe(
  { transaction, query, time }: PooledDatabase,
  probed: Probed,
  inTime: (work: Promise<void>) => Promise<void>,
): WriteProbe {
  let last: Promise<void> | null = null;
  let startedAt = 0;
  let isRunning = false;
  const probe = async () => {
    await transaction((tx) => tx.write((knex) => attempt(knex, probed, time)));
    // Read after the write, which makes SQLite forget the pages that it has read before.
    for (const name of probed.tables) await query(`select * from ${name} order by id limit 1`, []);
  };
  return {
    run() {
      if (last && (isRunning || performance.now() - startedAt < EVERY_MS)) return last;
      startedAt = performance.now();
      isRunning = true;
      last = inTime(probe()).finally(() => {
        isRunning = false;
      });
      return last;
    },
    forget() {
      last = null;
    },
  };
}
