import type { Knex } from "knex";
import { validate as isUuid, v7 as uuidv7 } from "uuid";
import type { User } from "../../generated/operations.ts";
import { SafeError } from "../log/safe-error.ts";
import type { Access, WholeAccess } from "./access.ts";
import { gather } from "./gather.ts";
import type { ReadPage } from "./statements.ts";
import { unavailable } from "./unavailable.ts";

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
}

/** Every method throws `storage-unavailable` when the storage is unavailable. */
export interface Users {
  /** Null when the e-mail is taken, ignoring case: the unique index decides (D24). */
  insert(user: NewUser, deadline?: number): Promise<User | null>;
  /** D26. The items are `User`. */
  readonly page: ReadPage;
  /** The user with the id, or with the e-mail address, ignoring case. */
  find(idOrEmail: string): Promise<User | null>;
  /** Deletes the users with these ids, all or none, and returns how many those were. */
  remove(ids: readonly string[]): Promise<number>;
  /** The ids of the users whose e-mail in lower case matches the LIKE pattern, which the database knows, and the expression. */
  idsMatching(pattern: string, expression: RegExp): Promise<string[]>;
}

export interface UserRow {
  id: string;
  name: string;
  email: string;
  email_key: string;
  created_at: string;
}

/** SQL for the row of `user`, among other tables too. */
export const userColumns = (time: Access["time"]): string =>
  `users.id, name, email, email_key, ${time("users.created_at")} as created_at`;

export const user = ({ id, name, email, created_at }: UserRow): User => ({
  id,
  name,
  email,
  createdAt: created_at,
});

export function newRow({ name, email, createdAt }: NewUser): UserRow {
  return { id: uuidv7(), name, email, email_key: email.toLowerCase(), created_at: createdAt.toISOString() };
}

/** Returns the ids of those whose e-mail was not taken. */
export const insertRows = (database: Knex, rows: UserRow[]) =>
  database<UserRow>("users").insert(rows).onConflict("email_key").ignore().returning("id");

/** Rows of one statement: a row has five values of the 32,766 that SQLite accepts. */
const MOST_ROWS = 100;

export function openUsers({ read, pages, write, together, time, hasOneWriter }: WholeAccess): Users {
  const members: Record<keyof User, string> = { id: "id", name: "name", email: "email", createdAt: time("created_at") };
  const insertAll = (rows: UserRow[], deadline?: number): Promise<Pick<UserRow, "id">[]> =>
    write((database) => insertRows(database, rows), deadline);
  // One commit, so one wait for the disk, for all users that arrived during the previous one. With several writers, rows in another
  // order could wait for each other.
  const insertOne: (row: UserRow, deadline?: number) => ReturnType<typeof insertAll> = hasOneWriter
    ? gather(
        (rows) => insertAll(rows),
        MOST_ROWS,
        () => unavailable(new SafeError("no turn to write before the deadline")),
      )
    : (row, deadline) => insertAll([row], deadline);
  return {
    async insert(newUser, deadline) {
      const row = newRow(newUser);
      const inserted = await insertOne(row, deadline);
      return inserted.some(({ id }) => id === row.id) ? user(row) : null;
    },

    page: pages("users", members),

    async find(idOrEmail) {
      const wanted = isUuid(idOrEmail) ? { id: idOrEmail.toLowerCase() } : { email_key: idOrEmail.toLowerCase() };
      const rows: UserRow[] = await read((database) =>
        database<UserRow>("users")
          .where(wanted)
          .select(database.raw(userColumns(time))),
      );
      return rows.map(user)[0] ?? null;
    },

    remove: (ids) =>
      together(async ({ write }) => {
        let removed = 0;
        for (let at = 0; at < ids.length; at += MOST_ROWS) {
          const some = ids.slice(at, at + MOST_ROWS);
          removed += await write((database) => database<UserRow>("users").whereIn("id", some).delete());
        }
        return removed;
      }),

    async idsMatching(pattern, expression) {
      const rows = await read((database) =>
        database<UserRow>("users").select("id", "email_key").where("email_key", "like", pattern),
      );
      return rows.filter(({ email_key }) => expression.test(email_key)).map(({ id }) => id);
    },
  };
}
