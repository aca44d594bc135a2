// `npm run image -- [OMIT=--omit=optional]`: runs the Dockerfile's instructions without a container engine, runs the result as
// its user, who can only write in the volume, and checks it with the suite. DATABASE_URL: a SQLite file in the volume unless set.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { main } from "../../conformance/cli/cli.ts";
import { buildStages, type Stage } from "./dockerfile.ts";

async function listening(log: Readable): Promise<string> {
  for await (const line of createInterface(log)) {
    const { msg, url } = JSON.parse(line);
    if (msg === "listening") return url;
  }
  throw new Error("it ended before it listened");
}

/** Starts the image, runs its health check, and runs the suite against it. Returns the exit code of the suite. */
async function judge({ folder, workdir, env, volumes, user, health, entrypoint, command }: Stage): Promise<number> {
  const cwd = join(folder, workdir);
  // As with `--read-only`, with a volume.
  execFileSync("chmod", ["-R", "a-w", cwd]);
  for (const volume of volumes) chmodSync(volume, 0o700);
  const { PATH, DATABASE_URL } = process.env;
  const options = {
    cwd,
    uid: user,
    gid: user,
    env: { PATH, ...env, HOST: "127.0.0.1", PORT: "0", DATABASE_URL, RATE_LIMITS: "off" },
  };
  const [program = "", ...words] = entrypoint;
  const run = (...more: string[]) =>
    execFileSync(program, [...words, ...more], { ...options, stdio: ["ignore", 2, 2] });
  run("migrate");
  run("keys", "conformance", "--out", "data/credentials.json");
  const child = spawn(program, [...words, ...command], { ...options, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const url = await listening(child.stdout);
    child.stdout.resume();
    const [asks = "", ...how] = health.map((word) => word.replace("http://127.0.0.1:3000", url));
    execFileSync(asks, how, { ...options, stdio: ["ignore", 2, 2] });
    const argv = ["--url", url, "--credentials", join(cwd, "data/credentials.json"), "--slow"];
    return await main(argv, { stdout: process.stdout, stderr: { write: () => true }, env: {} });
  } finally {
    child.kill();
    const [code] = await once(child, "exit");
    process.stderr.write(`The service ended with ${code}.\n`);
  }
}

const work = mkdtempSync(join(tmpdir(), "atpoint-image-"));
try {
  // Its user needs access.
  chmodSync(work, 0o755);
  const args = Object.fromEntries(process.argv.slice(2).map((word) => [word.split("=")[0], word.replace(/^\w+=/, "")]));
  const root = resolve(import.meta.dirname, "../..");
  process.exitCode = await judge(buildStages(join(import.meta.dirname, "Dockerfile"), root, work, args));
} finally {
  rmSync(work, { recursive: true });
}
