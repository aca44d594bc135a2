import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UsageError } from "../expected-error.ts";
import type { DatabaseConfig } from "../settings/config.ts";
import { DATA_FOLDER } from "../settings/variables.ts";
import { FileGone, StorageUnavailable } from "./errors.ts";

/**
 * How often the files are looked at while their folder is unchanged, in milliseconds. A folder that
 * has changed more recently may have changed again with the same time stamp.
 */
const LOOK_MS = 1000;

/** What to do without a database: create none, create one unless there was one, or create one. */
export type CreateMode = "never" | "ifMissing" | "always";

/**
 * The file of a SQLite database, created where `mode` allows it. Throws `UsageError` when there is
 * none to use, `StorageUnavailable` when it cannot be created.
 */
export function openSqliteFile(
  path: string,
  mode: CreateMode,
  { name, title }: Pick<DatabaseConfig, "name" | "title">,
) {
  const markPath = `${path}-made`;
  const names = `DATABASE_URL names ${resolve(path)}`;
  const folder = dirname(resolve(path));
  if (!existsSync(folder) && folder !== resolve(DATA_FOLDER))
    throw new UsageError(
      `${names}, and there is no folder ${folder}: correct the path, mount the volume, or create ` +
        "the folder.",
    );
  // Looked for before the file, which is created first: another process may be creating both.
  const was = existsSync(markPath) || existsSync(`${path}-wal`);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile())
    throw new UsageError(`${names}, which is not a file: correct the path.`);
  if (!stats?.size) {
    const advice = was
      ? "There was one: put it back."
      : "Is that the right path, and is its volume mounted?";
    if (mode === "never" || (mode === "ifMissing" && was))
      throw new UsageError(
        `${names}, and no database is there. ${advice} To create a new, empty one: ${name} migrate`,
      );
    create(path);
  }
  // Each by the device and the inode of the opened file, noted when it is open: a file system may
  // copy a file that is opened for writing.
  const opened = new Map<string, string | null>();
  const note = (file: string) => opened.set(file, identity(file));
  let seen: { readonly folder: string; readonly at: number } | null = null;
  return {
    /**
     * Throws `FileGone` unless the paths still name the files that this process has open. One look
     * at the folder shows that: what creates, removes or renames a file in it changes it.
     */
    assertUnchanged() {
      const now = performance.now();
      const { state, isSettled } = folderState(folder);
      if (state === seen?.folder && now - seen.at < LOOK_MS) return;
      seen = null;
      if (opened.size === 0) note(path);
      for (const [file, was] of opened)
        if (was === null || identity(file) !== was) throw new FileGone();
      if (isSettled) seen = { folder: state, at: now };
    },
    /**
     * To be called once the database exists and a permanent connection is open. Writes a mark next
     * to the file: a start that finds the mark, but not the file, creates no empty one instead.
     */
    writeMarker() {
      note(`${path}-wal`);
      note(`${path}-shm`);
      const text =
        `A database was created here. Without it, ${title} does not start, unless a new one ` +
        `is created with: ${name} migrate\n`;
      if (!existsSync(markPath)) writeFileSync(markPath, text, { mode: 0o600 });
    },
  };
}

/**
 * The open connection keeps a file that was removed, so no other one can get its inode meanwhile.
 */
function identity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

/** The time of the last change cannot be set, unlike that of the last modification. */
function folderState(path: string) {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) throw new FileGone();
  const { dev, ino, ctimeNs, ctimeMs } = stats;
  return { state: `${dev}:${ino}:${ctimeNs}`, isSettled: BigInt(Date.now()) - ctimeMs >= LOOK_MS };
}

/** Created here for its mode; SQLite gives its -wal and -shm files the same. */
function create(path: string): void {
  try {
    createDataFolder(dirname(resolve(path)));
    appendFileSync(path, "", { mode: 0o600 });
  } catch (error) {
    throw new StorageUnavailable(error);
  }
}

function createDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
}
