import { validate as isUuid } from "uuid";
import type { User } from "../../generated/contract.ts";
import { forgetResponses } from "../server/resources/idempotency.ts";
import { batchWrites } from "../server/storage/batch-writes.ts";
import type { Database, Transaction } from "../server/storage/database.ts";
import { UniqueViolation } from "../server/storage/errors.ts";

interface UserRow {
  id: string;
  name: string;
  email: string;
  email_key: string;
  created_at: string;
}

const user = ({ id, name, email, created_at }: UserRow): User => ({
  id,
  name,
  email,
  createdAt: created_at,
});

/** Returns the ids of those whose e-mail was not taken. */
const insertRows = (
  write: Database["write"],
  rows: UserRow[],
  deadline?: number,
): Promise<Pick<UserRow, "id">[]> =>
  write(
    (knex) => knex<UserRow>("users").insert(rows).onConflict("email_key").ignore().returning("id"),
    deadline,
  );

/** Rows of one statement: a row has five values of the 32,766 that SQLite accepts. */
const MAX_BATCH_ROWS = 100;

/** Every method may throw `StorageUnavailable`. */
export type Users = ReturnType<typeof openUsers>;

export function openUsers({
  read,
  write,
  pageReader,
  transaction,
  isoTimestampSql,
  hasOneWriter,
}: Database) {
  const members: Record<keyof User, string> = {
    id: "id",
    name: "name",
    email: "email",
    createdAt: isoTimestampSql("created_at"),
  };
  const columns = `id, name, email, email_key, ${isoTimestampSql("created_at")} as created_at`;
  // One commit, so one wait for the disk, for all users that arrived during the previous one. With
  // several writers, rows in another order could wait for each other.
  const insertOne: (row: UserRow, deadline?: number) => ReturnType<typeof insertRows> = hasOneWriter
    ? batchWrites((rows) => insertRows(write, rows), MAX_BATCH_ROWS)
    : (row, deadline) => insertRows(write, [row], deadline);
  return {
    /**
     * In the transaction, if there is one. Throws `UniqueViolation`: the unique index decides,
     * ignoring case (D24).
     */
    async insert(user: User, tx?: Transaction, deadline?: number): Promise<User> {
      const { id, name, email, createdAt } = user;
      const row = { id, name, email, email_key: email.toLowerCase(), created_at: createdAt };
      const inserted = await (tx?.isTransaction
        ? insertRows(tx.write, [row], deadline)
        : insertOne(row, deadline));
      if (inserted.every((created) => created.id !== id))
        throw new UniqueViolation("the e-mail address is taken");
      return user;
    },
    /** D26. The items are `User`. */
    page: pageReader<User>("users", members),

    /** The user with the id, or with the e-mail address, ignoring case. */
    async find(idOrEmail: string, from = read): Promise<User | null> {
      const wanted = { [isUuid(idOrEmail) ? "id" : "email_key"]: idOrEmail.toLowerCase() };
      const rows: UserRow[] = await from((knex) =>
        knex<UserRow>("users").where(wanted).select(knex.raw(columns)),
      );
      return rows.map(user)[0] ?? null;
    },

    /** Deletes the users with these ids, all or none, and returns how many those were. */
    remove: (ids: readonly string[]): Promise<number> =>
      transaction(async ({ write }) => {
        let removed = 0;
        for (let start = 0; start < ids.length; start += MAX_BATCH_ROWS) {
          const batch = ids.slice(start, start + MAX_BATCH_ROWS);
          removed += await write((knex) => knex<UserRow>("users").whereIn("id", batch).delete());
          await write(forgetResponses(batch));
        }
        return removed;
      }),

    /**
     * The ids of the users whose e-mail in lower case matches the LIKE pattern, which the database
     * knows, and the expression.
     */
    async idsMatching(pattern: string, expression: RegExp): Promise<string[]> {
      const rows = await read((knex) =>
        knex<UserRow>("users").select("id", "email_key").where("email_key", "like", pattern),
      );
      return rows.filter(({ email_key }) => expression.test(email_key)).map(({ id }) => id);
    },
  };
}
