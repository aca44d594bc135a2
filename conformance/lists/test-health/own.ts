import type { Own } from "../../oracle/own.ts";

/** D28: `test.health` reports what this deployment depends on. */
export const testHealth: Own = { operation: "test.health", machine: ["/checks"] };
