#!/usr/bin/env node
import { runProcess } from "./commands/run-process.ts";

await runProcess(process.argv.slice(2));
