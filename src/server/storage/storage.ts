import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../contract.ts";
import { inTime } from "../in-time.ts";
import { keyForm } from "../key-form.ts";
import { SafeError } from "../safe-error.ts";
import type { Config } from "../settings/config.ts";
import { databaseName } from "./address.ts";
import { type Condition, conditionOf, expectUnicode } from "./condition.ts";
import { openDatabase, openDriver, type PooledDatabase } from "./database.ts";
import { type PoolUse, poolUse } from "./driver.ts";
import { unavailable, withStorageErrors } from "./errors.ts";
import { type Keys, openKeys } from "./keys.ts";
import { expectMigrated, type Migration, migrate } from "./migrate.ts";
import type { CreateMode } from "./sqlite-file.ts";
import { openWriteProbe } from "./write-probe.ts";

/** The only access to the database. */
export interface Storage {
  /** For the stores of a service. */
  readonly database: PooledDatabase;
  readonly keys: Keys;
  /** Runs a query. Throws `storage-unavailable` after the database time-out at the latest. */
  ping(): Promise<void>;
  /**
   * Tries whether each table would accept a row and the disk a change, without leaving a trace; throws when not, or when migrations
   * are pending. Calls within a second of another get the same result.
   */
  tryWrite(): Promise<void>;
  /** Whether SQLite finds its file undamaged; it reads all of it. */
  isSound(): Promise<boolean>;
  /** Whether the tables exist, in this version or an older one. */
  isOurs(): Promise<boolean>;
  /**
   * Creates or updates the tables, and returns the migrations that were run; any number of processes may do so at once. Throws
   * `SafeError` for a database that cannot hold every name.
   */
  migrate(): Promise<readonly string[]>;
  /** The same, but throws `SafeError` when there is something to create or update. */
  expectMigrated(): Promise<void>;
  /** What may be wrong with one of our databases. Only reads. */
  condition(): Promise<Condition>;
  /** Copies a SQLite database into an empty file, as of one moment, while it is used. The file is not flushed. */
  backUp(file: string): Promise<void>;
  /** By pool. */
  pools(): Readonly<Record<string, PoolUse>>;
  /** May be called again. */
  close(): Promise<void>;
}

/** What a service stores. */
export interface StorageDefinition {
  /** In order, those of the protocol too: `protocolMigrations` in a new service. */
  readonly migrations: readonly Migration[];
  readonly contract: Pick<Contract, "keys">;
}

/** See `openDriver`. `print` gets a line from a migration that creates every table: a wrong DATABASE_URL may have created the database. */
export function openStorage(
  config: Pick<Config, "database">,
  { migrations, contract }: StorageDefinition,
  mode?: CreateMode,
  print: (line: string) => void = () => {},
): Storage {
  const { timeoutMs, url } = config.database;
  const driver = openDriver(config.database, mode);
  const { reader, writer, ping, damage } = driver;
  const database = openDatabase(driver);
  const late = () => unavailable(new SafeError(`the database did not respond within ${timeoutMs} ms`));
  const probe = openWriteProbe(database, migrations, (work) => inTime(timeoutMs, work, late));
  const prepare = <T>(tables: () => Promise<T>) =>
    withStorageErrors(async () => {
      await expectUnicode(driver);
      const done = await tables();
      await writer.raw(ping);
      driver.markCreated();
      return done;
    });
  return {
    database,
    keys: openKeys(database, keyForm(contract.keys.prefix)),
    // The time-out covers the wait for a connection and the statement; each alone has its own.
    ping: async () => void (await inTime(timeoutMs, database.query(ping, []), late)),
    tryWrite: probe.run,
    isSound: async () => isDeepStrictEqual(await database.query(damage, []), [{ quick_check: "ok" }]),
    isOurs: () => database.read((knex) => knex.schema.hasTable("api_keys")),
    async migrate() {
      const applied = await prepare(() => migrate(driver, migrations));
      if (applied.length === migrations.length) print(`A new database was created: ${databaseName(url)}\n`);
      return applied;
    },
    expectMigrated: () => prepare(() => expectMigrated(driver, migrations)),
    condition: () => database.read((knex) => conditionOf(knex, driver, migrations)),
    // By the connection that may write: SQLite takes it for a change.
    backUp: async (file) => void (await database.write((knex) => knex.raw("VACUUM INTO ?", [file]))),
    pools: () => (reader === writer ? { all: poolUse(reader) } : { reader: poolUse(reader), writer: poolUse(writer) }),
    close() {
      probe.forget();
      return driver.close();
    },
  };
}
