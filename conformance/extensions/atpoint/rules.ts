import type { OperationExtension } from "../../extension.ts";

export const rules: readonly OperationExtension[] = [
  // D22: it describes its machine and the caller.
  { operation: "sysinfo", machine: ["/clientAddress", "/runtime", "/time"] },
  // D28: it reports what this deployment depends on.
  { operation: "test.health", machine: ["/checks"] },
];
