import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { timeText } from "./time.ts";

/** A value that both kinds of database read and write. */
type Value = string | number | null;
type Row = readonly Value[];

/** How the value of a column is read, by its name. */
export type Columns = ReadonlyMap<string, (stored: never) => Value>;

/** By the types that Knex gives the columns of PostgreSQL and of SQLite. */
const readings: readonly [RegExp, (stored: never) => Value][] = [
  [/^(timestamp with time zone|datetime)$/, timeText],
  [/^(uuid|char|text|integer)$/, (stored: Value) => stored],
];

export async function columnsOf(database: Knex, table: string): Promise<Columns> {
  const found: Record<string, Knex.ColumnInfo> = await database(table).columnInfo();
  const columns = Object.entries(found).map(([name, { type }]) => {
    const reading = readings.find(([types]) => types.test(type))?.[1];
    if (!reading) throw new Error(`no backup can hold a column of the type ${type}`);
    return [name, reading] as const;
  });
  return new Map(columns.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const pageRows = 500;

/** All rows ascending by id, in portions, each an array in the order of the columns. */
export async function* pages(database: Knex, table: string, columns: Columns): AsyncGenerator<Row[]> {
  let after: string | null = null;
  do {
    const query = database(table).orderBy("id").limit(pageRows);
    const rows: { id: string; [column: string]: unknown }[] = await (after === null
      ? query
      : query.where("id", ">", after));
    // Each function takes the value that the database returns for the type of its column.
    yield rows.map((row) => [...columns].map(([name, read]) => (row[name] === null ? null : read(row[name] as never))));
    after = rows.length < pageRows ? null : (rows.at(-1)?.id ?? null);
  } while (after !== null);
}

/** The end of a table in a backup. */
export interface TableSum {
  readonly table: string;
  readonly rows: number;
  /** SHA-256, in hexadecimal, of its rows as lines of JSON, ascending by id: the same on both kinds of database. */
  readonly digest: string;
}

/** Counts and digests the rows of a table, ascending by id. */
export function sumOf(table: string): { add(row: Row): void; end(): TableSum } {
  const hash = createHash("sha256");
  let rows = 0;
  return {
    add(row) {
      rows++;
      hash.update(`${JSON.stringify(row)}\n`);
    },
    end: () => ({ table, rows, digest: hash.digest("hex") }),
  };
}
