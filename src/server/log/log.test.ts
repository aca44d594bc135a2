import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../test/atpoint.ts";
import { fresh } from "../../test/databases.ts";
import { freePort } from "../../test/ports.ts";
import { exitCode, spawnService } from "../../test/process.ts";
import { openLog } from "./log.ts";

let database: Awaited<ReturnType<typeof fresh>>;
beforeEach(async () => {
  database = await fresh();
});

/** Enough that their lines, of 200 bytes or so, do not fit into a pipe (64 KiB). */
const MANY = 1000;

async function callOften(url: string, calls = MANY): Promise<void> {
  for (let call = 0; call < calls; call += 1) {
    const answer = await fetch(`${url}/robots.txt`);
    if ((await answer.text()) === "" || answer.status !== 200) throw new Error(`the service answered ${answer.status}`);
  }
}

/** The address in the line `listening`, which is the first. */
const urlIn = (line = ""): string => JSON.parse(line).url;

async function expectEnd(child: ChildProcess): Promise<void> {
  child.kill();
  expect(await exitCode(child)).toBe(0);
}

it("writes each event as one line of JSON, from its level on: facts, those of an error, message", async () => {
  const stream = new PassThrough();
  const log = openLog(readConfig({ LOG_LEVEL: "warn" }), stream);
  log.info("not written");
  log.warn('a "b"\n\u2028', { requestId: "r", faults: ["c\n"], keyId: null, status: undefined });
  log.fatal("d");
  log.error("e", { port: 1 }, "thrown");
  expect(await log.flush()).toBe(0);
  const time = '"time":0';
  expect(String(stream.read()).replace(/"time":\d{13}/g, time)).toBe(
    `{"level":40,${time},"requestId":"r","faults":["c\\n"],"keyId":null,"msg":"a \\"b\\"\\n\u2028"}\n` +
      `{"level":60,${time},"msg":"d"}\n{"level":50,${time},"port":1,"error":{"name":"string"},"msg":"e"}\n`,
  );
});

describe("a log sink that fails", () => {
  it("is served on, reported on standard error, and no failure, when its disk is full", async () => {
    const port = String(await freePort());
    const full = openSync("/dev/full", "w");
    const { child, stderr } = spawnService({ DATABASE_URL: database.url, PORT: port }, { out: full });
    closeSync(full);
    const lines = createInterface(stderr)[Symbol.asyncIterator]();
    // All that a start says there.
    expect((await lines.next()).value).toContain("A new database");
    expect((await lines.next()).value).toContain("The first API key");
    await callOften(`http://127.0.0.1:${port}`, 10);
    await expectEnd(child);
    // One line a call, and: listening, closing, closed.
    expect((await lines.next()).value).toBe("13 lines of the log could not be written to standard output.");
  });

  it.each([false, true])("is no failure when its reader goes away, that of standard error too: %s", async (both) => {
    const { child, stdout, stderr } = spawnService({ DATABASE_URL: database.url });
    const err = both ? null : text(stderr);
    if (both) stderr.destroy();
    const [first] = await once(createInterface(stdout), "line");
    stdout.destroy();
    await callOften(urlIn(first), 10);
    await expectEnd(child);
    if (err) expect(await err).toMatch(/1[12] lines of the log could not be written to standard output\.\n$/);
  });
});

it("is served on, and ends, on a terminal that is stopped", async () => {
  // Node opens no terminal; python3 is there where the SQLite driver is compiled.
  const onTerminal = `
import pty, signal, subprocess, sys
master, terminal = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=terminal)
signal.signal(signal.SIGTERM, lambda *_: child.terminate())
log = open(master)
for line in log:
    if '"listening"' in line:
        print(line, flush=True)
        break
sys.exit(child.wait())`;
  const main = new URL("../../main.ts", import.meta.url).pathname;
  const child = spawn("python3", ["-c", onTerminal, process.execPath, "--import", "tsx", main], {
    env: { ...process.env, DATABASE_URL: database.url, PORT: "0", LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGTERM"));
  // A terminal takes some 4 KiB.
  await callOften(urlIn((await once(createInterface(child.stdout), "line"))[0]), 200);
  await expectEnd(child);
});

it("fails a command whose output nothing takes", () => {
  const full = openSync("/dev/full", "w");
  const cli = new URL("../../cli.ts", import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", cli, "migrate"], {
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({ status: 1, stderr: "write ENOSPC\n" });
});

describe("a pipe that nobody reads", () => {
  /** The service on a pipe that we may read, or not. */
  function start(env: NodeJS.ProcessEnv) {
    const fifo = join(dirname(database.url.slice("sqlite:".length)), "fifo");
    execFileSync("mkfifo", [fifo]);
    const reader = new Socket({ fd: openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK) });
    const writer = openSync(fifo, "w");
    const { child, stderr } = spawnService({ DATABASE_URL: database.url, ...env }, { out: writer });
    closeSync(writer);
    let rest = "";
    const lines = async (): Promise<string[]> => {
      let chunk: Buffer | null = null;
      for (; chunk === null; chunk = reader.read()) await once(reader, "readable");
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      return lines;
    };
    return { child, stderr, lines };
  }

  it("stops neither the service nor its end", async () => {
    const { child, stderr, lines } = start({ LOG_BUFFER_BYTES: "4096", LOG_FLUSH_TIMEOUT_MS: "10" });
    const err = text(stderr);
    const url = urlIn((await lines())[0]);
    await callOften(url);
    await expectEnd(child);
    expect(await err).toMatch(/\d{3} lines of the log could not be written to standard output\.\n$/);
  });

  it("gets the number of the lines that are lost, in their place, when it is read again", async () => {
    const { child, stderr, lines } = start({ LOG_BUFFER_BYTES: "4096" });
    const err = text(stderr);
    const url = urlIn((await lines())[0]);
    await callOften(url);
    let [requests, lost] = [0, 0];
    while (lost === 0 || requests + lost < MANY)
      for (const line of await lines()) {
        const { msg, lines = 0 } = JSON.parse(line);
        if (msg === "request") requests += 1;
        lost += lines;
      }
    expect(requests + lost).toBe(MANY);
    child.kill();
    while (!(await lines()).some((line) => JSON.parse(line).msg === "closed"));
    expect(await exitCode(child)).toBe(0);
    expect(await err).not.toContain("could not be written");
  });

  it("gets everything at the end when it is read late", async () => {
    const { child, lines } = start({});
    const url = urlIn((await lines())[0]);
    await callOften(url);
    child.kill();
    while (await fetch(url).catch(() => null));
    const messages: string[] = [];
    while (messages.at(-1) !== "closed") messages.push(...(await lines()).map((line) => JSON.parse(line).msg));
    expect(messages.filter((message) => message === "request").length).toBeGreaterThanOrEqual(MANY);
    expect(messages).not.toContain("log lines were lost");
    expect(await exitCode(child)).toBe(0);
  });
});
