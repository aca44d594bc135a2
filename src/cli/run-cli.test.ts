import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { scopes } from "../../generated/operations.ts";
import { createKeyFinder } from "../keys/find-key.ts";
import { hashKey } from "../keys/key.ts";
import { packageVersion } from "../package.ts";
import { databaseName, sqlitePath } from "../storage/driver.ts";
import { migrations } from "../storage/migrations.ts";
import { databaseFolder, type Storage } from "../storage/storage.ts";
import { run } from "../test/command.ts";
import { databasesUnderTest, fresh, opened } from "../test/databases.ts";

const cli = new URL("../cli.ts", import.meta.url).pathname;
const unknownId = "01890000-0000-7000-8000-000000000000";

describe.each(databasesUnderTest())("the command line on $name", (kind) => {
  let url: string;
  let env: NodeJS.ProcessEnv;
  let storage: Storage;

  beforeEach(async () => {
    ({ url } = await fresh(kind));
    env = { DATABASE_URL: url, PLATFORMS: "web,ios" };
    storage = opened(url);
  });
  const create = (...more: string[]) =>
    run(env, "keys", "create", "--name", "mine", "--scopes", "users:read,system:health", "--platforms", "web", ...more);

  it.each(["keys list", `keys revoke ${unknownId}`, "keys conformance", "users purge-conformance"])(
    "refuses %s where no database is, and makes none",
    async (argv) => {
      const path = sqlitePath(url);
      const DATABASE_URL = path === null ? url : `sqlite:${path}.elsewhere/a.sqlite`;
      const { code, out, err } = await run({ ...env, DATABASE_URL }, ...argv.split(" "));
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toMatch(
        path === null
          ? "The database of DATABASE_URL is not one of Atpoint: it has none of its tables.\n"
          : `DATABASE_URL names ${path}.elsewhere/a.sqlite, and no database is there. Is that the right path`,
      );
      expect(err.trim().split("\n")).toHaveLength(1);
      expect(existsSync(`${path}.elsewhere`)).toBe(false);
      expect(await storage.isOurs()).toBe(false);
    },
  );

  it("says that there are no keys", async () => {
    await storage.migrate();
    expect((await run(env, "keys", "list")).out).toBe("There are no keys.\n");
    expect((await run(env, "keys", "list", "--json")).out).toBe("[]\n");
  });

  it("creates a key on a new database and keeps only its hash", async () => {
    const { code, out, err } = await create();
    expect({ code, err }).toEqual({ code: 0, err: `A new database was created: ${databaseName(url)}\n` });
    const [key = ""] = /^atp_[0-9a-f]{48}$/m.exec(out) ?? [];
    const [record] = await storage.keys.list();
    const wanted = { name: "mine", scopes: ["users:read", "system:health"], platforms: ["web"] };
    expect(record).toMatchObject({ ...wanted, hash: hashKey(key), revokedAt: null });
    expect(Number(record?.expiresAt) - Number(record?.createdAt)).toBe(365 * 86_400_000);
    expect(out).toContain(record?.id);
  });

  it("prints one JSON object with --json", async () => {
    const { out } = await create("--json", "--expires", "12h");
    const created = JSON.parse(out);
    expect(created).toMatchObject({ name: "mine", key: expect.stringMatching(/^atp_/) });
    expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBe(12 * 3_600_000);
  });

  it("lists keys without their text, and revokes one once", async () => {
    const { key, id } = JSON.parse((await create("--json")).out);
    await create("--expires", "1m");
    expect((await run(env, "keys", "list")).out).toMatch(
      /^ID +STATE .* NAME\n.*\n.* {2}expiring {2}.*Z {2}never {6}users:read,system:health {2}web {8}mine\n$/,
    );
    expect((await run(env, "keys", "revoke", id.toUpperCase())).out).toBe(`Revoked ${id}.\n`);
    expect(await run(env, "keys", "revoke", id)).toMatchObject({
      code: 1,
      err: expect.stringContaining("revoked already"),
    });
    expect(await run(env, "keys", "revoke", unknownId)).toMatchObject({ code: 1 });

    const { out } = await run(env, "keys", "list");
    expect(out).toContain(`${id}  revoked `);
    expect(out).not.toContain(key);
    const listed = JSON.parse((await run(env, "keys", "list", "--json")).out);
    expect(listed).toEqual([
      expect.objectContaining({ id, state: "revoked", revokedAt: expect.any(String) }),
      expect.not.objectContaining({ revokedAt: expect.anything() }),
    ]);
    expect(JSON.stringify(listed)).not.toContain(hashKey(key));
  });

  it("rotates a key: for the overlap both are valid, then only the new one, which is as the old one", async () => {
    const old = JSON.parse((await create("--json", "--expires", "13d")).out);
    const list = () => run(env, "keys", "list");
    expect((await list()).err).toBe(`1 key to be replaced within 14 days, by \`keys rotate ID\`: ${old.id}\n`);
    const { out } = await run(env, "keys", "rotate", old.id, "--overlap", "12h", "--expires", "30d", "--json");
    const { key, ...rotated } = JSON.parse(out);
    const { name, scopes, platforms } = old;
    expect(rotated).toMatchObject({ name, scopes, platforms, state: "valid", replaces: { id: old.id } });
    expect(Date.parse(rotated.replaces.expiresAt) - Date.parse(rotated.createdAt)).toBe(12 * 3_600_000);
    const at = async (time: string, credential: string) => {
      const clock = { now: () => new Date(Date.parse(time) - 1) };
      const findKey = createKeyFinder({ keys: storage.keys, clock, cacheMs: 0, cacheEntries: 1 });
      return findKey(credential).then(
        () => "accepted",
        ({ code }) => code,
      );
    };
    const { expiresAt } = rotated.replaces;
    const after = new Date(Date.parse(expiresAt) + 1).toISOString();
    expect([await at(expiresAt, old.key), await at(expiresAt, key)]).toEqual(["accepted", "accepted"]);
    expect([await at(after, old.key), await at(after, key)]).toEqual(["credentials-invalid", "accepted"]);
    expect(await list()).toMatchObject({ err: "", out: expect.not.stringContaining(key) });

    // The overlap never gives the old key more time than it had.
    const again = await run(env, "keys", "rotate", old.id, "--overlap", "90d");
    expect(again.out).toMatch(
      new RegExp(`^atp_[0-9a-f]{48}\n\n.*\nThe old key ${old.id} is valid until ${expiresAt}.\n$`),
    );
  });

  it("issues the new key for the term of the old one, unless --expires is given", async () => {
    const days = async (argv: readonly string[]) => {
      const { out } = await run(env, "keys", ...argv, "--json");
      const { id, createdAt, expiresAt } = JSON.parse(out);
      return { id, term: (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000 };
    };
    const words = ["create", "--name", "mine", "--scopes", "users:read", "--platforms", "web", "--expires", "90d"];
    const first = await days(words);
    const second = await days(["rotate", first.id]);
    const third = await days(["rotate", second.id]);
    const overridden = await days(["rotate", third.id, "--expires", "30d"]);
    expect([second.term, third.term, overridden.term]).toEqual([90, 90, 30]);
  });

  it("rotates no key that is unknown or revoked", async () => {
    const { id } = JSON.parse((await create("--json")).out);
    await run(env, "keys", "revoke", id);
    for (const none of [id, unknownId])
      expect(await run(env, "keys", "rotate", none)).toEqual({
        code: 1,
        out: "",
        err: `There is no key ${none}, or it is expired or revoked: create a new one.\n`,
      });
    expect(await storage.keys.count()).toBe(1);
  });

  describe("users", () => {
    const own = "conformance+0123456789abcdef";
    const emails = [`${own.toUpperCase()}-1@example.com`, "ada@example.com", `.${own}-2@a`, "b@example.com"];
    beforeEach(async () => {
      await storage.migrate();
      for (const email of emails) await storage.stores.users.insert({ name: "N", email, createdAt: new Date() });
    });
    const users = (...argv: string[]) => run(env, "users", ...argv);
    const page = async (...argv: string[]) => JSON.parse((await users("list", "--json", ...argv)).out);
    const left = async () => (await page()).items.map(({ email }: { email: string }) => email);

    it("are listed a page at a time", async () => {
      const first = await page("--limit", "3");
      expect(first.items).toHaveLength(3);
      const { out } = await users("list", "--limit", "3");
      expect(out).toMatch(/^ID +CREATED +E-MAIL +NAME\n/);
      const long = `${"e".repeat(60)}@example.com`;
      await storage.stores.users.insert({ name: "Long", email: long, createdAt: new Date() });
      const listed = (await users("list")).out;
      expect(listed).toContain(`  ${long}  Long\n`);
      expect(listed).toContain(`  ${"b@example.com".padEnd(40)}  N\n`);
      expect(await users("delete", long, "--yes")).toMatchObject({ code: 0 });
      expect(out).toContain(`More: --cursor ${first.nextCursor}\n`);
      expect(await page("--cursor", first.nextCursor)).toEqual({
        items: [expect.objectContaining({ email: emails[3] })],
      });
      expect(await users("list", "--limit", "201")).toMatchObject({ code: 1, err: "--limit must be at most 200\n" });
      expect(await users("list", "--cursor", "x")).toMatchObject({ code: 1, out: "" });
    });

    it("of the conformance suite are purged, none other, and only when that is confirmed", async () => {
      expect(await users("purge-conformance")).toEqual({
        code: 1,
        out: "",
        err: "This deletes 2 users permanently. To confirm: --yes\n",
      });
      expect(await left()).toEqual(emails);
      expect((await users("purge-conformance", "--yes")).out).toBe("Deleted 2 users.\n");
      expect(await left()).toEqual(["ada@example.com", "b@example.com"]);
      expect((await users("purge-conformance")).out).toBe("Deleted 0 users.\n");
    });

    it("are purged by their local part alone", async () => {
      const theirs = [`x@${own}-1.example`, `${own}@example.com`, `${own}-x@example.com`, `${own}0-1@example.com`];
      const others = [`${own.slice(1)}-1@example.com`, `${own.slice(0, -1)}-1@example.com`, `${own.slice(0, -1)}g-1@a`];
      const its = [`${own}-17@ddd.ddd`, `a.${own}-3+x.y.zzz@a.b.example.com`, `${own}-4!#$%&'*+/=?^_\`{|}~-.zz@b`];
      for (const email of [...its, ...theirs, ...others])
        await storage.stores.users.insert({ name: "N", email, createdAt: new Date() });
      expect((await users("purge-conformance", "--yes")).out).toBe("Deleted 5 users.\n");
      expect(await left()).toEqual(["ada@example.com", "b@example.com", ...theirs, ...others]);
      expect((await users("purge-conformance", "--help")).out).toContain("conformance+ID-NUMBER");
    });

    it("are deleted by id or e-mail address, all of those named or none, when that is confirmed", async () => {
      const [first] = (await page()).items;
      const both = ["delete", first.id.toUpperCase(), "ADA@example.com", first.email];
      expect(await users(...both)).toMatchObject({ code: 1, err: expect.stringContaining("deletes 2 users") });
      expect(await users(...both, unknownId, "--yes")).toMatchObject({
        code: 1,
        err: `There is no user ${unknownId}; none is deleted.\n`,
      });
      expect(await left()).toEqual(emails);
      expect((await users(...both, "--yes")).out).toBe("Deleted 2 users.\n");
      expect(await left()).toEqual(emails.slice(2));
    });
  });

  it("migrates one new database from several processes at once", async () => {
    const migrate = () =>
      promisify(execFile)(process.execPath, ["--import", "tsx", cli, "migrate"], { env: { ...process.env, ...env } });
    const all = await Promise.all([migrate(), migrate(), migrate()]);
    const [nothing, other, applied] = all
      .map(({ stdout, stderr }) => stdout + stderr)
      .sort((a, b) => b.indexOf("nothing") - a.indexOf("nothing"));
    expect([nothing, other]).toEqual(Array(2).fill("There was nothing to apply. The database is up to date.\n"));
    expect(applied).toBe(
      `A new database was created: ${databaseName(url)}\nApplied ${migrations.map(({ name }) => name).join(", ")}. The database is up to date.\n`,
    );
    expect(await storage.keys.count()).toBe(0);
  });
});

describe("the command line", () => {
  const nowhere = { DATABASE_URL: "sqlite:/nowhere/never/made.sqlite", PLATFORMS: "web" };
  const good = { "--name": "n", "--scopes": "users:read", "--platforms": "web", "--expires": "1d" };

  it.each([
    [{ "--scopes": "users:fly" }, `Unknown scope "users:fly"; there are: ${scopes.join(", ")}.`],
    [{ "--scopes": "" }, 'Unknown scope ""'],
    [{ "--platforms": "web,tv" }, 'Unknown platform "tv"; there are: web.'],
    [{ "--expires": "0d" }, '"0d" is not a duration: write 365d, 12h or 30m.'],
    [{ "--expires": "1y" }, '"1y" is not a duration'],
    [{ "--name": "  " }, "A key needs a name"],
    [{ "--name": "a\u0007" }, "A key needs a name"],
  ])("refuses a key with %j and changes nothing", async (changed, message) => {
    const { code, out, err } = await run(nowhere, "keys", "create", ...Object.entries({ ...good, ...changed }).flat());
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(existsSync("/nowhere")).toBe(false);
  });

  it("refuses an id that is none", async () => {
    expect(await run(nowhere, "keys", "revoke", "abc")).toMatchObject({
      code: 1,
      err: '"abc" is not the id of a key; `keys list` shows the ids.\n',
    });
  });

  it.each(["keys create", "fly", "keys list --fly", "keys"])("exits with 2 on wrong usage: %s", async (argv) => {
    const { code, out, err } = await run(nowhere, ...argv.split(" "));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).not.toBe("");
  });

  it("shows its help and its version", async () => {
    expect(await run({}, "--help")).toMatchObject({ code: 0, err: "", out: expect.stringContaining("migrate  ") });
    expect(await run({}, "--version")).toMatchObject({ code: 0, out: `atpoint ${packageVersion()}, contract 3.0.3\n` });
  });

  it("says in one line that the database cannot be used", async () => {
    expect(await run({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }, "keys", "list")).toEqual({
      code: 1,
      out: "",
      err: "The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1\n",
    });
  });

  it("names what is wrong with the file .env, and does nothing", async () => {
    const { url } = await fresh();
    const cwd = databaseFolder(url);
    writeFileSync(join(cwd, ".env"), `DATABSE_URL=${url}\n`);
    const argv = ["--import", import.meta.resolve("tsx"), cli, "migrate"];
    await expect(promisify(execFile)(process.execPath, argv, { cwd })).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^The configuration is not valid:\n {2}DATABSE_URL in \.env .*\n$/),
    });
    expect(readdirSync(cwd)).toEqual([".env"]);
  });

  it("names every bad variable", async () => {
    const { code, err } = await run({ PORT: "x", LOG_LEVEL: "y" }, "serve");
    expect(code).toBe(1);
    expect(err).toMatch(/PORT .*\n.*LOG_LEVEL /);
  });

  it("names DATABASE_URL when a folder is there", async () => {
    expect(await run({ DATABASE_URL: `sqlite:${databaseFolder((await fresh()).url)}` }, "migrate")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^DATABASE_URL names .*, which is not a file\.\n$/),
    });
  });

  describe("keys conformance --out", () => {
    let env: { DATABASE_URL: string };
    let folder: string;
    let file: string;
    beforeEach(async () => {
      env = { DATABASE_URL: (await fresh()).url };
      folder = databaseFolder(env.DATABASE_URL);
      file = join(folder, "credentials.json");
    });
    const conformance = (...more: string[]) => run(env, "keys", "conformance", "--out", file, ...more);
    const keys = async (): Promise<{ name: string; revokedAt?: string }[]> =>
      JSON.parse((await run(env, "keys", "list", "--json")).out);
    const valid = async () => (await keys()).filter(({ revokedAt }) => revokedAt === undefined).length;

    it("makes no key when the file cannot be written, whatever stands in its way", async () => {
      await run(env, "migrate");
      for (const out of [folder, join(folder, "nowhere", "c.json")]) {
        const { code, err } = await run(env, "keys", "conformance", "--out", out);
        expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(out) });
        expect(err).not.toContain("database");
      }
      expect(await keys()).toEqual([]);
    });

    it("writes a file for its owner only, and nothing beside it", async () => {
      await run(env, "migrate");
      const names = ["full", "noScopes", ...scopes, "otherPlatform", "expired", "revoked"];
      const out = `Wrote ${names.length} keys for 30 days to ${file}: ${names.join(", ")}.\n`;
      expect(await conformance()).toEqual({ code: 0, out, err: "" });
      expect(Object.keys(JSON.parse(readFileSync(file, "utf8")))).toEqual(names);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readdirSync(folder).filter((name) => name.includes("credentials"))).toHaveLength(1);
      const { out: listed } = await run(env, "keys", "list");
      expect(listed).toMatch(/expired .*conformance expired/);
      expect(listed).toMatch(/never +none +web +conformance noScopes/);
    });

    it("makes no key and no database where there is a file", async () => {
      writeFileSync(file, "old", { mode: 0o644 });
      expect(await conformance()).toMatchObject({ code: 1, out: "", err: expect.stringContaining(`${file} exists`) });
      expect(readFileSync(file, "utf8")).toBe("old");
      expect(readdirSync(folder)).toEqual(["credentials.json"]);
      rmSync(file);
      symlinkSync("/nowhere", file);
      expect(await conformance("--force")).toMatchObject({ code: 1, err: expect.stringContaining("is not a file") });
    });

    it("revokes with --force the keys that the file names, none but those of the suite, and writes new ones", async () => {
      const { out } = await run(env, "keys", "create", ...Object.entries(good).flat(), "--json");
      await conformance();
      const old = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...old, noScopes: JSON.parse(out) }), { mode: 0o644 });
      // The operator's own, and those of the suite but for the revoked one.
      const each = 1 + Object.keys(old).length - 1;
      expect(await valid()).toBe(each);
      const { code, out: said } = await conformance("--force");
      // All that the file names but the one that was revoked and the operator's own.
      expect([code, said]).toEqual([
        0,
        expect.stringContaining(`Revoked ${Object.keys(old).length - 2} keys that ${file} named.\nWrote `),
      ]);
      // The one that the file no longer named, the operator's own, and the new ones but for the revoked one.
      expect(await valid()).toBe(each + 1);
      expect((await keys()).find(({ name }) => name === "n")).not.toHaveProperty("revokedAt");
      expect(JSON.parse(readFileSync(file, "utf8")).full).not.toEqual(old.full);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    });
  });
});
