// A service of its own, whose role may not use what it needs.
import { describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { readConfig } from "../../test/atpoint.ts";
import { databasesUnderTest, fresh, sqlite } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { storageAdvice } from "../cli/storage-advice.ts";
import type { Migration } from "./migrate.ts";
import { protocolMigrations } from "./protocol-migrations.ts";
import { openStorage } from "./storage.ts";

const notes: Migration = {
  name: "001-notes",
  tables: ["notes"],
  up: (database) =>
    database.schema.createTable("notes", (table) => {
      table.increments("id");
      table.text("text").notNullable();
    }),
};

function storageOf(url: string, env: NodeJS.ProcessEnv = {}) {
  const config = readConfig({ ...patience, ...env, DATABASE_URL: url });
  const storage = openStorage(config, { migrations: [...protocolMigrations, notes], contract });
  onTestFinished(() => storage.close());
  return storage;
}

describe.each(databasesUnderTest().filter((kind) => kind !== sqlite))("a role on $name", (kind) => {
  /** A migrated database, and a role that may read and write its rows. */
  async function servingRole() {
    const { url, run } = await fresh(kind);
    await storageOf(url).migrate();
    const schema = new URL(url).searchParams.get("options")?.split("=").at(-1) ?? "";
    const role = `notes_${schema}`;
    const fill = (statement: string) =>
      statement.replaceAll("ROLE", role).replaceAll("SCHEMA", schema);
    const sql = (statement: string) => run(fill(statement));
    await sql("create role ROLE login password 'x'");
    onTestFinished(async () => void (await sql("drop owned by ROLE cascade; drop role ROLE")));
    await sql(
      "grant usage on schema SCHEMA to ROLE; grant usage on all sequences in schema SCHEMA to ROLE",
    );
    await sql("grant select, insert, update, delete on all tables in schema SCHEMA to ROLE");
    return {
      sql,
      owner: url,
      address: Object.assign(new URL(url), { username: role, password: "x" }).href,
    };
  }

  /** Why each does not work: a call that reads, one that writes, readiness, and doctor. */
  async function faultsOf(address: string) {
    const { database, checkWritable, hasSchema, tryTables } = storageOf(address);
    const fault = (work: Promise<unknown>) =>
      work.then(() => null).catch((error: unknown) => error);
    return {
      read: await fault(database.read((knex) => knex("notes").select())),
      write: await fault(database.write((knex) => knex("notes").insert({ text: "a" }))),
      probe: await fault(checkWritable()),
      doctor: await fault(hasSchema().then(tryTables)),
    };
  }

  const unavailable = expect.objectContaining({ name: "StorageUnavailable" });

  it("may do everything with rows that it owns, or that no policy hides", async () => {
    const { sql, owner, address } = await servingRole();
    const none = { read: null, write: null, probe: null, doctor: null };
    expect(await faultsOf(address)).toEqual(none);
    await sql("alter table notes enable row level security");
    expect(await faultsOf(owner)).toEqual(none);
    await sql("alter role ROLE bypassrls");
    expect(await faultsOf(address)).toEqual(none);
  });

  it("is told how to see the rows of a table", async () => {
    const { sql, address } = await servingRole();
    await sql("alter table notes enable row level security");
    const { doctor } = await faultsOf(address);
    const remedy = expect.stringContaining("`alter table notes disable row level security`");
    expect(storageAdvice(Object(doctor).cause)).toMatchObject({ remedy });
  });

  it.each<[string, "read" | "write" | "both"]>([
    ["alter table notes enable row level security", "both"],
    [
      "alter table notes enable row level security; create policy p on notes using (text = 'a')",
      "both",
    ],
    ["revoke select on notes from ROLE", "read"],
    ["revoke select on notes from ROLE; grant select (id) on notes to ROLE", "read"],
    ["revoke insert on notes from ROLE; grant insert (id) on notes to ROLE", "write"],
    ["revoke usage on all sequences in schema SCHEMA from ROLE", "write"],
    ["revoke usage on schema SCHEMA from ROLE", "both"],
    ["alter role ROLE set default_transaction_read_only = on", "write"],
    ["alter role ROLE connection limit 0", "both"],
    ["drop table notes", "both"],
    ["alter schema SCHEMA rename to SCHEMA_old", "both"],
  ])("after %s, calls (%s), probes and doctor fail", async (statements, which) => {
    const { sql, address } = await servingRole();
    await sql(statements);
    if (statements.includes("_old"))
      onTestFinished(async () => void (await sql("alter schema SCHEMA_old rename to SCHEMA")));
    expect(await faultsOf(address)).toEqual({
      read: which === "write" ? null : unavailable,
      write: which === "read" ? null : unavailable,
      probe: unavailable,
      doctor: unavailable,
    });
  });
});

describe.each(databasesUnderTest())("a database of another program on $name", (kind) => {
  it.each([
    "create table notes (x int)",
    "create table api_keys (x int)",
    "create view notes as select 1 as x",
  ])("is named with its table after %s, and gets no table of ours", async (statement) => {
    const { url, run } = await fresh(kind);
    await run(statement);
    const [, table] = /(?:table|view) (\w+)/.exec(statement) ?? [];
    const says =
      `has the table ${table} of another program. Name another database, or on PostgreSQL ` +
      "another schema: ";
    const { migrate, hasSchema } = storageOf(url);
    await expect(migrate()).rejects.toThrow(says);
    await expect(hasSchema()).rejects.toThrow(says);
    await expect(run("select * from idempotency_keys")).rejects.toThrow();
  });

  it("is used together with it when no name is the same", async () => {
    const { url, run } = await fresh(kind);
    await run("create table customers (x int)");
    expect(await storageOf(url).migrate()).toEqual([
      "000-protocol",
      "000-protocol-responses",
      "001-notes",
    ]);
  });
});
