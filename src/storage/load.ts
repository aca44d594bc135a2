import type { Knex } from "knex";
import { InputFault } from "../log/safe-error.ts";
import type { Driver } from "./driver.ts";
import type { TableHead } from "./dump.ts";
import { compareMigrations, tableNames } from "./migrate.ts";
import { type Columns, columnsOf, pages, sumOf, type TableSum } from "./table-rows.ts";

/** See `Storage.load`. Written rows are read again and compared with the sums of the backup before they count. */
export async function load(driver: Driver, parts: AsyncIterable<unknown>, replace: boolean): Promise<TableSum[]> {
  const migrator = driver.migrator();
  try {
    return await migrator.transaction(async (database) => {
      await database.raw(driver.migrationLock);
      const holds = replace ? null : await rowsIn(database, tableNames);
      if (holds !== null)
        throw new InputFault(`The database of DATABASE_URL is not empty. ${holds} To lose that: --replace`);
      for (const table of tableNames) await database(table).delete();
      return await fill(database, parts, driver);
    }, driver.committed);
  } finally {
    await migrator.destroy();
  }
}

/** What is in some of our tables, as a sentence; null when they are empty. */
export async function rowsIn(database: Knex, tables: readonly string[]): Promise<string | null> {
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table] = Number((await database(table).count({ rows: "*" }))[0]?.rows);
  const { users = 0, api_keys: keys = 0, ...others } = rows;
  const other = Object.values(others).reduce((sum, count) => sum + count, 0);
  if (users + keys + other === 0) return null;
  const amount = (count: number, what: string) => `${count || "no"} ${what}${count > 1 ? "s" : ""}`;
  const all = [amount(keys, "API key"), amount(users, "user"), ...(other > 0 ? [amount(other, "other row")] : [])];
  return `It holds ${all.slice(0, -1).join(", ")} and ${all.at(-1)}.`;
}

const notWhole = () => new InputFault("The backup is not whole, or is none.");

async function fill(database: Knex, parts: AsyncIterable<unknown>, { time }: Driver): Promise<TableSum[]> {
  const sums: TableSum[] = [];
  let tables: readonly string[] | undefined;
  let open: { readonly section: TableHead; readonly columns: Columns } | undefined;
  let batch: object[] = [];
  const write = async (table: string) => {
    if (batch.length > 0) await database(table).insert(batch);
    batch = [];
  };
  for await (const part of parts) {
    if (!tables) tables = tablesIn(part);
    else if (Array.isArray(part) && open && part.length === open.section.columns.length) {
      batch.push(Object.fromEntries(open.section.columns.map((column, index) => [column, part[index]])));
      if (batch.length === batchRows) await write(open.section.table);
    } else if (!open && isTableHead(part) && part.table === tables[sums.length]) {
      open = { section: part, columns: await columnsIn(database, part) };
    } else if (open && isTableSum(part) && part.table === open.section.table) {
      await write(part.table);
      sums.push(await verified(database, part, open.columns, time));
      open = undefined;
    } else throw notWhole();
  }
  if (!tables || sums.length < tables.length) throw notWhole();
  return sums;
}

/** Below the number of parameters that either database accepts in one statement. */
const batchRows = 200;

const isObject = (part: unknown): part is Record<string, unknown> => typeof part === "object" && part !== null;
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const isTableHead = (part: unknown): part is TableHead & Record<string, unknown> =>
  isObject(part) && typeof part.table === "string" && areTexts(part.columns);

const isTableSum = (part: unknown): part is TableSum & Record<string, unknown> =>
  isObject(part) && typeof part.table === "string" && Number.isInteger(part.rows) && typeof part.digest === "string";

/** The tables that the head of a backup announces. */
function tablesIn(part: unknown): readonly string[] {
  if (!isObject(part) || part.atpoint !== "backup" || !areTexts(part.migrations) || !areTexts(part.tables))
    throw notWhole();
  const { newer } = compareMigrations(part.migrations);
  if (part.format !== 1 || newer.length > 0 || part.tables.some((table) => !tableNames.includes(table)))
    throw new InputFault(`The backup is of a newer release, ${String(part.version)}: restore it with that one.`);
  return part.tables;
}

/** The columns of a table that the backup has; columns that an older release did not have keep their default. */
async function columnsIn(database: Knex, { table, columns }: TableHead): Promise<Columns> {
  const known = await columnsOf(database, table);
  return new Map(
    columns.map((column) => {
      const found = known.get(column);
      if (!found) throw notWhole();
      return [column, found];
    }),
  );
}

async function verified(database: Knex, wanted: TableSum, columns: Columns, time: Driver["time"]): Promise<TableSum> {
  const sum = sumOf(wanted.table);
  for await (const page of pages(database, wanted.table, columns, time)) for (const row of page) sum.add(row);
  const found = sum.end();
  if (found.rows !== wanted.rows || found.digest !== wanted.digest)
    throw new InputFault(
      `${wanted.table}: ${found.rows} rows were restored, and differ from the ${wanted.rows} of the backup. Nothing was changed.`,
    );
  return found;
}
