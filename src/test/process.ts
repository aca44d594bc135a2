import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { bundled } from "./bundle.ts";
import { BOUND_MS, patience } from "./patience.ts";

const main = new URL("../main.ts", import.meta.url).pathname;

/**
 * The service as a separate process; standard output is piped, or goes to a descriptor; `before` is
 * for the shell that starts it.
 */
export function spawnService(
  env: NodeJS.ProcessEnv,
  { out, imports = [], before = ":" }: { out?: number; imports?: string[]; before?: string } = {},
) {
  // Imported modules may import the sources.
  const modules =
    imports.length > 0 ? ["tsx", ...imports].flatMap((module) => ["--import", module]) : [];
  const program = [...modules, imports.length > 0 ? main : bundled("service", "src/main.ts")];
  const child = spawn("sh", ["-c", `${before}; exec "$0" "$@"`, process.execPath, ...program], {
    env: {
      ...process.env,
      PORT: "0",
      LOG_LEVEL: "info",
      ...patience,
      LOG_FLUSH_TIMEOUT_MS: String(BOUND_MS),
      ...env,
    },
    stdio: ["ignore", out ?? "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const none = Readable.from([]);
  return { child, stdout: child.stdout ?? none, stderr: child.stderr ?? none };
}

/**
 * All lines of the log of such a process; `listening` is called with the address once it serves.
 */
export async function logOf(
  stdout: Readable,
  listening: (url: string, management: string) => Promise<unknown>,
) {
  let log = "";
  for await (const line of createInterface(stdout)) {
    log += line;
    const { msg, url, managementUrl } = JSON.parse(line);
    if (msg === "listening") await listening(url, managementUrl);
  }
  return log;
}

/** The exit code and all output of such a process. */
export async function ended({ child, stdout, stderr }: ReturnType<typeof spawnService>) {
  const [out, err, code] = await Promise.all([text(stdout), text(stderr), exitCode(child)]);
  return { code, out, err };
}

export const exitCode = async (child: ChildProcess): Promise<unknown> =>
  child.exitCode ?? (await once(child, "exit"))[0];
