import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../test/atpoint.ts";
import { databasesUnderTest, fresh } from "../../test/databases.ts";
import { openDriver } from "./database.ts";
import { type Migration, upAsNamed } from "./migrate.ts";

describe.each(databasesUnderTest())("a migration on $name", (kind) => {
  const creating = (name: string, tables: readonly string[]): Migration => ({
    name: "900-test",
    tables,
    up: (database) => database.schema.createTable(name, (table) => void table.uuid("id").primary()),
  });

  it("creates the tables that it names, no fewer and no more, so that a backup has them", async () => {
    const { url } = await fresh(kind);
    const driver = openDriver(readConfig({ DATABASE_URL: url }).database, "always");
    onTestFinished(() => driver.close());
    const up = (migration: Migration) => upAsNamed(driver.writer, migration, driver.tablesOf);

    await up(creating("notes", ["notes"]));
    const alter: Migration = {
      name: "901-test",
      tables: [],
      up: (database) => database.schema.alterTable("notes", (table) => void table.text("text")),
    };
    await up(alter);
    await expect(up(creating("tags", []))).rejects.toThrow("The migration 900-test creates tags, and its `tables`");
    await expect(up({ ...alter, up: async () => {}, tables: ["gone"] })).rejects.toThrow("creates no table");
  });
});
