import { describe, expect, it } from "vitest";
import { launchProgram } from "../test/process.test-kit.ts";
import { startTiny } from "../test/tiny-deployment.test-kit.ts";
import type { CliOptions } from "./options.ts";
import { commandLine, rerunCommand } from "./rerun.ts";

describe("commandLine", () => {
  it("is ready to paste into a shell", () => {
    expect(commandLine(["--only", "a/b#c d", "it's"], {})).toBe("atpoint-conformance --only 'a/b#c d' 'it'\\''s'");
  });

  it.each([
    ["conformance", "tsx conformance/cli/bin.ts", "npm run -s conformance -- --slow"],
    ["judge", "tsx conformance/cli/bin.ts --strict", "atpoint-conformance --slow"],
    ["npx", "atpoint-conformance", "npx --no-install atpoint-conformance --slow"],
  ])("begins as the command was started: %s", (npm_lifecycle_event, npm_lifecycle_script, line) => {
    expect(commandLine(["--slow"], { npm_lifecycle_event, npm_lifecycle_script })).toBe(line);
  });
});

describe("rerunCommand", () => {
  const lists = { url: [], only: [], skip: [], credentials: ["c.json", "d.json"], knownFailures: [], header: [] };
  const numbers = { seed: 1, timeout: 2, deadline: 3, concurrency: 4 };

  it("keeps what the check needs", () => {
    const flags = { landing: "/home", allowWrite: true, allowHostile: true, slow: true, exceptions: "e.json" } as const;
    const options: CliOptions = { ...flags, ...lists, ...numbers, origin: "given", level: "SHOULD", strict: true };
    expect(rerunCommand(options, ["http://a", "http://b"], ["x/y"], {})).toBe(
      "atpoint-conformance --url http://a --url http://b --only x/y --origin given --landing /home --level SHOULD --credentials c.json --credentials d.json --allow-write --allow-hostile --slow --strict --exceptions e.json --timeout 2 --seed 1",
    );
  });

  it("gives one deployment its own credentials only", () => {
    const options: CliOptions = { ...lists, ...numbers, origin: "all", level: "MAY" };
    expect(rerunCommand(options, ["http://a"], ["x/y"], {})).toBe(
      "atpoint-conformance --url http://a --only x/y --credentials c.json --timeout 2 --seed 1",
    );
  });

  it("brings a failure of the given requirements back", async () => {
    const API_KEY = "a-key-of-somebody-else-0123456789";
    const url = await startTiny(API_KEY, "docs.list is XML");
    const shell = (line: string) => launchProgram("sh", ["-c", line], { env: { API_KEY } }).ended;
    const first = await shell(`npm run -s conformance -- --url ${url} --origin given --only 'docs.list/*'`);
    const [, alone = ""] = /^ {2}alone {5}(.*)$/m.exec(first.stdout) ?? [];
    expect(alone).toMatch(/^npm run -s conformance -- --url .* --origin given /);
    const again = await shell(alone);
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining("not conformant: 1 failed, ")]);
  });
});
