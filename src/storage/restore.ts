import { existsSync, statSync } from "node:fs";
import { chown, rename, rm } from "node:fs/promises";
import type { Config } from "../config.ts";
import { InputFault } from "../log/safe-error.ts";
import { claim } from "./claim.ts";
import { sqlitePath } from "./driver.ts";
import { newDatabase, openStorage } from "./storage.ts";
import type { TableSum } from "./table-rows.ts";

/**
 * Replaces the content of the database with a backup: all of it or, when this throws, nothing. On SQLite it writes a new file, which
 * replaces the old one when it is complete, so that a broken one can be replaced too; not while another process has that open.
 */
export async function restore(
  { database }: Pick<Config, "database">,
  parts: AsyncIterable<unknown>,
  replace: boolean,
  print?: (line: string) => void,
): Promise<TableSum[]> {
  const path = sqlitePath(database.url);
  if (path === null) return fill(database, parts, replace, print);
  const claimed = statSync(path, { throwIfNoEntry: false })?.size ? await claim(path) : null;
  const made = `${path}.restored`;
  try {
    if (claimed && claimed.holds !== null && !replace)
      throw new InputFault(`${path} is not empty. ${claimed.holds} To lose that: --replace`);
    await removeAll(made);
    const sums = await fill({ ...database, url: `sqlite:${made}` }, parts, false);
    // The file is complete only when closing it left no other file: SQLite does not report a disk that is full then.
    if ((statSync(`${made}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
      throw new InputFault(`${made} could not be written whole: is the disk full?`);
    await takePlace(made, path);
    if (!claimed) print?.(newDatabase(database.url));
    return sums;
  } finally {
    await removeAll(made);
    await claimed?.release();
  }
}

async function fill(
  database: Config["database"],
  parts: AsyncIterable<unknown>,
  replace: boolean,
  print?: (line: string) => void,
) {
  const storage = openStorage({ database }, "anew", print);
  try {
    await storage.migrate();
    return await storage.load(parts, replace);
  } finally {
    await storage.close();
  }
}

async function takePlace(made: string, path: string): Promise<void> {
  if (existsSync(path)) {
    // The restoring user may be root, and the service is not.
    const { uid, gid } = statSync(path);
    await chown(made, uid, gid);
  }
  // Before the file is there: SQLite would treat them as its own.
  for (const suffix of ["-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
  await rename(made, path);
}

async function removeAll(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm", "-made"]) await rm(`${path}${suffix}`, { force: true });
}

/** Throws `InputFault` when the address is one of a SQLite file that another process has open. */
export async function refuseServed({ database }: Pick<Config, "database">): Promise<void> {
  const path = sqlitePath(database.url);
  if (path !== null && existsSync(path)) await (await claim(path)).release();
}
