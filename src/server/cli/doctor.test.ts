import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { definition } from "../../service.ts";
import { firstKeyFile, readConfig } from "../../test/atpoint.ts";
import { run } from "../../test/command.ts";
import { damage, databasesUnderTest, fresh, migrated, sqlite } from "../../test/databases.ts";
import { createKey, dayMs } from "../keys/key-lifecycle.ts";
import { databaseFolder, sqlitePath } from "../storage/address.ts";
import { examine } from "./doctor.ts";
import { localChecks } from "./doctor-checks.ts";

// They are compressed when they are read, which takes seconds, and are looked at in the first test.
const { documents: _, ...house } = localChecks;

/** Beside PostgreSQL the first key is looked for in `data`, where `npm start` in this folder may have left one. */
const ownFirstKey = /^(warning {2}first key: )?A key with every scope is still in data\/first-key/m;

/** What it finds that is not ok. */
const faults = async (env: NodeJS.ProcessEnv) =>
  (await examine(definition, () => readConfig(env), house)).filter(
    ({ level, says }) => !["ok", "skipped"].includes(level) && !ownFirstKey.test(says),
  );

type Finding = Awaited<ReturnType<typeof faults>>[number];

/** A database with a key that is valid for that long, closed. */
async function healthy(kind = sqlite, lifetimeMs = 100 * dayMs) {
  const database = await fresh(kind);
  const storage = await migrated(database.url);
  await createKey(storage.keys, { name: "k", scopes: [], platforms: ["web"], createdAt: new Date(), lifetimeMs });
  await storage.close();
  return { env: { DATABASE_URL: database.url }, sql: database.run };
}

describe.each(databasesUnderTest())("doctor on $name", (kind) => {
  it("says of each thing that it is right", async () => {
    const { out, ...rest } = await run((await healthy(kind)).env, "doctor");
    expect(rest).toEqual({ code: 0, err: "" });
    const [disk, unseen] = kind === sqlite ? ["disk ", []] : ["", ["disk"]];
    const checks = `configuration documents NODE_ENV proxy first_key ${disk}storage encoding migrations clock times keys`;
    expect(
      out
        .replace(ownFirstKey, "ok       first key")
        .replace("first key", "first_key")
        .match(/^ok {7}\w+/gm),
    ).toEqual(checks.split(" ").map((check) => `ok       ${check}`));
    expect(out.match(/(?<=^skipped {2})\w+/gm)).toEqual(["security", "limits", ...unseen]);
  });

  it.each<[string, string[], Partial<Finding>]>([
    [
      "a migration is missing",
      ["delete from knex_migrations where name like '002%'", "alter table api_keys drop column last_used_at"],
      { check: "migrations", level: "fault", todo: "Run `atpoint migrate`." },
    ],
    [
      "a newer release has migrated",
      ["insert into knex_migrations (name, batch) values ('999-new', 9)"],
      { check: "migrations", level: "warning" },
    ],
    ["there is no key", ["delete from api_keys"], { check: "keys", level: "fault", says: "There is no key." }],
    [
      "no key can be used",
      ["update api_keys set expires_at = '2026-01-01T00:00:00.000Z'"],
      { check: "keys", level: "fault", says: "Every key is expired or revoked." },
    ],
    ["none of its tables is there", ["drop table api_keys"], { check: "storage", level: "fault" }],
  ])("says that %s", async (_, statements, finding) => {
    const { env, sql } = await healthy(kind);
    for (const statement of statements) await sql(statement);
    expect(await faults(env)).toEqual([expect.objectContaining(finding)]);
  });

  it("says that a key expires soon, unless there is another one for it", async () => {
    const { env } = await healthy(kind, 13 * dayMs);
    const [finding] = await faults(env);
    expect(finding).toMatchObject({ check: "keys", level: "warning" });
    const id = finding?.says.match(/[0-9a-f-]{36}/)?.[0] ?? "";
    await run(env, "keys", "rotate", id, "--expires", "365d");
    expect(await faults(env)).toEqual([]);
  });

  it.each([
    [-60_000, /^The clock of the database is \d{5} ms ahead of the one of this machine\.$/],
    [60_000, /^The clock of the database is \d{5} ms behind the one of this machine\.$/],
  ])("says how far the clocks are apart: %d ms", async (apart, says) => {
    const { env } = await healthy(kind);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + apart });
    onTestFinished(() => void vi.useRealTimers());
    expect(await faults(env)).toEqual([expect.objectContaining({ check: "clock", says: expect.stringMatching(says) })]);
  });
});

describe("doctor", () => {
  it.each<[NodeJS.ProcessEnv, Partial<Finding>[]]>([
    [
      { PORT: "x", LOG_LEVEL: "y" },
      [{ check: "configuration", says: "PORT must be a whole number from 0 to 65535." }, { check: "configuration" }],
    ],
    [{ HOST: "0.0.0.0" }, [{ check: "NODE_ENV", level: "fault" }]],
    [{ HOST: "::" }, [{ check: "NODE_ENV", level: "fault" }]],
    [{ HOST: "127.0.0.2" }, []],
    [{ HOST: "0.0.0.0", NODE_ENV: "production" }, []],
    [{ NODE_ENV: "production", RATE_LIMITS: "off" }, [{ check: "limits", level: "warning" }]],
    [{ RATE_LIMITS: "on", REDIS_URL: "redis://127.0.0.1:1" }, [{ check: "limits", level: "fault" }]],
    [{ RATE_LIMITS: "on", REDIS_URL: process.env.TEST_REDIS_URL }, []],
    [{ DEPLOYMENT_URLS: "https://a.example.com" }, [{ check: "proxy", level: "warning" }]],
    [{ DEPLOYMENT_URLS: "https://a.example.com", TRUST_PROXY_HOPS: "1" }, []],
    [{ TRUST_PROXY_HOPS: "1" }, [{ check: "proxy", level: "warning" }]],
    [{ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }, [{ check: "storage", level: "fault" }]],
    [
      { DATABASE_URL: "sqlite:/nowhere/a.sqlite" },
      // The start makes a folder that is missing: there is a disk for it.
      [{ check: "storage", level: "fault" }],
    ],
  ])("checks %j", async (changed, findings) => {
    const { env } = await healthy();
    expect(await faults({ ...env, ...changed })).toEqual(findings.map((finding) => expect.objectContaining(finding)));
  });

  it("says that the first key is left over: in production a fault", async () => {
    const { env } = await healthy();
    const folder = databaseFolder(env.DATABASE_URL);
    for (const other of ["first-key.ts", "first-keys", "first-key-ideas"]) writeFileSync(join(folder, other), "");
    expect(await faults(env)).toEqual([]);
    const files = ["first-key", "first-key-127.0.0.1-5432-test", "test.sqlite.first-key"].map((name) =>
      join(folder, name),
    );
    for (const file of files) writeFileSync(file, "atp_");
    expect(firstKeyFile(env.DATABASE_URL)).toBe(files[2]);
    const says = `A key with every scope is still in ${files.join(", ")}.`;
    expect(await faults(env)).toMatchObject([{ check: "first key", level: "warning", says }]);
    expect(await faults({ ...env, NODE_ENV: "production" })).toMatchObject([{ check: "first key", level: "fault" }]);
  });

  it("ends with 1 for a fault, which says what to do, also as JSON", async () => {
    const { env, sql } = await healthy();
    await sql("delete from api_keys");
    const finding = { check: "keys", level: "fault", says: "There is no key.", todo: "Run `atpoint keys create`." };
    const { out, ...rest } = await run(env, "doctor");
    expect(rest).toEqual({ code: 1, err: "1 fault.\n" });
    expect(out).toContain("fault    keys: There is no key. To do: Run `atpoint keys create`.\n");
    expect(JSON.parse((await run(env, "doctor", "--json")).out)).toContainEqual(finding);
  });

  it("says that the file is damaged where it answers, and what to do", async () => {
    const { env, sql } = await healthy();
    await damage({ url: env.DATABASE_URL, run: sql }, "users");
    const todo = "Stop the service, and put a backup in its place, without the old -wal and -shm.";
    expect(await faults(env)).toEqual([expect.objectContaining({ check: "storage", level: "fault", todo })]);
  });

  it.each<[string, number, Partial<Finding>]>([
    [
      "the file is damaged (SQLITE_CORRUPT)",
      100,
      { todo: "Stop the service, and put a backup in its place, without the old -wal and -shm." },
    ],
    ["the file is no SQLite database (SQLITE_NOTADB)", 0, { todo: expect.stringContaining("Correct the path") }],
  ])("says that %s", async (why, from, finding) => {
    const { env } = await healthy();
    const path = sqlitePath(env.DATABASE_URL) ?? "";
    writeFileSync(path, readFileSync(path).fill(0xff, from));
    const says = `The database of DATABASE_URL cannot be used: ${why}.`;
    expect(await faults(env)).toEqual([expect.objectContaining({ check: "storage", says, ...finding })]);
  });

  it("names for each other failure of the storage what to do", async () => {
    const todo = async (DATABASE_URL: string) => (await faults({ DATABASE_URL })).map((finding) => finding.todo);
    expect(await todo("postgres://nobody@127.0.0.1:1/none")).toEqual([
      "Correct DATABASE_URL, or start the server that it names.",
    ]);
    // The message has it.
    expect(await todo("postgres://a,b/none")).toEqual([undefined]);
    expect(await todo((await fresh()).url)).toEqual(["Correct DATABASE_URL, or create the tables: `atpoint migrate`."]);
  });

  it("changes nothing", async () => {
    const { env } = await healthy();
    const path = sqlitePath(env.DATABASE_URL) ?? "";
    const seen = () => [readdirSync(databaseFolder(env.DATABASE_URL)), readFileSync(path)];
    const before = seen();
    await faults(env);
    expect(seen()).toEqual(before);
  });
});
