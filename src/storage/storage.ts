import { dirname } from "node:path";
import type { Config } from "../config.ts";
import { SafeError } from "../log/safe-error.ts";
import { openAccess } from "./access.ts";
import { openDriver, sqlitePath } from "./driver.ts";
import { type Keys, openKeys } from "./keys.ts";
import { migrate } from "./migrate.ts";
import type { Making } from "./sqlite-file.ts";
import { openStores, type Stores } from "./stores.ts";
import { orUnavailable, unavailable } from "./unavailable.ts";

/** The one door to the database. */
export interface Storage {
  readonly stores: Stores;
  readonly keys: Keys;
  /** Asks the database. Throws `storage-unavailable` after the database time-out at the latest. */
  ping(): Promise<void>;
  /** Whether the tables are there, in this version or an older one. */
  isOurs(): Promise<boolean>;
  /** Creates or updates the tables; any number of processes may do so at once. */
  migrate(): Promise<void>;
  /** May be called again. */
  close(): Promise<void>;
}

/** The folder on this machine for what belongs to a database: that of the SQLite file, or `data`. */
export function databaseFolder(url: string): string {
  const path = sqlitePath(url);
  return path === null ? "data" : dirname(path);
}

/** Opens nothing yet but makes the file of SQLite where `making` says so: connections are made when they are needed. */
export function openStorage(config: Pick<Config, "database">, making?: Making): Storage {
  const driver = openDriver(config.database, making);
  const access = openAccess(driver);
  return {
    stores: openStores(access),
    keys: openKeys(access),
    // The time-out spans the wait for a connection and the statement; each alone has its own.
    ping: () => access.read((database) => within(config.database.timeoutMs, database.raw(driver.ping))),
    isOurs: () => access.read((database) => database.schema.hasTable("api_keys")),
    migrate: () =>
      orUnavailable(async () => {
        await migrate(driver);
        await driver.writer.raw(driver.ping);
        driver.keep();
      }),
    async close() {
      await Promise.all([driver.reader.destroy(), driver.writer.destroy()]);
    },
  };
}

async function within(milliseconds: number, work: PromiseLike<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const cause = new SafeError(`the database did not answer within ${milliseconds} ms`);
    timer = setTimeout(() => reject(unavailable(cause)), milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
