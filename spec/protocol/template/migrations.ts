import { type Migration, protocolMigrations } from "atpoint-server";

/** In order. A released one is never changed: add another, and let it only add. */
export const migrations: readonly Migration[] = [
  ...protocolMigrations,
  {
    name: "001-notes",
    tables: ["notes"],
    up: (database) =>
      database.schema.createTable("notes", (table) => {
        table.uuid("id").primary();
        table.text("text").notNullable();
        table.timestamp("created_at").notNullable();
      }),
  },
];
