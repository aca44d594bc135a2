import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import knex from "knex";
import pg from "pg";
import { onTestFinished } from "vitest";
import { createKey } from "../server/keys/key-lifecycle.ts";
import { sqlitePath } from "../server/storage/address.ts";
import { openDriver } from "../server/storage/database.ts";
import type { Keys } from "../server/storage/keys.ts";
import type { Storage } from "../server/storage/storage.ts";
import { openStorage, readConfig } from "./atpoint.ts";
import { leaveOut } from "./left-out.ts";
import { BOUND_MS, patience } from "./patience.ts";

/** A kind of database to run on. */
interface DatabaseUnderTest {
  readonly name: string;
  /** A new empty database, as a value of DATABASE_URL that works in a child process too. */
  fresh(): Promise<{
    readonly url: string;
    run(statement: string): Promise<unknown[]>;
    drop(): Promise<unknown>;
  }>;
}

export const sqlite: DatabaseUnderTest = {
  name: "SQLite",
  async fresh() {
    const folder = await mkdtemp(join(tmpdir(), "atpoint-"));
    const filename = join(folder, "test.sqlite");
    return {
      url: `sqlite:${filename}`,
      async run(statement) {
        const database = knex({
          client: "sqlite3",
          connection: { filename },
          useNullAsDefault: true,
        });
        return database.raw(statement).finally(() => database.destroy());
      },
      drop: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/**
 * What an operator may have set for the server, the database or the role: each changes what a
 * session returns or how it fails.
 */
const OTHER_DEFAULTS = `
  datestyle=SQL,DMY timezone=Asia/Kathmandu default_transaction_isolation=serializable
  default_transaction_deferrable=on intervalstyle=sql_standard bytea_output=escape
  extra_float_digits=-15
  standard_conforming_strings=off client_encoding=LATIN1 quote_all_identifiers=on
  transform_null_equals=on
  plan_cache_mode=force_generic_plan enable_indexscan=off row_security=off`;

/**
 * Every fresh database is a schema of its own in the one of this URL; `defaults` are of its
 * sessions.
 */
const postgres = (server: string, name: string, defaults = ""): DatabaseUnderTest => ({
  name,
  async fresh() {
    async function run(statement: string, connectionString = server): Promise<unknown[]> {
      const client = new pg.Client({ connectionString });
      await client.connect();
      const { rows } = await client.query(statement).finally(() => client.end());
      return rows;
    }
    const schema = `test_${randomUUID().replaceAll("-", "")}`;
    await run(`create schema ${schema}`);
    const url = `${server}${server.includes("?") ? "&" : "?"}options=-c%20search_path%3D${schema}`;
    return {
      url: url + defaults.replaceAll("=", "%3D").replace(/\s+/g, "%20-c%20"),
      run: (statement) => run(statement, url),
      drop: () => run(`drop schema ${schema} cascade`),
    };
  },
});

/** SQLite, and PostgreSQL when TEST_POSTGRES_URL is set. */
export function databasesUnderTest(): DatabaseUnderTest[] {
  const server = process.env.TEST_POSTGRES_URL;
  if (server !== undefined) return [sqlite, postgres(server, "PostgreSQL")];
  leaveOut(
    "runs on PostgreSQL",
    "no PostgreSQL; set TEST_POSTGRES_URL=postgres://USER@HOST:PORT/DATABASE",
  );
  return [sqlite];
}

/** The same, and PostgreSQL once more, with other defaults of its sessions. */
export function databasesAndDefaults(): DatabaseUnderTest[] {
  const server = process.env.TEST_POSTGRES_URL;
  const withOtherDefaults =
    server === undefined
      ? []
      : [postgres(server, "PostgreSQL with other defaults", OTHER_DEFAULTS)];
  return [...databasesUnderTest(), ...withOtherDefaults];
}

/** A new empty database for one test. */
export async function fresh(kind = sqlite) {
  const database = await kind.fresh();
  onTestFinished(async () => void (await database.drop()));
  return database;
}

/** The storage of a database, closed when the test ends. */
export function opened(url: string, env: NodeJS.ProcessEnv = {}): Storage {
  const storage = openStorage(readConfig({ ...patience, ...env, DATABASE_URL: url }));
  onTestFinished(() => storage.close());
  return storage;
}

/** The same, with its tables. */
export async function migrated(url?: string): Promise<Storage> {
  const storage = opened(url ?? (await fresh()).url);
  await storage.migrate();
  return storage;
}

/** Locks the users against writes, as another process may. */
export async function locked(url: string) {
  const { migrator, migrationLock } = openDriver(readConfig({ ...patience, DATABASE_URL: url }));
  const database = migrator();
  const isServer = sqlitePath(url) === null;
  const transaction = await database.transaction();
  await transaction.raw(isServer ? "lock table users in access exclusive mode" : migrationLock);
  const blocked =
    "select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))";
  return {
    /** How many statements wait for it at a server. */
    waiting: async (): Promise<number> =>
      isServer ? (await transaction.raw(blocked)).rows.length : 0,
    async release() {
      await transaction.rollback();
      await database.destroy();
    },
  };
}

/** Overwrites the first page of a table in a file of SQLite that nothing has open. */
export async function damage(
  { url, run }: Awaited<ReturnType<typeof fresh>>,
  table: string,
): Promise<void> {
  const from = "sqlite_master, pragma_page_size";
  const pages = `select rootpage, page_size from ${from} where name = '${table}'`;
  for (const { rootpage, page_size } of (await run(pages)) as {
    rootpage: number;
    page_size: number;
  }[]) // its columns
    overwrite(url, (rootpage - 1) * page_size, rootpage * page_size);
}

/** Overwrites some bytes of a file of SQLite that nothing has open. */
export function overwrite(url: string, from: number, to?: number): void {
  const path = sqlitePath(url) ?? "";
  writeFileSync(path, readFileSync(path).fill(0xff, from, to));
}

/** A new key for the platform `web` that outlives any test. */
export async function keyIn(keys: Keys, ...scopes: string[]): Promise<string> {
  const wanted = {
    name: "test",
    scopes,
    platforms: ["web"],
    createdAt: new Date(),
    lifetimeMs: BOUND_MS,
  };
  return (await createKey(keys, wanted)).key;
}
