import { type Migration, protocolMigrations } from "atpoint-server";

/** In order. A released one is never changed: add another, and let it only add. */
export const migrations: readonly Migration[] = [
  ...protocolMigrations,
  {
    name: "001-catalogue",
    tables: ["categories", "products"],
    async up(database) {
      await database.schema.createTable("categories", (table) => {
        table.uuid("id").primary();
        table.text("name").notNullable();
        // In small letters.
        table.text("name_key").notNullable().unique();
      });
      await database.schema.createTable("products", (table) => {
        table.uuid("id").primary();
        table.uuid("category_id").notNullable().references("categories.id");
        table.text("name").notNullable();
        table.text("version");
        table.integer("price").notNullable();
        // JSON as text: jsonb would not hold every string.
        for (const name of ["maker", "attributes", "origin"]) table.text(name);
        table.index(["price", "id"]);
      });
    },
  },
];
