// Starts the service on a new database, and checks it with the suite and its own contract.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const folder = mkdtempSync(join(tmpdir(), "my-service-"));
const credentials = join(folder, "credentials.json");
const env = {
  ...process.env,
  DATABASE_URL: `sqlite:${join(folder, "test.sqlite")}`,
  PORT: "0",
  MANAGEMENT_PORT: "off",
};
const main = ["--import", "tsx", "main.ts"];
for (const words of [["migrate"], ["keys", "conformance", "--out", credentials]])
  if (spawnSync(process.execPath, [...main, ...words], { env, stdio: "inherit" }).status !== 0)
    process.exit(1);

const service = spawn(process.execPath, [...main, "serve"], {
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
for await (const line of createInterface(service.stdout)) {
  const { msg, url, ...details } = JSON.parse(line);
  if (/fault|undocumented/.test(msg)) console.error(msg, details);
  if (msg !== "listening") continue;
  const words = [
    "--contract",
    "generated/contract.json",
    "--url",
    url,
    "--credentials",
    credentials,
  ];
  // npm has put it on the path.
  spawn("atpoint-conformance", [...words, ...process.argv.slice(2)], { stdio: "inherit" }).once(
    "exit",
    (code) => {
      process.exitCode = code ?? 1;
      service.kill();
    },
  );
}
rmSync(folder, { recursive: true });
