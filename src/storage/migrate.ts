import type { Knex } from "knex";
import type { Driver } from "./driver.ts";

interface NamedMigration {
  readonly name: string;
  up(database: Knex): Promise<void>;
}

/** In order. One that was released is never changed: add another, and let it only add (there is no way down). */
const migrations: readonly NamedMigration[] = [
  {
    name: "001-users-and-api-keys",
    async up(database) {
      await database.schema.createTable("users", (table) => {
        table.uuid("id").primary();
        table.text("name").notNullable();
        table.text("email").notNullable();
        // The address in lower case: D23 makes it unique ignoring case, and it is ASCII.
        table.text("email_key").notNullable().unique();
        table.timestamp("created_at").notNullable();
      });
      await database.schema.createTable("api_keys", (table) => {
        table.uuid("id").primary();
        table.text("name").notNullable();
        table.text("hash").notNullable().unique();
        table.text("scopes").notNullable();
        table.text("platforms").notNullable();
        table.timestamp("created_at").notNullable();
        table.timestamp("expires_at").notNullable();
        table.timestamp("revoked_at");
      });
    },
  },
];

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
