// Whatever a target does, the run ends in time, in bounded memory, and every report is written.
import { readFileSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { file } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";
import { bundledCommand, launchProgram } from "../test/process.test-kit.ts";
import { serveSocket } from "../test/server.test-kit.ts";

const MIB = 1024 * 1024;
/** The requests of the preflight, and those sent to each operation before the first check. */
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

const json = (length: number) => Buffer.from(JSON.stringify({ items: [], padding: "x".repeat(length) }));
// The members of a gzip file are concatenated (RFC 1952, 2.2).
const bomb = Buffer.concat(Array.from({ length: 300 }, () => gzipSync(Buffer.alloc(MIB, " "))));
const nested = Buffer.from(`{"items":${"[".repeat(400_000)}${"]".repeat(400_000)}}`);

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
};

/** A deployment that is correct at first. */
async function turning(hostility: (socket: Socket) => void, rightAtFirst: number): Promise<string> {
  const { hostname, port } = new URL(await deploy());
  let connections = 0;
  return serveSocket((socket) => {
    connections += 1;
    if (connections > rightAtFirst) {
      socket.resume();
      return hostility(socket);
    }
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

async function judge(hostility: (socket: Socket) => void, rightAtFirst: number): Promise<void> {
  const url = await turning(hostility, rightAtFirst);
  const reports = ["json", "junit", "html", "markdown"].map((kind) => [kind, file(kind)] as const);
  const flags = reports.flatMap(([kind, path]) => [`--${kind}`, path]);
  const words = ["--import", USAGE, bundledCommand(), "--url", url, "--deadline", `${DEADLINE_S}`, ...flags];
  const { code, stdout, stderr } = await launchProgram(process.execPath, words, { env: { API_KEY: KEY } }).ended;
  expect([1, 3, 5], stdout).toContain(code);
  const written = reports.map(([, path]) => statSync(path));
  expect(written.map(({ size }) => size > 0)).toEqual(reports.map(() => true));
  const { startedAt } = JSON.parse(readFileSync(String(reports[0]?.[1]), "utf8")).run;
  const took = Math.max(...written.map(({ mtimeMs }) => mtimeMs)) - Date.parse(startedAt);
  const [memory = Number.NaN, waited = Number.NaN] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
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
});
