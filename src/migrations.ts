import type { Migration } from "./server/storage/migrate.ts";
import { addStoredResponse } from "./server/storage/protocol-migrations.ts";

/**
 * The first of them also made the tables of the protocol, before that was a library: a new service
 * has `protocolMigrations`.
 */
export const migrations: readonly Migration[] = [
  {
    name: "001-users-and-api-keys",
    tables: ["users", "api_keys"],
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
    tables: [],
    up: (database) =>
      database.schema.alterTable("api_keys", (table) => void table.timestamp("last_used_at")),
  },
  {
    name: "003-idempotency-keys",
    tables: ["idempotency_keys"],
    async up(database) {
      // `id` is a digest of the API key, the operation and the idempotency key. It is written
      // before the user, so that equal calls wait for each other, and is deleted with the user, so
      // that no data is stored twice. In SQL: Knex cannot defer a reference on SQLite.
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
  // The reference deletes keys with their users, and the responses in them.
  { name: "004-responses", tables: [], up: addStoredResponse },
];
