import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { quickTests } from "./quick-tests.ts";

/** The quick tests of a repository that consists of these files. */
function quickAmong(sources: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "atpoint-quick-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return quickTests(root, ["src"]);
}

const kit = { "src/kit.ts": 'import {\n  type ChildProcess,\n  spawn,\n} from "node:child_process";\n' };

it.each([
  ["starts a process", 'import { spawn } from "node:child_process";'],
  ["starts a browser", 'import { chromium } from "playwright-core";'],
  ["has a kit that starts a process", 'import { it } from "vitest";\nimport { start } from "../kit.ts";'],
  ["has it through a module", 'export * from "../between.ts";'],
  ["loads it late", 'const { start } = await import("../kit.ts");'],
  ["runs the whole suite", 'import { wholeSuite } from "../../conformance/test/whole-suite.test-kit.ts";'],
])("a test that %s is not quick", (_, text) => {
  expect(quickAmong({ ...kit, "src/between.ts": 'import "./kit.ts";', "src/a/a.test.ts": text })).toEqual([]);
});

it.each([
  ["imports nothing", ""],
  ["imports another module", 'import { one } from "../one.ts";'],
  ["has no more than a type of it", 'import type { ChildProcess } from "node:child_process";'],
  ["imports a package and what is not there", 'import { it } from "vitest";\nimport { a } from "./missing.ts";'],
])("a test that %s is quick", (_, text) => {
  expect(quickAmong({ ...kit, "src/one.ts": "", "src/a/a.test.ts": text })).toEqual(["src/a/a.test.ts"]);
});

it("has more than half of the tests of this repository, and none that is known to start processes", () => {
  const { files } = inject("quick");
  expect(files).toEqual(expect.arrayContaining(["scripts/quick-tests.test.ts", "src/server/request/head.test.ts"]));
  expect(files).toEqual(quickTests(resolve(import.meta.dirname, ".."), ["src", "spec", "scripts", "conformance"]));
  expect(files.filter((file) => /(kill|serve|fronts|right|matrix|given|package)\.test/.test(file))).toEqual([]);
});

it.each(["spawn", "exec", "execFile", "fork", "spawnSync", "execSync", "execFileSync"] as const)(
  "a quick test fails that calls %s",
  async (name) => {
    // With a static import this test would not be quick.
    const builtin: string = "node:child_process";
    const { [name]: start } = await import(builtin);
    expect(() => start("true")).toThrow("scripts/quick-tests.test.ts is a quick test and starts a process");
  },
);
