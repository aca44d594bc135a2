import type { Config } from "../config.ts";
import { openStorage, type Storage } from "../storage/storage.ts";

/** Runs `work` on the database, which is brought up to date first, so that every command works on a new one. */
export async function withStorage<T>(config: Config, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = openStorage(config);
  try {
    await storage.migrate();
    return await work(storage);
  } finally {
    await storage.close();
  }
}
