import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";

const main = new URL("../main.ts", import.meta.url).pathname;

/** The service as a process of its own; standard output is piped, or goes to a descriptor. */
export function spawnService(env: NodeJS.ProcessEnv, { out, imports = [] }: { out?: number; imports?: string[] } = {}) {
  const modules = ["tsx", ...imports].flatMap((module) => ["--import", module]);
  const child = spawn(process.execPath, [...modules, main], {
    env: { ...process.env, PORT: "0", LOG_LEVEL: "info", ...env },
    stdio: ["ignore", out ?? "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const none = Readable.from([]);
  return { child, stdout: child.stdout ?? none, stderr: child.stderr ?? none };
}

export const exitCode = async (child: ChildProcess): Promise<unknown> =>
  child.exitCode ?? (await once(child, "exit"))[0];
