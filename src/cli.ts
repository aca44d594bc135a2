#!/usr/bin/env node
import { runProcess } from "./server/cli/run-cli.ts";

await runProcess(process.argv.slice(2));
