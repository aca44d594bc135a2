import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { beforeEach, expect, it } from "vitest";
import { definition } from "../../service.ts";
import { firstKeyFile, readConfig } from "../../test/atpoint.ts";
import { databasesUnderTest, fresh, opened, sqlite } from "../../test/databases.ts";
import { BOUND_MS, patience } from "../../test/patience.ts";
import { portOf } from "../../test/ports.ts";
import { ended, exitCode, logOf, spawnService } from "../../test/process.ts";
import { databaseFolder, databaseName, sqlitePath } from "../storage/address.ts";
import { failureText } from "./failure.ts";
import { start } from "./serve.ts";

let url: string;
let file: string;
let printed: string;
beforeEach(async () => {
  ({ url } = await fresh());
  file = firstKeyFile(url);
  printed = "";
});

const run = (changed: NodeJS.ProcessEnv = {}) =>
  spawnService({ DATABASE_URL: url, SHUTDOWN_GRACE_MS: "1", ...changed });

/** In this process, what it prints being kept. */
function begin(changed: NodeJS.ProcessEnv = {}, { migrates = true, isTTY = false } = {}) {
  const usual = { DATABASE_URL: url, PORT: "0", LOG_LEVEL: "silent", SHUTDOWN_GRACE_MS: "1" };
  const terminal = { isTTY, write: (text: string) => (printed += text) };
  const config = readConfig({ ...patience, ...usual, ...changed });
  return start(definition, config, { stdout: terminal, stderr: terminal }, undefined, migrates);
}

/** Starts and ends it; why it does not start. */
const failure = (...given: Parameters<typeof begin>) =>
  begin(...given).then((service) => service.close(), failureText);

it("logs where it listens, but no key, and exits with 0 on SIGTERM", async () => {
  const { child, stdout, stderr } = run();
  const err = text(stderr);
  const log = await logOf(stdout, async (url) => {
    expect((await fetch(`${url}/api/?@=sysinfo`)).status).toBe(200);
    child.kill();
  });
  expect(await exitCode(child)).toBe(0);
  expect(await err).toBe(
    `A new database was created: sqlite:${sqlitePath(url)}\nThe first API key is in ${file}.\n`,
  );
  expect(log).toContain(`"nodeEnv":"test","database":"sqlite:${sqlitePath(url)}",`);
  const limits = `"shutdownDelayMs":0,"shutdownGraceMs":1,"shutdownTimeoutMs":${BOUND_MS}`;
  const closing =
    `{"level":30,"time":\\d+,"signal":"SIGTERM",${limits},"msg":"closing"}` +
    `{"level":30,"time":\\d+,"msg":"closed"}$`;
  expect(log).toMatch(new RegExp(closing));
  expect(log).not.toContain(readFileSync(file, "utf8").trim());
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each(["", " '$(false)"])(
  "prints a command for the first key on a terminal, once",
  async (odd) => {
    url += odd;
    file = firstKeyFile(url);
    const service = await begin({}, { isTTY: true });
    expect(printed).toContain(`The first API key is in ${file}.\n`);
    expect(printed).not.toContain(readFileSync(file, "utf8").trim());
    const [, command = ""] = /^ {2}(curl .*)/m.exec(printed) ?? [];
    const { stdout } = spawn("sh", ["-c", `${command} -s -o /dev/null -w '%{http_code}'`]);
    expect(await text(stdout)).toBe("200");
    await service.close();
    printed = "";
    expect(await failure({}, { isTTY: true })).toBeUndefined();
    const options = "--name NAME --scopes system:health,users:read,users:write --platforms web";
    const hints = [
      "To list the API keys: npx atpoint keys list",
      `To create one: npx atpoint keys create ${options}`,
      "For a readable log: npm start | npx pino-pretty",
    ];
    expect(printed.split("\n")).toEqual([...hints, ""]);
    printed = "";
    expect(await failure({ NODE_ENV: "production" }, { isTTY: true })).toBeUndefined();
    expect(printed).toBe("");
  },
);

it.each([
  ["development", true],
  ["production", false],
])(
  "logs a warning of a HOST that other machines may reach, in %s: %j",
  async (NODE_ENV, isWarned) => {
    await begin().then((service) => service.close());
    const { child, stdout } = run({ HOST: "0.0.0.0", NODE_ENV });
    const log = await logOf(stdout, async () => void child.kill());
    expect(log.includes('"msg":"other machines may reach HOST, ')).toBe(isWarned);
  },
);

it("leaves no key and nothing open when the first key cannot be kept", async () => {
  mkdirSync(file);
  expect(await failure()).toContain("first-key");
  expect(await opened(url).keys.count()).toBe(0);
});

it("says in one line that the port is in use, and exits with 1, leaving nothing open", async () => {
  const PORT = String(await portOf(createServer()));
  const err = `The port ${PORT} is in use already: choose another one with PORT.\n`;
  expect(await failure()).toBeUndefined();
  expect(await ended(run({ PORT }))).toEqual({ code: 1, out: "", err });
});

it("exits with 0 on a SIGINT while it waits for a silent database", async () => {
  const silent = createServer();
  const url = `postgres://nobody@127.0.0.1:${await portOf(silent)}/none`;
  const starting = run({ DATABASE_URL: url });
  const end = ended(starting);
  const [connection] = await once(silent, "connection");
  starting.child.kill("SIGINT");
  expect(await end).toEqual({
    code: 0,
    out: expect.stringMatching(/"closing"}\n.*"closed"}\n$/),
    err: "",
  });
  connection.destroy();
});

const NODE_ENV = "production";

it("makes no SQLite database in production, and none where one was", async () => {
  for (const migrates of [true, false])
    expect(await failure({ NODE_ENV }, { migrates })).toContain(
      "no database is there. Is that the right path",
    );
  expect(readdirSync(databaseFolder(url))).toEqual([]);
  for (const env of [{}, { NODE_ENV }]) expect(await failure(env)).toBeUndefined();
  rmSync(sqlitePath(url) ?? "");
  for (const env of [{}, { NODE_ENV }])
    expect(await failure(env)).toContain("There was one: put it back");
});

const servers = databasesUnderTest().filter((kind) => kind !== sqlite);
it.each(servers)(
  "creates and updates the tables of $name in production, unless it is not to",
  async (kind) => {
    const { url: DATABASE_URL, run: sql } = await fresh(kind);
    const isNew = `A new database was created: ${databaseName(DATABASE_URL)}\n`;
    const env = { NODE_ENV, DATABASE_URL };
    expect(await failure(env, { migrates: false })).toContain("The database lacks 001-");
    expect(await failure(env)).toBeUndefined();
    expect(printed).toContain(isNew);
    await sql("alter table api_keys drop column last_used_at");
    await sql("delete from knex_migrations where name like '002%'");
    printed = "";
    expect(await failure(env, { migrates: false })).toContain("The database lacks 002-");
    expect(await failure(env)).toBeUndefined();
    expect(printed).not.toContain(isNew);
    expect(await sql("select last_used_at from api_keys")).toEqual([]);
  },
);

it("logs that it was killed when a client does not let go in time, and exits with 1", async () => {
  const { child, stdout } = run({ SHUTDOWN_TIMEOUT_MS: "2", DRAIN_TIMEOUT_MS: String(BOUND_MS) });
  const log = await logOf(stdout, async (url) => {
    const { hostname: host, port } = new URL(url);
    const held = connect({ host, port: Number(port), allowHalfOpen: true }).on("error", () => {});
    await once(held, "connect");
    // Accepted before this one.
    await fetch(url);
    child.kill();
  });
  expect(await exitCode(child)).toBe(1);
  expect(log).toContain("killed by timeout (2ms)");
});
