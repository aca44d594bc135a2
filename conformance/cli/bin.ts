#!/usr/bin/env node
import { parseArgs } from "node:util";
import { takeContract } from "../contract.ts";

// Before anything is loaded that reads the contract. What else is wrong with the words is for the command to say.
const { contract: file } = parseArgs({ strict: false, options: { contract: { type: "string" } } }).values;
const fault = typeof file === "string" ? takeContract(file) : null;
if (fault === null) await import("./process.ts");
else {
  const { EXIT } = await import("../engine/verdict.ts");
  process.stderr.write(`--contract ${file}: ${fault}\n`);
  process.exitCode = EXIT.usage;
}
