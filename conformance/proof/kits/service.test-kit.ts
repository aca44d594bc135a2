import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { bundled } from "../../../src/test/bundle.ts";
import { patience } from "../../../src/test/patience.ts";
import type { Credentials } from "../../secrets/credentials.ts";

const repository = path.resolve(import.meta.dirname, "../../..");

/** Migrates, creates the keys and serves, in one process. */
const PROGRAM = `import { runCli, runProcess } from "./src/server/cli/run-cli.ts";
  import { definition } from "./src/service.ts";
  for (const words of JSON.parse(process.argv[2])) await runCli(definition, words, process);
  await runProcess(definition, ["serve"]);`;

/** The real service in a separate process: the suite knows only its URL. */
export type RunningService = Awaited<ReturnType<typeof startService>>;

/**
 * Starts the service on a free port with its own keys. `databaseUrl`: a new SQLite file by default;
 * `root`: the repository of the service.
 */
export async function startService(
  databaseUrl?: string,
  settings: NodeJS.ProcessEnv = {},
  root = repository,
) {
  const folder = await mkdtemp(path.join(tmpdir(), "atpoint-service-"));
  // Nothing else of this process's environment: it may configure another service.
  const { PATH, HOME, TMPDIR } = process.env;
  const env = {
    PATH,
    HOME,
    TMPDIR,
    DATABASE_URL: databaseUrl ?? `sqlite:${path.join(folder, "service.sqlite")}`,
    ...patience,
    PORT: "0",
    SHUTDOWN_GRACE_MS: "1",
    DEPLOYMENT_URLS: "https://api.example.com",
    NODE_ENV: "test",
    ...settings,
  };
  const credentialsFile = path.join(folder, "credentials.json");
  const before = [["migrate"], ["keys", "conformance", "--out", credentialsFile]];
  const program = bundled("seeded-service", { contents: PROGRAM, loader: "ts" }, root);
  const words = ["--max-semi-space-size=32", program, JSON.stringify(before)];
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await listening(child.stdout);
  // As it is written: another repository's contract has other scopes.
  const { full, ...special } = JSON.parse(await readFile(credentialsFile, "utf8"));
  return {
    url,
    credentials: { full, special } as Credentials,
    credentialsFile,
    async stop() {
      // A process that has exited does not end again.
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The address in its line of the log. The rest of the log is read and discarded, or its pipe would
 * fill.
 */
async function listening(stdout: Readable): Promise<string> {
  let address = "";
  for await (const line of createInterface({ input: stdout })) {
    // The output of earlier commands is not a log.
    const { msg, url } = line.startsWith("{") ? JSON.parse(line) : {};
    if (msg === "listening") address = url;
    if (address) break;
  }
  if (!address) throw new Error("the service ended before it listened");
  stdout.resume();
  return address;
}
