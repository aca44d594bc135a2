import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

/** A server in a separate process, on the first core; its clients run on the others. */
export interface Server {
  readonly name: string;
  readonly url: string;
  /**
   * Microseconds of CPU that the process has used until now, all its threads, in user and kernel.
   */
  cpuUs(): number;
  /** MiB that it holds in memory. */
  residentMib(): number;
  stop(): Promise<void>;
}

export interface Program {
  readonly name: string;
  /** The arguments of Node, from the root of the repository. */
  readonly program: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Nanoseconds that a thread has run, in user and kernel: `stat` counts in ticks of 10 ms. */
const runNs = (file: string): number => Number(readFileSync(file, "utf8").split(" ")[0]);

/** Moves this process off the server's core. Throws if there is no other. */
export function leaveServerCore(): void {
  execFileSync("taskset", ["-acp", "1", String(process.pid)], { stdio: "ignore" });
}

/**
 * Resolves when it responds. Its log goes to a file: a pipe would be read by the client process.
 */
export async function startServer(
  { name, program, env = {} }: Program,
  folder: string,
): Promise<Server> {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const address = free.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await once(free.close(), "close");
  const output = openSync(path.join(folder, `${name.replaceAll(/\W+/g, "-")}-${port}.log`), "a");
  const child = spawn("taskset", ["-c", "0", process.execPath, ...program], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH ?? "", PORT: String(port), ...env },
    stdio: ["ignore", output, output],
  });
  const ended = once(child, "exit");
  const tasks = `/proc/${child.pid}/task`;
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/api/?@=sysinfo`).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`${name} has ended with ${child.exitCode}`);
    await setTimeout(20);
  }
  return {
    name,
    url,
    cpuUs: () =>
      readdirSync(tasks).reduce(
        (sum, task) => sum + runNs(path.join(tasks, task, "schedstat")),
        0,
      ) / 1000,
    residentMib: () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) /
      1024,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
