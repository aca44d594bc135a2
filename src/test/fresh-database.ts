import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import knex from "knex";
import pg from "pg";

/** A kind of database to run on. */
export interface DatabaseUnderTest {
  readonly name: string;
  /** A new empty database, as a value of DATABASE_URL that works in a child process too. */
  fresh(): Promise<{ readonly url: string; run(statement: string): Promise<unknown[]>; drop(): Promise<void> }>;
}

export const sqlite: DatabaseUnderTest = {
  name: "SQLite",
  async fresh() {
    const folder = await mkdtemp(join(tmpdir(), "atpoint-"));
    const filename = join(folder, "test.sqlite");
    return {
      url: `sqlite:${filename}`,
      async run(statement) {
        const database = knex({ client: "sqlite3", connection: { filename }, useNullAsDefault: true });
        return database.raw(statement).finally(() => database.destroy());
      },
      drop: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/** What an operator may have set for the server, the database or the role: each changes what a session returns or how it fails. */
const otherDefaults = `
  datestyle=SQL,DMY timezone=Asia/Kathmandu default_transaction_isolation=serializable
  default_transaction_deferrable=on intervalstyle=sql_standard bytea_output=escape extra_float_digits=-15
  standard_conforming_strings=off client_encoding=LATIN1 quote_all_identifiers=on transform_null_equals=on
  plan_cache_mode=force_generic_plan enable_indexscan=off row_security=off`;

/** The same with these defaults. */
export const withOtherDefaults = ({ name, fresh }: DatabaseUnderTest): DatabaseUnderTest => ({
  name: `${name} with other defaults`,
  async fresh() {
    const { url, ...rest } = await fresh();
    const options = otherDefaults.replaceAll("=", "%3D").replace(/\s+/g, "%20-c%20");
    return { ...rest, url: url + options };
  },
});

/** Every fresh database is a schema of its own in the one that TEST_POSTGRES_URL names. */
export function postgres(server: string): DatabaseUnderTest {
  async function run(statement: string, connectionString = server): Promise<unknown[]> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query(statement).finally(() => client.end());
    return rows;
  }
  return {
    name: "PostgreSQL",
    async fresh() {
      const schema = `test_${randomUUID().replaceAll("-", "")}`;
      await run(`create schema ${schema}`);
      const url = `${server}${server.includes("?") ? "&" : "?"}options=-c%20search_path%3D${schema}`;
      return {
        url,
        run: (statement) => run(statement, url),
        drop: async () => void (await run(`drop schema ${schema} cascade`)),
      };
    },
  };
}
