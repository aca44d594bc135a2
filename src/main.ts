import { runProcess } from "./server/cli/run-cli.ts";

await runProcess(["serve", ...process.argv.slice(2)]);
