import { pathToFileURL } from "node:url";
import knex, { type Knex } from "knex";
import { InputFault } from "../log/safe-error.ts";
import { quiet } from "./driver.ts";
import { rowsIn } from "./load.ts";
import { tableNames } from "./migrate.ts";
import { judged } from "./unavailable.ts";

/** A SQLite file that no other process has open, or can open until it is released. */
export interface Claim {
  /** What would be lost with it, as a sentence; null when nothing. */
  readonly holds: string | null;
  release(): Promise<void>;
}

/** Throws `InputFault` when another process has the file open. A file that SQLite cannot read is claimed, and counts as not empty. */
export async function claim(path: string): Promise<Claim> {
  const database = knex({
    client: "sqlite3",
    connection: { filename: `${pathToFileURL(path)}?mode=rw`, flags: ["OPEN_URI"] },
    useNullAsDefault: true,
    compileSqlOnError: false,
    log: quiet,
    pool: { min: 1, max: 1 },
  });
  const release = () => database.destroy();
  try {
    await database.raw("PRAGMA locking_mode=EXCLUSIVE");
    // Moves the content of the -wal file into the file: SQLite does so only for the one process that has it open.
    await database.raw("PRAGMA journal_mode=DELETE");
    await database.raw("BEGIN EXCLUSIVE");
    return { holds: await contentOf(database), release };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "SQLITE_NOTADB" || code === "SQLITE_CORRUPT") return { holds: "It cannot be read.", release };
    await release();
    if (code === "SQLITE_BUSY") throw new InputFault(`${path} is in use: stop what serves it first.`);
    throw judged(error);
  }
}

async function contentOf(database: Knex): Promise<string | null> {
  const tables: { name: string }[] = await database("sqlite_master")
    .where({ type: "table" })
    .whereNot("name", "like", "knex_%")
    .whereNot("name", "like", "sqlite_%");
  const names = tables.map(({ name }) => name);
  if (!names.every((name) => tableNames.includes(name))) return "It holds tables that are not Atpoint's.";
  return rowsIn(database, names);
}
