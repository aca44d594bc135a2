import type { Knex } from "knex";
import type { Driver } from "./driver.ts";
import { orUnavailable } from "./unavailable.ts";

/** How the stores reach the database. Each throws `storage-unavailable` when it is away. */
export interface Access {
  read<T>(question: (database: Knex) => PromiseLike<T>): Promise<T>;
  /** When it throws, the change may still have happened, and the `detail` of the problem says so. */
  write<T>(change: (database: Knex) => PromiseLike<T>): Promise<T>;
  /** All that `work` does with the access it is given, or nothing when it throws; no other process does the same meanwhile. */
  exclusively<T>(work: (access: Access) => Promise<T>): Promise<T>;
}

/** What a caller is told of a change whose end the database has not confirmed. */
const unconfirmed =
  "The storage cannot be used at the moment, and what was asked for may still have happened; see the header Retry-After.";

export function openAccess({ reader, writer, check, migrationLock }: Driver): Access {
  const on = (asked: Knex, changed: Knex): Pick<Access, "read" | "write"> => ({
    read: (question) =>
      orUnavailable(() => {
        check();
        return question(asked);
      }),
    write: (change) =>
      orUnavailable(async () => {
        check();
        const done = await change(changed);
        // What went into a file that is no longer there is not confirmed.
        check();
        return done;
      }, unconfirmed),
  });
  const whole = on(reader, writer);
  return {
    ...whole,
    async exclusively(work) {
      const transaction = await whole.write((database) => database.transaction());
      const own: Access = { ...on(transaction, transaction), exclusively: (inner) => inner(own) };
      try {
        await own.write((database) => database.raw(migrationLock));
        const result = await work(own);
        await own.write(() => transaction.commit());
        return result;
      } catch (error) {
        // Why it failed says more than that the database is not there to be told.
        await transaction.rollback().catch(() => {});
        throw error;
      }
    },
  };
}
