import type { Knex } from "knex";
import { v7 as uuidv7 } from "uuid";
import { SafeError } from "../log/safe-error.ts";
import type { WholeAccess } from "./access.ts";
import { timeFault } from "./condition.ts";
import { migrationState, tableNames } from "./migrate.ts";

/** A trial costs a write and a wait for the disk, so callers share it for this time. */
const EVERY_MS = 1000;

interface Trial {
  run(): Promise<void>;
  /** The next one is a new trial. */
  forget(): void;
}

/** Creates and deletes a user in one transaction, so that no other one sees it. A rollback would never reach the disk. */
async function attempt(transaction: Knex, time: WholeAccess["time"]): Promise<void> {
  // No row is written, but everything that a row needs is tried: the table, the right, the lock.
  for (const name of tableNames) await transaction.raw("insert into ?? select * from ?? where 1 = 0", [name, name]);
  const { missing } = await migrationState(transaction);
  if (missing.length > 0) throw new SafeError(`migrations are not done: ${missing.join(", ")}`);
  const fault = await timeFault(transaction, time);
  if (fault !== null) throw new SafeError(fault);
  const id = uuidv7();
  const row = { id, name: "", email: "", email_key: id, created_at: new Date().toISOString() };
  await transaction("users").insert(row);
  await transaction("users").where({ id }).delete();
}

/** Implements `Storage.tryWrite`; `bound` applies the time-out of the whole. */
export function openTrial({ together, ask }: WholeAccess, bound: (work: Promise<void>) => Promise<void>): Trial {
  let last: Promise<void> | null = null;
  let startedAt = 0;
  let isUnderWay = false;
  return {
    run() {
      if (last && (isUnderWay || performance.now() - startedAt < EVERY_MS)) return last;
      startedAt = performance.now();
      isUnderWay = true;
      // Read after the write, which makes SQLite forget the pages that it has read before.
      const look = async () => {
        for (const name of tableNames) await ask(`select * from ${name} order by id limit 1`, []);
      };
      const write = together((own) => own.write((transaction) => attempt(transaction, own.time)));
      last = bound(write.then(look)).finally(() => {
        isUnderWay = false;
      });
      return last;
    },
    forget() {
      last = null;
    },
  };
}
