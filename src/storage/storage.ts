import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config.ts";
import { inTime } from "../in-time.ts";
import { SafeError } from "../log/safe-error.ts";
import { openAccess } from "./access.ts";
import { type Condition, conditionOf, expectUnicode } from "./condition.ts";
import { databaseName, openDriver, type PoolUse, poolUse, sqlitePath } from "./driver.ts";
import { type Keys, openKeys } from "./keys.ts";
import { expectMigrated, migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import type { Making } from "./sqlite-file.ts";
import { openStores, type Stores } from "./stores.ts";
import { openTrial } from "./trial.ts";
import { orUnavailable, unavailable } from "./unavailable.ts";

/** The only access to the database. */
export interface Storage {
  readonly stores: Stores;
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

/** The folder on this machine for files that belong to a database: that of the SQLite file, or `data`. */
export function databaseFolder(url: string): string {
  const path = sqlitePath(url);
  return path === null ? "data" : dirname(path);
}

/** A line for the operator: a wrong DATABASE_URL may have created it. */
const newDatabase = (url: string): string => `A new database was created: ${databaseName(url)}\n`;

/**
 * Opens nothing yet but creates the file of SQLite where `making` allows it: connections are opened when they are needed. `print` gets
 * `newDatabase` from a migration that creates every table.
 */
export function openStorage(
  config: Pick<Config, "database">,
  making?: Making,
  print: (line: string) => void = () => {},
): Storage {
  const driver = openDriver(config.database, making);
  const access = openAccess(driver);
  const { timeoutMs } = config.database;
  const late = () => unavailable(new SafeError(`the database did not respond within ${timeoutMs} ms`));
  const trial = openTrial(access, (work) => inTime(timeoutMs, work, late));
  const prepare = <T>(tables: () => Promise<T>) =>
    orUnavailable(async () => {
      await expectUnicode(driver.writer, driver.facts);
      const done = await tables();
      await driver.writer.raw(driver.ping);
      driver.keep();
      return done;
    });
  return {
    stores: openStores(access),
    keys: openKeys(access),
    // The time-out covers the wait for a connection and the statement; each alone has its own.
    ping: async () => void (await inTime(timeoutMs, access.ask(driver.ping, []), late)),
    tryWrite: trial.run,
    isSound: async () => isDeepStrictEqual(await access.ask(driver.damage, []), [{ quick_check: "ok" }]),
    isOurs: () => access.read((database) => database.schema.hasTable("api_keys")),
    async migrate() {
      const applied = await prepare(() => migrate(driver));
      if (applied.length === migrations.length) print(newDatabase(config.database.url));
      return applied;
    },
    expectMigrated: () => prepare(() => expectMigrated(driver.reader)),
    condition: () => access.read((database) => conditionOf(database, driver)),
    // By the connection that may write: SQLite takes it for a change.
    backUp: async (file) => void (await access.write((database) => database.raw("VACUUM INTO ?", [file]))),
    pools: () =>
      driver.reader === driver.writer
        ? { all: poolUse(driver.reader) }
        : { reader: poolUse(driver.reader), writer: poolUse(driver.writer) },
    close() {
      trial.forget();
      return driver.close();
    },
  };
}
