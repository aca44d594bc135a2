import type { Knex } from "knex";
import { ExpectedError, UsageError } from "../expected-error.ts";
import type { Driver } from "./driver.ts";

/** A released migration is never changed: add another that only adds (there is no way down). */
export interface Migration {
  readonly name: string;
  /** The tables that it creates, each with an `id` as its key: what `move` copies. */
  readonly tables: readonly string[];
  up(database: Knex): Promise<void>;
}

/** Every table, in an order in which they can be filled. */
export const tablesOf = (migrations: readonly Migration[]): readonly string[] =>
  migrations.flatMap(({ tables }) => tables);

/**
 * By name, in order: the migrations of ours that the database lacks, and those of a newer release.
 */
export async function migrationState(database: Knex, migrations: readonly Migration[]) {
  const ours = migrations.map(({ name }) => name);
  const applied: string[] = await database("knex_migrations").orderBy("id").pluck("name");
  const missing = ours.filter((name) => !applied.includes(name));
  return { missing, newer: applied.filter((name) => !ours.includes(name)) };
}

/**
 * Of a database, which may be an empty one: the migrations of ours that it lacks, and what its
 * tables have to do with them.
 */
export async function schemaState(
  database: Knex,
  driver: Driver,
  migrations: readonly Migration[],
) {
  const names: string[] = await database(
    database.raw(`(${driver.listRelationsSql}) as relations`),
  ).pluck("name");
  const isMigrated = names.includes("knex_migrations");
  const missing = isMigrated
    ? (await migrationState(database, migrations)).missing
    : migrations.map(({ name }) => name);
  const isPending = ({ name }: Migration) => missing.includes(name);
  const tables = tablesOf(migrations.filter((migration) => !isPending(migration)));
  return {
    missing,
    /** Tables that the applied migrations have created. */
    tables,
    lost: tables.filter((table) => !names.includes(table)),
    /** Another program has created them. */
    foreign: tablesOf(migrations.filter(isPending)).filter((table) => names.includes(table)),
  };
}

/**
 * Throws `ExpectedError` when one of our migrations is missing. A role that may only read and write
 * rows can call it.
 */
export async function expectMigrated(
  driver: Driver,
  migrations: readonly Migration[],
  command: string,
): Promise<void> {
  const { missing } = await schemaState(driver.reader, driver, migrations);
  if (missing.length > 0)
    throw new ExpectedError(
      `The database lacks ${missing.join(", ")}: run \`${command} migrate\` first.`,
    );
}

/** For a database without our tables, in this version or an older one. */
export const foreignDatabaseError = (title: string, why: string): UsageError =>
  new UsageError(`The database of DATABASE_URL is not one of ${title}: ${why}`);

const withTables = (tables: readonly string[]) =>
  `table${tables.length > 1 ? "s" : ""} ${tables.join(", ")}`;

/** Throws for a database of another program, whose tables have names of ours. */
export function expectNotForeign(foreign: readonly string[]): void {
  if (foreign.length === 0) return;
  throw new ExpectedError(
    `The database of DATABASE_URL has the ${withTables(foreign)} of another program. Name ` +
      `another database, or on PostgreSQL another schema: \`create schema NAME\`, and ` +
      `\`?options=-csearch_path%3DNAME\` in DATABASE_URL.`,
  );
}

/**
 * Whether a database has our tables, in this version or an older one. Throws for one whose tables
 * are of another program, or lost.
 */
export async function hasSchema(
  database: Knex,
  driver: Driver,
  migrations: readonly Migration[],
  title: string,
) {
  const { foreign, tables, lost } = await schemaState(database, driver, migrations);
  expectNotForeign(foreign);
  if (lost.includes("api_keys"))
    throw foreignDatabaseError(
      title,
      `the ${withTables(lost)} is missing. Put a backup in its place.`,
    );
  return tables.length > 0;
}

/**
 * Throws `ExpectedError` when a migration creates other tables than it names: `move` would lose
 * them.
 */
export async function upAsNamed(
  database: Knex,
  { name, tables, up }: Migration,
  listTablesSql: string,
): Promise<void> {
  const listTables = (): Promise<string[]> =>
    database(database.raw(`(${listTablesSql}) as tables`)).pluck("name");
  const before = await listTables();
  await up(database);
  const created = (await listTables()).filter((table) => !before.includes(table));
  if (created.sort().join() !== [...tables].sort().join())
    throw new ExpectedError(
      `The migration ${name} creates ${created.join(", ") || "no table"}, and its ` +
        `\`tables\` say ${tables.join(", ") || "none"}.`,
    );
}

/**
 * Migrates the database in one transaction and returns the migrations that were run; writes nothing
 * when there are none. Any number of processes may do so at once: Knex's own lock would reject all
 * but one, so ours makes them wait before Knex looks.
 */
export async function migrate(
  driver: Driver,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const database = driver.migrator();
  const migrationSource: Knex.MigrationSource<Migration> = {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async (migration) => ({
      up: (transaction) => upAsNamed(transaction, migration, driver.listTablesSql),
      // Knex requires a way down, though nothing here uses it.
      down: () => Promise.reject(new Error("migrations only go up")),
    }),
  };
  try {
    if ((await schemaState(database, driver, migrations)).missing.length === 0) return [];
    return await database.transaction(async (transaction) => {
      await transaction.raw(driver.migrationLock);
      expectNotForeign((await schemaState(transaction, driver, migrations)).foreign);
      // An older release must start on a database that a newer one has migrated: migrations only
      // ever add.
      const options = { migrationSource, disableMigrationsListValidation: true };
      const [, done]: [batch: number, names: string[]] = await transaction.migrate.latest(options);
      return done;
    }, driver.readCommitted);
  } finally {
    await database.destroy();
  }
}
