import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { quickTests } from "./quick-tests.ts";

/** Whether a test is quick in a repository with a kit that starts a process. */
function isQuick(test: string): boolean {
  const root = mkdtempSync(join(tmpdir(), "atpoint-quick-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const kit = 'import {\n  type ChildProcess,\n  spawn,\n} from "node:child_process";\n';
  const modules = {
    "kit.ts": kit,
    "between.ts": 'import "./kit.ts";',
    "one.ts": "",
    "a/a.test.ts": test,
  };
  for (const [file, text] of Object.entries(modules)) {
    mkdirSync(dirname(join(root, "src", file)), { recursive: true });
    writeFileSync(join(root, "src", file), text);
  }
  return quickTests(root, ["src"]).includes("src/a/a.test.ts");
}

it.each([
  [false, "starts a process", 'import { spawn } from "node:child_process";'],
  [false, "starts a browser", 'import { chromium } from "playwright-core";'],
  [
    false,
    "has a kit that starts a process",
    'import { it } from "vitest";\nimport { start } from "../kit.ts";',
  ],
  [false, "has it through a module", 'export * from "../between.ts";'],
  [false, "loads it late", 'const { start } = await import("../kit.ts");'],
  [
    false,
    "runs the whole suite",
    'import { wholeSuite } from "../../conformance/cli/whole-suite.test-kit.ts";',
  ],
  [true, "imports nothing", ""],
  [true, "imports another module", 'import { one } from "../one.ts";'],
  [
    true,
    "has no more than a type of it",
    'import type { ChildProcess } from "node:child_process";',
  ],
  [
    true,
    "imports a package and what is not there",
    'import { it } from "vitest";\nimport { a } from "./missing.ts";',
  ],
])("is %s of a test that %s: quick", (expected, _, text) => {
  expect(isQuick(text)).toBe(expected);
});

it("has more than half of the tests of this repository, and none that is known to start processes", () => {
  const { files } = inject("quick");
  expect(files).toEqual(
    expect.arrayContaining(["scripts/quick-tests.test.ts", "src/server/request/head.test.ts"]),
  );
  expect(files).toEqual(
    quickTests(resolve(import.meta.dirname, ".."), ["src", "spec", "scripts", "conformance"]),
  );
  expect(
    files.filter((file) => /(kill|serve|fronts|right|matrix|given|package)\.test/.test(file)),
  ).toEqual([]);
});

it.each(["spawn", "exec", "execFile", "fork", "spawnSync", "execSync", "execFileSync"] as const)(
  "a quick test fails that calls %s",
  async (name) => {
    // With a static import this test would not be quick.
    const builtin: string = "node:child_process";
    const { [name]: start } = await import(builtin);
    expect(() => start("true")).toThrow(
      "scripts/quick-tests.test.ts is a quick test and starts a process",
    );
  },
);
