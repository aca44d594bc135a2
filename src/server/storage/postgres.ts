import knex from "knex";
import type { Client } from "pg";
import type { DatabaseConfig } from "../settings/config.ts";
import { parseAddress } from "./address.ts";
import { type Driver, type Id, type ReadPage, silentKnex } from "./driver.ts";
import { isReadOnly } from "./errors.ts";
import { columnsBy, type Dialect, listSql, orderOf } from "./list-sql.ts";

/** Any number that nothing else in the database uses as an advisory lock. */
const ADVISORY_LOCK = 4_022_303_003;

/**
 * A server that has become a standby rejects writes and goes on serving reads: no connection that
 * was opened before that is used again. At most once a second, so that a server that is read-only
 * on purpose is not reconnected to for every write.
 */
function countSwitches() {
  const begun = new Map<number, number>();
  const openedAt = new WeakMap<object, number>();
  let count = 0;
  let notedAt = Number.NEGATIVE_INFINITY;
  return {
    /**
     * Of a pool of tarn's, as Knex has. A connection that was under way when the server was left
     * may have reached it.
     */
    watch(pool: { on(event: string, listener: (id: number, connection: object) => void): void }) {
      pool.on("createRequest", (id) => void begun.set(id, count));
      pool.on("createSuccess", (id, connection) => {
        openedAt.set(connection, begun.get(id) ?? count);
        begun.delete(id);
      });
      pool.on("createFail", (id) => void begun.delete(id));
    },
    isCurrent: (connection: object) => openedAt.get(connection) === count,
    note() {
      if (performance.now() - notedAt < 1000) return;
      notedAt = performance.now();
      count++;
    },
  };
}

const isoTimestampSql = (expression: string) =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const cancelAt: Driver["cancelAt"] = (statement, deadline) => {
  if (deadline === undefined || !statement.timeout) return statement;
  // Knex treats 0 as no limit.
  return statement.timeout(Math.max(1, Math.ceil(deadline - performance.now())), { cancel: true });
};

/** With or without a right to them. A schema that the role lacks is an error. */
const listRelationsSql = `select relname as name from pg_class
  where relnamespace = coalesce(quote_ident(current_schema()), '"no schema"')::regnamespace`;

/**
 * Rows are hidden silently unless the session has `row_security = off`; a default is evaluated only
 * for a row.
 */
const restrictionSql = `case
  when row_security_active(to_regclass(quote_ident(?))) then 'row-level security'
  when exists (
    select from pg_attrdef
    join pg_depend on objid = pg_attrdef.oid join pg_class on pg_class.oid = refobjid
    where adrelid = to_regclass(quote_ident(?))
      and case relkind when 'S' then not has_sequence_privilege(pg_class.oid, 'usage, update') end
  ) then 'the missing right to its sequence' end`;

/** A type with a collation is a text. */
const COLUMNS = `select attname as name, not attnotnull as "isNullable",
    typcollation > 0 as "isText"
  from pg_attribute join pg_type on pg_type.oid = atttypid
  where attrelid = ?::regclass and attnum > 0 and not attisdropped`;
interface ColumnInfo {
  readonly name: string;
  readonly isNullable: boolean;
  readonly isText: boolean;
}

/** A column as lists use it. */
function columnOf(table: string, { name, isNullable, isText }: ColumnInfo) {
  const sql = `${table}."${name}"`;
  // A text has the collation of its column otherwise, which hardly ever goes by code points; no
  // other type has one.
  const sortable = isText ? `${sql} collate "C"` : sql;
  // As text, whatever form the session inherits.
  return { name, sql, sortable, exact: `to_json(${sql}) #>> '{}'`, isNullable };
}

const dialect: Dialect = {
  position: (column) => `strpos(${column}, ?)`,
  oneOf: (column) => `${column} = any(?)`,
  list: (values) => values.map(String),
};

/** Members as columns of a statement. */
const fieldsOf = (members: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(members).map(([name, column]) => `${column} as "${name}"`);

/** The name of what a row has next to its members: the values of the order. */
const KEYS = "~keys";
interface ListRow {
  readonly id: Id;
  readonly [KEYS]?: readonly (string | null)[];
}

export function openPostgres(config: DatabaseConfig): Driver {
  const { DATABASE_URL, DATABASE_TIMEOUT_MS } = config;
  parseAddress(DATABASE_URL);
  const switches = countSwitches();
  const connect = (max: number, statementMs: number) => {
    const connections = knex({
      ...silentKnex,
      client: "pg",
      connection: {
        connectionString: DATABASE_URL,
        application_name: config.name,
        connectionTimeoutMillis: DATABASE_TIMEOUT_MS,
        // The server cancels a slow statement; the client gives up on a server that is silent.
        statement_timeout: statementMs,
        query_timeout: statementMs + 500,
        keepAlive: true,
      },
      acquireConnectionTimeout: DATABASE_TIMEOUT_MS,
      pool: {
        min: 0,
        max,
        // A pooler may reject it as a parameter of the start.
        afterCreate: (connection: Client, done: (error: Error) => void) =>
          connection.query("set row_security = off; set extra_float_digits = 1", done),
        // A query that the client gave up on still blocks its connection, for as long as the server
        // stays silent.
        validate: (connection: Client) =>
          switches.isCurrent(connection) &&
          (!("readyForQuery" in connection) || connection.readyForQuery === true),
      },
    });
    switches.watch(connections.client.pool);
    return connections.on("query-error", (error: unknown) => isReadOnly(error) && switches.note());
  };
  const both = connect(config.DATABASE_POOL, DATABASE_TIMEOUT_MS);
  const columnsOf = columnsBy(async (table) => {
    const { rows }: { rows: ColumnInfo[] } = await both.raw(COLUMNS, [table]);
    return rows.map((column) => columnOf(table, column));
  });
  return {
    reader: both,
    writer: both,
    readCommitted: { isolationLevel: "read committed" },
    hasOneWriter: false,
    pageReader: (table, members) => (options) => {
      const { name: order } = orderOf(options.orderBy);
      const fields = fieldsOf(members);
      const read: ReadPage = async ({ after, limit }, deadline) => {
        const list = listSql(options, after, await columnsOf(table), dialect, both);
        const keys = order === undefined ? [] : [`array[${list.keys}] as "${KEYS}"`];
        const sql = `select ${[...fields, ...keys]} from ${table} ${list.where} ${list.orderBy}
          limit ?`;
        const statement = both.raw(sql, [...list.values, limit + 1]);
        const rows: ListRow[] = (await cancelAt(statement, deadline)).rows;
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        return {
          items: JSON.stringify(page.map(({ [KEYS]: _, ...item }) => item)),
          last: (order === undefined ? last?.id : last?.[KEYS]) ?? null,
          more: rows.length > limit,
        };
      };
      return Object.assign(read, { order });
    },
    async findRow(knex, table, members, id) {
      const { rows }: { rows: object[] } = await knex.raw(
        `select ${fieldsOf(members)} from ${table} where ${table}.id = ?`,
        [id],
      );
      return rows[0];
    },
    migrator: () => connect(1, config.MIGRATION_TIMEOUT_MS),
    isoTimestampSql,
    jsonSql: (expression) => `(${expression})::json`,
    migrationLock: `select pg_advisory_xact_lock(${ADVISORY_LOCK})`,
    listRelationsSql,
    restrictionSql,
    listTablesSql: "select tablename as name from pg_tables where schemaname = current_schema()",
    encodingSql:
      "current_setting('server_encoding') as encoding, " +
      `${isoTimestampSql("clock_timestamp()")} as now`,
    integritySql: "'ok'",
    cancelAt,
    assertFileUnchanged() {},
    async writeMarker() {},
    close: () => both.destroy(),
  };
}
