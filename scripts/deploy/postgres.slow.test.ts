// The shipped files for PostgreSQL: the role that may only read and write rows, and PgBouncer in
// front of it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { file } from "../../conformance/cli/command.test-kit.ts";
import { selfSigned } from "../../conformance/proof/kits/tls.test-kit.ts";
import { contract } from "../../generated/contract.ts";
import { readConfig, startService } from "../../src/test/atpoint.ts";
import { run as command } from "../../src/test/command.ts";
import { databasesUnderTest, fresh, keyIn, migrated } from "../../src/test/databases.ts";
import { patience } from "../../src/test/patience.ts";
import { freePort } from "../../src/test/ports.ts";
import { withoutWarnings } from "../../src/test/warnings.ts";
import { itWith } from "../programs.test-kit.ts";

const [, postgres] = databasesUnderTest();
const shipped = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");
const password = 'it\'s "secret"';
const given = ["-v", `password=${password}`];

const schemaOf = (url: string) => new URL(url).searchParams.get("options")?.split("=").at(-1) ?? "";

/** A new schema, its name, and roles that are dropped when the test ends. */
async function newSchema() {
  const { url, run } = await fresh(postgres);
  const schema = schemaOf(url);
  const dropped = (role: string) =>
    onTestFinished(
      async () => void (await run(`drop owned by ${role} cascade; drop role ${role}`)),
    );
  /** The address for a new role that may log in. */
  const newRole = async (role: string, grant = "") => {
    await run(`create role ${role} login password 'x'; ${grant}`);
    dropped(role);
    return Object.assign(new URL(url), { username: role, password: "x" }).href;
  };
  return { url, run, schema, newRole, dropped };
}

/** The output of psql for the shipped file, for a role and a schema of this test. */
function createRole(url: string, role: string, ...variables: string[]) {
  const shippedSql = shipped("postgres-role.sql").replaceAll("atpoint_serve", role);
  const input = shippedSql.replaceAll("schema public", `schema ${schemaOf(url)}`);
  const { status, stderr } = spawnSync("psql", ["-qX", ...variables, "-f", "-", url], {
    input,
    encoding: "utf8",
  });
  return {
    status,
    errors: stderr.match(/ERROR: .*/g) ?? [],
    hint: /HINT: +(.*)/.exec(stderr)?.[1],
  };
}
const done = { status: 0, errors: [], hint: undefined };

/** A migrated database, a key, and its address for a role created by the shipped file. */
async function servingRole() {
  const { url, run, schema, dropped } = await newSchema();
  const key = await keyIn((await migrated(url)).keys, ...contract.scopes);
  const role = `serve_${schema}`;
  expect(createRole(url, role, ...given)).toEqual(done);
  dropped(role);
  await run(`alter role ${role} set search_path = ${schema}`);
  const address = Object.assign(new URL(url), {
    username: role,
    password: encodeURIComponent(password),
    search: "",
  });
  return { address, key, run, role };
}

async function serve(url: string) {
  const here = { DATABASE_URL: url, PORT: "0", LOG_LEVEL: "silent", SHUTDOWN_GRACE_MS: "1" };
  const config = readConfig({ ...patience, ...here, NODE_ENV: "test" });
  const service = await startService(config, undefined, { migrates: false });
  onTestFinished(() => service.close());
  return service.url;
}

/**
 * Many in parallel, on several connections: creates, equal creates with one key, lists, health.
 * Returns the statuses.
 */
async function use(url: string, key: string): Promise<number[]> {
  const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };
  const create = (name: string, email: string, extraHeaders = {}) => {
    const body = JSON.stringify({ "@": "user.create", data: { name, email } });
    return fetch(`${url}/api/`, { method: "POST", body, headers: { ...headers, ...extraHeaders } });
  };
  const calls = Array.from({ length: 15 }, (_, index) => [
    create("Ada", `${index}@example.com`),
    create("Bob", "bob@example.com", { "Idempotency-Key": "twin" }),
    fetch(`${url}/api/?@=user.list&limit=5`, { headers }),
    fetch(`${url}/api/?@=test.health`, { headers }),
  ]);
  const statuses = (await Promise.all(calls.flat())).map(({ status }) => status);
  return [...new Set(statuses)].sort();
}

/**
 * Starts PgBouncer with the shipped file, changed, in front of the address, and returns its own.
 */
async function startBouncer(address: URL, change = (ini: string): string => ini) {
  const folder = dirname(file("pgbouncer.ini"));
  const port = await freePort();
  const there =
    `host=${address.hostname} port=${address.port || 5432} ` +
    `dbname=${address.pathname.slice(1)}`;
  const ini = shipped("pgbouncer.ini")
    .replace("host=127.0.0.1 port=5432 dbname=atpoint", there)
    .replace("6432", String(port))
    .replace("/etc/pgbouncer", folder)
    // Fewer than the service has: two clients take turns on one.
    .replace("default_pool_size = 20", "default_pool_size = 2");
  writeFileSync(join(folder, "pgbouncer.ini"), change(ini));
  writeFileSync(
    join(folder, "userlist.txt"),
    `"${address.username}" "${password.replaceAll('"', '""')}"\n`,
  );
  chmodSync(folder, 0o755);
  // It does not run as root.
  const who = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn("pgbouncer", [join(folder, "pgbouncer.ini")], {
    ...who,
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  for await (const line of createInterface(child.stderr)) if (line.includes("process up")) break;
  child.stderr.resume();
  return Object.assign(new URL(address), { host: `127.0.0.1:${port}`, pathname: "/atpoint" });
}

describe.skipIf(!postgres)("with PostgreSQL", () => {
  itWith(["psql"], "serves as a role that may only read and write rows", async () => {
    const { address, key, run, role } = await servingRole();
    expect(await use(await serve(address.href), key)).toEqual([200, 201]);
    for (const statement of [
      "create table t (x int)",
      "drop table users",
      "delete from knex_migrations",
    ])
      await expect(run(`set role ${role}; ${statement}`)).rejects.toMatchObject({ code: "42501" });
  });

  itWith(
    ["psql"],
    "says what the file lacks, once, and creates no role and grants nothing",
    async () => {
      const { url, run, schema, newRole, dropped } = await newSchema();
      const [role, owner] = [`serve_${schema}`, `owner_${schema}`];
      const owned = await newRole(owner, `grant all on schema ${schema} to ${owner}`);
      const expectFailure = (failed: ReturnType<typeof createRole>, error: string, hint = "") => {
        expect(failed).toMatchObject({ status: 3, errors: [expect.stringContaining(error)] });
        expect(failed.hint ?? "").toContain(hint);
      };
      expectFailure(createRole(url, role), "The password of the new role is missing");
      expectFailure(createRole(url, role, ...given), "There are no tables of Atpoint here");
      await (await migrated(owned)).close();
      expectFailure(
        createRole(url, role, ...given),
        `The tables belong to the role ${owner}`,
        `Connect as ${owner}`,
      );
      const hint = `alter role ${owner} createrole`;
      expectFailure(createRole(owned, role, ...given), "is not allowed to create roles", hint);
      expect(await run(`select from pg_roles where rolname = '${role}'`)).toEqual([]);
      await run(hint);
      expect(createRole(owned, role, ...given)).toEqual(done);
      dropped(role);
    },
  );

  it("rejects a server that cannot hold every name, and writes nothing there", async () => {
    const { url, run, schema: name } = await newSchema();
    await run(
      `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
    );
    onTestFinished(async () => void (await run(`drop database ${name}`)));
    const DATABASE_URL = Object.assign(new URL(url), { pathname: name, search: "" }).href;
    const config = readConfig({ ...patience, DATABASE_URL, PORT: "0", LOG_LEVEL: "silent" });
    await expect(startService(config)).rejects.toThrow("is LATIN1, which cannot hold every name");
  });

  it("says what a role that may not create tables needs", async () => {
    const { run, schema, newRole } = await newSchema();
    const role = `maker_${schema}`;
    const DATABASE_URL = await newRole(role);
    expect((await command({ DATABASE_URL }, "migrate")).err).toContain(
      "no schema to create tables in (3F000 ",
    );
    await run(`grant usage on schema ${schema} to ${role}`);
    const hint = `grant usage, create on schema ${schema} to`;
    const { err } = await command({ DATABASE_URL }, "migrate");
    expect(err).toMatch(
      RegExp(`may not create tables in the schema \\(42501 .*: \`${hint} ROLE\``),
    );
    await run(`${hint} ${role}`);
    expect((await command({ DATABASE_URL }, "migrate")).code).toBe(0);
  });

  itWith(["psql", "pgbouncer"], "works through PgBouncer in transaction mode", async () => {
    const { address, key, run, role } = await servingRole();
    // What no statement of ours can set first: two clients take turns on one session.
    for (const set of ["datestyle = 'SQL, DMY'", "timezone = 'Asia/Kathmandu'"])
      await run(`alter role ${role} set ${set}`);
    await run(`alter role ${role} set default_transaction_isolation = 'serializable'`);
    const through = await startBouncer(address);
    expect(await use(await serve(through.href), key)).toEqual([200, 201]);
  });

  itWith(
    ["psql", "pgbouncer"],
    "works through one that rejects a startup parameter, as its message says",
    async () => {
      const { address, key } = await servingRole();
      const through = await startBouncer(address, (ini) =>
        ini.replace(/^ignore_startup_parameters.*$/m, ""),
      );
      const says = "the pooler rejects a startup parameter (08P01)";
      const todo = "Add `?statement_timeout=` to DATABASE_URL";
      const run = (...words: string[]) => command({ DATABASE_URL: through.href }, ...words);
      const { err } = await run("keys", "list");
      expect(err).toContain(`${says}. ${todo}`);
      expect(err).not.toContain("unsupported startup parameter");
      expect((await run("doctor")).out).toContain(`cannot be used: ${says}. To do: ${todo}`);

      through.search = "?statement_timeout=";
      expect(await use(await serve(through.href), key)).toEqual([200, 201]);
      expect((await run("doctor")).out).toMatch(/^ok {7}storage:/m);

      through.pathname = "/elsewhere";
      const missingDatabase =
        /there is no database elsewhere \(3D000|the pooler rejected the connection \(08P01/;
      expect((await run("keys", "list")).err).toMatch(missingDatabase);
    },
  );

  itWith(
    ["psql", "pgbouncer", "openssl"],
    "says what a certificate of an unknown authority needs",
    async () => {
      const { address } = await servingRole();
      const { certificate, key } = await selfSigned();
      for (const name of [dirname(key), key]) chmodSync(name, 0o755);
      const tls =
        `client_tls_sslmode = require\nclient_tls_key_file = ${key}\nclient_tls_cert_file = ` +
        `${certificate}\n`;
      const through = await startBouncer(address, (ini) => ini + tls);
      withoutWarnings();
      const listing = async (search: string) => {
        through.search = search;
        return (await command({ DATABASE_URL: through.href }, "keys", "list")).err;
      };
      const unknown =
        "authority that is unknown here (DEPTH_ZERO_SELF_SIGNED_CERT). Add `sslrootcert=FILE`";
      expect(await listing("?sslmode=prefer")).toContain(unknown);
      expect(await listing(`?sslmode=prefer&sslrootcert=${certificate}`)).toContain(
        "1 key to be replaced",
      );
      expect(await listing("?sslmode=no-verify")).toContain("1 key to be replaced");
    },
  );
});
