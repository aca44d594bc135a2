import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { bundled } from "../src/test/bundle.ts";

const run = promisify(execFile);

/** The address of a service, and the file with the keys of the suite. */
export interface Served {
  readonly url: string;
  readonly credentials: string;
}

/** The service on a new database, until the test ends. */
export async function servedFrom(at: string, settings: NodeJS.ProcessEnv = {}): Promise<Served> {
  const data = await mkdtemp(join(tmpdir(), "atpoint-own-data-"));
  const credentials = join(data, "credentials.json");
  const database = {
    DATABASE_URL: `sqlite:${join(data, "test.sqlite")}`,
    PORT: "0",
    MANAGEMENT_PORT: "off",
  };
  const options = { cwd: at, env: { ...process.env, ...database, ...settings } };
  const main = [bundled("main", "main.ts", at)];
  await run(process.execPath, [...main, "migrate"], options);
  await run(process.execPath, [...main, "keys", "conformance", "--out", credentials], options);
  const service = spawn(process.execPath, [...main, "serve"], {
    ...options,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(service, "exit");
  onTestFinished(async () => {
    service.kill();
    await ended;
    await rm(data, { recursive: true });
  });
  const url = await new Promise<string>((listening) =>
    createInterface(service.stdout).on("line", (line) => {
      const { msg, url } = JSON.parse(line);
      if (msg === "listening") listening(url);
    }),
  );
  return { url, credentials };
}
