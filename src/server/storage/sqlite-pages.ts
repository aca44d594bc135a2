import type { Database, Statement } from "sqlite3";
import { ExpectedError } from "../expected-error.ts";
import type { Page, ReadPage } from "./driver.ts";
import { StorageUnavailable } from "./errors.ts";

/** `more` is 0 or 1. */
type Row = Omit<Page, "more"> & { readonly more: number };

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
export function openPages(sqlite3: typeof import("sqlite3"), filename: string, busyMs: number) {
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
  return {
    reader(table: string, members: Readonly<Record<string, string>>): ReadPage {
      const first = pageQuery(table, members, "true");
      const later = pageQuery(table, members, "id > ?1");
      return async ({ after, limit }) => {
        const sql = after === null ? first : later;
        let prepared = statements.get(sql);
        if (!prepared) {
          prepared = prepare(sql);
          statements.set(sql, prepared);
          prepared.catch(() => statements.delete(sql));
        }
        const statement = await prepared;
        const [page] = await promised<Row[]>((done) =>
          statement.all<Row>([after, limit, ABOVE_ALL], done),
        );
        return { items: page?.items ?? "[]", last: page?.last ?? null, more: page?.more === 1 };
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

/** SQLite sorts every number and every text before a blob. */
const ABOVE_ALL = Buffer.alloc(0);

/**
 * `?1` is the id after which the page begins, `?2` its length, `?3` is above every id; `behind`:
 * the condition for what comes after `?1`.
 */
function pageQuery(
  table: string,
  members: Readonly<Record<string, string>>,
  behind: string,
): string {
  const object = Object.entries(members).flatMap(([name, column]) => [`'${name}'`, column]);
  // One text, created where the rows are: the driver takes three times as long to pass on each
  // value of each row. Up to the id of the last row rather than from a subselect with a limit,
  // whose rows SQLite would copy.
  const end = `select id from ${table} where ${behind} order by id limit 1 offset ?2 - 1`;
  const items = `json_group_array(json_object(${object}) order by id)`;
  const page = `select ${items} as items, max(id) as last
    from ${table} where ${behind} and id <= coalesce((${end}), ?3)`;
  const hasMore = `exists(select 1 from ${table} where id > last)`;
  return `select items, last, ${hasMore} as more from (${page})`;
}
