// Ctrl-C reaches every process of the terminal's group: npm's script, and what that started.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { KEY } from "../test/deployment.test-kit.ts";
import { serveSocket } from "../test/server.test-kit.ts";

it("is said by npm as well, when the report is there", { timeout: 60_000 }, async () => {
  const url = await serveSocket(() => process.kill(-(child.pid as number), "SIGINT"));
  const child = spawn("npm", ["run", "-s", "conformance", "--", "--url", url], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, API_KEY: KEY },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect([code, stdout]).toEqual([5, expect.stringContaining("the run was interrupted")]);
});
