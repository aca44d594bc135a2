import type { Knex } from "knex";
import { Problem } from "../protocol/problem.ts";
import { begin } from "./begin.ts";
import type { Asked, Driver } from "./driver.ts";
import type { Questions } from "./statements.ts";
import { orUnavailable } from "./unavailable.ts";

/** How the stores reach the database. Each throws `storage-unavailable` when it is unavailable. */
export interface Access {
  read<T>(question: (database: Knex) => PromiseLike<T>): Promise<T>;
  /** See `Driver.time`. */
  readonly time: Driver["time"];
  /**
   * When it throws, the change may still have happened, and the `detail` of the problem says that. At the deadline (of
   * `performance.now()`), a database server is sent a request to cancel it.
   */
  write<T>(change: (database: Knex) => Asked<T>, deadline?: number): Promise<T>;
  /** All of `work` with the given access, or nothing when it throws. */
  together<T>(work: (access: Access) => Promise<T>): Promise<T>;
  /** The same, and no other process does it at the same time. */
  exclusively<T>(work: (access: Access) => Promise<T>): Promise<T>;
}

/** The same, plus what only the database as a whole has. */
export interface WholeAccess extends Access, Questions {
  /** Whether writes are carried out one after another, by all processes. */
  readonly hasOneWriter: boolean;
}

/** The `detail` for a change that the database has not confirmed. */
const unconfirmed =
  "The storage cannot be used at the moment, and the change may still have happened; see the header Retry-After.";

const isSerializationFailure = (error: unknown): boolean =>
  error instanceof Problem && error.cause instanceof Error && "code" in error.cause && error.cause.code === "40001";

export function openAccess(driver: Driver): WholeAccess {
  const { reader, writer, ask, pages, until, time, hasOneWriter, check, migrationLock } = driver;
  const on = (asked: Knex, changed: Knex): Pick<Access, "read" | "write" | "time"> => ({
    time,
    read: (question) =>
      orUnavailable(() => {
        check();
        return question(asked);
      }),
    write: (change, deadline) =>
      orUnavailable(async () => {
        check();
        const done = await until(change(changed), deadline);
        // A write to a file that no longer exists is not confirmed.
        check();
        return done;
      }, unconfirmed),
  });
  const whole = on(reader, writer);
  const together: Access["together"] = async (work) => {
    // Not by `write`, which may throw afterwards: then nothing could end it.
    const transaction = await orUnavailable(() => {
      check();
      return begin(writer, driver.committed);
    });
    const inside: Access["together"] = (inner) => inner(own);
    const own: Access = { ...on(transaction, transaction), together: inside, exclusively: inside };
    try {
      const result = await work(own);
      await own.write(async () => {
        await transaction.commit();
        // `commit()` resolves whatever the database reports; this shows it.
        await transaction.executionPromise;
      });
      return result;
    } catch (error) {
      // The reason of the failure says more than that the database cannot be reached for the rollback.
      if (!transaction.isCompleted()) await transaction.rollback().catch(() => {});
      // SQLite leaves a transaction open that it could not commit, and its one connection is needed for the next.
      else if (hasOneWriter) await writer.raw("ROLLBACK").catch(() => {});
      throw error;
    }
  };
  return {
    ...whole,
    // A statement on its own has the isolation that the session inherits. One that failed for it has changed nothing.
    write: (change, deadline) =>
      whole.write(change, deadline).catch((error: unknown) => {
        if (!isSerializationFailure(error)) throw error;
        return together((own) => own.write(change, deadline));
      }),
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
