import { v7 as uuidv7 } from "uuid";
import type { Access } from "./access.ts";
import { type StoredTime, timeText } from "./time.ts";

/** An API key as it is kept (D19): never the key, only the SHA-256 of it. */
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
}

/** Every method throws `storage-unavailable` when the storage is away. */
export interface Keys {
  insert(key: Omit<KeyRecord, "id">): Promise<KeyRecord>;
  findByHash(hash: string): Promise<KeyRecord | null>;
  /** All of them, the oldest first. */
  list(): Promise<KeyRecord[]>;
  /** False when no key has the id (a UUID), or that key is revoked already. */
  revoke(id: string, at: Date): Promise<boolean>;
  count(): Promise<number>;
  /** All that `work` does with the keys it is given, or nothing when it throws; no other process does the same meanwhile. */
  exclusively<T>(work: (keys: Keys) => Promise<T>): Promise<T>;
}

interface Row {
  id: string;
  name: string;
  hash: string;
  /** Separated by blanks, as in OAuth: neither a scope nor a platform holds one. */
  scopes: string;
  platforms: string;
  created_at: StoredTime;
  expires_at: StoredTime;
  revoked_at: StoredTime | null;
}

const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");

const time = (stored: StoredTime): Date => new Date(timeText(stored));

const record = (row: Row): KeyRecord => ({
  id: row.id,
  name: row.name,
  hash: row.hash,
  scopes: words(row.scopes),
  platforms: words(row.platforms),
  createdAt: time(row.created_at),
  expiresAt: time(row.expires_at),
  revokedAt: row.revoked_at === null ? null : time(row.revoked_at),
});

export function openKeys({ read, write, exclusively }: Access): Keys {
  return {
    async insert(key) {
      const id = uuidv7();
      const row: Row = {
        id,
        name: key.name,
        hash: key.hash,
        scopes: key.scopes.join(" "),
        platforms: key.platforms.join(" "),
        created_at: key.createdAt.toISOString(),
        expires_at: key.expiresAt.toISOString(),
        revoked_at: key.revokedAt?.toISOString() ?? null,
      };
      await write((database) => database<Row>("api_keys").insert(row));
      return { id, ...key };
    },

    async findByHash(hash) {
      const rows: Row[] = await read((database) => database<Row>("api_keys").where({ hash }));
      return rows.map(record)[0] ?? null;
    },

    async list() {
      const rows: Row[] = await read((database) => database<Row>("api_keys").orderBy("id"));
      return rows.map(record);
    },

    async revoke(id, at) {
      const changed = await write((database) =>
        database<Row>("api_keys").where({ id, revoked_at: null }).update({ revoked_at: at.toISOString() }),
      );
      return changed > 0;
    },

    async count() {
      const rows = await read((database) => database<Row>("api_keys").count({ keys: "*" }));
      return Number(rows[0]?.keys);
    },

    exclusively: (work) => exclusively((own) => work(openKeys(own))),
  };
}
