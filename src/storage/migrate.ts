import type { Knex } from "knex";
import { SafeError } from "../log/safe-error.ts";
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
  {
    name: "002-api-keys-last-used",
    up: (database) => database.schema.alterTable("api_keys", (table) => void table.timestamp("last_used_at")),
  },
  {
    name: "003-idempotency-keys",
    async up(database) {
      // `id` digests whose key it is, for which operation, and the key. It is written before the user, so that twins wait for each
      // other, and goes with the user, of whom nothing is kept twice. In SQL: Knex cannot defer a reference on SQLite.
      await database.schema.raw(`create table idempotency_keys (
        id text primary key,
        data_digest text not null,
        user_id uuid not null references users (id) on delete cascade deferrable initially deferred,
        created_at timestamp with time zone not null
      )`);
      await database.schema.alterTable("idempotency_keys", (table) => {
        table.index("user_id");
        table.index("created_at");
      });
    },
  },
];

/** Every table that the migrations make, each with an `id` as its key: what a backup holds. */
export const tableNames: readonly string[] = ["users", "api_keys", "idempotency_keys"];

/** By name, in order: what the database has, what of ours it has not, and what it has from a newer release. */
export interface MigrationState {
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  readonly newer: readonly string[];
}

/** How far migrations are known here; `applied` are those of a database or of a backup. */
export function compareMigrations(applied: readonly string[]): MigrationState {
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

/** Throws `SafeError` when something of ours is missing. A role that may only read and write rows can ask. */
export async function expectMigrated(database: Knex): Promise<void> {
  const known = await database.schema.hasTable("knex_migrations");
  const { missing } = known ? await migrationState(database) : compareMigrations([]);
  if (missing.length > 0)
    throw new SafeError(`The database lacks ${missing.join(", ")}: run \`atpoint migrate\` first.`);
}

const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  // Knex insists on a way down, though nothing here takes it.
  getMigration: async ({ up }) => ({ up, down: () => Promise.reject(new Error("migrations only go up")) }),
};

async function isUpToDate(database: Knex): Promise<boolean> {
  return (await database.schema.hasTable("knex_migrations")) && (await migrationState(database)).missing.length === 0;
}

/**
 * Brings the database up to date in one transaction; writes nothing when it is. Any number of processes may do so at once: Knex's own lock would refuse
 * all but one, so ours makes them wait before Knex looks.
 */
export async function migrate(driver: Driver): Promise<void> {
  const database = driver.migrator();
  try {
    if (await isUpToDate(database)) return;
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
