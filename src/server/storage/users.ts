import { validate as isUuid, v7 as uuidv7 } from "uuid";
import type { User } from "../../../generated/operations.ts";
import { SafeError } from "../log/safe-error.ts";
import type { CreatedOnce, IdempotencyKeys, Once } from "../resources/idempotency-keys.ts";
import { batchWrites } from "./batch-writes.ts";
import type { Database, PooledDatabase } from "./database.ts";
import type { ReadPage } from "./driver.ts";
import { unavailable } from "./errors.ts";

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
}

/** Every method throws `storage-unavailable` when the storage is unavailable. */
export interface Users {
  /** Null when the e-mail is taken, ignoring case: the unique index decides (D24). */
  insert(user: NewUser, deadline?: number): Promise<User | null>;
  /** The same with an idempotency key: see `createOnce`. */
  insertOnce(user: NewUser, once: Once, deadline?: number): Promise<CreatedOnce<User>>;
  /** D26. The items are `User`. */
  readonly page: ReadPage;
  /** The user with the id, or with the e-mail address, ignoring case. */
  find(idOrEmail: string): Promise<User | null>;
  /** Deletes the users with these ids, all or none, and returns how many those were. */
  remove(ids: readonly string[]): Promise<number>;
  /** The ids of the users whose e-mail in lower case matches the LIKE pattern, which the database knows, and the expression. */
  idsMatching(pattern: string, expression: RegExp): Promise<string[]>;
}

interface UserRow {
  id: string;
  name: string;
  email: string;
  email_key: string;
  created_at: string;
}

const user = ({ id, name, email, created_at }: UserRow): User => ({ id, name, email, createdAt: created_at });

function newRow({ name, email, createdAt }: NewUser): UserRow {
  return { id: uuidv7(), name, email, email_key: email.toLowerCase(), created_at: createdAt.toISOString() };
}

/** For the write probe: a user with an e-mail address that no other user has. */
export const probedUsers = {
  table: "users",
  newRow: () => newRow({ name: "", email: uuidv7(), createdAt: new Date() }),
};

/** Returns the ids of those whose e-mail was not taken. */
const insertRows = (write: Database["write"], rows: UserRow[], deadline?: number): Promise<Pick<UserRow, "id">[]> =>
  write((knex) => knex<UserRow>("users").insert(rows).onConflict("email_key").ignore().returning("id"), deadline);

/** Rows of one statement: a row has five values of the 32,766 that SQLite accepts. */
const MOST_ROWS = 100;

export function openUsers(database: PooledDatabase, { createOnce }: IdempotencyKeys): Users {
  const { read, write, pageReader, transaction, time, hasOneWriter } = database;
  const members: Record<keyof User, string> = { id: "id", name: "name", email: "email", createdAt: time("created_at") };
  const columns = `id, name, email, email_key, ${time("created_at")} as created_at`;
  const findBy = async (read: Database["read"], wanted: Partial<UserRow>): Promise<User | null> => {
    const rows: UserRow[] = await read((knex) => knex<UserRow>("users").where(wanted).select(knex.raw(columns)));
    return rows.map(user)[0] ?? null;
  };
  // One commit, so one wait for the disk, for all users that arrived during the previous one. With several writers, rows in another
  // order could wait for each other.
  const insertOne: (row: UserRow, deadline?: number) => ReturnType<typeof insertRows> = hasOneWriter
    ? batchWrites(
        (rows) => insertRows(write, rows),
        MOST_ROWS,
        () => unavailable(new SafeError("no turn to write before the deadline")),
      )
    : (row, deadline) => insertRows(write, [row], deadline);
  return {
    async insert(newUser, deadline) {
      const row = newRow(newUser);
      const inserted = await insertOne(row, deadline);
      return inserted.some(({ id }) => id === row.id) ? user(row) : null;
    },

    insertOnce(newUser, once, deadline) {
      const row = newRow(newUser);
      const creation = {
        id: row.id,
        createdAt: row.created_at,
        insert: async (tx: Database) => ((await insertRows(tx.write, [row], deadline)).length > 0 ? user(row) : null),
        find: (tx: Database, id: string) => findBy(tx.read, { id }),
      };
      return createOnce(once, creation, deadline);
    },

    page: pageReader("users", members),

    find: (idOrEmail) => findBy(read, { [isUuid(idOrEmail) ? "id" : "email_key"]: idOrEmail.toLowerCase() }),

    remove: (ids) =>
      transaction(async ({ write }) => {
        let removed = 0;
        for (let at = 0; at < ids.length; at += MOST_ROWS) {
          const some = ids.slice(at, at + MOST_ROWS);
          removed += await write((knex) => knex<UserRow>("users").whereIn("id", some).delete());
        }
        return removed;
      }),

    async idsMatching(pattern, expression) {
      const rows = await read((knex) =>
        knex<UserRow>("users").select("id", "email_key").where("email_key", "like", pattern),
      );
      return rows.filter(({ email_key }) => expression.test(email_key)).map(({ id }) => id);
    },
  };
}
