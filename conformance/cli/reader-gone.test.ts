import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

it.each([
  ["conformance/cli/bin.ts", "--list"],
  ["conformance/mutants/command.ts", "--help"],
  ["src/cli.ts", "--help"],
])("%s %s ends well when nobody reads", async (...words) => {
  const child = spawn(process.execPath, ["--import", "tsx", ...words], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect([code, said]).toEqual([0, ""]);
});
