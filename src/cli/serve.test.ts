import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { sqlitePath } from "../storage/driver.ts";
import { databaseFolder } from "../storage/storage.ts";
import { sqlite } from "../test/databases.ts";
import { start } from "./serve.ts";

const main = new URL("../main.ts", import.meta.url).pathname;

describe("serving", () => {
  let database: Awaited<ReturnType<typeof sqlite.fresh>>;
  let env: NodeJS.ProcessEnv;

  beforeEach(async () => {
    database = await sqlite.fresh();
    env = { DATABASE_URL: database.url, PORT: "0", LOG_LEVEL: "info", SHUTDOWN_GRACE_MS: "1" };
  });
  afterEach(() => database.drop());

  const run = (changed: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, ["--import", "tsx", main], { env: { ...process.env, ...env, ...changed } });

  async function failure(changed: NodeJS.ProcessEnv) {
    const child = run(changed);
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    return { code, out, err };
  }

  it.each(["SIGTERM", "SIGINT"] as const)("logs where it listens, and exits with 0 on %s", async (signal) => {
    const child = run();
    const err = text(child.stderr);
    let log = "";
    for await (const line of createInterface(child.stdout)) {
      log += line;
      const { msg, url } = JSON.parse(line);
      if (msg !== "listening") continue;
      const answer = await fetch(`${url}/api/?@=sysinfo`);
      expect(answer.status).toBe(200);
      child.kill(signal);
    }
    expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
    const file = join(databaseFolder(database.url), "first-key");
    expect(await err).toBe(`The first API key is in ${file}.\n`);
    const closing = `{"level":30,"time":\\d+,"signal":"${signal}","msg":"closing"}{"level":30,"time":\\d+,"msg":"closed"}$`;
    expect(log).toMatch(new RegExp(closing));
    expect(log).not.toContain(readFileSync(file, "utf8").trim());
  });

  it("says every bad variable and exits with 1", async () => {
    const { code, out, err } = await failure({ PORT: "x", MAX_BODY_BYTES: "-1" });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe(
      "The configuration is not valid:\n  PORT must be a whole number from 0 to 65535\n  MAX_BODY_BYTES must be a whole number from 1 to 1073741824\n",
    );
  });

  it("says in one line that the port is in use, or the database away, and exits with 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" && address?.port);
    expect(await failure({ PORT: port })).toEqual({
      code: 1,
      out: "",
      err: `The port ${port} is in use already: choose another one with PORT.\n`,
    });
    other.close();
    expect(await failure({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" })).toEqual({
      code: 1,
      out: "",
      err: "The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1\n",
    });
  });

  it("exits with 0 at once on a SIGTERM that comes while it waits for a database that says nothing", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const url = `postgres://nobody@127.0.0.1:${typeof address === "object" && address?.port}/none`;
    const child = run({ DATABASE_URL: url, DATABASE_TIMEOUT_MS: "600000", SHUTDOWN_TIMEOUT_MS: "600000" });
    const [out, err] = [text(child.stdout), text(child.stderr)];
    const [connection] = await once(silent, "connection");
    child.kill();
    expect(await once(child, "exit")).toEqual([0, null]);
    expect([await out, await err]).toEqual([expect.stringMatching(/"closing"}\n.*"closed"}\n$/), ""]);
    connection.destroy();
    silent.close();
  });

  it("says in one line that a folder cannot be made, and exits with 1", async () => {
    expect(await failure({ DATABASE_URL: "sqlite:/proc/nothere/x.sqlite" })).toEqual({
      code: 1,
      out: "",
      err: "The database of DATABASE_URL cannot be used: mkdir ENOENT /proc/nothere\n",
    });
  });

  it("makes no database in production, and none where one was", async () => {
    const production = { NODE_ENV: "production" };
    const { code, err } = await failure(production);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("no database is there. Is that the right path"),
    });
    expect(readdirSync(databaseFolder(database.url))).toEqual([]);

    const silent = { write: () => true };
    const begin = (changed: NodeJS.ProcessEnv = {}) =>
      start(readConfig({ ...env, LOG_LEVEL: "silent", ...changed }), { stdout: silent, stderr: silent });
    await (await begin()).close();
    await (await begin(production)).close();
    rmSync(sqlitePath(database.url) ?? "");
    await expect(begin()).rejects.toThrow("There was one: put it back");
    await expect(begin(production)).rejects.toThrow("There was one: put it back");
  });

  it("is not kept from ending by connections that say nothing, or half of it", async () => {
    const child = run({ SHUTDOWN_TIMEOUT_MS: "60000", DRAIN_TIMEOUT_MS: "1" });
    child.stderr.resume();
    let ends: Promise<unknown>[] = [];
    for await (const line of createInterface(child.stdout)) {
      const { msg, url } = JSON.parse(line);
      if (msg !== "listening") continue;
      const { port } = new URL(url);
      ends = ["", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n"].map((half) => {
        const socket = connect(Number(port), "127.0.0.1", () => socket.write(half)).resume();
        return once(socket, "end");
      });
      await fetch(url);
      child.kill();
    }
    await Promise.all(ends);
    expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
  });

  it("logs that it was killed when a client does not let go in time, and exits with 1", async () => {
    const child = run({ SHUTDOWN_TIMEOUT_MS: "2", DRAIN_TIMEOUT_MS: "60000" });
    child.stderr.resume();
    let log = "";
    for await (const line of createInterface(child.stdout)) {
      log += line;
      const { msg, url } = JSON.parse(line);
      if (msg !== "listening") continue;
      const { hostname: host, port } = new URL(url);
      const held = connect({ host, port: Number(port), allowHalfOpen: true }).on("error", () => {});
      await once(held, "connect");
      // Accepted before this one.
      await fetch(url);
      child.kill();
    }
    expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(1);
    expect(log).toContain("killed by timeout (2ms)");
  });

  it("prints the first key on a terminal, with commands that work", async () => {
    let out = "";
    const terminal = { isTTY: true, write: (printed: string) => (out += printed) };
    const service = await start(readConfig({ ...env, LOG_LEVEL: "silent" }), { stdout: terminal, stderr: terminal });
    const commands = out.match(/^ {2}curl .*/gm) ?? [];
    expect(commands).toHaveLength(6);
    const statuses = await Promise.all(
      commands.map((command) => text(spawn("sh", ["-c", `${command} -s -o /dev/null -w '%{http_code}'`]).stdout)),
    );
    expect(statuses.sort()).toEqual(["200", "200", "200", "200", "200", "201"]);
    await service.close();
  });

  it("leaves nothing open when the first key cannot be kept", async () => {
    mkdirSync(join(databaseFolder(database.url), "first-key"));
    const silent = { write: () => true };
    const config = readConfig({ ...env, LOG_LEVEL: "silent" });
    await expect(start(config, { stdout: silent, stderr: silent })).rejects.toThrow("first-key");
  });
});
