import type { Knex } from "knex";

export interface NamedMigration {
  readonly name: string;
  up(database: Knex): Promise<void>;
}

/** In order. One that was released is never changed: add another, and let it only add (there is no way down). */
export const migrations: readonly NamedMigration[] = [
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
