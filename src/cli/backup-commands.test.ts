import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { sqlitePath } from "../storage/driver.ts";
import { tableNames } from "../storage/migrate.ts";
import type { Storage } from "../storage/storage.ts";
import { run } from "../test/command.ts";
import { databasesAndDefaults, fresh, keyIn, migrated, opened, sqlite } from "../test/databases.ts";
import { writeBackup } from "./backup-file.ts";

const createdAt = new Date("2026-02-03T04:05:06.789Z");
const kinds = databasesAndDefaults();

let file: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "atpoint-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  file = join(folder, "backup");
});

const urlOf = async (kind = sqlite) => (await fresh(kind)).url;
const command = (url: string, ...argv: string[]) => run({ DATABASE_URL: url }, ...argv);
const parts = () => gunzipSync(readFileSync(file)).toString().trim().split("\n");
const rewrite = (lines: readonly string[]) => writeFileSync(file, gzipSync(lines.map((line) => `${line}\n`).join("")));

/** Those that a command names, each with its rows. */
const tablesIn = (out: string) => [...out.matchAll(/^ {2}(\w+): \d+ rows?, /gm)].map(([, table]) => table);

/** A user, created once, then a key of the same name: who sees the key at some moment sees the user. */
async function addPair({ stores, keys }: Storage, name: string): Promise<void> {
  const once = { id: name, dataDigest: "d", since: createdAt };
  await stores.idempotencyKeys.createOnce({ name, email: `${name}@Example.com`, createdAt }, once);
  const key = { name, hash: name, scopes: ["users:read"], platforms: ["web", "ios"], createdAt, expiresAt: createdAt };
  await keys.insert({ ...key, revokedAt: name.endsWith("0") ? createdAt : null });
}

async function contentOf({ stores, keys }: Storage) {
  const users = [];
  for (let more = true; more; ) {
    const page = await stores.users.page({ after: users.at(-1)?.id ?? null, limit: 200 });
    users.push(...JSON.parse(page.items));
    ({ more } = page);
  }
  return { users, keys: await keys.list() };
}

const PORTION = 50;

/** A database with some pairs that nobody has open. */
async function filled(kind = sqlite, pairs = 3): Promise<string> {
  const url = await urlOf(kind);
  const storage = await migrated(url);
  // Not all at once: one writer and a slow disk would let the last of them wait too long.
  for (let at = 0; at < pairs; at += PORTION) {
    const some = Array.from({ length: Math.min(PORTION, pairs - at) }, (_, each) => `p${at + each}`);
    await Promise.all(some.map((name) => addPair(storage, name)));
  }
  await storage.close();
  return url;
}

describe.each(kinds)("a backup of $name", (kind) => {
  it("that was taken under load is restored on every kind as of one moment", async () => {
    // More than a page of each table.
    const source = opened(await filled(kind, 501));
    const before = await contentOf(source);
    async function* underLoad() {
      let part = 0;
      for await (const each of source.dump()) {
        yield each;
        if (part++ % 100 === 0) await addPair(source, `during${part}`);
      }
    }
    await writeBackup(file, underLoad());
    expect((await contentOf(source)).users).toHaveLength(501 + 16);

    for (const target of kinds) {
      const url = await urlOf(target);
      const { code, out, err } = await command(url, "restore", file);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(tablesIn(out)).toEqual(tableNames);
      expect(out).toMatch(/ {2}users: 501 rows, SHA-256 [0-9a-f]{64}\n( {2}(api|idempotency)_keys: 501 rows, .*\n){2}/);
      const restored = await migrated(url);
      expect(await contentOf(restored)).toEqual(before);
      expect(await restored.stores.users.insert({ name: "n", email: "p1@example.COM", createdAt })).toBeNull();
    }
  });

  it.each(kinds)("is what `move` puts into $name", async (target) => {
    const [from, to] = [await filled(kind), await urlOf(target)];
    const { code, out, err } = await run({ DATABASE_URL: to }, "move", "--from", from);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(tablesIn(out)).toEqual(tableNames);
    expect(out).toMatch(
      /^A new database was created: .*\nMoved, counted and compared:\n {2}users: 3 rows, .*\n( {2}(api|idempotency)_keys: 3 rows, .*\n){2}/,
    );
    const again = await run({}, "move", "--from", from, "--to", to);
    const held = "is not empty. It holds 3 API keys, 3 users and 3 other rows. To lose that: --replace\n";
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`^(The database of --to|/.*) ${held}$`)),
    });
    const url = await urlOf(target);
    const storage = await migrated(url);
    await keyIn(storage.keys);
    await storage.close();
    const lost = await run({ DATABASE_URL: url }, "move", "--from", from);
    expect(lost.err).toMatch(
      /^(The database of DATABASE_URL|\/.*) is not empty. It holds 1 API key and no user. To lose that: --replace\n$/,
    );
    const same = await run({ DATABASE_URL: from }, "move", "--from", from);
    expect(same.err).toBe("--from and DATABASE_URL name one database.\n");
    expect(await run({ DATABASE_URL: url }, "move", "--from", from, "--replace")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Moved, /),
    });
    const itself = await run({}, "move", "--from", from, "--to", from, "--replace");
    expect(itself).toEqual({ code: 1, out: "", err: "--from and --to name one database.\n" });
    const content = await contentOf(opened(to));
    expect(content).toEqual(await contentOf(opened(from)));
    expect(content.users[0]).toMatchObject({ createdAt: createdAt.toISOString() });
  });

  it("holds every table that the migrations make", async () => {
    const { url, run: sql } = await fresh(kind);
    await migrated(url);
    const named: unknown[] = [];
    for await (const part of opened(url).dump()) if ("columns" in part) named.push({ name: part.table });
    const tables =
      kind === sqlite
        ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
        : "select tablename as name from pg_tables where schemaname = current_schema()";
    const made = await sql(`select name from (${tables}) as made where name not like 'knex_%'`);
    expect(new Set(named)).toEqual(new Set(made));
  });

  it("is made of a database that an older release has left, and not of one of a newer release", async () => {
    const { url, run: sql } = await fresh(kind);
    const storage = await migrated(url);
    await addPair(storage, "p");
    const { keys } = await contentOf(storage);
    await storage.close();
    await sql("alter table api_keys drop column last_used_at");
    await sql("delete from knex_migrations where name like '002%'");
    expect(await command(url, "backup", file)).toMatchObject({ code: 0, out: `Backed up to ${file}.\n` });
    expect(parts().join()).not.toContain("last_used_at");
    const target = await urlOf(kind);
    expect((await command(target, "restore", file)).code).toBe(0);
    expect(await opened(target).keys.list()).toEqual(keys);

    await sql("insert into knex_migrations (name, batch) values ('999-new', 9)");
    expect(await command(url, "backup", `${file}2`)).toEqual({
      code: 1,
      out: "",
      err: "A newer release has migrated the database (999-new): use that one.\n",
    });
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
  });

  it("is for its owner only, holds no key, and is never written over", async () => {
    const url = await filled(kind);
    await command(url, "backup", file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(file);
    expect(await command(url, "backup", file)).toMatchObject({
      code: 1,
      err: `${file} exists: name another file.\n`,
    });
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("replaces what is there only when that is said", async () => {
    await command(await filled(kind, 2), "backup", file);
    const url = await filled(kind, 5);
    expect(await command(url, "restore", file)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is not empty"),
    });
    expect((await contentOf(await migrated(url))).users).toHaveLength(5);
  });

  it("that is not right is refused, and nothing changed", async () => {
    const changed = (from: string | RegExp, to: string) => () => rewrite(parts().map((line) => line.replace(from, to)));
    const spoiled: readonly [string, () => void, string][] = [
      ["one that is cut off", () => writeFileSync(file, readFileSync(file).subarray(0, 300)), "is no whole backup"],
      ["no backup", () => writeFileSync(file, "junk"), "is no whole backup"],
      ["no JSON", () => rewrite(["junk"]), "is no whole backup"],
      ["nothing", () => rewrite([]), "The backup is not whole"],
      ["another JSON", () => rewrite(["{}"]), "The backup is not whole"],
      ["none", () => rmSync(file), "open ENOENT"],
      ["one without its end", () => rewrite(parts().slice(0, -1)), "The backup is not whole"],
      ["one without a table", () => rewrite(parts().filter((line) => !line.includes("p1@"))), "differ from the 3"],
      ["one with a changed row", changed("p1@E", "p9@E"), "users: 3 rows were restored, and differ"],
      ["one with a row too short", changed(/^\[[^,]+,/, "["), "The backup is not whole"],
      ["one with an unknown column", changed('"email_key"', '"e"'), "The backup is not whole"],
      ["one of a newer release", changed('"001-', '"999-'), "of a newer release, 3.0.3"],
      ["one with an unknown table", changed('"tables":[', '"tables":["x",'), "of a newer release"],
      ["one of another format", changed('"format":1', '"format":2'), "of a newer release"],
    ];
    await command(await filled(kind), "backup", file);
    const whole = readFileSync(file);
    const url = await filled(kind, 1);
    for (const [what, spoil, words] of spoiled) {
      writeFileSync(file, whole);
      spoil();
      const { code, out, err } = await command(url, "restore", file, "--replace");
      expect({ what, code, out, err }).toEqual({ what, code: 1, out: "", err: expect.stringContaining(words) });
      expect(err.trim().split("\n")).toHaveLength(1);
      const storage = opened(url);
      const { users, keys } = await contentOf(storage);
      expect([what, users.length, keys.length]).toEqual([what, 1, 1]);
      // A SQLite file is not replaced while it is open.
      await storage.close();
    }
  });
});

describe("a SQLite file", () => {
  const pathOf = (url: string) => sqlitePath(url) ?? "";

  it.each([
    ["id", "null", "null"],
    ["name", "x'41'", "not a value of its type"],
    ["created_at", "2026", "not a value of its type"],
    ["created_at", "'3 February 2026'", "not a value of its type"],
  ])("is not moved with a user whose %s is %s", async (column, value, wrong) => {
    const [{ url, run: sql }, to] = [await fresh(), await urlOf()];
    const storage = await migrated(url);
    await addPair(storage, "p");
    await sql("delete from idempotency_keys");
    await sql(`update users set ${column} = ${value}`);
    await storage.close();
    expect(await command(to, "move", "--from", url)).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(
        new RegExp(`^users.${column} is ${wrong} in the row with the id .*: correct it first.\n$`),
      ),
    });
    expect(await (await migrated(to)).keys.count()).toBe(0);
  });

  it("is neither replaced nor moved while it is served", async () => {
    await command(await filled(), "backup", file);
    const served = await migrated(await filled());
    const url = await filled();
    const serving = await migrated(url);
    for (const argv of [
      ["restore", file, "--replace"],
      ["move", "--from", url, "--to", await urlOf()],
    ])
      expect(await command(url, ...argv)).toEqual({
        code: 1,
        out: "",
        err: `${pathOf(url)} is in use: stop what serves it first.\n`,
      });
    await addPair(serving, "after");
    expect((await contentOf(serving)).users).toHaveLength(4);
    expect((await contentOf(served)).users).toHaveLength(3);
  });

  it.each([
    ["one of another process that was killed", (path: string) => writeFileSync(`${path}-wal`, "left over")],
    ["a broken file", (path: string) => writeFileSync(path, "this is no database".repeat(999))],
    ["none", (path: string) => rmSync(path)],
  ])("takes the place of %s, without its -wal and -shm, and leaves nothing beside it", async (_, spoil) => {
    await command(await filled(sqlite, 2), "backup", file);
    const url = await filled();
    const path = pathOf(url);
    for (const suffix of ["-wal", "-shm", ".restored", ".restored-wal"]) writeFileSync(path + suffix, "left over");
    spoil(path);
    expect(await command(url, "restore", file, "--replace")).toMatchObject({ code: 0, err: "" });
    expect(readdirSync(dirname(path)).sort()).toEqual([basename(path), `${basename(path)}-made`]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await contentOf(await migrated(url))).users).toHaveLength(2);
  });

  it("of something else is replaced only when that is said, and is called what it was given as", async () => {
    const { url, run: sql } = await fresh();
    await sql("create table theirs (id text)");
    await command(await filled(), "backup", file);
    expect(await command(url, "restore", file)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is not empty"),
    });
    const elsewhere = `${pathOf(url)}-elsewhere`;
    expect(await command(url, "move", "--from", url, "--to", `sqlite:${elsewhere}`)).toMatchObject({
      code: 1,
      err: "The database of --from is not one of Atpoint: it has none of its tables.\n",
    });
    expect(await command(url, "move", "--from", "mysql://x")).toMatchObject({
      code: 1,
      err: expect.stringContaining("--from must be sqlite:PATH or postgres://"),
    });
    expect(await command(url, "move", "--from", await filled(), "--to", "mysql://x")).toMatchObject({
      code: 1,
      err: expect.stringContaining("--to must be sqlite:PATH or postgres://"),
    });
    expect(existsSync(elsewhere)).toBe(false);
  });
});
