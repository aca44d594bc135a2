// Before each test file: a quick one starts no process, whatever its imported modules do.
import processes, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { relative } from "node:path";
import { expect, inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** The root of the repository, and the paths from there of the test files that are quick. */
    readonly quick: { readonly root: string; readonly files: readonly string[] };
  }
}

declare global {
  /** Ends what the test file before this one replaced, in the same process. */
  var giveBackProcesses: (() => void) | undefined;
}

// Not after a test file: one whose tests are all skipped has no such moment.
globalThis.giveBackProcesses?.();

const { root, files } = inject("quick");
const file = relative(root, expect.getState().testPath ?? "");

if (files.includes(file)) {
  const reject = (): never => {
    throw new Error(`${file} is a quick test and starts a process: scripts/quick-tests.ts says what makes it another`);
  };
  // Every asynchronous way passes the first; of the others, each has its own.
  const replaced = [
    replace(ChildProcess.prototype, { spawn: reject }),
    replace(processes, { spawnSync: reject, execSync: reject, execFileSync: reject }),
  ];
  syncBuiltinESMExports();
  globalThis.giveBackProcesses = () => {
    for (const giveBack of replaced) giveBack();
    syncBuiltinESMExports();
    globalThis.giveBackProcesses = undefined;
  };
}

function replace(target: object, changes: Readonly<Record<string, unknown>>): () => void {
  const own = Object.entries(Object.getOwnPropertyDescriptors(target)).filter(([name]) => name in changes);
  Object.assign(target, changes);
  return () => void Object.defineProperties(target, Object.fromEntries(own));
}
