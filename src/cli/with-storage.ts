import type { Config } from "../config.ts";
import { InputFault } from "../log/safe-error.ts";
import type { Making } from "../storage/sqlite-file.ts";
import { openStorage, type Storage } from "../storage/storage.ts";

/** Runs `work` on the database without migrating it. Without a database, `making` decides whether one is created or `InputFault` is thrown. */
export async function withUnmigrated<T>(
  config: Config,
  making: Making,
  work: (storage: Storage) => Promise<T>,
  print?: (line: string) => void,
): Promise<T> {
  const storage = openStorage(config, making, print);
  try {
    if (making === "never" && !(await storage.isOurs()))
      throw new InputFault("The database of DATABASE_URL is not one of Atpoint: it has none of its tables.");
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** The same on the migrated database. */
export const withStorage: typeof withUnmigrated = (config, making, work, print) =>
  withUnmigrated(
    config,
    making,
    async (storage) => {
      await storage.migrate();
      return work(storage);
    },
    print,
  );
