import type { Knex } from "knex";
import type { Asked, Driver } from "./driver.ts";
import type { Questions } from "./statements.ts";
import { orUnavailable } from "./unavailable.ts";

/** How the stores reach the database. Each throws `storage-unavailable` when it is away. */
export interface Access {
  read<T>(question: (database: Knex) => PromiseLike<T>): Promise<T>;
  /**
   * When it throws, the change may still have happened, and the `detail` of the problem says so. At the deadline (of `performance.now()`) a
   * server is told to give it up.
   */
  write<T>(change: (database: Knex) => Asked<T>, deadline?: number): Promise<T>;
  /** All that `work` does with the access it is given, or nothing when it throws. */
  together<T>(work: (access: Access) => Promise<T>): Promise<T>;
  /** The same, and no other process does it meanwhile. */
  exclusively<T>(work: (access: Access) => Promise<T>): Promise<T>;
}

/** The same, and what only the database as a whole has. */
export interface WholeAccess extends Access, Questions {
  /** Whether writes are carried out one after another, whoever makes them. */
  readonly hasOneWriter: boolean;
}

/** What a caller is told of a change whose end the database has not confirmed. */
const unconfirmed =
  "The storage cannot be used at the moment, and what was asked for may still have happened; see the header Retry-After.";

export function openAccess(driver: Driver): WholeAccess {
  const { reader, writer, ask, pages, until, hasOneWriter, check, migrationLock } = driver;
  const on = (asked: Knex, changed: Knex): Pick<Access, "read" | "write"> => ({
    read: (question) =>
      orUnavailable(() => {
        check();
        return question(asked);
      }),
    write: (change, deadline) =>
      orUnavailable(async () => {
        check();
        const done = await until(change(changed), deadline);
        // What went into a file that is no longer there is not confirmed.
        check();
        return done;
      }, unconfirmed),
  });
  const whole = on(reader, writer);
  const together: Access["together"] = async (work) => {
    // Not by `write`, which may throw behind it: then nobody could end it.
    const transaction = await orUnavailable(() => {
      check();
      return writer.transaction();
    });
    const inside: Access["together"] = (inner) => inner(own);
    const own: Access = { ...on(transaction, transaction), together: inside, exclusively: inside };
    try {
      const result = await work(own);
      await own.write(async () => {
        await transaction.commit();
        // `commit()` resolves whatever the database says of it; this tells.
        await transaction.executionPromise;
      });
      return result;
    } catch (error) {
      // Why it failed says more than that the database is not there to be told.
      if (!transaction.isCompleted()) await transaction.rollback().catch(() => {});
      // SQLite leaves a transaction open that it could not commit, and its one connection is for the next.
      else if (hasOneWriter) await writer.raw("ROLLBACK").catch(() => {});
      throw error;
    }
  };
  return {
    ...whole,
    together,
    hasOneWriter,
    ask: (...question) =>
      orUnavailable(() => {
        check();
        return ask(...question);
      }),
    pages(...of) {
      const read = pages(...of);
      return (...page) =>
        orUnavailable(() => {
          check();
          return read(...page);
        });
    },
    exclusively: (work) =>
      together(async (own) => {
        await own.write((database) => database.raw(migrationLock));
        return work(own);
      }),
  };
}
