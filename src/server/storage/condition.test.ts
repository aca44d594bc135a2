import knex from "knex";
import { expect, it } from "vitest";
import { run } from "../../test/command.ts";
import { fresh, migrated } from "../../test/databases.ts";
import { sqlitePath } from "./address.ts";

it("tells a database that does not hold text as UTF-8, and doctor what to do", async () => {
  const { url } = await fresh();
  const pool = { min: 1, max: 1 };
  const database = knex({ client: "sqlite3", connection: sqlitePath(url) ?? "", pool, useNullAsDefault: true });
  // The first table settles it, for good.
  await database.raw("PRAGMA encoding='UTF-16le'");
  await database.raw("create table t (x)");
  await database.destroy();
  const storage = await migrated(url);
  expect(await storage.condition()).toMatchObject({ encoding: "UTF-16le", clockAheadMs: 0 });
  expect((await run({ DATABASE_URL: url }, "doctor")).out).toMatch(
    /^fault {4}encoding: The encoding of the database is UTF-16le, .* To do: Create one with the encoding UTF8, /m,
  );
});
