import type { Knex } from "knex";
import { SafeError } from "../log/safe-error.ts";
import type { Driver } from "./driver.ts";
import { migrations, type NamedMigration } from "./migrations.ts";

/** Every table, in an order in which they can be filled. */
export const tableNames: readonly string[] = migrations.flatMap(({ tables }) => tables);

/** By name, in order: the migrations of the database, those of ours that it lacks, and those of a newer release. */
export interface MigrationState {
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  readonly newer: readonly string[];
}

/** How far migrations are known here; `applied` are those of a database. */
function compareMigrations(applied: readonly string[]): MigrationState {
  const ours = migrations.map(({ name }) => name);
  return {
    applied,
    missing: ours.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !ours.includes(name)),
  };
}

export async function migrationState(database: Knex): Promise<MigrationState> {
  const rows: { name: string }[] = await database("knex_migrations").select("name").orderBy("id");
  return compareMigrations(rows.map(({ name }) => name));
}

/** Throws `SafeError` when one of our migrations is missing. A role that may only read and write rows can call it. */
export async function expectMigrated(database: Knex): Promise<void> {
  const known = await database.schema.hasTable("knex_migrations");
  const { missing } = known ? await migrationState(database) : compareMigrations([]);
  if (missing.length > 0)
    throw new SafeError(`The database lacks ${missing.join(", ")}: run \`atpoint migrate\` first.`);
}

/** Throws `SafeError` when a migration creates other tables than it names: `move` would lose them. */
export async function upAsNamed(database: Knex, { name, tables, up }: NamedMigration, tablesOf: string): Promise<void> {
  const found = async (): Promise<string[]> => {
    const rows: { name: string }[] = await database.select("name").from(database.raw(`(${tablesOf}) as found`));
    return rows.map((row) => row.name);
  };
  const before = await found();
  await up(database);
  const created = (await found()).filter((table) => !before.includes(table));
  if (created.sort().join() !== [...tables].sort().join())
    throw new SafeError(
      `The migration ${name} creates ${created.join(", ") || "no table"}, and its \`tables\` in src/storage/migrations.ts say ${tables.join(", ") || "none"}.`,
    );
}

const sourceOf = (tablesOf: string): Knex.MigrationSource<NamedMigration> => ({
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  getMigration: async (migration) => ({
    up: (database) => upAsNamed(database, migration, tablesOf),
    // Knex requires a way down, though nothing here uses it.
    down: () => Promise.reject(new Error("migrations only go up")),
  }),
});

async function isUpToDate(database: Knex): Promise<boolean> {
  return (await database.schema.hasTable("knex_migrations")) && (await migrationState(database)).missing.length === 0;
}

/**
 * Migrates the database in one transaction and returns the migrations that were run; writes nothing when there are none. Any number of
 * processes may do so at once: Knex's own lock would reject all but one, so ours makes them wait before Knex looks.
 */
export async function migrate(driver: Driver): Promise<readonly string[]> {
  const database = driver.migrator();
  try {
    if (await isUpToDate(database)) return [];
    return await database.transaction(async (transaction) => {
      await transaction.raw(driver.migrationLock);
      const [, done]: [batch: number, names: string[]] = await transaction.migrate.latest({
        migrationSource: sourceOf(driver.tablesOf),
        // An older release must start on a database that a newer one has migrated: migrations only ever add.
        disableMigrationsListValidation: true,
      });
      return done;
    }, driver.committed);
  } finally {
    await database.destroy();
  }
}
