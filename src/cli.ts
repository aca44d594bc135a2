#!/usr/bin/env node
import { runProcess } from "./server/cli/run-cli.ts";
import { definition } from "./service.ts";

await runProcess(definition, process.argv.slice(2));
