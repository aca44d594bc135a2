import type { Knex } from "knex";
import type { Database, Statement } from "sqlite3";
import { ExpectedError } from "../expected-error.ts";
import type { ListOptions, ReadPage } from "./driver.ts";
import { StorageUnavailable } from "./errors.ts";
import { columnsBy, type Dialect, listSql, orderOf } from "./list-sql.ts";

/** Between rows as JSON: a line ends nowhere else in them. */
const SEPARATOR = ",\n";

/** The rows of a page as JSON, and one more if there is one. */
interface Rows {
  /** Their objects; null without rows. */
  readonly items: string | null;
  /** Lists of their values in the columns of the order. */
  readonly keys: string;
  /** 0 or 1. */
  readonly more: number;
}

const dialect: Dialect = {
  position: (column) => `instr(${column}, ?)`,
  oneOf: (column) => `${column} in (select value from json_each(?))`,
  list: (values) => JSON.stringify(values),
};

const COLUMNS = 'select name, type, "notnull" as required from pragma_table_info(?)';
interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly required: number;
}

/** JSON of SQLite has no more than 15 digits of such a number. */
const REAL = /real|floa|doub|num|dec/i;

/** Statements with the conditions of a service are without number. */
const MAX_STATEMENTS = 200;

/** The arguments of a callback of the driver. */
const promised = <T>(work: (done: (error: Error | null, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) =>
    work((error, value) => (error ? reject(error) : resolve(value))),
  );

/** Members as an object in SQL. */
export const objectOf = (members: Readonly<Record<string, string>>): string =>
  `json_object(${Object.entries(members).map(([name, column]) => `'${name}', ${column}`)})`;

/**
 * A reading connection for the pages of tables: Knex would build, compile and prepare the statement
 * each time, for several times its cost. Opened when it is first needed; a failed attempt is
 * repeated.
 */
export function openPages(
  sqlite3: typeof import("sqlite3"),
  filename: string,
  busyMs: number,
  knex: Knex,
) {
  let connection: Promise<Database> | null = null;
  let isClosed = false;
  const statements = new Map<string, Promise<Statement>>();

  const connect = () =>
    promised<Database>((done) => {
      const opened = new sqlite3.Database(
        filename,
        sqlite3.OPEN_READWRITE | sqlite3.OPEN_URI,
        (error) => {
          if (error) return done(error, opened);
          opened.configure("busyTimeout", busyMs);
          opened.exec("PRAGMA query_only=ON;", (failed) => done(failed, opened));
        },
      );
    });
  const prepare = async (sql: string) => {
    if (isClosed) throw new StorageUnavailable(new ExpectedError("the storage is closed"));
    connection ??= connect().catch((error: unknown) => {
      connection = null;
      throw error;
    });
    const database = await connection;
    return promised<Statement>((done) => {
      const statement = database.prepare(sql, (error) => done(error, statement));
    });
  };
  const run = async <T>(sql: string, values: unknown[]): Promise<T[]> => {
    const isKept = statements.has(sql) || statements.size < MAX_STATEMENTS;
    let prepared = statements.get(sql);
    if (!prepared) {
      prepared = prepare(sql);
      if (isKept) statements.set(sql, prepared);
      prepared.catch(() => statements.delete(sql));
    }
    const statement = await prepared;
    const rows = promised<T[]>((done) => statement.all<T>(values, done));
    return isKept ? rows : rows.finally(() => statement.finalize());
  };
  const columnsOf = columnsBy(async (table) => {
    const columns = await run<ColumnInfo>(COLUMNS, [table]);
    // Fails if there is no such table, and a table has columns.
    if (columns.length === 0) await run(`select 1 from ${table}`, []);
    return columns.map(({ name, type, required }) => {
      const sql = `${table}."${name}"`;
      const real = `case when ${sql} is not null then printf('%!.17g', ${sql}) end`;
      // Columns compare by the bytes of UTF-8, which is by code points.
      const variants = { sql, sortable: sql, exact: REAL.test(type) ? real : sql };
      return { name, ...variants, isNullable: name !== "id" && required === 0 };
    });
  });
  return {
    reader<Row extends object>(table: string, members: Readonly<Record<string, string>>) {
      const object = objectOf(members);
      return (options: ListOptions<Row>): ReadPage => {
        const { name: order } = orderOf(options.orderBy);
        const read: ReadPage = async ({ after, limit }) => {
          const list = listSql(options, after, await columnsOf(table), dialect, knex);
          const sql = pageQuery(table, object, list);
          const [page] = await run<Rows>(sql, [limit, ...list.values]);
          if (!page || page.items === null) return { items: "[]", last: null, more: false };
          const more = page.more === 1;
          const onPage = (rows: string) =>
            more ? rows.slice(0, rows.lastIndexOf(SEPARATOR)) : rows;
          const keys = onPage(page.keys);
          const values = JSON.parse(keys.slice(keys.lastIndexOf("\n") + 1));
          const last = order === undefined ? values[0] : values;
          return { items: `[${onPage(page.items)}]`, last, more };
        };
        return Object.assign(read, { order });
      };
    },
    async close() {
      isClosed = true;
      const [opened, all] = [connection, [...statements.values()]];
      connection = null;
      statements.clear();
      if (!opened) return;
      const database = await opened;
      // With an open statement, SQLite would not close.
      for (const statement of await Promise.all(all)) statement.finalize();
      await promised<void>((done) => database.close(done));
    },
  };
}

/** `?1` is the length of the page. */
function pageQuery(
  table: string,
  object: string,
  { keys, where, orderBy }: ReturnType<typeof listSql>,
): string {
  // One text, created where the rows are: the driver takes three times as long to pass on each
  // value of each row. As texts, since SQLite would copy other values of a subselect with a limit.
  const rows = `select ${object} as item, json_array(${keys}) as key
    from ${table} ${where} ${orderBy} limit ?1 + 1`;
  return `select group_concat(item, '${SEPARATOR}') as items,
    group_concat(key, '${SEPARATOR}') as keys, count(*) > ?1 as more from (${rows})`;
}
