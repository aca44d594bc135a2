import type { Knex } from "knex";
import { ExpectedError } from "../expected-error.ts";
import type { Filter, ListOptions, OrderBy, OrderValue, Position } from "./driver.ts";

/** A column of a table. */
interface Column {
  readonly name: string;
  /** With its table, since a member may have the same name. */
  readonly sql: string;
  /** In an order, where a text goes by its code points. */
  readonly sortable: string;
  /** In a cursor, which has every value exactly. */
  readonly exact: string;
  readonly isNullable: boolean;
}

type Columns = ReadonlyMap<string, Column>;

/** The columns of tables, each read once: migrations change them before the service reads. */
export function columnsBy(read: (table: string) => Promise<readonly Column[]>) {
  const tables = new Map<string, Promise<Columns>>();
  return (table: string): Promise<Columns> => {
    const known = tables.get(table);
    if (known) return known;
    const columns = read(table).then((all) => new Map(all.map((column) => [column.name, column])));
    tables.set(table, columns);
    columns.catch(() => tables.delete(table));
    return columns;
  };
}

/** How the SQL of databases differs. */
export interface Dialect {
  /** Where the text `?` begins in another, from 1; 0 when it is not in there. */
  readonly position: (column: string) => string;
  /** Whether a column has a value of the list `?`, and that list as a value. */
  readonly oneOf: (column: string) => string;
  readonly list: (values: readonly Knex.Value[]) => Knex.Value;
}

/** A condition or another expression, with the values of its `?`. */
export interface Sql {
  readonly sql: string;
  readonly values: readonly Knex.RawBinding[];
}

/** The columns of an order, the last one the id. */
interface OrderColumn {
  readonly name: string;
  readonly isDescending: boolean;
}

export function orderOf<Row extends object>(orderBy: readonly OrderBy<Row>[] = []) {
  const columns: OrderColumn[] = orderBy.map((given) =>
    typeof given === "string"
      ? { name: given, isDescending: false }
      : { name: given.column, isDescending: given.order === "desc" },
  );
  if (columns.at(-1)?.name !== "id") columns.push({ name: "id", isDescending: false });
  const names = columns.map(({ name, isDescending }) => (isDescending ? `${name} desc` : name));
  const name = names.join();
  return { columns, name: name === "id" ? undefined : name };
}

/** The parts of the statement that reads a page of a list. */
export function listSql<Row extends object>(
  { where, orderBy }: ListOptions<Row>,
  after: Position | null,
  columns: Columns,
  dialect: Dialect,
  knex: Knex,
) {
  const columnOf = (name: string): Column => {
    const column = columns.get(name);
    if (!column) throw new ExpectedError(`a list is of a table without a column "${name}"`);
    return column;
  };
  const order = orderOf(orderBy).columns.map(({ name, isDescending }) => ({
    ...columnOf(name),
    isDescending,
  }));
  const conditions: Sql[] = [];
  if (typeof where === "function") conditions.push(conditionOf(where, knex));
  else
    for (const [name, filter] of Object.entries<Filter<Knex.Value> | undefined>(where ?? {}))
      if (filter) conditions.push(...filterSql(columnOf(name), filter, dialect));
  if (after !== null) conditions.push(behind(order, Array.isArray(after) ? after : [after]));
  const orders = order.map(
    ({ sortable, isDescending, isNullable }) =>
      `${sortable}${isDescending ? " desc" : ""}${isNullable ? " nulls last" : ""}`,
  );
  return {
    keys: order.map(({ exact }) => exact),
    where: conditions.length > 0 ? `where ${conditions.map(({ sql }) => sql).join(" and ")}` : "",
    values: conditions.flatMap(({ values }) => values),
    orderBy: `order by ${orders.join(", ")}`,
  };
}

/** Without the rest that such a statement may have. */
function conditionOf<Row extends object>(
  where: (query: Knex.QueryBuilder<Row>) => unknown,
  knex: Knex,
): Sql {
  const { sql, bindings } = knex.queryBuilder().where(where).toSQL();
  return { sql: sql.replace(/^select \*( where )?/, "") || "1 = 1", values: bindings };
}

function filterSql(
  { sql: column, sortable }: Column,
  filter: Filter<Knex.Value>,
  { position, oneOf, list }: Dialect,
): Sql[] {
  const conditions: readonly [sql: string, value: Knex.Value | undefined][] = [
    [`${column} = ?`, filter.equal],
    [oneOf(column), filter.oneOf && list(filter.oneOf)],
    [`${sortable} >= ?`, filter.atLeast],
    [`${sortable} <= ?`, filter.atMost],
    [`${sortable} < ?`, filter.before],
    [`${position(column)} > 0`, filter.contains],
    [`${position(column)} = 1`, filter.startsWith],
  ];
  return conditions.flatMap(([sql, value]) =>
    value === undefined
      ? []
      : [{ sql, values: [value instanceof Date ? value.toISOString() : value] }],
  );
}

type SortedColumn = Column & OrderColumn;

/** What comes after these values. */
function behind(order: readonly SortedColumn[], values: readonly OrderValue[]): Sql {
  const isUniform = order.every(
    ({ isDescending, isNullable }) => !isNullable && isDescending === order[0]?.isDescending,
  );
  // An index has the rows from there on only for a comparison of whole rows.
  if (isUniform) {
    const columns = order.map(({ sortable }) => sortable).join(", ");
    const places = order.map(() => "?").join(", ");
    return { sql: `(${columns}) ${order[0]?.isDescending ? "<" : ">"} (${places})`, values };
  }
  // Equal in the first columns, and later in the next one.
  const alternatives = order.flatMap(({ sortable, isDescending, isNullable }, index): Sql[] => {
    const { [index]: value = null } = values;
    // Null is last: nothing comes after it.
    if (value === null) return [];
    const equal = order.slice(0, index).map(equalTo(values));
    const later = `${sortable} ${isDescending ? "<" : ">"} ?`;
    const last = isNullable ? `(${later} or ${sortable} is null)` : later;
    return [
      {
        sql: `(${[...equal.map(({ sql }) => sql), last].join(" and ")})`,
        values: [...equal.flatMap(({ values }) => values), value],
      },
    ];
  });
  return {
    sql: `(${alternatives.map(({ sql }) => sql).join(" or ")})`,
    values: alternatives.flatMap(({ values }) => values),
  };
}

const equalTo =
  (values: readonly OrderValue[]) =>
  ({ sortable }: SortedColumn, index: number): Sql => {
    const { [index]: value = null } = values;
    return value === null
      ? { sql: `${sortable} is null`, values: [] }
      : { sql: `${sortable} = ?`, values: [value] };
  };
