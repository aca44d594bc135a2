// `npm run parity:local`: two real deployments of the service on this machine, one on SQLite, one on PostgreSQL if
// TEST_POSTGRES_URL names a server (otherwise on a second SQLite file); the whole suite on both, and the comparison.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { main } from "../conformance/cli/cli.ts";
import { outliveReaders } from "../conformance/cli/reader-gone.ts";
import type { Service } from "../src/server/service.ts";
import { readConfig, runCli, startService } from "../src/test/atpoint.ts";
import { postgres, sqlite } from "../src/test/fresh-database.ts";
import { patience } from "../src/test/patience.ts";

interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Ends the run early: everything started is still ended and dropped. */
  readonly signal?: AbortSignal;
}

/** Returns the exit code of the suite. `words` are passed to it unchanged. */
export async function parityLocal(words: readonly string[], server: string | undefined, io: Io): Promise<number> {
  const second = server ? postgres(server) : sqlite;
  io.stderr.write(`one deployment on ${sqlite.name}, the other on ${second.name}\n`);
  const folder = await mkdtemp(join(tmpdir(), "atpoint-parity-"));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
  try {
    const urls: string[] = [];
    for (const [index, database] of [sqlite, second].entries()) {
      const { url, drop } = await database.fresh();
      ends.push(drop);
      const env = {
        ...patience,
        DATABASE_URL: url,
        PORT: "0",
        LOG_LEVEL: "silent",
        DEPLOYMENT_URLS: "https://one.example.com,https://two.example.com",
      };
      const service: Service = await startService(readConfig(env));
      ends.push(() => service.close());
      const credentials = join(folder, `${index}.json`);
      const nowhere = { write: () => true };
      await runCli(["keys", "conformance", "--out", credentials], { env, stdout: nowhere, stderr: io.stderr });
      urls.push("--url", service.url, "--credentials", credentials);
    }
    return await main([...urls, ...words], { ...io, env: {} });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { argv, env, stdout, stderr } = process;
  outliveReaders();
  // Every signal: npm and tsx forward one that the terminal has already sent to the group.
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => interrupt.abort());
  const io = { stdout, stderr, signal: interrupt.signal };
  process.exitCode = await parityLocal(argv.slice(2), env.TEST_POSTGRES_URL, io);
}
