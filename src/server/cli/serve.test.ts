import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { definition } from "../../service.ts";
import { firstKeyFile, readConfig } from "../../test/atpoint.ts";
import { databasesUnderTest, fresh, sqlite } from "../../test/databases.ts";
import { BOUND_MS, patience } from "../../test/patience.ts";
import { portOf } from "../../test/ports.ts";
import { exitCode, logOf, spawnService } from "../../test/process.ts";
import { databaseFolder, databaseName, sqlitePath } from "../storage/address.ts";
import { failureText } from "./failure.ts";
import { start } from "./serve.ts";

describe("serving", () => {
  let url: string;
  let file: string;
  beforeEach(async () => {
    ({ url } = await fresh());
    file = firstKeyFile(url);
  });

  const run = (changed: NodeJS.ProcessEnv = {}) =>
    spawnService({ DATABASE_URL: url, SHUTDOWN_GRACE_MS: "1", ...changed });
  /** In this process, what it prints going to `terminal`. */
  const begin = (
    changed: NodeJS.ProcessEnv = {},
    terminal: { write(text: string): unknown } = { write: () => true },
    migrates = true,
  ) => {
    const config = readConfig({
      ...patience,
      DATABASE_URL: url,
      PORT: "0",
      LOG_LEVEL: "silent",
      SHUTDOWN_GRACE_MS: "1",
      ...changed,
    });
    return start(definition, config, { stdout: terminal, stderr: terminal }, undefined, migrates);
  };

  async function ended({ child, stdout, stderr }: ReturnType<typeof spawnService>) {
    const [out, err, code] = await Promise.all([text(stdout), text(stderr), exitCode(child)]);
    return { code, out, err };
  }
  /** Why it does not start in this process. */
  const failure = (changed: NodeJS.ProcessEnv = {}) => begin(changed).then(() => "started", failureText);

  it("logs where it listens, and exits with 0 on SIGTERM", async () => {
    const { child, stdout, stderr } = run();
    const err = text(stderr);
    const log = await logOf(stdout, async (url) => {
      expect((await fetch(`${url}/api/?@=sysinfo`)).status).toBe(200);
      child.kill();
    });
    expect(await exitCode(child)).toBe(0);
    expect(await err).toBe(`A new database was created: sqlite:${sqlitePath(url)}\nThe first API key is in ${file}.\n`);
    expect(log).toContain(`"nodeEnv":"test","database":"sqlite:${sqlitePath(url)}",`);
    const closing = `{"level":30,"time":\\d+,"signal":"SIGTERM","shutdownDelayMs":0,"shutdownGraceMs":1,"shutdownTimeoutMs":${BOUND_MS},"msg":"closing"}{"level":30,"time":\\d+,"msg":"closed"}$`;
    expect(log).toMatch(new RegExp(closing));
    expect(log).not.toContain(readFileSync(file, "utf8").trim());
  });

  it("says every bad variable and exits with 1", async () => {
    const err =
      "The configuration is not valid:\n  PORT must be a whole number from 0 to 65535\n  MAX_BODY_BYTES must be a whole number from 1 to 1073741824\n";
    expect(await ended(run({ PORT: "x", MAX_BODY_BYTES: "-1" }))).toEqual({ code: 1, out: "", err });
  });

  it("says in one line that the port is in use, and exits with 1, leaving nothing open", async () => {
    const PORT = String(await portOf(createServer()));
    const err = `The port ${PORT} is in use already: choose another one with PORT.\n`;
    await (await begin()).close();
    expect(await ended(run({ PORT }))).toEqual({ code: 1, out: "", err });
  });

  it.each([
    ["postgres://nobody@127.0.0.1:1/none", "connect ECONNREFUSED 127.0.0.1:1"],
    ["sqlite:/proc/nothere/x.sqlite", "mkdir ENOENT /proc/nothere"],
  ])("says in one line why it cannot use %s", async (DATABASE_URL, why) => {
    expect(await failure({ DATABASE_URL })).toBe(`The database of DATABASE_URL cannot be used: ${why}`);
  });

  it("exits with 0 at once on a SIGTERM that comes while it waits for a database that says nothing", async () => {
    const silent = createServer();
    const url = `postgres://nobody@127.0.0.1:${await portOf(silent)}/none`;
    const starting = run({ DATABASE_URL: url });
    const end = ended(starting);
    const [connection] = await once(silent, "connection");
    starting.child.kill();
    expect(await end).toEqual({ code: 0, out: expect.stringMatching(/"closing"}\n.*"closed"}\n$/), err: "" });
    connection.destroy();
  });

  it("makes no database in production, and none where one was", async () => {
    const production = { NODE_ENV: "production" };
    expect(await failure(production)).toContain("no database is there. Is that the right path");
    expect(readdirSync(databaseFolder(url))).toEqual([]);

    await (await begin()).close();
    await (await begin(production)).close();
    rmSync(sqlitePath(url) ?? "");
    for (const env of [{}, production]) expect(await failure(env)).toContain("There was one: put it back");
  });

  it.each(databasesUnderTest())("creates and updates in production tables in PostgreSQL alone: $name", async (kind) => {
    const { url, run: sql } = await fresh(kind);
    const env = { NODE_ENV: "production", DATABASE_URL: url };
    let printed = "";
    const serves = async (migrates?: boolean) => {
      printed = "";
      await (await begin(env, { write: (text) => (printed += text) }, migrates)).close();
    };
    await expect(serves(false)).rejects.toThrow(kind === sqlite ? "no database is there" : "The database lacks 001-");
    if (kind === sqlite) {
      await expect(serves()).rejects.toThrow("no database is there");
      expect(existsSync(sqlitePath(url) ?? "")).toBe(false);
      return;
    }
    const isNew = `A new database was created: ${databaseName(url)}\n`;
    await serves();
    expect(printed).toContain(isNew);
    await sql("alter table api_keys drop column last_used_at");
    await sql("delete from knex_migrations where name like '002%'");
    await expect(serves(false)).rejects.toThrow("The database lacks 002-");
    await serves();
    expect(printed).not.toContain(isNew);
    expect(await sql("select last_used_at from api_keys")).toEqual([]);
  });

  it("is not kept from ending, by SIGINT too, by connections that say nothing, or half of it", async () => {
    const { child, stdout } = run({ DRAIN_TIMEOUT_MS: "1" });
    await logOf(stdout, async (url) => {
      const ends = ["", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n"].map((half) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(half)).resume();
        return once(socket, "end");
      });
      await fetch(url);
      child.kill("SIGINT");
      await Promise.all(ends);
    });
    expect(await exitCode(child)).toBe(0);
  });

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

  it("prints the first key on a terminal, with a command that works", async () => {
    let out = "";
    const terminal = { isTTY: true, write: (printed: string) => (out += printed) };
    const service = await begin({}, terminal);
    const [, command = ""] = /^ {2}(curl .*)/m.exec(out) ?? [];
    const { stdout } = spawn("sh", ["-c", `${command} -s -o /dev/null -w '%{http_code}'`]);
    expect(await text(stdout)).toBe("200");
    await service.close();
  });

  it("leaves nothing open when the first key cannot be kept", async () => {
    mkdirSync(file);
    expect(await failure()).toContain("first-key");
  });
});
