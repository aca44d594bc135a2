import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { storesOf, tableNames } from "../../test/atpoint.ts";
import { run } from "../../test/command.ts";
import {
  databasesAndDefaults,
  fresh,
  keyIn,
  migrated,
  opened,
  sqlite,
} from "../../test/databases.ts";
import { replay } from "../../test/transcript.ts";
import { sqlitePath } from "../storage/address.ts";
import type { Storage } from "../storage/storage.ts";

const createdAt = new Date("2026-02-03T04:05:06.789Z");
const servers = databasesAndDefaults().filter((kind) => kind !== sqlite);
const none = "postgres://127.0.0.1:1/none";

const urlOf = async (kind = sqlite) => (await fresh(kind)).url;
const pathOf = (url: string) => sqlitePath(url) ?? "";
const move = (from: string, to: string, ...args: string[]) =>
  run({ DATABASE_URL: to }, "move", "--from", from, ...args);
const failed = (err: unknown) => ({ code: 1, out: "", err });

/**
 * A user, created once, then a key of the same name: who sees the key at some moment sees the user.
 */
async function addPair(storage: Storage, name: string): Promise<void> {
  const user = { name, email: `${name}@Example.com`, createdAt };
  await storesOf(storage).users.insertOnce(user, name);
  const key = {
    name,
    hash: name,
    scopes: ["users:read"],
    platforms: ["web", "ios"],
    createdAt,
    expiresAt: createdAt,
  };
  await storage.keys.insert({ ...key, revokedAt: name.endsWith("0") ? createdAt : null });
}

async function contentOf(url: string) {
  const storage = await migrated(url);
  const page = await storesOf(storage).users.page({ after: null, limit: 100_000 });
  const users: { name: string; createdAt: string }[] = JSON.parse(page.items);
  return { users, keys: await storage.keys.list() };
}

/** A SQLite database with some pairs that nobody has open. */
async function filled(pairs = 3) {
  const database = await fresh();
  const storage = await migrated(database.url);
  for (let at = 0; at < pairs; at++) await addPair(storage, `p${at}`);
  await storage.close();
  return database;
}

describe("backup", () => {
  it("is a database of one moment, for its owner, and overwrites nothing", async () => {
    const { url } = await filled();
    const file = `${pathOf(url)}.backup`;
    const used = opened(url);
    const copied = replay({ DATABASE_URL: url })`
      $ atpoint backup ${file}
      Backed up to ${file}, a database that DATABASE_URL may name.`;
    const done = copied.then(() => "done");
    for (let at = 0; (await Promise.race([done, addPair(used, `during${at}`)])) !== "done"; at++);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(file);
    await replay({ DATABASE_URL: url })`
      $ atpoint backup ${file}
      ! ${file} exists: name another file.
      exit 1
      $ atpoint backup /nowhere/b
      ! open ENOENT /nowhere/b.${String(process.pid)}.new
      exit 1`;
    expect(readFileSync(file)).toEqual(bytes);
    expect(readdirSync(dirname(file)).filter((name) => /\.backup|\.new/.test(name))).toEqual([
      basename(file),
    ]);
    const { users, keys } = await contentOf(`sqlite:${file}`);
    const names = users.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(["p0", "p1", "p2"]);
    expect(keys.filter(({ name }) => !names.includes(name))).toEqual([]);
  });

  it("names the program for PostgreSQL", async () => {
    await replay({ DATABASE_URL: none })`
      $ atpoint backup data/b.sqlite
      ! DATABASE_URL names a PostgreSQL database: use pg_dump, and pg_restore.
      exit 1`;
  });
});

describe.each(servers)("move to $name", (kind) => {
  it("copies and compares every row, and replaces only with --replace", async () => {
    const [{ url: from }, to] = [await filled(501), await urlOf(kind)];
    const { out, ...rest } = await move(from, to);
    expect(rest).toEqual({ code: 0, err: "" });
    const lines = tableNames
      .map((table) => ` {2}${table}: 501 rows, SHA-256 [0-9a-f]{64}\n`)
      .join("");
    expect(out).toMatch(
      new RegExp(`^A new database was created: .*\nMoved, counted and compared:\n${lines}$`),
    );
    const content = await contentOf(to);
    expect(content).toEqual(await contentOf(from));
    expect(content.users[0]).toMatchObject({ createdAt: createdAt.toISOString() });

    const otherUrl = (await filled(1)).url;
    const held =
      "is not empty. It holds 501 API keys, 501 users and 501 other rows. To lose that: " +
      "--replace\n";
    expect(await move(otherUrl, none, "--to", to)).toEqual(failed(`The database of --to ${held}`));
    expect((await move(otherUrl, to, "--replace")).code).toBe(0);
    expect((await contentOf(to)).users).toHaveLength(1);
  });

  it("copies the database of an older release, but of no newer one", async () => {
    const [{ url: from, run: sql }, to] = [await filled(1), await urlOf(kind)];
    await sql("alter table api_keys drop column last_used_at");
    await sql("delete from knex_migrations where name like '002%'");
    expect((await move(from, to)).code).toBe(0);
    await sql("insert into knex_migrations (name, batch) values ('999-new', 9)");
    const newer = "A newer release has migrated the database (999-new): use that one.\n";
    expect(await move(from, to)).toEqual(failed(newer));
    const keyed = await urlOf(kind);
    await keyIn((await migrated(keyed)).keys);
    const held = "is not empty. It holds 1 API key and no user. To lose that: --replace\n";
    expect((await move((await filled(1)).url, keyed)).err).toBe(
      `The database of DATABASE_URL ${held}`,
    );
  });

  it.each([
    ["id", "null", "null"],
    ["name", "x'41'", "not a value of its type"],
    ["created_at", "2026", "not a value of its type"],
    ["created_at", "'3 February 2026'", "not a value of its type"],
  ])("copies nothing where the %s of a user is %s", async (column, value, wrong) => {
    const [{ url: from, run: sql }, to] = [await filled(1), await urlOf(kind)];
    await sql("delete from idempotency_keys");
    await sql(`update users set ${column} = ${value}`);
    const says = `^users.${column} is ${wrong} in the row with the id .*: correct it first.\n$`;
    expect((await move(from, to)).err).toMatch(new RegExp(says));
    expect((await contentOf(to)).keys).toEqual([]);
  });
});

it("move names the option that is at fault", async () => {
  const [{ url: served }, theirs] = [await filled(1), await fresh()];
  const storage = await migrated(served);
  await theirs.run("create table theirs (id text)");
  const noUrl = "must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE";
  const invalid = "The configuration is not valid:\n  ";
  const missing =
    `names ${pathOf(theirs.url)}-none, and no database is there. Is that the right path, and ` +
    "is its volume mounted?";
  for (const [from, to, says] of [
    [served, none, `${pathOf(served)} is in use: stop what serves it first.`],
    [theirs.url, none, "The database of --from is not one of Atpoint: it has none of its tables."],
    [`${theirs.url}-none`, none, `--from ${missing} To create a new, empty one: atpoint migrate`],
    [none, none, "--from must be sqlite:PATH."],
    ["mysql://x", none, `${invalid}--from ${noUrl}`],
    [served, "mysql://x", `${invalid}--to ${noUrl}`],
    [served, theirs.url, "--to must be postgres://…: `atpoint backup` copies a SQLite database."],
  ] as const)
    expect(await move(from, none, "--to", to)).toEqual(failed(`${says}\n`));
  await addPair(storage, "after");
  await storage.close();
  const refused =
    "The database of --to cannot be used: no server listens there (connect ECONNREFUSED " +
    "127.0.0.1:1). Start PostgreSQL, or correct host and port in --to.\n";
  expect(await move(served, "sqlite:unused", "--to", none)).toEqual(failed(refused));
});
