import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { InputFault } from "../log/safe-error.ts";
import type { Driver } from "./driver.ts";

/** A value that both kinds of database read and write. */
type Value = string | number | null;
type Row = readonly Value[];

interface Column {
  readonly isTime: boolean;
  /** SQLite accepts values of any type. */
  readonly holds: (value: Value) => boolean;
}

/** By name. */
export type Columns = ReadonlyMap<string, Column>;

const isText = (value: Value) => typeof value === "string";
const isTimeText = (value: Value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value));

/** By the types that Knex gives the columns of PostgreSQL (in quotation marks with `quote_all_identifiers`) and of SQLite. */
const kinds: readonly [RegExp, Column["holds"]][] = [
  [/^(timestamp with time zone|datetime)$/, isTimeText],
  [/^(uuid|char|text)$/, isText],
  [/^integer$/, Number.isInteger],
];

export async function columnsOf(database: Knex, table: string): Promise<Columns> {
  const found: Record<string, Knex.ColumnInfo> = await database(table).columnInfo();
  const columns = Object.entries(found).map(([name, { type, nullable }]) => {
    const holds = kinds.find(([types]) => types.test(type.replaceAll('"', "")))?.[1];
    if (!holds) throw new Error(`no backup can hold a column of the type ${type}`);
    // SQLite lets a primary key be null.
    const mayBeNull = nullable && name !== "id";
    const column: Column = {
      isTime: holds === isTimeText,
      holds: (value) => (value === null ? mayBeNull : holds(value)),
    };
    return [name, column] as const;
  });
  return new Map(columns.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const pageRows = 500;

/** All rows ascending by id, in portions, each an array in the order of the columns. Throws `InputFault` for a value that its column may not hold. */
export async function* pages(
  database: Knex,
  table: string,
  columns: Columns,
  time: Driver["time"],
): AsyncGenerator<Row[]> {
  const selected = [...columns].map(([name, { isTime }]) => (isTime ? database.raw(`${time(name)} as ${name}`) : name));
  let after: string | null = null;
  do {
    const query = database(table).select(selected).orderBy("id").limit(pageRows);
    const rows: { id: string; [column: string]: Value }[] = await (after === null
      ? query
      : query.where("id", ">", after));
    yield rows.map((row) =>
      [...columns].map(([name, { holds }]) => {
        const value = row[name] ?? null;
        if (holds(value)) return value;
        const wrong = value === null ? "null" : "not a value of its type";
        throw new InputFault(`${table}.${name} is ${wrong} in the row with the id ${row.id}: correct it first.`);
      }),
    );
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
