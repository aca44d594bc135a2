import { v7 as uuidv7 } from "uuid";
import type { User } from "../../generated/operations.ts";
import type { Access } from "./access.ts";
import { type StoredTime, timeText } from "./time.ts";

/** Every method throws `storage-unavailable` when the storage is away. */
export interface Users {
  /** Null when the e-mail is taken, ignoring case: the unique index decides (D24). */
  insert(user: { readonly name: string; readonly email: string; readonly createdAt: Date }): Promise<User | null>;
  /** At most `limit` users ascending by id, from after the id `after` (a UUID), and whether another one follows (D26). */
  page(of: { readonly after: string | null; readonly limit: number }): Promise<{ users: User[]; more: boolean }>;
  /** Deletes the users whose e-mail in lower case matches the LIKE pattern, and returns how many those were. */
  purge(emailPattern: string): Promise<number>;
}

interface Row {
  id: string;
  name: string;
  email: string;
  email_key: string;
  created_at: StoredTime;
}

const user = ({ id, name, email, created_at }: Row): User => ({ id, name, email, createdAt: timeText(created_at) });

export function openUsers({ read, write }: Access): Users {
  return {
    async insert({ name, email, createdAt }) {
      const created_at = createdAt.toISOString();
      const row: Row = { id: uuidv7(), name, email, email_key: email.toLowerCase(), created_at };
      const inserted = await write((database) =>
        database<Row>("users").insert(row).onConflict("email_key").ignore().returning("id"),
      );
      return inserted.length > 0 ? user(row) : null;
    },

    async page({ after, limit }) {
      const rows: Row[] = await read((database) => {
        const query = database<Row>("users")
          .orderBy("id")
          .limit(limit + 1);
        return after === null ? query : query.where("id", ">", after);
      });
      return { users: rows.slice(0, limit).map(user), more: rows.length > limit };
    },

    purge: (emailPattern) =>
      write((database) => database<Row>("users").where("email_key", "like", emailPattern).delete()),
  };
}
