// A service that `new-service` has written: installed, served, and checked by the suite.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { readContract } from "../conformance/oracle/read-contract.ts";
import { runAt } from "../conformance/proof/service.ts";
import type { RunOptions } from "../conformance/run/options.ts";
import type { Report } from "../conformance/run/run.ts";
import type { Suite } from "../conformance/run/state.ts";
import { createSuite } from "../conformance/suite.ts";
import { bundled } from "../src/test/bundle.ts";

const root = resolve(import.meta.dirname, "..");
export const run = promisify(execFile);

/**
 * Installs the tarballs of `packages/` as npm does, without compiling SQLite's driver again: links
 * to what is installed here, and the tarballs.
 */
const INSTALL = `mkdir -p node_modules/.bin && cd node_modules
ln -s "$0"/node_modules/* . && ln -s "$0"/node_modules/.bin/* .bin && rm -f atpoint* .bin/atpoint*
for file in ../packages/*; do
  name=$(basename "$file" | sed 's/-[0-9].*//')
  mkdir "$name" && tar xzf "$file" -C "$name" --strip-components=1
done
ln -s ../atpoint-conformance/bin.js .bin/atpoint-conformance`;

export const installLinked = (folder: string) => run("sh", ["-ec", INSTALL, root], { cwd: folder });

/** The address of a service, and the file with the keys of the suite. */
export interface Served {
  readonly url: string;
  readonly credentials: string;
}

/** Starts a service on a new database; `node`: the program that runs it. */
export async function startWritten(
  at: string,
  settings: NodeJS.ProcessEnv = {},
  node = process.execPath,
): Promise<Served & { stop(): Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), "atpoint-own-data-"));
  const credentials = join(data, "credentials.json");
  const database = {
    DATABASE_URL: `sqlite:${join(data, "test.sqlite")}`,
    PORT: "0",
    MANAGEMENT_PORT: "off",
  };
  const options = { cwd: at, env: { ...process.env, ...database, ...settings } };
  const main = [bundled("main", "main.ts", at)];
  await run(node, [...main, "migrate"], options);
  await run(node, [...main, "keys", "conformance", "--out", credentials], options);
  const service = spawn(node, [...main, "serve"], {
    ...options,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(service, "exit");
  const url = await new Promise<string>((listening) =>
    createInterface(service.stdout).on("line", (line) => {
      const { msg, url } = JSON.parse(line);
      if (msg === "listening") listening(url);
    }),
  );
  return {
    url,
    credentials,
    async stop() {
      service.kill();
      await ended;
      await rm(data, { recursive: true });
    },
  };
}

/** The suite of the contract in a folder. */
export async function suiteOf(at: string): Promise<Suite> {
  const text = await readFile(join(at, "generated/contract.json"), "utf8");
  return createSuite(readContract(JSON.parse(text)));
}

/** A run of the suite against a service. */
export async function runSuite(
  { url, credentials }: Served,
  suite: Suite,
  options: Partial<RunOptions> = {},
): Promise<Report> {
  const { full, ...special } = JSON.parse(await readFile(credentials, "utf8"));
  return runAt(url, { full, special }, options, suite);
}
