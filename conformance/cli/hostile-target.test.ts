// Whatever a target does, the run ends in time, in bounded memory, and every report is written.
import { readFileSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { bundledCommand, launchProgram } from "../proof/kits/process.test-kit.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";
import { file } from "./command.test-kit.ts";

const MIB = 1024 * 1024;
/** The requests of the preflight, and some that show what there is. */
const RIGHT_AT_FIRST = 12;
const DEADLINE_S = 2;
/** From the deadline to the last byte of the last report, in milliseconds. */
const GRACE_MS = 5000;
/** Memory limit, whatever the target sends. */
const MOST_MIB = 512;

const head = (...fields: readonly string[]) =>
  `${["HTTP/1.1 200 OK", "Content-Type: application/json; charset=utf-8", ...fields].join("\r\n")}\r\n\r\n`;

function say(socket: Socket, body: Buffer, ...fields: readonly string[]): void {
  socket.write(head(`Content-Length: ${body.length}`, ...fields));
  socket.end(body);
}

/** Sends as fast, and as long, as the client reads. */
function endlessly(socket: Socket, start: string, piece: Buffer): void {
  socket.write(start);
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}

const repeated = (text: string) => text.repeat(Math.floor((MIB - 1000) / text.length));
const json = (length: number) => Buffer.from(JSON.stringify({ items: [], padding: "x".repeat(length) }));
// The members of a gzip file are concatenated (RFC 1952, 2.2).
const bomb = Buffer.concat(Array.from({ length: 300 }, () => gzipSync(Buffer.alloc(MIB, " "))));
const nested = Buffer.from(`{"items":${"[".repeat(400_000)}${"]".repeat(400_000)}}`);
const lists = Buffer.from(`[${repeated("[],")}[]]`);
const members = Buffer.from(`{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":{}`).join()}}`);
const detail = Buffer.from(`{"detail":"${repeated("a")}"}`);
const markup = Buffer.from(repeated('<a href="'));

/** A page whose cursor is long, and another each time. */
let pages = 0;
const page = () => {
  pages += 1;
  return Buffer.from(JSON.stringify({ items: [], nextCursor: `${pages}`.padEnd(MIB - 1000, "x") }));
};

/** Sends a body as a problem, and as a page. */
function rejecting(socket: Socket, body: Buffer, type: string, status = "400 Bad Request"): void {
  socket.write(`HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`);
  socket.end(body);
}

const hostilities: Readonly<Record<string, (socket: Socket) => void>> = {
  "responses of 3 MB": (socket) => say(socket, json(3_000_000)),
  "responses that are just short enough": (socket) => say(socket, json(MIB - 1000)),
  "300 MiB in gzip": (socket) => say(socket, bomb, "Content-Encoding: gzip"),
  "a body without end": (socket) =>
    endlessly(socket, head("Transfer-Encoding: chunked"), Buffer.from(`10000\r\n${"x".repeat(65_536)}\r\n`)),
  "a body without end, byte by byte": (socket) =>
    endlessly(socket, head("Transfer-Encoding: chunked"), Buffer.from("1\r\nx\r\n".repeat(10_000))),
  "a head without end": (socket) => endlessly(socket, "HTTP/1.1 200 OK\r\n", Buffer.from("X-One: 1\r\n".repeat(1000))),
  "interim responses without end": (socket) =>
    endlessly(socket, "", Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1000))),
  "one byte a second": (socket) => {
    socket.write(head("Content-Length: 1000"));
    const timer = setInterval(() => socket.write("x"), 1000);
    socket.on("close", () => clearInterval(timer));
  },
  "no response at all": () => {},
  "JSON of 400,000 levels": (socket) => say(socket, nested),
  "1 MiB of empty lists": (socket) => say(socket, lists),
  "80,000 members": (socket) => say(socket, members),
  "a detail of 1 MiB": (socket) => rejecting(socket, detail, "application/problem+json"),
  "tags that do not end": (socket) => rejecting(socket, markup, "text/html; charset=utf-8", "200 OK"),
  "tags in what is called Markdown": (socket) => rejecting(socket, markup, "text/markdown; charset=utf-8", "200 OK"),
  "cursors of 1 MiB": (socket) => say(socket, page()),
  "429 for ever": (socket) =>
    socket.end("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
};

/** A deployment that is correct at first. */
async function turning(hostility: (socket: Socket) => void, rightAtFirst: number): Promise<string> {
  const { hostname, port } = new URL(await deploy());
  let connections = 0;
  const kept = new Set<Socket>();
  return serveSocket((socket) => {
    connections += 1;
    if (connections > rightAtFirst) {
      // Those that are kept would still be answered as is right.
      for (const one of kept) one.destroy();
      kept.clear();
      socket.resume();
      return hostility(socket);
    }
    kept.add(socket);
    const right = connect(Number(port), hostname).on("error", () => socket.destroy());
    socket.pipe(right).pipe(socket);
  });
}

/**
 * Its last line has the peak memory of the process in KiB (proc(5), VmHWM; getrusage(2) would include that of the parent), and how
 * long its threads waited for a core, in nanoseconds. On a busy machine that time is not the command's (schedstat; 0 on systems
 * other than Linux).
 */
const USAGE = `data:text/javascript,${encodeURIComponent(`
  import { readdirSync, readFileSync } from "node:fs";
  const tasks = "/proc/self/task";
  const waited = (task) => Number(readFileSync(\`\${tasks}/\${task}/schedstat\`, "utf8").split(" ")[1]);
  const sum = () => { try { return readdirSync(tasks).reduce((all, task) => all + waited(task), 0); } catch { return 0; } };
  const peak = () => /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1];
  const most = () => { try { return peak(); } catch { return process.resourceUsage().maxRSS; } };
  process.on("exit", () => console.error(\`\${most()} \${sum()}\`));
`)}`;

const KINDS = ["json", "junit", "html", "markdown", "sarif"];

/** Files for every report, and the start of the command in a process of its own. */
function started(url: string, ...more: string[]) {
  const reports = KINDS.map((kind) => [kind, file(kind)] as const);
  const flags = reports.flatMap(([kind, path]) => [`--${kind}`, path]);
  const words = ["--import", USAGE, bundledCommand(), "--url", url, ...flags, ...more];
  return {
    ...launchProgram(process.execPath, words, { env: { API_KEY: KEY } }),
    files: reports.map(([, path]) => path),
  };
}

const usageOf = (stderr: string): readonly number[] => (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number);

async function judge(hostility: (socket: Socket) => void, rightAtFirst: number): Promise<void> {
  const { ended, files } = started(await turning(hostility, rightAtFirst), "--deadline", `${DEADLINE_S}`);
  const { code, stdout, stderr } = await ended;
  expect([1, 3, 5], stdout + stderr).toContain(code);
  const written = files.map((name) => statSync(name));
  expect(written.map(({ size }) => size > 0)).toEqual(files.map(() => true));
  const { startedAt } = JSON.parse(readFileSync(String(files[0]), "utf8")).run;
  const took = Math.max(...written.map(({ mtimeMs }) => mtimeMs)) - Date.parse(startedAt);
  const [memory = Number.NaN, waited = Number.NaN] = usageOf(stderr);
  // The command documents this time limit, so the test enforces it.
  expect(took - waited / 1e6).toBeLessThan(DEADLINE_S * 1000 + GRACE_MS);
  expect(memory / 1024).toBeLessThan(MOST_MIB);
}

describe("a target that misbehaves", () => {
  it.each(["responses of 3 MB", "a body without end", "one byte a second", "no response at all"])(
    "from the first request on: %s",
    (what) => judge(hostilities[what] ?? expect.fail(what), 0),
  );

  it.each(Object.entries(hostilities))("once it is known: %s", (_, hostility) => judge(hostility, RIGHT_AT_FIRST));

  it.each(["tags that do not end", "1 MiB of empty lists", "a body without end, byte by byte"])(
    "does not keep a run from a signal: %s",
    async (what) => {
      let misbehaved = 0;
      let killed = Number.NaN;
      const url = await turning((socket) => {
        misbehaved += 1;
        if (misbehaved === 10) {
          killed = performance.now();
          child.kill("SIGTERM");
        }
        hostilities[what]?.(socket);
      }, RIGHT_AT_FIRST);
      const { child, ended } = started(url);
      const { code, stdout, stderr } = await ended;
      const [, waited = Number.NaN] = usageOf(stderr);
      expect([1, 5]).toContain(code);
      expect(stdout).toContain("the run was interrupted");
      expect(performance.now() - killed - waited / 1e6).toBeLessThan(GRACE_MS);
    },
  );
});
