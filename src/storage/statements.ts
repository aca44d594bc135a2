import { createRequire } from "node:module";
import type { Database, Statement } from "sqlite3";
import { SafeError } from "../log/safe-error.ts";
import { unavailable } from "./unavailable.ts";

type Values = readonly (string | number)[];

/** What is asked with each request, by statements that are prepared once; `values` are those of the question marks. */
export interface Questions {
  readonly ask: (sql: string, values: Values) => Promise<unknown[]>;
  /** The values of the columns of each row of `from`, with its condition and limit, ascending by the first column, a text. */
  readonly list: <Line extends readonly unknown[]>(
    columns: readonly string[],
    from: string,
    values: Values,
    deadline?: number,
  ) => Promise<Line[]>;
}

/** It is compiled where it is installed, so it may be left out. Throws `SafeError` where it is. */
export function sqliteDriver(): typeof import("sqlite3") {
  try {
    return createRequire(import.meta.url)("sqlite3");
  } catch (cause) {
    const how = "install sqlite3 (npm install sqlite3@6), or name a PostgreSQL server";
    throw new SafeError(`DATABASE_URL names a SQLite file, and the driver for that cannot be loaded: ${how}.`, {
      cause,
    });
  }
}

interface Statements extends Questions {
  close(): Promise<void>;
}

/**
 * A reading connection for what is asked with each request: Knex would build, compile and prepare the statement each time, for
 * several times its cost. Opened when it is first needed; what has failed is tried again.
 */
export function openStatements(filename: string, busyMs: number): Statements {
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
    const made = prepare(sql);
    statements.set(sql, made);
    made.catch(() => statements.delete(sql));
    return made;
  };
  const rows = async <Row>(sql: string, values: Values): Promise<Row[]> => {
    const statement = await prepared(sql);
    return promised((done) => statement.all<Row>(values, done));
  };
  return {
    ask: rows,
    async list<Line extends readonly unknown[]>(columns: readonly string[], from: string, values: Values) {
      const names = columns.join(", ");
      // One text: the driver takes twice as long to hand over each value of each row.
      const sql = `select json_group_array(json_array(${names})) as list from (select ${names} from ${from})`;
      const [{ list = "[]" } = {}] = await rows<{ readonly list?: string }>(sql, values);
      const lines: Line[] = JSON.parse(list);
      // SQLite promises no order of what it gathers; what is in order already costs nothing.
      return lines.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
    },
    async close() {
      isClosed = true;
      const [opened, made] = [connection, [...statements.values()]];
      connection = null;
      statements.clear();
      if (!opened) return;
      const database = await opened;
      // With a statement left, SQLite would not close.
      for (const statement of await Promise.all(made)) statement.finalize();
      await promised<void>((done) => database.close(done));
    },
  };
}

/** What a callback of the driver is given. */
const promised = <T>(work: (done: (error: Error | null, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => work((error, value) => (error ? reject(error) : resolve(value))));
