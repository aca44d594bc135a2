import { createHash } from "node:crypto";
import knex, { type Knex } from "knex";
import { UsageError } from "../expected-error.ts";
import type { DatabaseConfig } from "../settings/config.ts";
import { openDriver } from "./database.ts";
import { toStorageError, withStorageErrors } from "./errors.ts";
import { foreignDatabaseError, type Migration, migrationState, tablesOf } from "./migrate.ts";
import { sqliteConfig } from "./sqlite.ts";
import { openSqliteFile } from "./sqlite-file.ts";

export interface MovedTable {
  readonly table: string;
  readonly rows: number;
  /**
   * SHA-256, in hexadecimal, of its rows as lines of JSON, ascending by id: the same in both
   * databases.
   */
  readonly digest: string;
}

/**
 * Throws `UsageError` unless the file has our tables, in this version or an older one, and no other
 * process has it open.
 */
export async function openAlone(
  path: string,
  service: Pick<DatabaseConfig, "name" | "title">,
  migrations: readonly Migration[],
): Promise<Knex> {
  openSqliteFile(path, "never", service);
  const source = knex({ ...sqliteConfig(path), pool: { min: 1, max: 1 } });
  try {
    await source.raw("PRAGMA locking_mode=EXCLUSIVE");
    // Moves the content of the -wal file into the file: SQLite does so only for the one process
    // that has it open.
    await source.raw("PRAGMA journal_mode=DELETE");
    await source.raw("BEGIN EXCLUSIVE");
    if (!(await source.schema.hasTable("api_keys")))
      throw foreignDatabaseError(service.title, "it has none of its tables.");
    const { newer } = await migrationState(source, migrations);
    if (newer.length > 0)
      throw new UsageError(
        `A newer release has migrated the database (${newer.join(", ")}): use that one.`,
      );
    return source;
  } catch (error) {
    await source.destroy();
    const isBusy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
    throw isBusy
      ? new UsageError(`${path} is in use: stop what serves it first.`)
      : toStorageError(error);
  }
}

/**
 * Copies every row into a PostgreSQL database: all of them or, when it throws, none. Written rows
 * are read again and compared before they count. `reading` wraps what is read from the source.
 * Throws `UsageError` when the target is not empty, unless that is to be replaced.
 */
export async function move(
  source: Knex,
  target: DatabaseConfig,
  migrations: readonly Migration[],
  replace: boolean,
  reading: <T>(rows: AsyncIterable<T>) => AsyncIterable<T>,
): Promise<readonly MovedTable[]> {
  const tables = tablesOf(migrations);
  const driver = openDriver(target);
  const migrator = driver.migrator();
  const work = async (database: Knex) => {
    await database.raw(driver.migrationLock);
    if (!replace) await expectEmpty(database, tables);
    for (const table of [...tables].reverse()) await database(table).delete();
    const moved: MovedTable[] = [];
    for (const table of tables) {
      if (!(await source.schema.hasTable(table))) continue;
      const columns = await columnsOf(source, table);
      const names = columns.map(({ name }) => name);
      const read = await copyAndDigest(
        table,
        reading(pages(source, table, names)),
        async (rows) => {
          for (const row of rows)
            for (const { name, holds } of columns)
              if (!holds(row[name] ?? null)) throw wrongValue(table, name, row);
          await database(table).insert(rows);
        },
      );
      const texts = columns.map(({ name, isTime }) =>
        isTime ? database.raw(`${driver.isoTimestampSql(name)} as ${name}`) : name,
      );
      const written = await copyAndDigest(table, pages(database, table, texts));
      const differ =
        `${table}: ${written.rows} rows were written, and differ from the ${read.rows} that ` +
        "were read.";
      if (written.digest !== read.digest) throw new UsageError(differ);
      moved.push(written);
    }
    return moved;
  };
  return withStorageErrors(() => migrator.transaction(work, driver.readCommitted)).finally(
    async () => {
      await migrator.destroy();
      await driver.close();
    },
  );
}

async function expectEmpty(database: Knex, tables: readonly string[]): Promise<void> {
  const rows: Record<string, number> = {};
  for (const table of tables)
    rows[table] = Number((await database(table).count({ rows: "*" }))[0]?.rows);
  if (Object.values(rows).every((count) => count === 0)) return;
  const { api_keys: keys = 0, idempotency_keys: calls = 0, ...otherCounts } = rows;
  const amount = (count: number, what: string) => `${count || "no"} ${what}${count > 1 ? "s" : ""}`;
  const amounts = [
    amount(keys, "API key"),
    ...Object.entries(otherCounts).map(([table, count]) => amount(count, table.replace(/s$/, ""))),
  ];
  if (calls > 0) amounts.push(amount(calls, "other row"));
  const holds = new Intl.ListFormat("en-GB").format(amounts);
  throw new UsageError(
    `The database of DATABASE_URL is not empty. It holds ${holds}. To lose that: --replace`,
  );
}

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

const isText = (value: Value) => typeof value === "string";
const isTime = (value: Value) =>
  isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value));

/** By the types that Knex gives the columns of SQLite, which accepts values of any. */
const KINDS: readonly (readonly [RegExp, (value: Value) => boolean])[] = [
  [/^(timestamp with time zone|datetime)$/, isTime],
  [/^(uuid|char|text)$/, isText],
  [/^integer$/, Number.isInteger],
];

/** Ascending by name, as their values are in each line. */
async function columnsOf(source: Knex, table: string) {
  const info: Record<string, Knex.ColumnInfo> = await source(table).columnInfo();
  const columns = Object.entries(info).map(([name, { type, nullable }]) => {
    const kind = KINDS.find(([types]) => types.test(type))?.[1];
    if (!kind) throw new Error(`a column of the type ${type} cannot be moved`);
    // SQLite lets a primary key be null.
    const holds = (value: Value) => (value === null ? nullable && name !== "id" : kind(value));
    return { name, isTime: kind === isTime, holds };
  });
  return columns.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function wrongValue(table: string, column: string, row: Row): UsageError {
  const wrong = (row[column] ?? null) === null ? "null" : "not a value of its type";
  return new UsageError(
    `${table}.${column} is ${wrong} in the row with the id ${row.id}: correct it first.`,
  );
}

/** Below the number of parameters that PostgreSQL accepts in one statement. */
const PAGE_ROWS = 500;

/** All rows ascending by id, in portions. */
async function* pages(
  database: Knex,
  table: string,
  columns: readonly (string | Knex.Raw)[],
): AsyncGenerator<Row[]> {
  let after: Value = null;
  do {
    const query = database(table).select(columns).orderBy("id").limit(PAGE_ROWS);
    const rows: Row[] = await (after === null ? query : query.where("id", ">", after));
    if (rows.length > 0) yield rows;
    after = rows.length < PAGE_ROWS ? null : (rows.at(-1)?.id ?? null);
  } while (after !== null);
}

/** Counts and digests the rows of a table, after `use` of each page. */
async function copyAndDigest(
  table: string,
  pages: AsyncIterable<Row[]>,
  use: (rows: Row[]) => unknown = () => {},
): Promise<MovedTable> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const page of pages) {
    await use(page);
    rows += page.length;
    for (const row of page) hash.update(`${JSON.stringify(row)}\n`);
  }
  return { table, rows, digest: hash.digest("hex") };
}
