import { runProcess } from "./server/cli/run-cli.ts";
import { definition } from "./service.ts";

await runProcess(definition, ["serve", ...process.argv.slice(2)]);
