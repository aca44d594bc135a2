#!/usr/bin/env node
import { runCli } from "./commands/run-cli.ts";
import { environment } from "./config.ts";

const { argv, stdout, stderr } = process;
process.exitCode = await runCli(argv.slice(2), { env: environment(), stdout, stderr });
