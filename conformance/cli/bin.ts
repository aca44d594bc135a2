#!/usr/bin/env node
import { parseArgs } from "node:util";
import { takeContract } from "../contract.ts";

// Runs before anything that reads the contract is loaded. The command reports every other error in the arguments.
const { contract: file } = parseArgs({ strict: false, options: { contract: { type: "string" } } }).values;
const fault = typeof file === "string" ? takeContract(file) : null;
if (fault === null) await import("./process.ts");
else {
  const { EXIT } = await import("../engine/verdict.ts");
  process.stderr.write(`--contract ${file}: ${fault}\n`);
  process.exitCode = EXIT.usage;
}
