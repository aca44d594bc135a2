import type { Knex } from "knex";
import type { Driver } from "./driver.ts";
import { migrations, type NamedMigration } from "./migrations.ts";

const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  // Knex insists on a way down, though nothing here takes it.
  getMigration: async ({ up }) => ({ up, down: () => Promise.reject(new Error("migrations only go up")) }),
};

/**
 * Brings the database up to date in one transaction. Any number of processes may do so at once: Knex's own lock would refuse
 * all but one, so ours makes them wait before Knex looks.
 */
export async function migrate(driver: Driver): Promise<void> {
  const database = driver.migrator();
  try {
    await database.transaction(async (transaction) => {
      await transaction.raw(driver.migrationLock);
      await transaction.migrate.latest({
        migrationSource,
        // An older release must start on a database that a newer one has migrated: migrations only ever add.
        disableMigrationsListValidation: true,
      });
    });
  } finally {
    await database.destroy();
  }
}
