// Before each test file: a quick one starts no process, whatever its imported modules do.
import processes, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { relative } from "node:path";
import { expect, inject, vi } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** The root of the repository, and the paths from there of the test files that are quick. */
    readonly quick: { readonly root: string; readonly files: readonly string[] };
  }
}

// Ends what the file before this one replaced: not after it, since a file whose tests are all skipped has no such moment.
vi.restoreAllMocks();
syncBuiltinESMExports();

const { root, files } = inject("quick");
const file = relative(root, expect.getState().testPath ?? "");

if (files.includes(file)) {
  const reject = (): never => {
    throw new Error(
      `${file} is a quick test and starts a process: scripts/quick-tests.ts says what makes it another`,
    );
  };
  // Every asynchronous way passes the first, which has no type; of the others, each has its own.
  vi.spyOn(Object(ChildProcess.prototype), "spawn").mockImplementation(reject);
  for (const name of ["spawnSync", "execSync", "execFileSync"] as const)
    vi.spyOn(processes, name).mockImplementation(reject);
  syncBuiltinESMExports();
}
