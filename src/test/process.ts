import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";

const main = new URL("../main.ts", import.meta.url).pathname;

/** The service as a process of its own; standard output is piped, or goes to a descriptor; `before` is for the shell that starts it. */
export function spawnService(
  env: NodeJS.ProcessEnv,
  { out, imports = [], before = ":" }: { out?: number; imports?: string[]; before?: string } = {},
) {
  const modules = ["tsx", ...imports].flatMap((module) => ["--import", module]);
  const child = spawn("sh", ["-c", `${before}; exec "$0" "$@"`, process.execPath, ...modules, main], {
    env: { ...process.env, PORT: "0", LOG_LEVEL: "info", ...env },
    stdio: ["ignore", out ?? "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const none = Readable.from([]);
  return { child, stdout: child.stdout ?? none, stderr: child.stderr ?? none };
}

/** All lines of the log of such a process; `listening` is called with the address once it serves. */
export async function logOf(
  stdout: Readable,
  listening: (url: string, management: string) => Promise<unknown>,
): Promise<string> {
  let log = "";
  for await (const line of createInterface(stdout)) {
    log += line;
    const { msg, url, managementUrl } = JSON.parse(line);
    if (msg === "listening") await listening(url, managementUrl);
  }
  return log;
}

export const exitCode = async (child: ChildProcess): Promise<unknown> =>
  child.exitCode ?? (await once(child, "exit"))[0];

/** The free port that a server now listens on, until the test ends. */
export async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** A port on which nothing listens any more. Another process may take it: only for what cannot say which one it took. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  server.close();
  await once(server, "close");
  return port;
}
