import type { Knex } from "knex";
import type { Migration } from "./server/storage/migrate.ts";
import { addStoredResponse } from "./server/storage/protocol-migrations.ts";

/**
 * `id` is a digest of the API key, the operation and the idempotency key. It is written before the
 * user, so that equal calls wait for each other, and is deleted with the user, so that no data is
 * stored twice. In SQL: Knex cannot defer a reference on SQLite.
 */
const createIdempotencyKeys = (database: Knex, table: string, userId: "uuid" | "uuid not null") =>
  database.schema.raw(`create table ${table} (
    id text primary key,
    data_digest text not null,
    user_id ${userId} references users (id) on delete cascade deferrable initially deferred,
    created_at timestamp with time zone not null
  )`);

const addIndexes = (database: Knex) =>
  database.schema.alterTable("idempotency_keys", (table) => {
    table.index("user_id");
    table.index("created_at");
  });

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
      await createIdempotencyKeys(database, "idempotency_keys", "uuid not null");
      await addIndexes(database);
    },
  },
  {
    name: "004-responses",
    tables: [],
    async up(database) {
      // A key may be of a command on any record, or of one that deletes a user.
      if (database.client.config.client === "sqlite3") await rebuildWithoutUser(database);
      else
        await database.schema.raw(
          "alter table idempotency_keys alter column user_id drop not null",
        );
      await database.schema.alterTable("idempotency_keys", (table) => {
        table.text("resource_id").index();
      });
      await addStoredResponse(database);
    },
  },
];

/** SQLite cannot alter a column, and Knex cannot read the statement of this table. */
async function rebuildWithoutUser(database: Knex): Promise<void> {
  const columns = "id, data_digest, user_id, created_at";
  await createIdempotencyKeys(database, "idempotency_keys_4", "uuid");
  await database.schema.raw(
    `insert into idempotency_keys_4 (${columns}) select ${columns} from idempotency_keys`,
  );
  await database.schema.dropTable("idempotency_keys");
  await database.schema.renameTable("idempotency_keys_4", "idempotency_keys");
  await addIndexes(database);
}
