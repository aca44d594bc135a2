import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Check } from "../checks/check.ts";
import { readCredentials } from "../cli/credentials-file.ts";
import type { CredentialName, Credentials } from "../client/credentials.ts";
import { parseTarget } from "../client/wire/target.ts";
import { run } from "../engine/run.ts";
import type { Report } from "../report/report.ts";

const repository = path.resolve(import.meta.dirname, "../..");
const node = ["--max-semi-space-size=32", "--import", path.join(repository, "node_modules/tsx/dist/loader.mjs")];

/** The real service in a process of its own: the suite knows it by its URL, as it knows any other. */
export interface RunningService {
  readonly url: string;
  readonly credentials: Credentials;
  /** The file that holds them. */
  readonly credentialsFile: string;
  stop(): Promise<void>;
}

/** Starts the service on a free port with keys of its own. `databaseUrl`: a new SQLite file unless given; `root`: whose service it is. */
export async function startService(
  databaseUrl?: string,
  more: NodeJS.ProcessEnv = {},
  root = repository,
): Promise<RunningService> {
  const folder = await mkdtemp(path.join(tmpdir(), "atpoint-service-"));
  // Nothing else of this process's environment: it may configure a service of its own.
  const { PATH, HOME, TMPDIR } = process.env;
  const env = {
    ...{ PATH, HOME, TMPDIR },
    DATABASE_URL: databaseUrl ?? `sqlite:${path.join(folder, "service.sqlite")}`,
    PORT: "0",
    SHUTDOWN_GRACE_MS: "1",
    DEPLOYMENT_URLS: "https://api.example.com",
    CHECK_ANSWERS: "throw",
    ...more,
  };
  const credentialsFile = path.join(folder, "credentials.json");
  const before = [["migrate"], ["keys", "conformance", "--out", credentialsFile]];
  // In one process: to load the sources takes a second of a core.
  const script = `import { runCli } from ${JSON.stringify(path.join(root, "src/cli/run-cli.ts"))};
    import { runProcess } from ${JSON.stringify(path.join(root, "src/cli/run-process.ts"))};
    for (const words of ${JSON.stringify(before)}) await runCli(words, process);
    await runProcess(["serve"]);`;
  const child = spawn(process.execPath, [...node, "--input-type=module", "--eval", script], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await listening(child);
  const credentials = readCredentials(credentialsFile, {});
  if (!credentials) throw new Error("the credentials file has no key");
  return {
    url,
    credentials,
    credentialsFile,
    async stop() {
      // One that has died already ends no second time.
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A whole run of these checks, with every effect and every credential. */
export function judgeAt(url: string, credentials: Credentials, checks: readonly Check[]): Promise<Report> {
  return run({
    target: parseTarget(url),
    credentials,
    checks,
    exclusions: [],
    selection: {
      ...({ origin: "all", level: "MAY", only: [], skip: [], slow: false, pair: false } as const),
      effects: ["read", "write", "hostile"],
      credentials: Object.keys(credentials.special) as CredentialName[], // its members are named so
    },
    ...{ seed: 1, concurrency: 8, timeoutMs: 12_000, deadlineMs: 500_000 },
  });
}

/** The address in the line of the log that says so. The rest of the log is read and thrown away, or its pipe would fill. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the service ended with ${code} before it listened`)));
    const { stdout } = child;
    if (!stdout) throw new Error("no standard output");
    const lines = createInterface({ input: stdout });
    lines.on("line", (line) => {
      // What the commands before it print is no log.
      const { msg, url } = line.startsWith("{") ? JSON.parse(line) : {};
      if (msg !== "listening") return;
      lines.close();
      stdout.resume();
      resolve(url);
    });
  });
}
