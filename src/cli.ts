#!/usr/bin/env node
import { createService } from "./server/index.ts";
import { definition } from "./service.ts";

await createService(definition).run(process.argv.slice(2));
