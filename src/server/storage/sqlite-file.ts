import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { UsageError } from "../safe-error.ts";
import type { Config } from "../settings/config.ts";
import { FileGone, unavailable } from "./errors.ts";

/**
 * How often the files are looked at while their folder is unchanged, in milliseconds. A folder that has changed more recently may have
 * changed again with the same time stamp.
 */
const LOOK_MS = 1000;

/** What to do without a database: create none, create one unless there was one, or create one. */
export type CreateMode = "never" | "ifMissing" | "always";

/**
 * The file of a SQLite database, created where `mode` allows it. Throws `UsageError` when there is none to use, `storage-unavailable` when
 * it cannot be created.
 */
export function openSqliteFile(
  path: string,
  mode: CreateMode,
  { name, title }: Config["database"]["service"],
) {
  const markPath = `${path}-made`;
  const names = `DATABASE_URL names ${resolve(path)}`;
  // Looked for before the file, which is created first: another process may be creating both.
  const was = existsSync(markPath) || existsSync(`${path}-wal`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw new UsageError(`${names}, which is not a file.`);
  if (found && isOldBackup(path))
    throw new UsageError(
      `${names}, which is a backup of release 3.1 or older: restore it with that release, \`${name} restore FILE\`.`,
    );
  if (!found?.size) {
    const advice = was
      ? "There was one: put it back."
      : "Is that the right path, and is its volume mounted?";
    if (mode === "never" || (mode === "ifMissing" && was))
      throw new UsageError(
        `${names}, and no database is there. ${advice} To create a new, empty one: ${name} migrate`,
      );
    create(path);
  }
  // Each by the device and the inode of the opened file, noted when it is open: a file system may copy a file that is opened for writing.
  const opened = new Map<string, string | null>();
  const note = (file: string) => opened.set(file, identity(file));
  const folder = dirname(resolve(path));
  let seen: { readonly folder: string; readonly at: number } | null = null;
  return {
    /**
     * Throws `FileGone` unless the paths still name the files that this process has open. One look at the folder shows that: what
     * creates, removes or renames a file in it changes it.
     */
    assertUnchanged() {
      const at = performance.now();
      const { state, isSettled } = folderState(folder);
      if (state === seen?.folder && at - seen.at < LOOK_MS) return;
      seen = null;
      if (opened.size === 0) note(path);
      for (const [file, was] of opened)
        if (was === null || identity(file) !== was) throw new FileGone();
      if (isSettled) seen = { folder: state, at };
    },
    /**
     * To be called once the database exists and a permanent connection is open. Writes a mark next to the file: a start that finds the
     * mark, but not the file, creates no empty one instead.
     */
    markCreated() {
      note(`${path}-wal`);
      note(`${path}-shm`);
      const text = `A database was created here. Without it, ${title} does not start, unless a new one is created with: ${name} migrate\n`;
      if (!existsSync(markPath)) writeFileSync(markPath, text, { mode: 0o600 });
    },
  };
}

/** Until 3.1 a backup was compressed (RFC 1952, 2.3.1). A file that cannot be read is left to SQLite, which reports why. */
function isOldBackup(path: string): boolean {
  const start = Buffer.alloc(2);
  try {
    const file = openSync(path, "r");
    readSync(file, start);
    closeSync(file);
  } catch {
    return false;
  }
  return start.equals(Buffer.from([0x1f, 0x8b]));
}

/** The open connection keeps a file that was removed, so no other one can get its inode meanwhile. */
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
    createFolder(dirname(resolve(path)));
    appendFileSync(path, "", { mode: 0o600 });
  } catch (error) {
    throw unavailable(error);
  }
}

/** One by one: with `recursive`, Node never ends on a file system that returns ENOENT for every mkdir, such as /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(path)) throw error;
  }
}
