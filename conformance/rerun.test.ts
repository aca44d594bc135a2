import { describe, expect, it } from "vitest";
import type { CliOptions } from "./options.ts";
import packageJson from "./package.json" with { type: "json" };
import { commandLine, rerunCommand } from "./rerun.ts";
import { suite } from "./suite.ts";
import { worst } from "./verdict.ts";

describe("commandLine", () => {
  it("is ready to paste into a shell", () => {
    expect(commandLine(["--only", "a/b#c d", "it's"])).toBe("atpoint-conformance --only 'a/b#c d' 'it'\\''s'");
  });
});

describe("rerunCommand", () => {
  it("keeps what the check needs", () => {
    const flags = { allowWrite: true, allowHostile: true, slow: true, exceptions: "e.json" } as const;
    const lists = { url: [], only: [], skip: [], credentials: ["c.json"], knownFailures: [] };
    const numbers = { seed: 1, timeout: 2, deadline: 3, concurrency: 4 };
    const options: CliOptions = { ...flags, ...lists, ...numbers, origin: "all", level: "MAY" };
    expect(rerunCommand(options, ["http://a", "http://b"], ["x/y"])).toBe(
      "atpoint-conformance --url http://a --url http://b --only x/y --credentials c.json --allow-write --allow-hostile --slow --exceptions e.json --timeout 2 --seed 1",
    );
  });
});

describe("the suite", () => {
  it("has the version of its package", () => {
    expect(suite).toEqual({ name: packageJson.name, version: packageJson.version });
  });
});

describe("worst", () => {
  it("is the gravest exit code", () => {
    expect(worst([0, 5])).toBe(5);
    expect(worst([5, 1])).toBe(1);
    expect(worst([1, 3])).toBe(3);
    expect(worst([0, 0])).toBe(0);
  });
});
