import type { Own } from "../../oracle/own.ts";

/** D22: `sysinfo` describes its machine and the caller. */
export const sysinfo: Own = { operation: "sysinfo", machine: ["/clientAddress", "/runtime", "/time"] };
