import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { type RequestOptions, request } from "node:https";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { selfSigned } from "../../conformance/proof/kits/tls.test-kit.ts";
import { sqlite } from "../../src/test/databases.ts";
import { freePort } from "../../src/test/ports.ts";
import { start } from "../../src/test/running-service.ts";

/** A text of a file, and its replacement. */
type Change = readonly [from: string, to: string];

/**
 * A proxy with a configuration of this folder: how it is started, and the changes that the test
 * needs.
 */
interface Front {
  readonly file: string;
  readonly program: string;
  readonly words: (folder: string) => readonly string[];
  /**
   * Its limits by address, and the same with a limit that a test reaches: four requests, three
   * connections. Caddy has none.
   */
  readonly limits?: Readonly<Record<"requests" | "connections", readonly Change[]>>;
  /**
   * Flags for the suite: only nginx allows its own rejections of malformed HTTP to be configured.
   */
  readonly suiteArguments: readonly string[];
}

export const fronts = {
  nginx: {
    file: "nginx.conf",
    program: "nginx",
    words: (folder) => ["-p", folder, "-c", "nginx.conf", "-g", `daemon off; pid ${folder}/pid;`],
    limits: {
      requests: [
        ["rate=100r/s", "rate=1r/m"],
        ["burst=20000", "burst=3"],
      ],
      connections: [["limit_conn in_flight 100", "limit_conn in_flight 3"]],
    },
    suiteArguments: ["--known-failures", join(import.meta.dirname, "nginx.known-failures.json")],
  },
  caddy: {
    file: "Caddyfile",
    program: "caddy",
    words: (folder) => ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")],
    suiteArguments: ["--allow-write"],
  },
  haproxy: {
    file: "haproxy.cfg",
    program: "haproxy",
    words: (folder) => ["-db", "-f", join(folder, "haproxy.cfg")],
    limits: {
      requests: [["http_req_rate gt 20000", "http_req_rate gt 4"]],
      connections: [["conn_cur gt 100", "conn_cur gt 3"]],
    },
    suiteArguments: ["--allow-write"],
  },
} satisfies Record<string, Front>;

/** Two on one database, and how another one of them is started. */
export async function replicas(kind = sqlite, settings: NodeJS.ProcessEnv = {}) {
  const proxied = { DEPLOYMENT_URLS: "https://api.example.com/atpoint", TRUST_PROXY_HOPS: "1" };
  const env = { ...proxied, LOG_LEVEL: "silent", SHUTDOWN_GRACE_MS: "100", ...settings };
  const { database, service, key } = await start(env, kind);
  const startReplica = async (ports: NodeJS.ProcessEnv = {}) =>
    (await start({ ...env, DATABASE_URL: database.url, ...ports }, kind)).service;
  return { database, key, startReplica, all: [service, await startReplica()] };
}

/**
 * Starts it in front of services on these addresses, until the test ends. Returns its own address
 * and the certificate to trust.
 */
export async function startFront(
  front: Front,
  services: readonly { readonly url: string; readonly managementUrl: string | null }[],
  changes: readonly Change[] = [],
) {
  const { certificate: ca, key } = await selfSigned();
  const folder = dirname(key);
  copyFileSync(ca, join(folder, "cert.pem"));
  writeFileSync(join(folder, "both.pem"), readFileSync(ca, "utf8") + readFileSync(key, "utf8"));
  const port = await freePort();
  let configuration = readFileSync(join(import.meta.dirname, front.file), "utf8");
  const put = (from: string, to: string) => {
    if (!configuration.includes(from)) throw new Error(`${front.file} has no ${from}`);
    configuration = configuration.replaceAll(from, to);
  };
  put("443", String(port));
  put("/etc/ssl/atpoint/", `${folder}/`);
  for (const [from, to] of changes) put(from, to);
  // It names one replica or two; of two it checks the management ports too.
  for (const [index, { url, managementUrl }] of services.entries())
    configuration = configuration
      .replaceAll(`127.0.0.1:300${index}`, new URL(url).host)
      .replaceAll(`port 1300${index}`, `port ${new URL(managementUrl ?? url).port}`);
  writeFileSync(join(folder, front.file), configuration);
  // Caddy keeps its state in HOME.
  const env = { ...process.env, HOME: folder };
  const child = spawn(front.program, front.words(folder), {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stderr = createInterface(child.stderr);
  const printed: string[] = [];
  stderr.on("line", (line) => printed.push(line));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  await answers(port, child, printed);
  /** Resolves when it prints that. */
  const prints = async (pattern: RegExp) => {
    for await (const [line] of on(stderr, "line")) if (pattern.test(line)) return;
  };
  return { url: `https://127.0.0.1:${port}/atpoint`, ca, prints };
}

/** One request through a proxy, and its response. */
export function ask(url: string, options: RequestOptions, body?: string) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>(
    (resolve, reject) => {
      const call = request(url, options, async (answer) => {
        resolve({ status: answer.statusCode, headers: answer.headers, body: await text(answer) });
      });
      call.on("error", reject).end(body);
    },
  );
}

/**
 * A request whose body is sent later, once the proxy waits for it: the function returned sends it,
 * and returns the status.
 */
export async function holdOpen(
  url: string,
  options: RequestOptions,
): Promise<() => Promise<number>> {
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": "2",
    Expect: "100-continue",
  };
  const call = request(url, { ...options, method: "POST", headers });
  call.flushHeaders();
  await once(call, "continue");
  return async () => {
    const [answer] = await once(call.end("{}"), "response");
    answer.resume();
    return answer.statusCode;
  };
}

/** None of them logs when it listens. */
async function answers(
  port: number,
  child: ChildProcess,
  printed: readonly string[],
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`it ended with ${child.exitCode}: ${printed.join("\n")}`);
    const socket = connect(port, "127.0.0.1");
    const connected = await once(socket, "connect").catch(() => null);
    socket.destroy();
    if (connected) return;
  }
}
