import type { Knex } from "knex";
import type { Database, Statement } from "sqlite3";
import { ExpectedError } from "../expected-error.ts";
import type { Id, ListOptions, Members, OrderValue, ReadPage } from "./driver.ts";
import { StorageUnavailable } from "./errors.ts";
import { columnsBy, type Dialect, listSql, orderOf } from "./list-sql.ts";

/** `more` is 0 or 1. */
interface Row {
  readonly items: string;
  readonly last: Id | null;
  readonly more: number;
}

/** `k0`, `k1`, … are the values of the last item in the columns of the order. */
type ListRow = Omit<Row, "last"> & { readonly [key: `k${number}`]: OrderValue };

/** Columns compare by the bytes of UTF-8, which is by code points. */
const dialect: Dialect = {
  byCodePoints: (column) => column,
  position: (column) => `instr(${column}, ?)`,
  oneOf: (column) => `${column} in (select value from json_each(?))`,
  list: (values) => JSON.stringify(values),
};

const COLUMNS = 'select name, "notnull" as required from pragma_table_info(?)';

/** Statements with the conditions of a service are without number. */
const MAX_STATEMENTS = 200;

/** The arguments of a callback of the driver. */
const promised = <T>(work: (done: (error: Error | null, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) =>
    work((error, value) => (error ? reject(error) : resolve(value))),
  );

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
  const run = async <T>(sql: string, values: readonly unknown[]): Promise<T[]> => {
    const isKept = statements.has(sql) || statements.size < MAX_STATEMENTS;
    const prepared = statements.get(sql) ?? prepare(sql);
    if (isKept) {
      statements.set(sql, prepared);
      prepared.catch(() => statements.delete(sql));
    }
    const statement = await prepared;
    try {
      return await promised<T[]>((done) => statement.all<T>([...values], done));
    } finally {
      if (!isKept) statement.finalize();
    }
  };
  const columnsOf = columnsBy(async (table) => {
    const columns = await run<{ name: string; required: number }>(COLUMNS, [table]);
    return columns.map(({ name, required }) => ({ name, isText: true, isNullable: !required }));
  });
  const readerById = (table: string, members: Members): ReadPage => {
    const first = pageQuery(table, members, "true");
    const later = pageQuery(table, members, "id > ?1");
    return async ({ after, limit }) => {
      const [page] = await run<Row>(after === null ? first : later, [after, limit, ABOVE_ALL]);
      return { items: page?.items ?? "[]", last: page?.last ?? null, more: page?.more === 1 };
    };
  };
  return {
    reader<Row extends object>(
      table: string,
      members: Members,
      options: ListOptions<Row>,
    ): ReadPage {
      const { name: order } = orderOf(options.orderBy);
      if (order === undefined && options.where === undefined) return readerById(table, members);
      const read: ReadPage = async ({ after, limit }) => {
        const list = listSql(table, options, after, await columnsOf(table), dialect, knex);
        const [page] = await run<ListRow>(listQuery(table, members, list), [limit, ...list.values]);
        const values = list.keys.map((_, index) => page?.[`k${index}`] ?? null);
        const [id = null] = values;
        const last = order === undefined ? id : values;
        return { items: page?.items ?? "[]", last, more: page?.more === 1 };
      };
      return Object.assign(read, { order });
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

/** SQLite sorts every number and every text before a blob. */
const ABOVE_ALL = Buffer.alloc(0);

/** The members of an object of JSON, and their values. */
const objectOf = (members: Members) =>
  Object.entries(members).flatMap(([name, column]) => [`'${name}'`, column]);

/**
 * `?1` is the id after which the page begins, `?2` its length, `?3` is above every id; `behind`:
 * the condition for what comes after `?1`.
 */
function pageQuery(table: string, members: Members, behind: string): string {
  // One text, created where the rows are: the driver takes three times as long to pass on each
  // value of each row. Up to the id of the last row rather than from a subselect with a limit,
  // whose rows SQLite would copy.
  const end = `select id from ${table} where ${behind} order by id limit 1 offset ?2 - 1`;
  const items = `json_group_array(json_object(${objectOf(members)}) order by id)`;
  const page = `select ${items} as items, max(id) as last
    from ${table} where ${behind} and id <= coalesce((${end}), ?3)`;
  const hasMore = `exists(select 1 from ${table} where id > last)`;
  return `select items, last, ${hasMore} as more from (${page})`;
}

/**
 * `?1` is the length of the page; the row behind it shows whether more follow. One text, as in
 * `pageQuery`.
 */
function listQuery(
  table: string,
  members: Members,
  { keys, where, orderBy }: ReturnType<typeof listSql>,
): string {
  const columns = keys.map((column, index) => `${column} as k${index}`);
  const rows = `select json_object(${objectOf(members)}) as item, ${columns}
    from ${table} ${where} ${orderBy} limit ?1 + 1`;
  const last = keys.map((_, index) => `max(case row when ?1 then k${index} end) as k${index}`);
  return `select '[' || coalesce(group_concat(item) filter (where row <= ?1), '') || ']' as items,
    ${last}, count(*) > ?1 as more
    from (select *, row_number() over () as row from (${rows}))`;
}
