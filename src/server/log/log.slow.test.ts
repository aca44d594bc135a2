import { type ChildProcess, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeEach, expect, it } from "vitest";
import { readConfig } from "../../test/atpoint.ts";
import { fresh } from "../../test/databases.ts";
import { BOUND_MS } from "../../test/patience.ts";
import { freePort } from "../../test/ports.ts";
import { exitCode, spawnService } from "../../test/process.ts";
import { openLog } from "./log.ts";

it("writes each event as one line of JSON, from its level on", async () => {
  const stream = new PassThrough();
  const log = openLog(readConfig({ LOG_LEVEL: "warn" }), stream);
  log.info("not written");
  log.warn('a "b"\n\u2028', { requestId: "r", faults: ["c\n"], keyId: null, status: undefined });
  log.fatal("d");
  log.error("e", { port: 1 }, "thrown");
  expect(await log.flush()).toBe(0);
  const time = '"time":0';
  expect(String(stream.read()).replace(/"time":\d{13}/g, time)).toBe(
    `{"level":40,${time},"requestId":"r","faults":["c\\n"],"keyId":null,"msg":"a ` +
      `\\"b\\"\\n\u2028"}\n` +
      `{"level":60,${time},"msg":"d"}\n` +
      `{"level":50,${time},"port":1,"error":{"name":"string"},"msg":"e"}\n`,
  );
});

/** Takes no more than one write before it is read. */
const unread = () => new PassThrough({ highWaterMark: 1 });

it("reports how many lines were lost, and waits for a late reader", async () => {
  const stream = unread();
  const log = openLog(
    readConfig({ LOG_BUFFER_BYTES: "200", LOG_FLUSH_TIMEOUT_MS: String(BOUND_MS) }),
    stream,
  );
  log.info("before");
  for (const _ of [1, 2, 3]) log.info("too long".repeat(25));
  const lines = createInterface(stream)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  expect(await next()).toMatchObject({ msg: "before" });
  expect(await next()).toMatchObject({ level: 40, lines: 3, msg: "log lines were lost" });
  log.info("after");
  const flushed = log.flush();
  expect(await next()).toMatchObject({ msg: "after" });
  expect([await flushed, log.lostLines()]).toEqual([0, 3]);
});

it("waits for its reader no longer than it is to, and says how many lines that are", async () => {
  const log = openLog(readConfig({ LOG_BUFFER_BYTES: "200", LOG_FLUSH_TIMEOUT_MS: "1" }), unread());
  log.info("waiting");
  for (const _ of [1, 2, 3]) log.info("too long".repeat(25));
  expect(await log.flush()).toBe(4);
});

let DATABASE_URL: string;
beforeEach(async () => {
  DATABASE_URL = (await fresh()).url;
});

/** Serves so many calls, and then ends. */
async function expectServing(child: ChildProcess, url: string, calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) {
    const answer = await fetch(`${url}/robots.txt`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("\n")]);
  }
  child.kill();
  expect(await exitCode(child)).toBe(0);
}

/** The address in the first line of a log, `listening`. */
const urlIn = async (stream: Readable): Promise<string> =>
  JSON.parse((await once(createInterface(stream), "line"))[0]).url;

it("is served on, reported on standard error, and no failure, when its disk is full", async () => {
  const port = String(await freePort());
  const full = openSync("/dev/full", "w");
  const { child, stderr } = spawnService({ DATABASE_URL, PORT: port }, { out: full });
  closeSync(full);
  const lines = createInterface(stderr)[Symbol.asyncIterator]();
  // All that a start says there.
  expect((await lines.next()).value).toContain("A new database");
  expect((await lines.next()).value).toContain("The first API key");
  await expectServing(child, `http://127.0.0.1:${port}`, 10);
  // One line a call, and: listening, closing, closed.
  expect((await lines.next()).value).toBe(
    "13 lines of the log could not be written to standard output.",
  );
});

it.each([false, true])(
  "is no failure when its reader goes away, that of standard error too: %s",
  async (both) => {
    const { child, stdout, stderr } = spawnService({ DATABASE_URL });
    const err = both ? null : text(stderr);
    if (both) stderr.destroy();
    const url = await urlIn(stdout);
    stdout.destroy();
    await expectServing(child, url, 10);
    if (err)
      expect(await err).toMatch(
        /1[12] lines of the log could not be written to standard output\.\n$/,
      );
  },
);

it("is served on, and ends, on a pipe that nobody reads", async () => {
  const fifo = join(dirname(DATABASE_URL.slice("sqlite:".length)), "fifo");
  execFileSync("mkfifo", [fifo]);
  const reader = new Socket({ fd: openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK) });
  const writer = openSync(fifo, "w");
  const limits = { LOG_BUFFER_BYTES: "4096", LOG_FLUSH_TIMEOUT_MS: "10" };
  const { child, stderr } = spawnService({ DATABASE_URL, ...limits }, { out: writer });
  closeSync(writer);
  const err = text(stderr);
  await once(reader, "readable");
  // Their lines, of 200 bytes or so, do not fit into a pipe (64 KiB).
  await expectServing(child, JSON.parse(String(reader.read())).url, 1000);
  expect(await err).toMatch(/\d{3} lines of the log could not be written to standard output\.\n$/);
});

it("fails a command whose output nothing takes", () => {
  const full = openSync("/dev/full", "w");
  const cli = new URL("../../cli.ts", import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", cli, "migrate"], {
    env: { ...process.env, DATABASE_URL },
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({ status: 1, stderr: "write ENOSPC\n" });
});
