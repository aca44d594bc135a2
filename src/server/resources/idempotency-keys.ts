import type { Database, Transaction } from "../storage/database.ts";

/** A create that may be sent again (D25). */
export interface Once {
  /** The API key, the operation and the idempotency key, as one unique text. */
  readonly id: string;
  /** Of the parsed input. */
  readonly dataDigest: string;
  /** Entries created before then have expired. */
  readonly since: Date;
}

/** What is created: a store makes it, and nothing has happened yet. */
export interface Creation<Resource> {
  readonly id: string;
  readonly createdAt: string;
  /** Of `performance.now()`. */
  readonly deadline?: number | undefined;
  /** In a transaction, or on its own. Throws a `Problem` when something else is in its way. */
  insert(tx?: Transaction): Promise<Resource>;
  find(tx: Transaction, id: string): Promise<Resource | null>;
}

/** `reused` when the key belongs to other data. */
export type CreatedOnce<Resource> = { readonly resource: Resource; readonly replayed: boolean } | "reused";

/** Every method throws `storage-unavailable` when the storage is unavailable. */
export interface IdempotencyKeys {
  /**
   * Creates the resource and stores the key with it, both or neither; or finds what the key created. A call with the same key in progress
   * is waited for.
   */
  createOnce<Resource>(once: Once, creation: Creation<Resource>): Promise<CreatedOnce<Resource>>;
  /** Deletes keys of before then, in portions, and returns how many those were. */
  forget(before: Date): Promise<number>;
}

/** Other writes get their turn after so many. */
export const portion = 500;

/** Where they are stored: the table, and its column with the id of what was created. */
export interface IdempotencyTable {
  readonly table: string;
  readonly column: string;
}

export function openIdempotencyKeys(
  { transaction, write }: Database,
  { table, column }: IdempotencyTable,
): IdempotencyKeys {
  return {
    createOnce: ({ id, dataDigest, since }, creation) =>
      transaction(async (tx) => {
        const row = { id, data_digest: dataDigest, [column]: creation.id, created_at: creation.createdAt };
        // First of all: PostgreSQL lets a second call with the key wait here until this transaction ends; SQLite has one writer.
        const taken: unknown[] = await tx.write(
          (knex) =>
            knex(table)
              .insert(row)
              .onConflict("id")
              .merge(row)
              .where(`${table}.created_at`, "<", since.toISOString())
              .returning("id"),
          creation.deadline,
        );
        if (taken.length === 0) {
          const [first]: { digest: string; resource: string }[] = await tx.read((knex) =>
            knex(table).where({ id }).select({ digest: "data_digest", resource: column }),
          );
          if (first && first.digest !== dataDigest) return "reused";
          const resource = first ? await creation.find(tx, first.resource) : null;
          if (resource) return { resource, replayed: true };
          // What it created is gone, and no reference took the key along.
          await tx.write((knex) => knex(table).where({ id }).update(row), creation.deadline);
        }
        return { resource: await creation.insert(tx), replayed: false };
      }),

    forget: (before) =>
      write((knex) => {
        const old = knex(table).where("created_at", "<", before.toISOString()).select("id").limit(portion);
        return knex(table).whereIn("id", old).delete();
      }),
  };
}
