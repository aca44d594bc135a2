// What only a separate process shows of the command: signals, pipes, and work that is no longer awaited.
import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import { KEY } from "../proof/kits/deployment.test-kit.ts";
import { launch, launchProgram } from "../proof/kits/process.test-kit.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";

/** A module that runs this once the command listens for signals. */
const whenListening = (what: string) =>
  `data:text/javascript,${encodeURIComponent(`process.on("newListener",async(name)=>{if(name==="SIGTERM"){${what}}})`)}`;

describe("the command", () => {
  it("ends with 4 when the suite itself fails, wherever that is", async () => {
    const preload = whenListening('setImmediate(()=>{throw new Error("late")})');
    const { code, stderr } = await launch(["--url", await serveSocket(() => {})], { preload }).ended;
    expect([code, stderr]).toEqual([4, expect.stringContaining("fault of the harness: late\n")]);
  });

  it("does not end for work of a run that has ended, which nobody awaits", async () => {
    const { href } = new URL("../http/pace.ts", import.meta.url);
    const preload = whenListening(`throw new (await import("${href}")).Stopped("a")`);
    const words = ["--url", await serveSocket(() => {}), "--timeout", "50"];
    const { code, stdout } = await launch(words, { preload }).ended;
    expect([code, stdout]).toEqual([3, expect.stringContaining("no response within 0.05 s")]);
  });

  it("writes all behind a pipe", async () => {
    const { code, stdout } = await launch(["--list"], { env: {} }).ended;
    expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, contract.requirements.length]);
  });

  // Ctrl-C reaches every process of the terminal's process group: npm's script and its child processes.
  it("says through npm as well that it was interrupted, when the report is there", async () => {
    const url = await serveSocket(() => process.kill(-(child.pid as number), "SIGINT"));
    const { child, ended } = launchProgram("npm", ["run", "-s", "conformance", "--", "--url", url], {
      env: { API_KEY: KEY },
      detached: true,
    });
    const { code, stdout } = await ended;
    expect([code, stdout]).toEqual([5, expect.stringContaining("the run was interrupted")]);
  });
});

it.each([
  ["conformance/cli/bin.ts", "--list"],
  ["src/cli.ts", "--help"],
])("%s %s ends well when nobody reads", async (...words) => {
  // A shell pipe to a program that has exited.
  const line = '{ "$0" --import tsx "$@"; echo "ended with $?" >&2; } | :';
  const { stderr } = await launchProgram("sh", ["-c", line, process.execPath, ...words]).ended;
  expect(stderr).toBe("ended with 0\n");
});
