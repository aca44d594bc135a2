import type { Knex } from "knex";
import type { Contract } from "../contract.ts";
import { ExpectedError } from "../expected-error.ts";
import { keyForm } from "../key-form.ts";
import type { DatabaseConfig } from "../settings/config.ts";
import { parametersWithoutEffect } from "../settings/database-url.ts";
import { databaseName } from "./address.ts";
import { openDatabase, openDriver } from "./database.ts";
import type { Driver } from "./driver.ts";
import { withStorageErrors } from "./errors.ts";
import { openKeys } from "./keys.ts";
import {
  expectMigrated,
  hasSchema,
  type Migration,
  migrate,
  migrationState,
  schemaState,
} from "./migrate.ts";
import type { CreateMode } from "./sqlite-file.ts";
import { openWriteProbe, timeFault, tryTables } from "./write-probe.ts";

/** What a service stores. */
export interface StorageDefinition {
  /** In order, those of the protocol too: `protocolMigrations` in a new service. */
  readonly migrations: readonly Migration[];
  readonly contract: Pick<Contract, "keys">;
}

/**
 * How many connections of a pool are in use, how many are free, and how many callers wait for one.
 */
export type PoolUse = Readonly<Record<"used" | "free" | "waiting", number>>;

function poolUse({ client }: Knex): PoolUse {
  // Knex has no type for its client; the pool is tarn's with every database, and documented.
  const pool: Readonly<Record<"numUsed" | "numFree" | "numPendingAcquires", () => number>> =
    client.pool;
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
}

/** The only access to the database. */
export type Storage = ReturnType<typeof openStorage>;

/**
 * See `openDriver`. `print` gets a line from a migration that creates every table: a wrong
 * DATABASE_URL may have created the database.
 */
export function openStorage(
  config: DatabaseConfig,
  { migrations, contract }: StorageDefinition,
  mode?: CreateMode,
  print: (line: string) => void = () => {},
) {
  const unread = parametersWithoutEffect(config.DATABASE_URL);
  const warning = `DATABASE_URL has ${unread.join(", ")}: of no effect here.`;
  if (unread.length > 0) process.emitWarning(new ExpectedError(warning));
  const driver = openDriver(config, mode);
  const { reader, writer, integritySql } = driver;
  const database = openDatabase(driver);
  const probe = openWriteProbe(database, driver, migrations, config.DATABASE_TIMEOUT_MS);
  const prepare = <T>(tables: () => Promise<T>) =>
    withStorageErrors(async () => {
      await expectUnicode(driver);
      const done = await tables();
      await driver.writeMarker();
      return done;
    });
  return {
    /** For the stores of a service. */
    database,
    keys: openKeys(database, keyForm(contract.keys.prefix)),
    /**
     * Tries whether each table would accept a row and the disk a change, without leaving a trace;
     * throws when not, or when migrations are pending. Calls within a second of another get the
     * same result.
     */
    checkWritable: probe.run,
    /** Whether the file of SQLite is undamaged: SQLite reads all of it. */
    async isSound() {
      const [row]: { ok: unknown }[] = await database.read((knex) =>
        knex.select(knex.raw(`${integritySql} as ok`)),
      );
      return row?.ok === "ok";
    },
    /**
     * Whether the tables exist, in this version or an older one. Throws when they are of another
     * program, or lost.
     */
    hasSchema: () => database.read((knex) => hasSchema(knex, driver, migrations, config.title)),
    /** Throws when the tables that exist cannot be used; changes nothing. */
    tryTables: () =>
      database.write(async (knex) => {
        const { tables } = await schemaState(knex, driver, migrations);
        await tryTables(knex, tables, driver);
      }),
    /**
     * Creates or updates the tables, and returns the migrations that were run; any number of
     * processes may do so at once. Throws `ExpectedError` for a database that cannot hold every
     * name.
     */
    async migrate() {
      const applied = await prepare(() => migrate(driver, migrations));
      if (applied.length === migrations.length)
        print(`A new database was created: ${databaseName(config.DATABASE_URL)}\n`);
      return applied;
    },
    /** Throws `ExpectedError` when `migrate` would create or update something. */
    expectMigrated: () => prepare(() => expectMigrated(driver, migrations, config.name)),
    /** Only reads. */
    diagnose: () => database.read((knex) => diagnose(knex, driver, migrations)),
    /**
     * Copies a SQLite database into an empty file, as of one moment, while it is used. The file is
     * not flushed.
     */
    async backUp(file: string) {
      // By the connection that may write: SQLite takes it for a change.
      await database.write((knex) => knex.raw("VACUUM INTO ?", [file]));
    },
    /** By name. */
    pools: (): Readonly<Record<string, PoolUse>> =>
      reader === writer
        ? { all: poolUse(reader) }
        : { reader: poolUse(reader), writer: poolUse(writer) },
    /** May be called again. */
    close() {
      probe.forget();
      return driver.close();
    },
  };
}

/** The encoding of its text, `UTF8` or `UTF-8` when it can hold every name, and its time. */
async function encodingAndTime(database: Knex, { encodingSql }: Driver) {
  const [row]: { encoding: string; now: string }[] = await database.select(
    database.raw(encodingSql),
  );
  if (!row) throw new Error("a select without a table has one row");
  return row;
}

/** What may be wrong with a database of ours. */
async function diagnose(database: Knex, driver: Driver, ours: readonly Migration[]) {
  const sentAt = Date.now();
  const { encoding, now } = await encodingAndTime(database, driver);
  const receivedAt = Date.now();
  const clock = Date.parse(now);
  return {
    encoding,
    migrations: await migrationState(database, ours),
    /**
     * How far its clock is ahead of ours, or behind when negative, without the time of the round
     * trip.
     */
    clockAheadMs: clock < sentAt ? clock - sentAt : Math.max(0, clock - receivedAt),
    timeFault: await timeFault(database, driver.isoTimestampSql),
  };
}

/** Throws `ExpectedError` for a database that cannot hold every name. */
async function expectUnicode(driver: Driver): Promise<void> {
  const { encoding } = await encodingAndTime(driver.writer, driver);
  if (!/^UTF-?(8|16)/.test(encoding))
    throw new ExpectedError(
      `The encoding of the database of DATABASE_URL is ${encoding}, which cannot hold ` +
        "every name: create one with the encoding UTF8.",
    );
}
