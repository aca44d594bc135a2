// Before each quick test file: it starts no process, whatever its imported modules do.
import processes, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { vi } from "vitest";

const reject = (): never => {
  throw new Error("a quick test starts a process: name its file *.slow.test.ts");
};
// Every asynchronous way passes the first, which has no type; of the others, each has its own.
vi.spyOn(Object(ChildProcess.prototype), "spawn").mockImplementation(reject);
for (const name of ["spawnSync", "execSync", "execFileSync"] as const)
  vi.spyOn(processes, name).mockImplementation(reject);
syncBuiltinESMExports();
