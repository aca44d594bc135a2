import { type Migration, protocolMigrations } from "atpoint-server";

/** In order. A released one is never changed: add another, and let it only add. */
export const migrations: readonly Migration[] = [
  ...protocolMigrations,
  {
    name: "001-rooms",
    tables: ["rooms"],
    async up(database) {
      await database.schema.createTable("rooms", (table) => {
        table.uuid("id").primary();
        table.text("name").notNullable();
        table.text("city").notNullable();
        table.integer("capacity").notNullable().index();
        table.integer("floor");
      });
      await database.raw("create unique index rooms_name on rooms (lower(name))");
    },
  },
  {
    name: "002-bookings",
    tables: ["bookings"],
    up: (database) =>
      database.schema.createTable("bookings", (table) => {
        table.uuid("id").primary();
        table.uuid("room_id").notNullable().references("rooms.id");
        table.text("title").notNullable();
        table.timestamp("starts_at").notNullable();
        table.integer("minutes").notNullable();
        table.timestamp("ends_at").notNullable();
        table.text("status").notNullable();
        table.index(["starts_at", "id"]);
        table.index(["room_id", "starts_at"]);
      }),
  },
];
