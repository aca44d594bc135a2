import type { Knex } from "knex";
import type { Migration } from "./migrate.ts";

/**
 * The response of a call, with its idempotency key; null once the record is deleted, and where an
 * older release has stored the key.
 */
export const addStoredResponse = (database: Knex): Promise<void> =>
  database.schema.alterTable("idempotency_keys", (table) => {
    table.integer("status");
    for (const name of ["headers", "body"]) table.text(name);
  });

/** The tables of the protocol, for a new service, before its own. */
export const protocolMigrations: readonly Migration[] = [
  {
    name: "000-protocol",
    tables: ["api_keys", "idempotency_keys"],
    async up(database) {
      await database.schema.createTable("api_keys", (table) => {
        table.uuid("id").primary();
        for (const name of ["name", "scopes", "platforms"]) table.text(name).notNullable();
        table.text("hash").notNullable().unique();
        for (const name of ["created_at", "expires_at"]) table.timestamp(name).notNullable();
        for (const name of ["revoked_at", "last_used_at"]) table.timestamp(name);
      });
      // Without a reference: the resource may be in any table.
      await database.schema.createTable("idempotency_keys", (table) => {
        for (const name of ["data_digest", "resource_id"]) table.text(name).notNullable();
        table.text("id").primary();
        table.timestamp("created_at").notNullable().index();
      });
    },
  },
  {
    name: "000-protocol-responses",
    tables: [],
    async up(database) {
      await addStoredResponse(database);
      // What deletes a record looks for its keys.
      await database.schema.alterTable("idempotency_keys", (table) => {
        table.index("resource_id");
      });
    },
  },
];
