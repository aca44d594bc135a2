// Whatever a target does, the run ends in time, in bounded memory, and every report is written.
import { readFileSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { bundledCommand, launchProgram } from "../proof/kits/process.test-kit.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";
import type { ReportData } from "../report/json.ts";
import { reportFiles } from "./command.test-kit.ts";

const MIB = 1024 * 1024;
/** The requests of the preflight, and some that show what there is. */
const RIGHT_AT_FIRST = 12;
const DEADLINE_S = 2;
/** From the deadline to the last byte of the last report, in milliseconds. */
const GRACE_MS = 5000;
/** Memory limit, whatever the target sends. */
const MOST_MIB = 512;

type Hostility = (socket: Socket) => void;

const head = (fields: string, type = "application/json; charset=utf-8", status = "200 OK") =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${fields}\r\n\r\n`;

const says =
  (body: Buffer | string, extraFields = "", ...how: readonly string[]): Hostility =>
  (socket) => {
    socket.write(head(`Content-Length: ${Buffer.byteLength(body)}${extraFields}`, ...how));
    socket.end(body);
  };

/** Sends as fast, and as long, as the client reads. */
const endlessly =
  (start: string, piece: string): Hostility =>
  (socket) => {
    socket.write(start);
    const writeUntilFull = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on("drain", writeUntilFull);
    writeUntilFull();
  };

const repeated = (text: string) => text.repeat(Math.floor((MIB - 1000) / text.length));
const page = (length: number, nextCursor?: string) =>
  JSON.stringify({ items: [], nextCursor, padding: "x".repeat(length) });
// The members of a gzip file are concatenated (RFC 1952, 2.2).
const bomb = Buffer.concat(Array<Buffer>(300).fill(gzipSync(Buffer.alloc(MIB, " "))));
const CHUNKED = head("Transfer-Encoding: chunked");
const BUSY =
  "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: " +
  "close\r\n\r\n";

const silent: Hostility = () => {};
const endless = endlessly(CHUNKED, `10000\r\n${"x".repeat(65_536)}\r\n`);
const byteByByte = endlessly(CHUNKED, "1\r\nx\r\n".repeat(10_000));
const lists = says(`[${repeated("[],")}[]]`);
const tags = says(repeated('<a href="'), "", "text/html; charset=utf-8");
let cursors = 0;

/** The connections to one target take turns. */
const hostilities: Readonly<Record<string, readonly Hostility[]>> = {
  "responses of up to 300 MiB": [
    says(page(3_000_000)),
    says(page(MIB - 1000)),
    says(bomb, "\r\nContent-Encoding: gzip"),
  ],
  "bodies and heads without end": [
    endless,
    byteByByte,
    endlessly("HTTP/1.1 200 OK\r\n", "X-One: 1\r\n".repeat(1000)),
    endlessly("", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1000)),
  ],
  "one byte a second, and no response at all": [
    silent,
    (socket) => {
      socket.write(head("Content-Length: 1000"));
      const timer = setInterval(() => socket.write("x"), 1000);
      socket.on("close", () => clearInterval(timer));
    },
  ],
  "JSON of 400,000 levels, of empty lists, of 80,000 members": [
    says(`{"items":${"[".repeat(400_000)}${"]".repeat(400_000)}}`),
    lists,
    says(`{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":{}`).join()}}`),
  ],
  // Another one each time.
  "cursors of 1 MiB": [(socket) => says(page(0, `${++cursors}`.padEnd(MIB - 1000, "x")))(socket)],
  "texts of 1 MiB, with tags that do not end": [
    tags,
    says(repeated('<a href="'), "", "text/markdown; charset=utf-8"),
    says(`{"detail":"${repeated("a")}"}`, "", "application/problem+json", "400 Bad Request"),
  ],
  "429 for ever": [(socket) => socket.end(BUSY)],
};

/** A deployment that is correct at first. */
async function turning(group: readonly Hostility[], rightAtFirst: number): Promise<string> {
  const { hostname, port } = new URL(await deploy());
  let connections = 0;
  const proxiedSockets = new Set<Socket>();
  return serveSocket((socket) => {
    connections += 1;
    if (connections > rightAtFirst) {
      // Those that are kept would still be answered as is right.
      for (const proxiedSocket of proxiedSockets) proxiedSocket.destroy();
      proxiedSockets.clear();
      socket.resume();
      return group[(connections - rightAtFirst) % group.length]?.(socket);
    }
    proxiedSockets.add(socket);
    const right = connect(Number(port), hostname).on("error", () => socket.destroy());
    socket.pipe(right).pipe(socket);
  });
}

/**
 * Its last line has the peak memory of the process in KiB (proc(5), VmHWM; getrusage(2) would
 * include that of the parent), and how long its threads waited for a core, in nanoseconds. On a
 * busy machine that time is not the command's (schedstat; 0 on systems other than Linux).
 */
const USAGE = `data:text/javascript,${encodeURIComponent(`
  import { readdirSync, readFileSync } from "node:fs";
  const tasks = "/proc/self/task";
  const waited = (task) =>
    Number(readFileSync(\`\${tasks}/\${task}/schedstat\`, "utf8").split(" ")[1]);
  const sum = () => {
    try {
      return readdirSync(tasks).reduce((all, task) => all + waited(task), 0);
    } catch { return 0; }
  };
  const peak = () => /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1];
  const most = () => { try { return peak(); } catch { return process.resourceUsage().maxRSS; } };
  process.on("exit", () => console.error(\`\${most()} \${sum()}\`));
`)}`;

/** The start of the command in a process of its own, with every report. */
function started(url: string, ...extraOptions: string[]) {
  const { files, words: options } = reportFiles();
  const words = ["--import", USAGE, bundledCommand(), "--url", url, ...options, ...extraOptions];
  return { ...launchProgram(process.execPath, words, { env: { API_KEY: KEY } }), files };
}

/** What came of it: every report is written. */
async function outcomeOf({ ended, files }: ReturnType<typeof started>) {
  const { code, stdout, stderr } = await ended;
  const written = files.map((name) => statSync(name));
  expect(written.map(({ size }) => size > 0)).toEqual(files.map(() => true));
  const { run }: ReportData = JSON.parse(readFileSync(String(files[0]), "utf8"));
  const took = Math.max(...written.map(({ mtimeMs }) => mtimeMs)) - Date.parse(run.startedAt);
  const [memory = Number.NaN, waited = Number.NaN] = (stderr.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  return { code, stdout, stderr, run, took, memory, waitedMs: waited / 1e6 };
}

it.each<[string, readonly Hostility[], number]>([
  ["from the first request on: a body without end", [endless], 0],
  ["from the first request on: no response at all", [silent], 0],
  ...Object.entries(hostilities).map(([name, group]): [string, typeof group, number] => [
    ...([`once it is known: ${name}`, group, RIGHT_AT_FIRST] as const),
  ]),
])("a target that misbehaves %s", async (_, group, rightAtFirst) => {
  const running = started(await turning(group, rightAtFirst), "--deadline", `${DEADLINE_S}`);
  const { code, stdout, stderr, took, memory, waitedMs } = await outcomeOf(running);
  expect([1, 3, 5], stdout + stderr).toContain(code);
  // The command documents this time limit, so the test enforces it.
  expect(took - waitedMs).toBeLessThan(DEADLINE_S * 1000 + GRACE_MS);
  expect(memory / 1024).toBeLessThan(MOST_MIB);
});

it("a target that misbehaves does not keep a run from a signal", async () => {
  let misbehaved = 0;
  let killed = Number.NaN;
  const counted = [tags, lists, byteByByte].map((hostility) => (socket: Socket) => {
    misbehaved += 1;
    if (misbehaved === 10) {
      killed = performance.now();
      running.child.kill("SIGTERM");
    }
    hostility(socket);
  });
  const running = started(await turning(counted, RIGHT_AT_FIRST));
  const { code, stdout, stderr, run, waitedMs } = await outcomeOf(running);
  expect([1, 5]).toContain(code);
  expect(stdout).toContain("the run was interrupted");
  expect(stderr).toContain(run.id);
  expect(performance.now() - killed - waitedMs).toBeLessThan(GRACE_MS);
});
