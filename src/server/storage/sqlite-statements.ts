import { createRequire } from "node:module";
import type { Database, Statement } from "sqlite3";
import { MAX, NIL } from "uuid";
import { SafeError } from "../safe-error.ts";
import type { PreparedQueries } from "./driver.ts";
import { unavailable } from "./errors.ts";

const allow = "`npm pkg set --json allowScripts.sqlite3=true`";

/** By the code of the failure. npm 12 skips the script that gets or compiles the binary, unless the root package allows it. */
const driverFailures: Readonly<Record<string, string>> = {
  MODULE_NOT_FOUND: `is not installed: ${allow}, then \`npm install sqlite3@6\``,
  ERR_DLOPEN_FAILED:
    "was built for another machine: `npm rebuild sqlite3`, or, where the system is too old for that, `npm rebuild sqlite3 --build-from-source`",
};

/** It may be missing, or without its binary. Throws `SafeError` then. */
export function sqliteDriver(): typeof import("sqlite3") {
  try {
    return createRequire(import.meta.url)("sqlite3");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const how =
      driverFailures[code] ??
      `has no binary, since its install script was skipped: ${allow}, then \`npm rebuild sqlite3\``;
    throw new SafeError(`DATABASE_URL names a SQLite file, and its driver ${how}. Or name a PostgreSQL server.`, {
      cause,
    });
  }
}

/**
 * A reading connection for the queries of every request: Knex would build, compile and prepare the statement each time, for
 * several times its cost. Opened when it is first needed; a failed attempt is repeated.
 */
export function openStatements(filename: string, busyMs: number): PreparedQueries & { close(): Promise<void> } {
  let connection: Promise<Database> | null = null;
  let isClosed = false;
  const statements = new Map<string, Promise<Statement>>();

  const connect = () =>
    promised<Database>((done) => {
      const { Database, OPEN_READWRITE, OPEN_URI } = sqliteDriver();
      const opened = new Database(filename, OPEN_READWRITE | OPEN_URI, (error) => {
        if (error) return done(error, opened);
        opened.configure("busyTimeout", busyMs);
        opened.exec("PRAGMA query_only=ON;", (failed) => done(failed, opened));
      });
    });
  const prepare = async (sql: string): Promise<Statement> => {
    if (isClosed) throw unavailable(new SafeError("the storage is closed"));
    connection ??= connect().catch((error: unknown) => {
      connection = null;
      throw error;
    });
    const database = await connection;
    return promised((done) => {
      const statement = database.prepare(sql, (error) => done(error, statement));
    });
  };
  const prepared = (sql: string): Promise<Statement> => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = prepare(sql);
    statements.set(sql, statement);
    statement.catch(() => statements.delete(sql));
    return statement;
  };
  const query = async <Row>(sql: string, values: readonly (string | number)[]): Promise<Row[]> => {
    const statement = await prepared(sql);
    return promised((done) => statement.all<Row>(values, done));
  };
  return {
    query,
    pageReader(table, members) {
      const sql = pageQuery(table, members);
      return async ({ after, limit }) => {
        const [page] = await query<{ items: string; last: string | null; more: 0 | 1 }>(sql, [
          after ?? NIL,
          limit,
          MAX,
        ]);
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

/** `?1` is the id after which the page begins, `?2` its length, `?3` the greatest id that there can be. */
function pageQuery(table: string, members: Readonly<Record<string, string>>): string {
  const object = Object.entries(members).flatMap(([name, column]) => [`'${name}'`, column]);
  // One text, created where the rows are: the driver takes three times as long to pass on each value of each row.
  // Up to the id of the last row rather than from a subselect with a limit, whose rows SQLite would copy.
  const end = `select id from ${table} where id > ?1 order by id limit 1 offset ?2 - 1`;
  const page = `select json_group_array(json_object(${object}) order by id) as items, max(id) as last
    from ${table} where id > ?1 and id <= coalesce((${end}), ?3)`;
  return `select items, last, exists(select 1 from ${table} where id > last) as more from (${page})`;
}

/** The arguments of a callback of the driver. */
const promised = <T>(work: (done: (error: Error | null, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => work((error, value) => (error ? reject(error) : resolve(value))));
