import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { definition } from "../../service.ts";
import { readConfig } from "../../test/atpoint.ts";
import { run } from "../../test/command.ts";
import {
  damage,
  databasesUnderTest,
  fresh,
  migrated,
  overwrite,
  sqlite,
} from "../../test/databases.ts";
import { createKey, dayMs } from "../keys/key-lifecycle.ts";
import { databaseFolder, sqlitePath } from "../storage/address.ts";
import { examine } from "./doctor.ts";
import { localChecks } from "./doctor-checks.ts";

// They are compressed when they are read, which takes seconds, and are looked at in the first test.
const { documents: _, ...house } = localChecks;

/**
 * Beside PostgreSQL the first key is looked for in `data`, where `npm start` in this folder may
 * have left one.
 */
const ownFirstKey = /^.*first key: A key with every scope is still in data\/first-key.*$/m;

/** What it finds that is not ok, one a line. */
async function faults(env: NodeJS.ProcessEnv): Promise<string[]> {
  const findings = await examine(definition, () => readConfig(env), house);
  const lines = findings.map(
    ({ level, check, says, todo }) => `${level} ${check}: ${says} ${todo}`,
  );
  return lines.filter((line) => !/^(ok|skipped) /.test(line) && !ownFirstKey.test(line));
}

const like = (texts: readonly string[]) => texts.map((text) => expect.stringContaining(text));

/** A database with a key that is valid for that long, closed. */
async function healthy(kind = sqlite, lifetimeMs = 100 * dayMs) {
  const database = await fresh(kind);
  const storage = await migrated(database.url);
  await createKey(storage.keys, {
    name: "k",
    scopes: [],
    platforms: ["web"],
    createdAt: new Date(),
    lifetimeMs,
  });
  await storage.close();
  return { ...database, env: { DATABASE_URL: database.url } };
}

describe.each(databasesUnderTest())("doctor on $name", (kind) => {
  it("says of each thing that it is right", async () => {
    const { env } = await healthy(kind);
    const { out, ...rest } = await run(env, "doctor");
    expect(rest).toEqual({ code: 0, err: "" });
    const disk = {
      SQLite: `ok       disk: … MiB are free in ${databaseFolder(env.DATABASE_URL)}.`,
      PostgreSQL: "skipped  disk: The disk of PostgreSQL cannot be checked from here.",
    }[kind.name];
    const says = out.replace(ownFirstKey, "ok       first key: No file has a first key.");
    expect(
      says.replace(/\d+ (?=MiB|doc)/g, "… "),
    ).toBe(`ok       configuration: Every variable is valid.
ok       documents: … documents and the published contract can be served.
skipped  security.txt: SECURITY_TXT is not set.
ok       NODE_ENV: HOST matches.
ok       proxy: TRUST_PROXY_HOPS matches DEPLOYMENT_URLS.
skipped  limits: Rate limits are off: NODE_ENV is not production.
ok       first key: No file has a first key.
${disk}
ok       storage: The database of DATABASE_URL responds.
ok       encoding: The encoding of the database is ${kind === sqlite ? "UTF-8" : "UTF8"}.
ok       migrations: All are applied.
ok       clock: It agrees with the clock of the database.
ok       times: They are read as they were written.
ok       keys: 1 key can be used.
`);
  });

  const older =
    "delete from knex_migrations where name like '002%'; alter table api_keys drop column " +
    "last_used_at";
  it.each([
    [older, "fault migrations: Pending: 002-"],
    [
      "insert into knex_migrations (name, batch) values ('999-new', 9)",
      "warning migrations: A newer release has",
    ],
    ["delete from api_keys", "fault keys: There is no key. Run `atpoint keys create`."],
    [
      "update api_keys set expires_at = '2026-01-01T00:00:00.000Z'",
      "fault keys: Every key is expired or revoked.",
    ],
    ["drop table api_keys", "fault storage: The database of DATABASE_URL is not one of Atpoint: "],
  ])("finds what is wrong after %s", async (statements, finding) => {
    const { env, run: sql } = await healthy(kind);
    for (const statement of statements.split("; ")) await sql(statement);
    expect(await faults(env)).toEqual(like([finding]));
  });

  it("says that a key expires soon, unless there is another one for it", async () => {
    const { env } = await healthy(kind, 13 * dayMs);
    const [finding = ""] = await faults(env);
    expect(finding).toMatch(/^warning keys: 1 key to be replaced within 14 days, /);
    const id = /[0-9a-f-]{36}/.exec(finding)?.[0] ?? "";
    await run(env, "keys", "rotate", id, "--expires", "365d");
    expect(await faults(env)).toEqual([]);
  });

  it("says how far the clocks are apart", async () => {
    const { env } = await healthy(kind);
    onTestFinished(() => void vi.useRealTimers());
    const now = Date.now();
    for (const word of ["ahead of", "behind"]) {
      vi.useFakeTimers({ toFake: ["Date"], now: now + (word === "behind" ? 60_000 : -60_000) });
      const says =
        `^fault clock: The clock of the database is \\d{5} ms ${word} the one of this ` +
        "machine\\. ";
      expect(await faults(env)).toEqual([expect.stringMatching(new RegExp(says))]);
    }
  });
});

const servers = databasesUnderTest().filter((kind) => kind !== sqlite);
it.each(servers)("says which database of $name is not there", async (kind) => {
  const url = new URL((await fresh(kind)).url);
  url.pathname = "/no-such.db";
  const says =
    "fault storage: The database of DATABASE_URL cannot be used: there is no database no-such.db " +
    "(3D000 InitPostgres). Correct the name in DATABASE_URL, or create it: `createdb no-such.db`.";
  expect(await faults({ DATABASE_URL: url.href })).toEqual([says]);
});

describe("doctor", () => {
  const production = { NODE_ENV: "production" };
  const port =
    'a whole number from 0 to 65535, not "x". Correct it; .env.example has all settings.';
  const [address, away] = ["https://a.example.com", "postgres://nobody@127.0.0.1:1/none"];
  it.each<[NodeJS.ProcessEnv, ...string[]]>([
    [
      { PORT: "x", LOG_LEVEL: "y" },
      `fault configuration: PORT must be ${port}`,
      "fault configuration: LOG_LEVEL",
    ],
    [{ HOST: "0.0.0.0" }, "fault NODE_ENV"],
    [{ HOST: "::" }, "fault NODE_ENV"],
    [{ HOST: "127.0.0.2" }],
    [{ HOST: "0.0.0.0", ...production }],
    [{ ...production, RATE_LIMITS: "off" }, "warning limits"],
    [{ RATE_LIMITS: "on", REDIS_URL: "redis://127.0.0.1:1" }, "fault limits"],
    [{ RATE_LIMITS: "on", REDIS_URL: process.env.TEST_REDIS_URL }],
    [{ DEPLOYMENT_URLS: address }, "warning proxy"],
    [{ DEPLOYMENT_URLS: address, TRUST_PROXY_HOPS: "1" }],
    [{ TRUST_PROXY_HOPS: "1" }, "warning proxy"],
    [
      { DATABASE_URL: away },
      "127.0.0.1:1). Start PostgreSQL, or correct host and port in DATABASE_URL.",
    ],
    // A part of the password.
    [
      { DATABASE_URL: "postgres://u:p@a.invalid/b@127.0.0.1/none" },
      "be resolved (getaddrinfo ENOTFOUND). Correct the host in DATABASE_URL; in a password,",
    ],
    // The message has what to do.
    [
      { DATABASE_URL: "postgres://a,b/none" },
      "the one that accepts writes, or a proxy in front of them. undefined",
    ],
    [{ DATABASE_URL: "sqlite:/nowhere/a.sqlite" }, "and there is no folder /nowhere: correct the"],
  ])("checks %j", async (changed, ...findings) => {
    const { env } = await healthy();
    expect(await faults({ ...env, ...changed })).toEqual(like(findings));
  });

  it("says that the first key is left over: in production a fault", async () => {
    const { env } = await healthy();
    const write = (name: string) => {
      const file = join(databaseFolder(env.DATABASE_URL), name);
      writeFileSync(file, "atp_");
      return file;
    };
    ["first-key.ts", "first-keys", "first-key-ideas"].forEach(write);
    expect(await faults(env)).toEqual([]);
    const files = ["first-key", "first-key-127.0.0.1-5432-test", "test.sqlite.first-key"].map(
      write,
    );
    const says = `first key: A key with every scope is still in ${files.join(", ")}. `;
    expect(await faults(env)).toEqual(like([`warning ${says}`]));
    expect(await faults({ ...env, ...production })).toEqual(like([`fault ${says}`]));
  });

  it("exits with 1 for a fault, with what to do, and changes nothing", async () => {
    const { env, run: sql } = await healthy();
    await sql("delete from api_keys");
    const path = sqlitePath(env.DATABASE_URL) ?? "";
    const seen = () => [readdirSync(dirname(path)), readFileSync(path)];
    const before = seen();
    const { out, ...rest } = await run(env, "doctor");
    expect(rest).toEqual({ code: 1, err: "1 fault.\n" });
    expect(out).toContain("fault    keys: There is no key. To do: Run `atpoint keys create`.\n");
    const finding = {
      check: "keys",
      level: "fault",
      says: "There is no key.",
      todo: "Run `atpoint keys create`.",
    };
    expect(JSON.parse((await run(env, "doctor", "--json")).out)).toContainEqual(finding);
    expect(seen()).toEqual(before);
  });

  const remedy = "put a backup in its place, without the old -wal and -shm.";
  const cannot = "fault storage: The database of DATABASE_URL cannot be used: the file is";
  it.each<[string, (database: Awaited<ReturnType<typeof healthy>>) => unknown]>([
    [
      "fault storage: The file of DATABASE_URL is damaged: ",
      (database) => damage(database, "users"),
    ],
    [`${cannot} damaged (SQLITE_CORRUPT). `, ({ url }) => overwrite(url, 100)],
    [
      `${cannot} no SQLite database (SQLITE_NOTADB). Correct the path`,
      ({ url }) => overwrite(url, 0),
    ],
  ])("says what to do: %s", async (says, spoil) => {
    const database = await healthy();
    await spoil(database);
    const [fault, ...furtherFaults] = await faults(database.env);
    expect(furtherFaults).toEqual([]);
    expect(fault).toContain(says);
    expect(fault).toContain(remedy);
  });
});
