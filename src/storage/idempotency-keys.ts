import type { User } from "../../generated/operations.ts";
import type { Access } from "./access.ts";
import { insertRows, type NewUser, newRow, type UserRow, userColumns, user as userOf } from "./users.ts";

/** A create that may be sent again (D25). */
export interface Once {
  /** The API key, the operation and the idempotency key, as one unique text. */
  readonly id: string;
  /** Of the parsed input. */
  readonly dataDigest: string;
  /** Entries created before then have expired. */
  readonly since: Date;
}

/** Every method throws `storage-unavailable` when the storage is unavailable. */
export interface IdempotencyKeys {
  /**
   * Creates the user and stores the key with it, both or neither; or finds the user that the key created. A call with the same key in progress is waited for. Null
   * when the e-mail is taken, `reused` when the key belongs to other data.
   */
  createOnce(
    user: NewUser,
    once: Once,
    deadline?: number,
  ): Promise<{ user: User; replayed: boolean } | "reused" | null>;
  /** Deletes keys of before then, in portions, and returns how many those were. */
  forget(before: Date): Promise<number>;
}

interface Row {
  id: string;
  data_digest: string;
  user_id: string;
  created_at: string;
}

/** Other writes get their turn after so many. */
export const portion = 500;

export function openIdempotencyKeys({ together, write, time }: Access): IdempotencyKeys {
  return {
    createOnce: (newUser, { id, dataDigest, since }, deadline) =>
      together(async (own) => {
        const row = newRow(newUser);
        const key: Row = { id, data_digest: dataDigest, user_id: row.id, created_at: newUser.createdAt.toISOString() };
        // First of all: PostgreSQL lets a second call with the key wait here until this transaction ends; SQLite has one writer.
        const taken = await own.write(
          (database) =>
            database<Row>("idempotency_keys")
              .insert(key)
              .onConflict("id")
              .merge(key)
              .where("idempotency_keys.created_at", "<", since.toISOString())
              .returning("id"),
          deadline,
        );
        if (taken.length === 0) {
          const rows: (Row & UserRow)[] = await own.read((database) =>
            database("idempotency_keys")
              .where("idempotency_keys.id", id)
              .join("users", "users.id", "user_id")
              .select("data_digest", database.raw(userColumns(time))),
          );
          return (
            rows.map((first) =>
              first.data_digest === dataDigest ? { user: userOf(first), replayed: true } : ("reused" as const),
            )[0] ?? null
          );
        }
        const inserted = await own.write((database) => insertRows(database, [row]), deadline);
        if (inserted.length > 0) return { user: userOf(row), replayed: false };
        await own.write((database) => database<Row>("idempotency_keys").where({ id }).delete());
        return null;
      }),

    forget: (before) =>
      write((database) => {
        const old = database<Row>("idempotency_keys").where("created_at", "<", before.toISOString());
        return database<Row>("idempotency_keys").whereIn("id", old.select("id").limit(portion)).delete();
      }),
  };
}
