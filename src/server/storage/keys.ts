import { v7 as uuidv7 } from "uuid";
import type { KeyForm } from "../key-form.ts";
import type { Database, Transaction } from "./database.ts";

/** An API key as it is stored (D19): never the key, only its SHA-256. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly platforms: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** Two minutes late at most; null when it was never used. */
  readonly lastUsedAt: Date | null;
}

type NewKey = Omit<KeyRecord, "id" | "lastUsedAt">;

/** A key may be used by every replica at once: `used` writes it no more often than this. */
export const usedEveryMs = 60_000;

/**
 * Times, and in `scopes` and `platforms` words with blanks between them, as in OAuth: none contains
 * one. Null for what is not set.
 */
type Row = Record<
  "id" | "name" | "hash" | "scopes" | "platforms" | "created_at" | "expires_at",
  string
> &
  Record<"revoked_at" | "last_used_at", string | null>;

/**
 * Both databases limit the number of parameters, and other writes get their turn between two
 * portions.
 */
const UPDATE_BATCH = 500;

const words = (text: string): string[] => text.split(" ").filter(Boolean);

const dateOrNull = (stored: string | null): Date | null =>
  stored === null ? null : new Date(stored);

const record = ({ id, name, hash, ...row }: Row): KeyRecord => ({
  id,
  name,
  hash,
  scopes: words(row.scopes),
  platforms: words(row.platforms),
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
  revokedAt: dateOrNull(row.revoked_at),
  lastUsedAt: dateOrNull(row.last_used_at),
});

/** The row of a key that was never used. */
export const keyRow = (id: string, key: NewKey): Row => ({
  id,
  name: key.name,
  hash: key.hash,
  scopes: key.scopes.join(" "),
  platforms: key.platforms.join(" "),
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt.toISOString(),
  revoked_at: key.revokedAt?.toISOString() ?? null,
  last_used_at: null,
});

/** Every method may throw `StorageUnavailable`. */
export type Keys = ReturnType<typeof keysIn>;

function keysIn({ read, write, isoTimestampSql }: Transaction, form: KeyForm) {
  const time = (column: string) => `${isoTimestampSql(column)} as ${column}`;
  const columns = (lastUsed = time("last_used_at")) =>
    ["id, name, hash, scopes, platforms", ...["created_at", "expires_at", "revoked_at"].map(time)]
      .concat(lastUsed)
      .join();
  return {
    /** What a key of this service looks like. */
    form,
    async insert(key: NewKey): Promise<KeyRecord> {
      const id = uuidv7();
      await write((knex) => knex<Row>("api_keys").insert(keyRow(id, key)));
      return { id, lastUsedAt: null, ...key };
    },

    async findByHash(hash: string): Promise<KeyRecord | null> {
      const rows: Row[] = await read((knex) =>
        knex<Row>("api_keys").where({ hash }).select(knex.raw(columns())),
      );
      return rows.map(record)[0] ?? null;
    },

    /** All of them, the oldest first. */
    async list(): Promise<KeyRecord[]> {
      const rows: Row[] = await read(async (knex) => {
        // `doctor` reads a database whose migration is pending.
        const isNoted = await knex.schema.hasColumn("api_keys", "last_used_at");
        const selected = knex.raw(columns(isNoted ? undefined : "null as last_used_at"));
        return knex<Row>("api_keys").orderBy("id").select(selected);
      });
      return rows.map(record);
    },

    /** False when no key has the id (a UUID), or that key is revoked already. */
    async revoke(id: string, at: Date): Promise<boolean> {
      const changed = await write((knex) =>
        knex<Row>("api_keys")
          .where({ id, revoked_at: null })
          .update({ revoked_at: at.toISOString() }),
      );
      return changed > 0;
    },

    async count(): Promise<number> {
      const rows = await read((knex) => knex<Row>("api_keys").count({ keys: "*" }));
      return Number(rows[0]?.keys);
    },

    /** Sets when a key expires. */
    async expire(id: string, at: Date): Promise<void> {
      await write((knex) =>
        knex<Row>("api_keys").where({ id }).update({ expires_at: at.toISOString() }),
      );
    },

    /** Notes that keys were used, except those noted less than a minute before. */
    async used(ids: readonly string[], at: Date): Promise<void> {
      const before = new Date(at.getTime() - usedEveryMs).toISOString();
      for (let from = 0; from < ids.length; from += UPDATE_BATCH)
        await write((knex) =>
          knex<Row>("api_keys")
            .whereIn("id", ids.slice(from, from + UPDATE_BATCH))
            .where((noted) => noted.whereNull("last_used_at").orWhere("last_used_at", "<=", before))
            .update({ last_used_at: at.toISOString() }),
        );
    },
  };
}

/** The keys of a database. */
export const openKeys = (database: Database, form: KeyForm) => ({
  ...keysIn(database, form),
  /**
   * All of `work` with the given keys, or nothing when it throws; no other process does the same at
   * the same time.
   */
  exclusively: <T>(work: (keys: Keys) => Promise<T>): Promise<T> =>
    database.withMigrationLock((tx) => work(keysIn(tx, form))),
});
