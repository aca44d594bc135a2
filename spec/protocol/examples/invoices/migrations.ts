import { type Migration, protocolMigrations } from "atpoint-server";

/** In order. A released one is never changed: add another, and let it only add. */
export const migrations: readonly Migration[] = [
  ...protocolMigrations,
  {
    name: "001-invoices",
    tables: ["invoices"],
    up: (database) =>
      database.schema.createTable("invoices", (table) => {
        table.increments("id");
        table.text("number").notNullable().unique();
        for (const name of ["customer", "lines", "due_date", "status", "total"])
          table.text(name).notNullable();
        for (const name of ["note", "payment"]) table.text(name);
        table.timestamp("sent_at");
        table.index(["due_date", "id"]);
      }),
  },
];
