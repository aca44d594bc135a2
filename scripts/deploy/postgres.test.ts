// The shipped files for PostgreSQL: the role that may only read and write rows, and PgBouncer in front of it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { contract } from "../../generated/contract.ts";
import { readConfig, startService } from "../../src/test/atpoint.ts";
import { run as command } from "../../src/test/command.ts";
import { databasesUnderTest, fresh, keyIn, migrated } from "../../src/test/databases.ts";
import { patience } from "../../src/test/patience.ts";
import { freePort } from "../../src/test/ports.ts";
import { newFolder } from "./front.test-kit.ts";

const { scopes } = contract;

const [, postgres] = databasesUnderTest();
const psql = spawnSync("psql", ["--version"]).error === undefined;
const withPsql = (title: string) => (psql ? title : `${title}: LEFT OUT, psql is not installed`);
const shipped = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");

const password = 'it\'s "secret"';

/** The output of psql for the shipped file, for a role and a schema of this test. */
function createRole(url: string, role: string, ...variables: string[]) {
  const schema = new URL(url).searchParams.get("options")?.split("=").at(-1) ?? "";
  const input = shipped("postgres-role.sql")
    .replaceAll("atpoint_serve", role)
    .replaceAll("schema public", `schema ${schema}`);
  const { status, stderr } = spawnSync("psql", ["-qX", ...variables, "-f", "-", url], { input, encoding: "utf8" });
  return { status, errors: stderr.match(/ERROR: .*/g) ?? [], hint: /HINT: +(.*)/.exec(stderr)?.[1] };
}

/** A migrated database, a key, and its address for a role created by the shipped file. */
async function roleOf(kind: NonNullable<typeof postgres>) {
  const { url, run } = await fresh(kind);
  const key = await keyIn((await migrated(url)).keys, ...scopes);
  const address = new URL(url);
  const schema = address.searchParams.get("options")?.split("=").at(-1) ?? "";
  const role = `serve_${schema}`;
  expect(createRole(url, role, "-v", `password=${password}`)).toEqual({ status: 0, errors: [], hint: undefined });
  onTestFinished(async () => void (await run(`drop owned by ${role}; drop role ${role}`)));
  await run(`alter role ${role} set search_path = ${schema}`);
  address.username = role;
  address.password = encodeURIComponent(password);
  address.search = "";
  return { address, key, run, role };
}

async function serve(url: string) {
  const config = readConfig({
    ...patience,
    DATABASE_URL: url,
    PORT: "0",
    LOG_LEVEL: "silent",
    CHECK_ANSWERS: "throw",
    KEY_CACHE_MS: "0",
    SHUTDOWN_GRACE_MS: "1",
  });
  const service = await startService(config, undefined, { migrates: false });
  onTestFinished(() => service.close());
  return service.url;
}

/** Many in parallel, on several connections: creates, equal creates with one key, lists, health. Returns the statuses. */
async function use(url: string, key: string): Promise<number[]> {
  const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };
  const all = Array.from({ length: 60 }, async (_, index) => {
    const data = { name: "Ada", email: `${index}@example.com` };
    const created = { method: "POST", body: JSON.stringify({ "@": "user.create", data }), headers };
    const once = JSON.stringify({ "@": "user.create", data: { name: "Bob", email: "bob@example.com" } });
    const calls = [
      ["", created],
      ["", { ...created, body: once, headers: { ...headers, "Idempotency-Key": "twin" } }],
      ["?@=user.list&limit=5", { headers }],
      ["?@=test.health", { headers }],
    ] as const;
    const [query, init] = calls[index % 4] ?? calls[0];
    return (await fetch(`${url}/api/${query}`, init)).status;
  });
  return [...new Set(await Promise.all(all))].sort();
}

it.skipIf(!postgres || !psql)(withPsql("serves as a role that may only read and write rows"), async () => {
  const { address, key, run, role } = await roleOf(postgres ?? expect.unreachable());
  expect(await use(await serve(address.href), key)).toEqual([200, 201]);
  const as = (statement: string) => run(`set role ${role}; ${statement}`);
  for (const statement of ["create table t (x int)", "drop table users", "delete from knex_migrations"])
    await expect(as(statement)).rejects.toMatchObject({ code: "42501" });
});

it.skipIf(!postgres || !psql)(
  withPsql("says what the file lacks, once, and creates no role and grants nothing"),
  async () => {
    const { url, run } = await fresh(postgres);
    const schema = new URL(url).searchParams.get("options")?.split("=").at(-1) ?? "";
    const [role, owner] = [`serve_${schema}`, `owner_${schema}`];
    const given = ["-v", "password=x"];
    const failure = (error: string, hint?: string) => ({
      status: 3,
      errors: [expect.stringContaining(error)],
      hint: hint === undefined ? undefined : expect.stringContaining(hint),
    });
    await run(`create role ${owner} login password 'x'; grant all on schema ${schema} to ${owner}`);
    onTestFinished(async () => void (await run(`drop owned by ${owner}; drop role ${owner}`)));
    const owned = new URL(url);
    Object.assign(owned, { username: owner, password: "x" });

    expect(createRole(url, role)).toEqual(failure("The password of the new role is missing"));
    expect(createRole(url, role, ...given)).toEqual(failure("There are no tables of Atpoint here"));
    await (await migrated(owned.href)).close();
    expect(createRole(url, role, ...given)).toEqual(
      failure(`The tables belong to the role ${owner}`, `Connect as ${owner}`),
    );
    expect(createRole(owned.href, role, ...given)).toEqual(
      failure("is not allowed to create roles", `alter role ${owner} createrole`),
    );
    expect(await run(`select from pg_roles where rolname = '${role}'`)).toEqual([]);

    // The hint in its error message is sufficient.
    await run(`alter role ${owner} createrole`);
    expect(createRole(owned.href, role, ...given)).toEqual({ status: 0, errors: [], hint: undefined });
    await run(`drop owned by ${role}; drop role ${role}`);
  },
);

it.skipIf(!postgres)("rejects to start without migrating where something is to migrate", async () => {
  const { url } = await fresh(postgres);
  await expect(serve(url)).rejects.toThrow("The database lacks 001-users-and-api-keys");
});

it.skipIf(!postgres)("rejects a server that cannot hold every name, and writes nothing there", async () => {
  const { url, run } = await fresh(postgres);
  const address = new URL(url);
  const name = address.searchParams.get("options")?.split("=").at(-1) ?? "";
  await run(`create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`);
  onTestFinished(async () => void (await run(`drop database ${name}`)));
  address.pathname = name;
  address.search = "";
  const config = readConfig({ ...patience, DATABASE_URL: address.href, PORT: "0", LOG_LEVEL: "silent" });
  await expect(startService(config)).rejects.toThrow("is LATIN1, which cannot hold every name");
});

/** Starts PgBouncer with the shipped file, changed, in front of the address; returns its own, and the folder of its files. */
async function startBouncer(address: URL, change: (ini: string, folder: string) => string = (ini) => ini) {
  const folder = newFolder();
  const port = await freePort();
  const there = `host=${address.hostname} port=${address.port || 5432} dbname=${address.pathname.slice(1)}`;
  const ini = shipped("pgbouncer.ini")
    .replace("host=127.0.0.1 port=5432 dbname=atpoint", there)
    .replace("6432", String(port))
    .replace("/etc/pgbouncer", folder)
    // Fewer than the service has: two clients take turns on one.
    .replace("default_pool_size = 20", "default_pool_size = 2");
  writeFileSync(join(folder, "pgbouncer.ini"), change(ini, folder));
  writeFileSync(join(folder, "userlist.txt"), `"${address.username}" "${password.replaceAll('"', '""')}"\n`);
  chmodSync(folder, 0o755);
  // It does not run as root.
  const who = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn("pgbouncer", [join(folder, "pgbouncer.ini")], { ...who, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  for await (const line of createInterface(child.stderr)) if (line.includes("process up")) break;
  child.stderr.resume();
  const through = new URL(address);
  Object.assign(through, { host: `127.0.0.1:${port}`, pathname: "/atpoint" });
  return { through, folder };
}

const bouncer = spawnSync("pgbouncer", ["--version"]).error === undefined;
const withBouncer = (title: string) => (bouncer ? title : `${title}: LEFT OUT, pgbouncer is not installed`);
const canBounce = postgres && psql && bouncer;

it.skipIf(!canBounce)(withBouncer("works through PgBouncer in transaction mode"), async () => {
  const { address, key, run, role } = await roleOf(postgres ?? expect.unreachable());
  // What no statement of ours can set first: two clients take turns on one session.
  for (const set of ["datestyle = 'SQL, DMY'", "timezone = 'Asia/Kathmandu'"])
    await run(`alter role ${role} set ${set}`);
  await run(`alter role ${role} set default_transaction_isolation = 'serializable'`);
  const { through } = await startBouncer(address);
  expect(await use(await serve(through.href), key)).toEqual([200, 201]);
});

it.skipIf(!canBounce)(
  withBouncer("works through one that rejects a startup parameter, with the line of its message"),
  async () => {
    const { address, key } = await roleOf(postgres ?? expect.unreachable());
    const { through } = await startBouncer(address, (ini) => ini.replace(/^ignore_startup_parameters.*$/m, ""));
    const says = "the pooler rejects a startup parameter (08P01)";
    const todo = "Add `?statement_timeout=` to DATABASE_URL";
    const DATABASE_URL = through.href;
    const { err } = await command({ DATABASE_URL }, "keys", "list");
    expect(err).toContain(`${says}. ${todo}`);
    expect(err).not.toContain("unsupported startup parameter");
    expect((await command({ DATABASE_URL }, "doctor")).out).toContain(`cannot be used: ${says}. To do: ${todo}`);

    through.search = "?statement_timeout=";
    expect(await use(await serve(through.href), key)).toEqual([200, 201]);
    expect((await command({ DATABASE_URL: through.href }, "doctor")).out).toMatch(/^ok {7}storage:/m);

    through.pathname = "/elsewhere";
    const other = (await command({ DATABASE_URL: through.href }, "keys", "list")).err;
    expect(other).toMatch(/there is no database of that name \(3D000|the pooler rejected the connection \(08P01/);
  },
);

it.skipIf(!canBounce)(withBouncer("says what a certificate of an unknown authority needs"), async () => {
  const { address } = await roleOf(postgres ?? expect.unreachable());
  const { through, folder } = await startBouncer(address, (ini, files) => {
    const words = "req -x509 -days 1 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost";
    const names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", join(files, "key.pem")];
    spawnSync("openssl", [...words.split(" "), ...names, "-out", join(files, "cert.pem")]);
    chmodSync(join(files, "key.pem"), 0o644);
    return `${ini}client_tls_sslmode = require\nclient_tls_key_file = ${files}/key.pem\nclient_tls_cert_file = ${files}/cert.pem\n`;
  });
  const listing = async (search: string) => {
    through.search = search;
    return (await command({ DATABASE_URL: through.href }, "keys", "list")).err;
  };
  expect(await listing("?sslmode=prefer")).toContain(
    "from an authority that is unknown here (DEPTH_ZERO_SELF_SIGNED_CERT). Add `sslrootcert=FILE`",
  );
  expect(await listing(`?sslmode=prefer&sslrootcert=${folder}/cert.pem`)).toContain("1 key to be replaced");
  expect(await listing("?sslmode=no-verify")).toContain("1 key to be replaced");
});

it.skipIf(!postgres)("says what a role that may not create tables needs", async () => {
  const { url, run } = await fresh(postgres);
  const schema = new URL(url).searchParams.get("options")?.split("=").at(-1) ?? "";
  const role = `maker_${schema}`;
  await run(`create role ${role} login password 'x'`);
  onTestFinished(async () => void (await run(`drop owned by ${role} cascade; drop role ${role}`)));
  const address = new URL(url);
  Object.assign(address, { username: role, password: "x" });
  const migrating = () => command({ DATABASE_URL: address.href }, "migrate");
  expect((await migrating()).err).toContain("the role has no schema to create tables in (3F000 ");
  await run(`grant usage on schema ${schema} to ${role}`);
  expect((await migrating()).err).toMatch(
    RegExp(`may not create tables in the schema \\(42501 .*: \`grant usage, create on schema ${schema} to ROLE\``),
  );
  await run(`grant usage, create on schema ${schema} to ${role}`);
  expect((await migrating()).code).toBe(0);
});
