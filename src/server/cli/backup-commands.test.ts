import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { storesOf, tableNames } from "../../test/atpoint.ts";
import { run } from "../../test/command.ts";
import { databasesAndDefaults, fresh, keyIn, migrated, opened, sqlite } from "../../test/databases.ts";
import { sqlitePath } from "../storage/address.ts";
import type { Page } from "../storage/driver.ts";
import type { Storage } from "../storage/storage.ts";

const createdAt = new Date("2026-02-03T04:05:06.789Z");
const servers = databasesAndDefaults().filter((kind) => kind !== sqlite);

const urlOf = async (kind = sqlite) => (await fresh(kind)).url;
const pathOf = (url: string) => sqlitePath(url) ?? "";
const command = (url: string, ...argv: string[]) => run({ DATABASE_URL: url }, ...argv);
const failed = (err: unknown) => ({ code: 1, out: "", err });

/** A user, created once, then a key of the same name: who sees the key at some moment sees the user. */
async function addPair(storage: Storage, name: string): Promise<void> {
  const { keys } = storage;
  const once = { id: name, dataDigest: "d", since: createdAt };
  await storesOf(storage).users.insertOnce({ name, email: `${name}@Example.com`, createdAt }, once);
  const key = { name, hash: name, scopes: ["users:read"], platforms: ["web", "ios"], createdAt, expiresAt: createdAt };
  await keys.insert({ ...key, revokedAt: name.endsWith("0") ? createdAt : null });
}

async function contentOf(storage: Storage) {
  const { keys } = storage;
  const { users: stored } = storesOf(storage);
  const users: { name: string; createdAt: string }[] = [];
  let after: string | null = null;
  for (let more = true; more; ) {
    const page: Page = await stored.page({ after, limit: 200 });
    users.push(...JSON.parse(page.items));
    ({ more, last: after } = page);
  }
  return { users, keys: await keys.list() };
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
  it("is a database for its owner only, of one moment of one that is used, and is never written over", async () => {
    const { url } = await filled();
    const file = `${pathOf(url)}.backup`;
    const used = opened(url);
    let isDone = false;
    const adding = (async () => {
      for (let at = 0; !isDone; at++) await addPair(used, `during${at}`);
    })();
    const done = await command(url, "backup", file).finally(() => {
      isDone = true;
    });
    await adding;
    expect(done).toEqual({ code: 0, out: `Backed up to ${file}, a database that DATABASE_URL may name.\n`, err: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).filter((name) => name.includes(".backup"))).toEqual([basename(file)]);
    const bytes = readFileSync(file);
    expect(await command(url, "backup", file)).toEqual(failed(`${file} exists: name another file.\n`));
    expect(readFileSync(file)).toEqual(bytes);
    const { users, keys } = await contentOf(await migrated(`sqlite:${file}`));
    expect(users.length).toBeGreaterThanOrEqual(3);
    const names = users.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(["p0", "p1", "p2"]);
    expect(keys.filter(({ name }) => !names.includes(name))).toEqual([]);
  });

  it("leaves no file where it fails, and names the program for PostgreSQL", async () => {
    const { url } = await filled(0);
    expect(await command(url, "backup", "/nowhere/b")).toEqual(failed(expect.stringContaining("/nowhere/b")));
    expect(await command("postgres://127.0.0.1:1/none", "backup", `${pathOf(url)}.b`)).toEqual(
      failed("DATABASE_URL names a PostgreSQL database: use pg_dump, and pg_restore.\n"),
    );
    expect(readdirSync(dirname(pathOf(url))).filter((name) => /\.b|\.new/.test(name))).toEqual([]);
  });

  it("of an older release is named as such", async () => {
    const url = await urlOf();
    writeFileSync(pathOf(url), gzipSync('{"atpoint":"backup"}\n'));
    const says = `names ${pathOf(url)}, which is a backup of release 3.1 or older: restore it with that release, \`atpoint restore FILE\`.\n`;
    expect(await command(url, "keys", "list")).toEqual(failed(`DATABASE_URL ${says}`));
    expect(await command("postgres://127.0.0.1:1/none", "move", "--from", url)).toEqual(failed(`--from ${says}`));
  });
});

describe.each(servers)("move to $name", (kind) => {
  it("copies every row, more than a page of each table, compares them, and replaces only with --replace", async () => {
    const [{ url: from }, to] = [await filled(501), await urlOf(kind)];
    const { code, out, err } = await command(to, "move", "--from", from);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = tableNames.map((table) => ` {2}${table}: 501 rows, SHA-256 [0-9a-f]{64}\n`).join("");
    expect(out).toMatch(new RegExp(`^A new database was created: .*\nMoved, counted and compared:\n${lines}$`));
    const content = await contentOf(await migrated(to));
    expect(content).toEqual(await contentOf(await migrated(from)));
    expect(content.users[0]).toMatchObject({ createdAt: createdAt.toISOString() });

    const other = (await filled(1)).url;
    const held = "is not empty. It holds 501 API keys, 501 users and 501 other rows. To lose that: --replace\n";
    const again = await run({}, "move", "--from", other, "--to", to);
    expect(again).toEqual(failed(`The database of --to ${held}`));
    expect((await command(to, "move", "--from", other, "--replace")).code).toBe(0);
    expect((await contentOf(await migrated(to))).users).toHaveLength(1);
  });

  it("copies the database of an older release, not of a newer one, and into no database with a key", async () => {
    const [{ url: from, run: sql }, to] = [await filled(1), await urlOf(kind)];
    await sql("alter table api_keys drop column last_used_at");
    await sql("delete from knex_migrations where name like '002%'");
    expect((await command(to, "move", "--from", from)).code).toBe(0);
    await sql("insert into knex_migrations (name, batch) values ('999-new', 9)");
    const newer = "A newer release has migrated the database (999-new): use that one.\n";
    expect(await command(to, "move", "--from", from)).toEqual(failed(newer));
    const keyed = await urlOf(kind);
    await keyIn((await migrated(keyed)).keys);
    expect((await command(keyed, "move", "--from", (await filled(1)).url)).err).toBe(
      "The database of DATABASE_URL is not empty. It holds 1 API key and no user. To lose that: --replace\n",
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
    expect((await command(to, "move", "--from", from)).err).toMatch(new RegExp(says));
    expect(await (await migrated(to)).keys.count()).toBe(0);
  });
});

describe("move", () => {
  it("takes a SQLite database of ours that nothing serves, into PostgreSQL, and names the option at fault", async () => {
    const [none, served, theirs] = ["postgres://127.0.0.1:1/none", await filled(1), await fresh()];
    const storage = await migrated(served.url);
    await theirs.run("create table theirs (id text)");
    for (const [from, to, says] of [
      [served.url, none, `${pathOf(served.url)} is in use: stop what serves it first.`],
      [theirs.url, none, "The database of --from is not one of Atpoint: it has none of its tables."],
      [`${theirs.url}-none`, none, expect.stringContaining("--from names")],
      [none, none, "--from must be sqlite:PATH."],
      ["mysql://x", none, expect.stringContaining("--from must be sqlite:PATH or postgres://")],
      [served.url, "mysql://x", expect.stringContaining("--to must be sqlite:PATH or postgres://")],
      [served.url, theirs.url, "--to must be postgres://…: `atpoint backup` copies a SQLite database."],
    ] as const)
      expect(await run({}, "move", "--from", from, "--to", to)).toEqual(
        failed(typeof says === "string" ? `${says}\n` : says),
      );
    await addPair(storage, "after");
    await storage.close();
    expect(await run({}, "move", "--from", served.url, "--to", none)).toEqual(
      failed(expect.stringMatching(/^The database of --to cannot be used: .*ECONNREFUSED/)),
    );
  });
});
